/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bench_load.c - reads what octrace bench measures. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oct_bench_run.h"
#include "oct_input.h"
#include "octrace/codec.h"

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

/* Append n elements to an array whose room doubles. */
static int append(void *array, size_t *count, const void *elements, size_t n, size_t size) {
  void **p = array;
  size_t room = 1024;
  if (!n) return 0;
  while (room < *count) room *= 2;
  if (!*p || *count + n > room) {
    while (room < *count + n) room *= 2;
    void *bigger = realloc(*p, room * size);
    if (!bigger) return OCT_ERR_NOMEM;
    *p = bigger;
  }
  memcpy((char *)*p + *count * size, elements, n * size);
  *count += n;
  return 0;
}

/* A file of records, behind what it begins with. */
static int load_records(const char *path, size_t n_prefix, size_t record_bytes,
                        const oct_run_args *a, oct_buffer *records, oct_diag *diag) {
  uint64_t skip = a->skip, left = a->limit ? a->limit : UINT64_MAX;
  const size_t room = ((size_t)1 << 20) / record_bytes;
  oct_input *file;
  const uint8_t *p;
  int64_t got;
  int error = oct_input_open(path, &file, diag);
  if (error < 0) return error;
  if (n_prefix && (got = oct_input_peek(file, n_prefix, &p, diag)) < 0) error = (int)got;
  if (!error) oct_input_take(file, n_prefix);
  while (!error && left) {
    uint64_t most = skip ? skip : left;
    uint8_t *to = oct_buffer_room(records, room * record_bytes);
    got = to ? oct_input_read(file, to, record_bytes * (size_t)(most < room ? most : room), diag)
             : no_memory(diag);
    if (got <= 0 || (size_t)got % record_bytes) {
      error = got <= 0 ? (int)got
                       : oct_fail_at(diag, OCT_ERR_TRUNCATED, OCT_AT_BYTE, oct_input_offset(file),
                                     "the file ends within a record of %zu bytes", record_bytes);
      break;
    }
    if (!skip) records->n_bytes += (size_t)got;
    *(skip ? &skip : &left) -= (size_t)got / record_bytes;
  }
  oct_input_close(file);
  return error;
}

/* Facts and values, and the batch's accesses, which are the last ones. What is of 4 GiB and more
 * cannot be named. */
static int append_values(oct_bench_input *in, const oct_batch *b, size_t n_insns_before) {
  const size_t before = in->n_values;
  if (before + b->n_values >= UINT32_MAX) return OCT_ERR_NOMEM;
  int error = append(&in->values, &in->n_values, b->values, b->values ? b->n_values : 0, 1);
  if (!error) error = append(&in->facts, &in->n_facts, b->facts, b->n_facts, sizeof *in->facts);
  if (error) return error;
  for (oct_access *a = in->accesses + in->n_accesses - b->n_accesses;
       a < in->accesses + in->n_accesses; a++)
    a->value = b->values && a->value ? a->value + (uint32_t)before : 0;
  for (oct_fact *f = in->facts + in->n_facts - b->n_facts; f < in->facts + in->n_facts; f++) {
    f->insn += (uint32_t)n_insns_before;
    if (f->value) f->value += (uint32_t)before;
  }
  return 0;
}

static int load_trace(const char *path, oct_input_form kind, bool events, oct_run_args *a,
                      oct_bench_input *in, oct_diag *diag) {
  unsigned kinds = kind == OCT_INPUT_LOADS    ? OCT_RECORDS_LOADS
                   : kind == OCT_INPUT_STORES ? OCT_RECORDS_STORES
                                              : OCT_RECORDS_LOADS | OCT_RECORDS_STORES;
  oct_source s;
  int got = 0, error = oct_cli_open(&s, path, a, "read", diag);
  if (error < 0) return error;
  in->is_trace = true;
  in->info = *oct_reader_info(s.reader);
  in->fitted = s.info;
  in->found_align_bytes = s.found_align_bytes;
  snprintf(in->isa, sizeof in->isa, "%s", in->info.isa);
  in->info.isa = in->fitted.isa = in->isa;
  in->info.origin = in->info.command = in->fitted.origin = in->fitted.command = "";
  in->info.modules = in->fitted.modules = NULL; /* of the reader, which closes */
  in->info.n_modules = in->fitted.n_modules = 0;
  unsigned shift = oct_records_pc_shift(in->info.insn_align_bytes);
  while (!error && (got = oct_source_next(&s, diag)) > 0) {
    error = oct_records_append(&s.batch, kinds, shift, &in->records, diag);
    in->n_all_insns += s.batch.n_insns;
    if (error || !events) continue;
    size_t n_before = in->n_insns;
    error = append(&in->traps, &in->n_traps, s.batch.traps, s.batch.n_traps, sizeof *in->traps);
    for (size_t i = in->n_traps - s.batch.n_traps; i < in->n_traps && !error; i++)
      in->traps[i].insn += (uint32_t)n_before;
    if (!error)
      error = append(&in->insns, &in->n_insns, s.batch.insns, s.batch.n_insns, sizeof *in->insns);
    if (!error)
      error = append(&in->accesses, &in->n_accesses, s.batch.accesses, s.batch.n_accesses,
                     sizeof *in->accesses);
    if (!error) error = append_values(in, &s.batch, n_before);
    if (!error)
      error = append(&in->updates, &in->n_updates, s.updates, s.n_updates, sizeof *in->updates);
    if (error) no_memory(diag);
  }
  error = error ? error : got;
  oct_cli_close(&s, a, error);
  return error;
}

/* The addresses of (PC, address) records, for codecs that take these alone. */
static int take_addresses(oct_bench_input *in, oct_diag *diag) {
  in->n_records = in->records.n_bytes / 12;
  uint8_t *addresses = oct_buffer_room(&in->addresses, 8 * (size_t)in->n_records + 1);
  if (!addresses) return no_memory(diag);
  for (size_t i = 0; i < in->n_records; i++)
    memcpy(addresses + 8 * i, in->records.bytes + 12 * i + 4, 8);
  in->addresses.n_bytes = 8 * (size_t)in->n_records;
  return 0;
}

int oct_bench_load(const char *path, oct_input_form kind, bool events, oct_run_args *a,
                   oct_bench_input *in, oct_diag *diag) {
  int error;
  memset(in, 0, sizeof *in);
  in->path = path;
  if (kind == OCT_INPUT_ADDRESSES) {
    in->only_addresses = true;
    error = load_records(path, 0, 8, a, &in->addresses, diag);
    in->n_records = in->addresses.n_bytes / 8;
  } else {
    error = oct_codec_is_vpc3(&path)
                ? load_records(path, sizeof OCT_VPC3_MAGIC - 1, 12, a, &in->records, diag)
                : load_trace(path, kind, events, a, in, diag);
    if (!error) error = take_addresses(in, diag);
  }
  if (error) oct_bench_release(in);
  return error;
}

void oct_bench_release(oct_bench_input *in) {
  oct_buffer_free(&in->records);
  oct_buffer_free(&in->addresses);
  free(in->insns);
  free(in->accesses);
  free(in->updates);
  free(in->traps);
  free(in->facts);
  free(in->values);
  memset(in, 0, sizeof *in);
}
