/* SPDX-License-Identifier: Apache-2.0 */
/* oct_program.c - the traced program: its instructions and symbols, from its ELF file.
 *
 * Code is what executable segments load. On ARM the mapping symbols $a, $t and $d (ARM ELF
 * ABI, 5.5.5) say where the code is of which kind; without them a function symbol with an odd
 * address is Thumb.
 *
 * The hash of a file is that of its executable segments, each behind its address and size. An ELF
 * header that is loaded with them counts as zeros: to strip a program changes where it says that
 * the section table is.
 *
 * Where a trace was loaded at another place than its program says: programs are moved by whole
 * pages, so that few places can be those of some bytes of the trace. Each place that has them is
 * held against all of the program map. */
#include "octrace/map.h"

#include "oct_endian.h"
#include "oct_infile.h"
#include "octrace/trace.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

typedef struct symbol {
  uint64_t addr;
  uint64_t size; /* 0: up to the next one */
  char *name;
} symbol;

/* From addr on the code is of this kind. */
typedef struct mark {
  uint64_t addr;
  char kind; /* 'a', 't' or 'd' */
} mark;

typedef struct segment {
  uint64_t addr, size;
  uint8_t *bytes;
  size_t image;   /* number of its file, */
  bool is_marked; /* where mapping symbols tell the kinds of code; true but for ARM */
} segment;

struct oct_program {
  int isa;
  oct_disasm *disasm, *thumb; /* thumb: NULL but for ARM */
  segment *segments;
  size_t n_segments;
  symbol *symbols;
  size_t n_symbols;
  mark *marks;
  size_t n_marks;
  char kind; /* of code without a mark before it */
  oct_program_image *images;
  size_t n_images;
};

/* Room for one more item in an array that doubles: the new item, or NULL. */
static void *append(void **array, size_t *n, size_t size) {
  if ((*n & (*n - 1)) == 0) {
    void *p = realloc(*array, (*n ? 2 * *n : 1) * size);
    if (!p) return NULL;
    *array = p;
  }
  return memset((char *)*array + size * (*n)++, 0, size);
}

static int isa_of(const GElf_Ehdr *head) {
  int is_64 = head->e_ident[EI_CLASS] == ELFCLASS64;
  int is_big = head->e_ident[EI_DATA] == ELFDATA2MSB;
  switch (head->e_machine) {
    case EM_ARM:
      return is_big ? -1 : OCT_ISA_ARM;
    case EM_AARCH64:
      return is_big ? -1 : OCT_ISA_AARCH64;
    case EM_RISCV:
      return is_64 ? OCT_ISA_RISCV64 : OCT_ISA_RISCV32;
    case EM_X86_64:
      return OCT_ISA_X86_64;
    case EM_386:
      return OCT_ISA_X86;
    case EM_MIPS:
      return is_big ? OCT_ISA_MIPS : OCT_ISA_MIPSEL;
    default:
      return -1;
  }
}

static int no_memory(const char *path, oct_diag *diag) {
  return oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
}

/* What libelf says of what it was asked last; NULL: nothing is wrong. */
static const char *complaint(void) {
  int error = elf_errno();
  return error ? elf_errmsg(error) : NULL;
}

/* Whether it is of memory. The library has no public number for it, and does not always say so:
 * errno was 0 when the file was opened. */
static bool is_memory(const char *what) {
  return errno == ENOMEM || (what && strstr(what, "memory"));
}

static int damaged(const char *path, const char *what, oct_diag *diag) {
  return is_memory(what) ? no_memory(path, diag)
                         : oct_fail_in(diag, OCT_ERR_FORMAT, path, "damaged ELF file: %s",
                                       what ? what : "unreadable");
}

/* Hash a segment that was read, whose bytes begin at offset of a file with a header of head_bytes.
 */
static void hash_segment(XXH64_state_t *hash, const segment *s, uint64_t vaddr, uint64_t offset,
                         size_t head_bytes) {
  static const uint8_t zeros[sizeof(Elf64_Ehdr)];
  uint8_t place[16];
  size_t skipped = offset < head_bytes ? head_bytes - (size_t)offset : 0;
  if (skipped > s->size) skipped = (size_t)s->size;
  if (skipped > sizeof zeros) skipped = sizeof zeros;
  oct_put_u64(place, vaddr);
  oct_put_u64(place + 8, s->size);
  XXH64_update(hash, place, sizeof place);
  XXH64_update(hash, zeros, skipped);
  XXH64_update(hash, s->bytes + skipped, (size_t)s->size - skipped);
}

static int read_segments(oct_program *p, Elf *elf, const GElf_Ehdr *head, uint64_t bias,
                         const char *path, XXH64_state_t *hash, oct_diag *diag) {
  size_t n, file_bytes, before = p->n_segments;
  const char *file = elf_rawfile(elf, &file_bytes);
  if (elf_getphdrnum(elf, &n) || !file) return damaged(path, complaint(), diag);
  for (size_t i = 0; i < n; i++) {
    GElf_Phdr h;
    if (!gelf_getphdr(elf, (int)i, &h)) return damaged(path, complaint(), diag);
    if (h.p_type != PT_LOAD || !(h.p_flags & PF_X)) continue;
    if (h.p_offset > file_bytes || h.p_filesz > file_bytes - h.p_offset)
      return damaged(path, "a segment ends after the file", diag);
    segment *s = append((void **)&p->segments, &p->n_segments, sizeof *s);
    if (!s || !(s->bytes = malloc(h.p_filesz + 1))) return no_memory(path, diag);
    s->addr = h.p_vaddr + bias;
    s->size = h.p_filesz;
    s->image = p->n_images - 1;
    s->is_marked = p->isa != OCT_ISA_ARM;
    memcpy(s->bytes, file + h.p_offset, h.p_filesz);
    hash_segment(hash, s, h.p_vaddr, h.p_offset, head->e_ehsize);
  }
  if (p->n_segments > before) return 0;
  return oct_fail_in(diag, OCT_ERR_FORMAT, path, "an ELF file without code: expected a program");
}

/* Take a symbol: of a function, or one that marks a kind of code. */
static int take_symbol(oct_program *p, const GElf_Sym *sym, const char *name, uint64_t bias) {
  uint64_t addr = sym->st_value + bias;
  int is_function = GELF_ST_TYPE(sym->st_info) == STT_FUNC;
  if (sym->st_shndx == SHN_UNDEF || !name || !*name) return 0;
  if (p->isa == OCT_ISA_ARM) {
    int is_mark = name[0] == '$' && (name[1] == 'a' || name[1] == 't' || name[1] == 'd') &&
                  (!name[2] || name[2] == '.');
    if (is_mark || is_function) {
      mark *m = append((void **)&p->marks, &p->n_marks, sizeof *m);
      if (!m) return OCT_ERR_NOMEM;
      m->addr = addr & ~UINT64_C(1);
      m->kind = is_mark ? name[1] : addr & 1 ? 't' : 'a';
    }
    for (size_t i = p->n_segments; is_mark && i-- && p->segments[i].image == p->n_images - 1;)
      p->segments[i].is_marked = true;
    addr &= ~UINT64_C(1);
  }
  /* Code in assembly often has no type; names with a dot or a dollar are the compiler's. */
  if (!is_function && (GELF_ST_TYPE(sym->st_info) != STT_NOTYPE || strpbrk(name, ".$"))) return 0;
  symbol *s = append((void **)&p->symbols, &p->n_symbols, sizeof *s);
  if (!s || !(s->name = strdup(name))) return OCT_ERR_NOMEM;
  s->addr = addr;
  s->size = sym->st_size;
  return 0;
}

static int by_symbol(const void *a, const void *b) {
  const symbol *x = a, *y = b;
  if (x->addr != y->addr) return x->addr < y->addr ? -1 : 1;
  return x->size < y->size ? 1 : x->size > y->size ? -1 : strcmp(x->name, y->name);
}

static int by_mark(const void *a, const void *b) {
  const mark *x = a, *y = b;
  if (x->addr != y->addr) return x->addr < y->addr ? -1 : 1;
  return x->kind - y->kind;
}

static int read_symbols(oct_program *p, Elf *elf, uint64_t bias, const char *path, oct_diag *diag) {
  for (Elf_Scn *scn = NULL;;) {
    GElf_Shdr h;
    const char *what = complaint(); /* of names that are none, which does not matter */
    scn = elf_nextscn(elf, scn);
    if (!scn && (what = complaint())) return damaged(path, what, diag);
    if (!scn) break;
    if (!gelf_getshdr(scn, &h)) return damaged(path, complaint(), diag);
    if ((h.sh_type != SHT_SYMTAB && h.sh_type != SHT_DYNSYM) || !h.sh_entsize) continue;
    Elf_Data *data = elf_getdata(scn, NULL);
    if (!data) return damaged(path, complaint(), diag);
    for (size_t i = 0; i < h.sh_size / h.sh_entsize; i++) {
      GElf_Sym sym;
      if (!gelf_getsym(data, (int)i, &sym)) break;
      const char *name = elf_strptr(elf, h.sh_link, sym.st_name);
      if ((!name && is_memory(complaint())) || take_symbol(p, &sym, name, bias))
        return no_memory(path, diag);
    }
  }
  if (p->n_symbols) qsort(p->symbols, p->n_symbols, sizeof *p->symbols, by_symbol);
  if (p->n_marks) qsort(p->marks, p->n_marks, sizeof *p->marks, by_mark);
  return 0;
}

/* All that a file of the program's instruction set has. */
static int read_image(oct_program *p, Elf *elf, const GElf_Ehdr *head, uint64_t bias,
                      const char *path, oct_diag *diag) {
  XXH64_state_t *hash = XXH64_createState();
  oct_program_image *image = hash ? append((void **)&p->images, &p->n_images, sizeof *image) : NULL;
  if (!image || !(image->path = strdup(path))) {
    XXH64_freeState(hash);
    return no_memory(path, diag);
  }
  XXH64_reset(hash, 0);
  int rc = read_segments(p, elf, head, bias, path, hash, diag);
  image->bias = bias;
  image->hash = XXH64_digest(hash);
  XXH64_freeState(hash);
  return rc ? rc : read_symbols(p, elf, bias, path, diag);
}

static int not_elf(const char *path, oct_diag *diag) {
  return is_memory(complaint()) ? no_memory(path, diag)
                                : oct_fail_in(diag, OCT_ERR_FORMAT, path, "not an ELF file");
}

static int read_program(oct_program *p, Elf *elf, uint64_t bias, const char *path, oct_diag *diag) {
  GElf_Ehdr head;
  int isa;
  if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &head)) return not_elf(path, diag);
  if ((isa = isa_of(&head)) < 0)
    return oct_fail_in(diag, OCT_ERR_UNSUPPORTED, path,
                       "a program for ELF machine %u: expected ARM, AArch64, RISC-V, x86 or MIPS",
                       head.e_machine);
  if (p->disasm && isa != p->isa)
    return oct_fail_in(diag, OCT_ERR_ARG, path,
                       "a file for %s: expected one for %s, as the first is",
                       oct_isa_get((oct_isa)isa)->name, oct_isa_get((oct_isa)p->isa)->name);
  if (p->disasm) return read_image(p, elf, &head, bias, path, diag);
  p->isa = isa;
  p->disasm = oct_disasm_new((oct_isa)p->isa);
  if (p->isa == OCT_ISA_ARM) p->thumb = oct_disasm_new(OCT_ISA_THUMB);
  if (!p->disasm || (p->isa == OCT_ISA_ARM && !p->thumb)) return no_memory(path, diag);
  return read_image(p, elf, &head, bias, path, diag);
}

int oct_program_add(oct_program *p, const char *path, uint64_t bias, oct_diag *diag) {
  elf_version(EV_CURRENT);
  errno = 0;
  int fd = oct_infile_open(path);
  if (fd < 0) return oct_fail_in(diag, OCT_ERR_IO, path, "cannot open: %s", strerror(errno));
  struct stat st;
  bool is_folder = !fstat(fd, &st) && S_ISDIR(st.st_mode);
  Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
  int rc = is_folder ? oct_fail_in(diag, OCT_ERR_FORMAT, path, "a folder: expected an ELF file")
           : elf     ? read_program(p, elf, bias, path, diag)
                     : not_elf(path, diag);
  if (elf) elf_end(elf);
  close(fd);
  return rc;
}

int oct_program_open(const char *path, uint64_t bias, oct_program **program, oct_diag *diag) {
  oct_program *p = calloc(1, sizeof *p);
  *program = NULL;
  if (!p) return oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  p->kind = 'a';
  int rc = oct_program_add(p, path, bias, diag);
  if (rc)
    oct_program_close(p);
  else
    *program = p;
  return rc;
}

void oct_program_close(oct_program *p) {
  if (!p) return;
  for (size_t i = 0; i < p->n_segments; i++) free(p->segments[i].bytes);
  for (size_t i = 0; i < p->n_symbols; i++) free(p->symbols[i].name);
  for (size_t i = 0; i < p->n_images; i++) free((char *)p->images[i].path);
  free(p->images);
  free(p->segments);
  free(p->symbols);
  free(p->marks);
  oct_disasm_free(p->disasm);
  oct_disasm_free(p->thumb);
  free(p);
}

size_t oct_program_n_images(const oct_program *p) {
  return p->n_images;
}

const oct_program_image *oct_program_images(const oct_program *p) {
  return p->images;
}

void oct_program_assume_thumb(oct_program *p) {
  p->kind = 't';
}

int oct_program_isa(const oct_program *p) {
  return p->isa;
}

/* How many of n items, sorted by the address that each begins with, stand at addr or before. */
static size_t count_up_to(const void *items, size_t n, size_t size, uint64_t addr) {
  size_t low = 0;
  while (low < n) {
    size_t mid = (low + n) / 2;
    uint64_t at;
    memcpy(&at, (const char *)items + mid * size, sizeof at);
    if (at <= addr)
      low = mid + 1;
    else
      n = mid;
  }
  return low;
}

/* What kind the code at addr is, as the mark before it says. */
static char kind_at(const oct_program *p, uint64_t addr) {
  size_t n = count_up_to(p->marks, p->n_marks, sizeof *p->marks, addr);
  return n ? p->marks[n - 1].kind : p->kind;
}

int oct_program_find_image(const oct_program *p, uint64_t addr, size_t *image) {
  for (size_t i = 0; i < p->n_segments; i++) {
    const segment *s = &p->segments[i];
    if (addr - s->addr >= s->size) continue;
    *image = s->image;
    return s->is_marked;
  }
  return 0;
}

static unsigned insn_at(oct_program *p, uint64_t addr, int is_thumb, oct_map_entry *e) {
  for (size_t i = 0; i < p->n_segments; i++) {
    const segment *s = &p->segments[i];
    uint64_t at = addr - s->addr;
    if (at >= s->size) continue;
    oct_disasm *d = p->thumb && is_thumb ? p->thumb : p->disasm;
    return oct_disasm_insn(d, addr, s->bytes + at, (size_t)(s->size - at), e);
  }
  return 0;
}

unsigned oct_program_insn(oct_program *p, uint64_t addr, oct_map_entry *e) {
  return insn_at(p, addr, kind_at(p, addr) == 't', e);
}

unsigned oct_program_insn_as(oct_program *p, uint64_t addr, int is_thumb, oct_map_entry *e) {
  if (p->thumb && is_thumb) oct_disasm_forget(p->thumb);
  return insn_at(p, addr, is_thumb, e);
}

const uint8_t *oct_program_code(const oct_program *p, uint64_t addr, size_t n) {
  for (size_t i = 0; i < p->n_segments; i++) {
    const segment *s = &p->segments[i];
    uint64_t at = addr - s->addr;
    if (at < s->size && s->size - at >= n) return s->bytes + at;
  }
  return NULL;
}

size_t oct_program_n_parts(const oct_program *p) {
  return p->n_segments;
}

uint64_t oct_program_part(const oct_program *p, size_t part, uint64_t *addr) {
  *addr = p->segments[part].addr;
  return p->segments[part].size;
}

const char *oct_program_symbol(const oct_program *p, uint64_t addr, uint64_t *offset) {
  size_t low = count_up_to(p->symbols, p->n_symbols, sizeof *p->symbols, addr);
  if (!low) return NULL;
  while (low > 1 && p->symbols[low - 2].addr == p->symbols[low - 1].addr) low--; /* the largest */
  const symbol *s = &p->symbols[low - 1];
  *offset = addr - s->addr;
  return s->size && *offset >= s->size ? NULL : s->name;
}

/* ---- Does a trace lie in a file of the program, and if not, where was it loaded? ---- */

int oct_program_is_used(const oct_program *p, size_t image, const oct_map *map) {
  for (uint32_t id = 0; id < oct_map_count(map); id++)
    for (size_t i = 0; i < p->n_segments; i++)
      if (p->segments[i].image == image &&
          oct_map_at(map, id)->addr - p->segments[i].addr < p->segments[i].size)
        return 1;
  return 0;
}

static bool has_bytes(const oct_map_head *e) {
  return e->code_isa && !(e->flags & OCT_MAP_CONTINUES);
}

/* The bytes of the map's instructions from entry id on, as far as they follow each other. */
static size_t gather(const oct_map *map, uint32_t id, uint8_t *bytes, size_t room) {
  size_t n = 0;
  while (id != UINT32_MAX && has_bytes(oct_map_at(map, id)) && n < room) {
    const oct_map_head *e = oct_map_at(map, id);
    for (size_t i = 0; i < e->size_bytes && n < room; i++) bytes[n++] = e->code[i];
    id = oct_map_find(map, e->addr + e->size_bytes);
  }
  return n;
}

/* How many of the map's instructions a file has if it is moved on by so much; 0 when it has other
 * bytes for one of them. */
static size_t count_equal(const oct_program *p, size_t image, const oct_map *map, uint64_t move) {
  size_t n = 0;
  for (uint32_t id = 0; id < oct_map_count(map); id++) {
    const oct_map_head *e = oct_map_at(map, id);
    for (size_t i = 0; i < p->n_segments && has_bytes(e); i++) {
      const segment *s = &p->segments[i];
      uint64_t at = e->addr - s->addr - move;
      if (s->image != image || at >= s->size || s->size - at < e->size_bytes) continue;
      if (memcmp(s->bytes + at, e->code, e->size_bytes) != 0) return 0;
      n++;
    }
  }
  return n;
}

int oct_program_find_bias(const oct_program *p, size_t image, const oct_map *map, uint64_t *bias) {
  enum { PAGE_BYTES = 4096, ALIKE_BYTES = 16, TRIES_MAX = 64 };
  uint64_t tried[TRIES_MAX];
  size_t n_tried = 0, most = 0;
  for (uint32_t id = 0; id < oct_map_count(map); id++) {
    uint8_t bytes[ALIKE_BYTES];
    if (gather(map, id, bytes, sizeof bytes) < sizeof bytes) continue;
    for (size_t i = 0; i < p->n_segments; i++) {
      const segment *s = &p->segments[i];
      uint64_t addr = oct_map_at(map, id)->addr;
      uint64_t at = (addr - s->addr) % PAGE_BYTES;
      for (; s->image == image && at + sizeof bytes <= s->size; at += PAGE_BYTES) {
        uint64_t move = addr - s->addr - at;
        size_t known = 0, n;
        if (memcmp(s->bytes + at, bytes, sizeof bytes) != 0) continue;
        while (known < n_tried && tried[known] != move) known++;
        if (known < n_tried || n_tried == TRIES_MAX) continue;
        tried[n_tried++] = move;
        if ((n = count_equal(p, image, map, move)) <= most) continue;
        most = n;
        *bias = oct_program_images(p)[image].bias + move;
      }
    }
  }
  return most > 0;
}
