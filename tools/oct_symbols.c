/* SPDX-License-Identifier: Apache-2.0 */
/* oct_symbols.c - names of addresses from the symbol tables of ELF files, read by libelf. */
#include "oct_symbols.h"

#ifdef OCT_HAVE_LIBDW
#include <elfutils/libdw.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oct_demangle.h"
#include "oct_infile.h"

typedef struct oct_symbol_entry {
  uint64_t addr, bytes;
  char *name;
} oct_symbol_entry;

#ifdef OCT_HAVE_LIBDW
/* A file with source lines, which stays open. */
struct oct_dwarf {
  struct oct_dwarf *next;
  Dwarf *dwarf;
  Elf *elf;
  int fd;
  uint64_t base;
};

/* Keep the file if it has source lines; false when not. */
static bool keep_lines(oct_symbols *s, Elf *elf, int fd, uint64_t base) {
  Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
  struct oct_dwarf *d = dwarf ? malloc(sizeof *d) : NULL;
  if (!d) {
    dwarf_end(dwarf);
    return false;
  }
  *d = (struct oct_dwarf){.next = s->files, .dwarf = dwarf, .elf = elf, .fd = fd, .base = base};
  s->files = d;
  return true;
}

/* The compilation unit that pc is in, by the table of ranges, or else by looking at all units. */
static bool find_unit(Dwarf *dwarf, Dwarf_Addr pc, Dwarf_Die *unit) {
  Dwarf_Off at = 0, next;
  size_t head_bytes;
  if (dwarf_addrdie(dwarf, pc, unit)) return true;
  for (; !dwarf_nextcu(dwarf, at, &next, &head_bytes, NULL, NULL, NULL); at = next)
    if (dwarf_offdie(dwarf, at + head_bytes, unit) && dwarf_haspc(unit, pc) > 0) return true;
  return false;
}

void oct_symbols_line(const oct_symbols *s, uint64_t addr, char *text, size_t size) {
  text[0] = '\0';
  for (const struct oct_dwarf *d = s->files; d && !text[0]; d = d->next) {
    Dwarf_Die unit;
    int number = 0;
    if (!find_unit(d->dwarf, addr - d->base, &unit)) continue;
    Dwarf_Line *line = dwarf_getsrc_die(&unit, addr - d->base);
    const char *path = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    if (!path || dwarf_lineno(line, &number) || !number) continue;
    const char *name = strrchr(path, '/');
    snprintf(text, size, "%s:%d", name ? name + 1 : path, number);
  }
}

static void free_lines(oct_symbols *s) {
  for (struct oct_dwarf *d = s->files, *next; d; d = next) {
    next = d->next;
    dwarf_end(d->dwarf);
    elf_end(d->elf);
    close(d->fd);
    free(d);
  }
}
#else
static bool keep_lines(oct_symbols *s, Elf *elf, int fd, uint64_t base) {
  (void)s, (void)elf, (void)fd, (void)base;
  return false;
}

void oct_symbols_line(const oct_symbols *s, uint64_t addr, char *text, size_t size) {
  (void)s, (void)addr, (void)size;
  text[0] = '\0';
}

static void free_lines(oct_symbols *s) {
  (void)s;
}
#endif

static int add(oct_symbols *s, uint64_t addr, uint64_t bytes, const char *name) {
  if (s->n == s->size) {
    size_t size = s->size ? 2 * s->size : 256;
    oct_symbol_entry *grown = realloc(s->at, size * sizeof *grown);
    if (!grown) return OCT_ERR_NOMEM;
    s->at = grown;
    s->size = size;
  }
  s->at[s->n] = (oct_symbol_entry){.addr = addr, .bytes = bytes, .name = oct_demangle(name)};
  return s->at[s->n].name ? (s->n++, 0) : OCT_ERR_NOMEM;
}

/* Did libelf give nothing because memory ran out? It has no public number for that. */
static bool is_out_of_memory(void) {
  int error = elf_errno();
  return error && !strcmp(elf_errmsg(error), "out of memory");
}

static int add_table(oct_symbols *s, Elf *elf, Elf_Scn *section, const GElf_Shdr *head,
                     uint64_t base, int is_arm) {
  Elf_Data *data = elf_getdata(section, NULL);
  size_t n = head->sh_entsize ? head->sh_size / head->sh_entsize : 0;
  int error = !data && is_out_of_memory() ? OCT_ERR_NOMEM : 0;
  for (size_t i = 0; data && i < n && !error; i++) {
    GElf_Sym sym;
    if (!gelf_getsym(data, (int)i, &sym)) break;
    const char *name = elf_strptr(elf, head->sh_link, sym.st_name);
    if (GELF_ST_TYPE(sym.st_info) != STT_FUNC || sym.st_shndx == SHN_UNDEF || !name || !*name)
      continue;
    uint64_t addr = is_arm ? sym.st_value & ~(uint64_t)1 : sym.st_value;
    error = add(s, addr + base, sym.st_size, name);
  }
  return error;
}

static int compare(const void *a, const void *b) {
  const oct_symbol_entry *x = a, *y = b;
  if (x->addr != y->addr) return x->addr < y->addr ? -1 : 1;
  return strcmp(x->name, y->name);
}

int oct_symbols_add(oct_symbols *s, const char *path, uint64_t base, oct_diag *diag) {
  size_t before = s->n;
  Elf_Scn *section = NULL;
  GElf_Ehdr ehdr;
  int fd = oct_infile_open(path), error = 0;
  if (fd < 0) return oct_fail_in(diag, OCT_ERR_IO, path, "%s", strerror(errno));
  elf_version(EV_CURRENT);
  Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
  if (!elf && is_out_of_memory())
    error = oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  else if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &ehdr))
    error = oct_fail_in(diag, OCT_ERR_FORMAT, path, "not an ELF file");
  while (!error && (section = elf_nextscn(elf, section)) != NULL) {
    GElf_Shdr head;
    if (!gelf_getshdr(section, &head)) continue;
    if (head.sh_type == SHT_SYMTAB || head.sh_type == SHT_DYNSYM)
      error = add_table(s, elf, section, &head, base, ehdr.e_machine == EM_ARM);
    if (error) oct_fail(diag, error, "out of memory");
  }
  if (!error && s->n == before && is_out_of_memory())
    error = oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  if (error || !keep_lines(s, elf, fd, base)) {
    elf_end(elf);
    close(fd);
  }
  if (!error && s->n == before)
    error = oct_fail_in(diag, OCT_ERR_FORMAT, path, "no symbols of functions");
  if (s->n) qsort(s->at, s->n, sizeof *s->at, compare);
  return error;
}

int oct_symbols_add_all(oct_symbols *s, const oct_read_options *read, oct_diag *diag) {
  int error = read->elf ? oct_symbols_add(s, read->elf, read->elf_bias, diag) : 0;
  for (size_t i = 0; i < read->n_more && error != OCT_ERR_NOMEM; i++)
    error = oct_symbols_add(s, read->more[i].path, read->more[i].bias, diag);
  if (error == OCT_ERR_NOMEM) return oct_fail(diag, error, "out of memory");
  *diag = (oct_diag){0};
  return 0;
}

oct_symbol_range oct_symbols_at(const oct_symbols *s, size_t i) {
  const oct_symbol_entry *e = &s->at[i];
  uint64_t end = e->addr + (e->bytes ? e->bytes : 4096);
  for (size_t k = i + 1; !e->bytes && k < s->n && s->at[k].addr < end; k++)
    if (s->at[k].addr > e->addr) end = s->at[k].addr;
  return (oct_symbol_range){e->addr, end, e->name};
}

bool oct_symbols_find(const oct_symbols *s, uint64_t addr, oct_symbol_range *symbol) {
  size_t low = 0, high = s->n; /* the last symbol at or before addr is below high */
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (s->at[middle].addr <= addr)
      low = middle + 1;
    else
      high = middle;
  }
  *symbol = low ? oct_symbols_at(s, low - 1) : (oct_symbol_range){0};
  if (low && addr < symbol->end) return true;
  *symbol = (oct_symbol_range){symbol->end, low < s->n ? s->at[low].addr : UINT64_MAX, NULL};
  return false;
}

const char *oct_symbols_function(void *context, uint64_t addr, uint64_t *first, uint64_t *end) {
  oct_symbol_range symbol;
  oct_symbols_find(context, addr, &symbol);
  *first = symbol.first;
  *end = symbol.end;
  return symbol.name;
}

void oct_symbols_name(const oct_symbols *s, uint64_t addr, char *text, size_t size) {
  oct_symbol_range symbol;
  text[0] = '\0';
  if (!oct_symbols_find(s, addr, &symbol)) return;
  if (addr > symbol.first)
    snprintf(text, size, "%s+0x%" PRIx64, symbol.name, addr - symbol.first);
  else
    snprintf(text, size, "%s", symbol.name);
}

void oct_symbols_free(oct_symbols *s) {
  for (size_t i = 0; i < s->n; i++) free(s->at[i].name);
  free(s->at);
  free_lines(s);
  free(s->other);
  *s = (oct_symbols){.at = NULL};
}
