/* SPDX-License-Identifier: Apache-2.0 */
/* oct_writer.c - what all trace writers share: options, the output file, commit and abort.
 *
 * A writer goes through the operations of its format (oct_reader_format.h). The file appears under
 * its name only with the commit; an error or an abort leaves nothing. */
#include "oct_formats.h"
#include "oct_map_fault.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const oct_trace_info no_info = {.isa = "unknown",
                                       .origin = "unknown",
                                       .command = "unknown",
                                       .addr_bits = 64,
                                       .insn_align_bytes = 1};

static const char *shown(const char *path) {
  return strcmp(path, "-") ? path : "standard output";
}

static int open_writer(const char *path, const oct_write_options *options, oct_writer **writer,
                       oct_diag *diag) {
  int rc = 0;
  *writer = NULL;
  oct_writer *w = calloc(1, sizeof *w);
  if (!w || !(w->path = strdup(shown(path)))) {
    free(w);
    return oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  }
  if (options) w->options = *options;
  if (!w->options.info) w->options.info = &no_info;
  if (w->options.format == OCT_FORMAT_AUTO) w->options.format = oct_format_default();
  w->ops = oct_format_desc_of(w->options.format)->writer;
  if (!w->ops) {
    rc = oct_fail(diag, OCT_ERR_UNSUPPORTED, "cannot write format %s",
                  oct_format_name(w->options.format));
    goto fail;
  }
  if (w->options.params && !oct_format_desc_of(w->options.format)->takes_params) {
    rc = oct_fail(diag, OCT_ERR_ARG, "the format %s takes no parameters; found '%s'",
                  oct_format_name(w->options.format), w->options.params);
    goto fail;
  }
  if (w->options.level < 0 || w->options.level > 22 || w->options.block_insns > OCT_BATCH_INSNS) {
    rc = oct_fail(diag, OCT_ERR_ARG, "level %d, %u instructions a block: expected 1..22, 1..%d",
                  w->options.level, w->options.block_insns, OCT_BATCH_INSNS);
    goto fail;
  }
  w->rules.addr_bits = w->options.info->addr_bits;
  w->format = oct_format_desc_of(w->options.format);
  w->rules.insn_align_bytes = w->format->keeps_alignment ? w->options.info->insn_align_bytes : 1;
  w->first_digits = w->rules.addr_bits == 64 ? 16 : 1;
  if (!w->ops->is_folder && (rc = oct_outfile_open(path, &w->file, diag))) goto fail;
  if (w->ops->open && (rc = w->ops->open(w, diag))) goto fail;
  w->options.info = NULL; /* both are the caller's */
  w->options.params = NULL;
  w->is_stream = !strcmp(path, "-");
  *writer = w;
  return 0;
fail:
  oct_writer_abort(w);
  return rc;
}

int oct_writer_open(const char *path, const oct_write_options *options, oct_writer **writer,
                    oct_diag *diag) {
  return oct_diag_in(diag, shown(path), open_writer(path, options, writer, diag));
}

int oct_writer_digits(oct_writer *w) {
  int digits = w->first_digits;
  w->first_digits = 1;
  return digits;
}

static int check_map(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  oct_map_fault fault;
  for (size_t i = 0; i < batch->n_map; i++)
    if (oct_map_find_fault(&batch->map[i], i ? &batch->map[i - 1] : NULL, &fault))
      return oct_fail(diag, OCT_ERR_ARG, "map[%" PRIu64 "]: %s: expected %s; found %" PRIu64,
                      w->n_map + i, fault.field, fault.expected, fault.found);
  w->n_map += batch->n_map;
  return 0;
}

/* Flags that mean something, and a load or a store. */
static int check_flags(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  const unsigned known = OCT_INSN_END | OCT_INSN_PARTIAL | OCT_INSN_HAS_CYCLE |
                         OCT_INSN_SIZE_ASSUMED | (OCT_CLASS_COUNT - 1) << OCT_INSN_CLASS_SHIFT;
  for (size_t i = 0; i < batch->n_insns; i++)
    if (batch->insns[i].flags & ~known)
      return oct_fail(diag, OCT_ERR_ARG,
                      "insns[%" PRIu64
                      "]: flags: expected a sum of 1, 2, 4, 8 and 16 times a class; found %u",
                      w->n_insns + i, batch->insns[i].flags);
  for (size_t i = 0; i < batch->n_accesses; i++)
    if (batch->accesses[i].is_store > 1)
      return oct_fail(diag, OCT_ERR_ARG,
                      "accesses[%" PRIu64 "]: is_store: expected 0 or 1; found %u",
                      w->n_accesses + i, batch->accesses[i].is_store);
  w->n_accesses += batch->n_accesses;
  return 0;
}

/* What a reader would refuse is not written. */
int oct_writer_put(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  size_t n_good;
  int error = check_map(w, batch, diag);
  if (!error) error = check_flags(w, batch, diag);
  if (!error) error = oct_batch_check(&w->rules, batch, w->n_insns, &n_good, diag);
  if (!error) {
    for (size_t i = 0; i < batch->n_facts && !w->format->keeps_gaps; i++)
      w->n_gaps_left_out += batch->facts[i].kind == OCT_FACT_GAP;
    w->n_insns += batch->n_insns;
    error = w->ops->put(w, batch, diag);
  }
  return oct_diag_in(diag, w->path, error);
}

int oct_writer_put_modules(oct_writer *w, const oct_module *modules, size_t n, oct_diag *diag) {
  int error = w->ops->put_modules && n ? w->ops->put_modules(w, modules, n, diag) : 0;
  return oct_diag_in(diag, w->path, error);
}

uint64_t oct_writer_gaps_left_out(const oct_writer *w) {
  return w->n_gaps_left_out;
}

uint64_t oct_writer_left_out(const oct_writer *w) {
  return w->n_left_out;
}

int oct_writer_commit(oct_writer *w, oct_diag *diag) {
  int rc = w->ops->finish ? w->ops->finish(w, diag) : 0;
  if (!rc && w->file) {
    rc = oct_outfile_commit(w->file, diag);
    w->file = NULL;
  }
  oct_diag_in(diag, w->path, rc);
  oct_writer_abort(w);
  return rc;
}

void oct_writer_abort(oct_writer *w) {
  if (!w) return;
  if (w->is_stream && w->file && w->ops && w->ops->flush) w->ops->flush(w, NULL);
  if (w->ops && w->ops->close) w->ops->close(w);
  oct_outfile_abort(w->file);
  free(w->path);
  free(w);
}
