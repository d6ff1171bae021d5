/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_program.c - any bytes as the ELF file of a traced program: it opens or not, and then tells
 * instructions and symbols of any address. Start it with programs. */
#include "oct_fuzz.h"
#include "octrace/map.h"
#include "oct_symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint64_t bases[] = {0, 0x8000, 0x10000, 0x400000, 0 - UINT64_C(4096)};
  oct_program *p;
  oct_symbols symbols = {0};
  oct_diag diag;
  char path[32], text[64];
  int fd = fuzz_file(data, size, path);
  if (!oct_program_open(path, 0, &p, &diag)) {
    for (unsigned b = 0; b < sizeof bases / sizeof *bases; b++)
      for (uint64_t addr = bases[b]; addr - bases[b] < 4096; addr += 4) {
        oct_map_entry e;
        uint64_t offset;
        unsigned n = oct_program_insn(p, addr, &e);
        if (n && (n > 15 || e.size_bytes != n)) abort();
        oct_program_symbol(p, addr, &offset);
      }
    oct_program_close(p);
  }
  const oct_read_options read = {.elf = path, .more = {{.path = path, .bias = 4096}}, .n_more = 1};
  oct_symbols_add_all(&symbols, &read, &diag);
  for (uint64_t addr = 0; addr < 1 << 20; addr += 4093)
    oct_symbols_name(&symbols, addr, text, sizeof text);
  oct_symbols_free(&symbols);
  close(fd);
  return 0;
}
