/* SPDX-License-Identifier: Apache-2.0 */
/* oct_symbol_modules.c - names of addresses from the files that a trace itself names.
 *
 * A file counts while it has the build ID that was traced. Each is read once, wherever its code
 * is mapped in parts. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "oct_cli.h"
#include "oct_elf_head.h"
#include "oct_infile.h"
#include "oct_symbols.h"

/* Whether the file of the module is there, and is that build; one that is another is noted. */
static bool is_that_build(oct_symbols *s, const oct_module *m) {
  uint8_t id[OCT_BUILD_ID_MAX];
  int fd = m->build_id_bytes ? oct_infile_open(m->path) : -1;
  if (fd < 0) return false;
  size_t n = oct_elf_build_id(fd, id, sizeof id);
  close(fd);
  bool is_same = n == m->build_id_bytes && !memcmp(id, m->build_id, n);
  if (!is_same && !s->n_other++) s->other = strdup(m->path);
  return is_same;
}

bool oct_symbols_are_named(const oct_read_options *read) {
  return read->elf || read->n_more;
}

int oct_symbols_add_modules(oct_symbols *s, const oct_reader *reader, const oct_read_options *read,
                            oct_diag *diag) {
  const oct_trace_info *info = oct_reader_info(reader);
  if (oct_symbols_are_named(read)) return 0;
  for (; s->n_modules < info->n_modules; s->n_modules++) {
    const oct_module *m = &info->modules[s->n_modules];
    oct_diag ignored;
    bool is_told = false; /* a file may have its code in parts */
    for (size_t i = 0; i < s->n_modules && !is_told; i++)
      is_told = info->modules[i].bias == m->bias && !strcmp(info->modules[i].path, m->path);
    if (is_told || !is_that_build(s, m)) continue;
    int error = oct_symbols_add(s, m->path, m->bias, &ignored);
    if (error == OCT_ERR_NOMEM) return oct_fail(diag, error, "out of memory");
    s->n_found += !error;
  }
  return 0;
}

void oct_symbols_tell(const oct_symbols *s, const char *name) {
  char more[40] = "";
  if (!s->other) return;
  if (s->n_other > 1) snprintf(more, sizeof more, " (and %zu more)", s->n_other - 1);
  oct_cli_error(0,
                "note: %s: %s%s is another build now than was traced: its names and lines are left "
                "out; --elf FILE names the traced one",
                oct_cli_input_name(name), s->other, more);
}
