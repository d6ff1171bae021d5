/* SPDX-License-Identifier: Apache-2.0 */
/* oct_elf_head.c - what the program header of an ELF file says, of either width and byte order. */
#include "oct_elf_head.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { NOTES_MAX_BYTES = 65536, PAGE_BYTES = 4096, NOTE_HEAD_BYTES = 12 };

typedef struct elf_file {
  int fd;
  bool is_wide, is_big_endian;
  uint64_t phoff;
  unsigned phentsize, phnum;
} elf_file;

typedef struct segment {
  uint32_t type, flags;
  uint64_t offset, addr, file_bytes, align;
} segment;

static uint64_t number(const elf_file *f, const uint8_t *p, unsigned n_bytes) {
  uint64_t v = 0;
  for (unsigned i = 0; i < n_bytes; i++) v = v << 8 | p[f->is_big_endian ? i : n_bytes - 1 - i];
  return v;
}

static bool read_at(int fd, void *p, size_t n, uint64_t offset) {
  return offset <= INT64_MAX && pread(fd, p, n, (off_t)offset) == (ssize_t)n;
}

static bool open_file(elf_file *f, int fd) {
  uint8_t h[sizeof(Elf64_Ehdr)];
  *f = (elf_file){.fd = fd};
  if (!read_at(fd, h, sizeof(Elf32_Ehdr), 0) || memcmp(h, ELFMAG, SELFMAG) != 0) return false;
  f->is_wide = h[EI_CLASS] == ELFCLASS64;
  f->is_big_endian = h[EI_DATA] == ELFDATA2MSB;
  if (f->is_wide && !read_at(fd, h, sizeof(Elf64_Ehdr), 0)) return false;
  f->phoff = f->is_wide ? number(f, h + 32, 8) : number(f, h + 28, 4);
  f->phentsize = (unsigned)number(f, h + (f->is_wide ? 54 : 42), 2);
  f->phnum = (unsigned)number(f, h + (f->is_wide ? 56 : 44), 2);
  return f->phentsize >= (f->is_wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
}

static bool read_segment(const elf_file *f, unsigned i, segment *s) {
  uint8_t p[sizeof(Elf64_Phdr)];
  const size_t n = f->is_wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
  if (!read_at(f->fd, p, n, f->phoff + (uint64_t)i * f->phentsize)) return false;
  s->type = (uint32_t)number(f, p, 4);
  s->flags = (uint32_t)number(f, p + (f->is_wide ? 4 : 24), 4);
  s->offset = f->is_wide ? number(f, p + 8, 8) : number(f, p + 4, 4);
  s->addr = f->is_wide ? number(f, p + 16, 8) : number(f, p + 8, 4);
  s->file_bytes = f->is_wide ? number(f, p + 32, 8) : number(f, p + 16, 4);
  s->align = f->is_wide ? number(f, p + 48, 8) : number(f, p + 28, 4);
  return true;
}

/* The build id among these notes, or 0. */
static size_t find_note(const elf_file *f, const uint8_t *p, size_t n, uint64_t align, uint8_t *id,
                        size_t room) {
  const uint64_t mask = align == 8 ? 7 : 3;
  for (size_t at = 0; n - at >= NOTE_HEAD_BYTES;) {
    const uint64_t name_bytes = number(f, p + at, 4), id_bytes = number(f, p + at + 4, 4);
    const uint64_t name = at + NOTE_HEAD_BYTES;
    const uint64_t begin = (name + name_bytes + mask) & ~mask;
    const uint64_t next = (begin + id_bytes + mask) & ~mask;
    if (begin + id_bytes > n) return 0;
    if (number(f, p + at + 8, 4) == NT_GNU_BUILD_ID && name_bytes == sizeof ELF_NOTE_GNU &&
        !memcmp(p + name, ELF_NOTE_GNU, name_bytes)) {
      if (!id_bytes || id_bytes > room) return 0;
      memcpy(id, p + begin, id_bytes);
      return id_bytes;
    }
    if (next >= n) return 0;
    at = next;
  }
  return 0;
}

size_t oct_elf_build_id(int fd, uint8_t *id, size_t room) {
  static _Thread_local uint8_t notes[NOTES_MAX_BYTES];
  elf_file f;
  segment s;
  size_t found = 0;
  if (!open_file(&f, fd)) return 0;
  for (unsigned i = 0; i < f.phnum && !found && read_segment(&f, i, &s); i++)
    if (s.type == PT_NOTE && s.file_bytes <= NOTES_MAX_BYTES &&
        read_at(fd, notes, s.file_bytes, s.offset))
      found = find_note(&f, notes, s.file_bytes, s.align, id, room);
  return found;
}

int oct_elf_address(int fd, uint64_t offset, uint64_t *addr) {
  elf_file f;
  segment s;
  if (!open_file(&f, fd)) return 0;
  for (unsigned i = 0; i < f.phnum && read_segment(&f, i, &s); i++) {
    const uint64_t begin = s.offset & ~(uint64_t)(PAGE_BYTES - 1);
    if (s.type != PT_LOAD || !(s.flags & PF_X) || offset < begin ||
        offset - begin >= s.file_bytes + (s.offset - begin))
      continue;
    *addr = s.addr + offset - s.offset;
    return 1;
  }
  return 0;
}
