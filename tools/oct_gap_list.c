/* SPDX-License-Identifier: Apache-2.0 */
/* oct_gap_list.c - the CSV file of --gaps. */
#include "oct_gap_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "oct_csv.h"

int oct_gaps_put(oct_outfile *gaps, const oct_gap *gap, oct_diag *diag) {
  char start[72], insns[24] = "", accesses[24] = "";
  char cause[sizeof(oct_diag_text) + sizeof "damage: "];
  if (!gaps) return 0;
  if (gap->error)
    snprintf(cause, sizeof cause, "damage: %s", oct_diag_reason(&gap->diag).text);
  else if (gap->cause == OCT_GAP_NO_IMAGE)
    snprintf(cause, sizeof cause, "%s at 0x%" PRIx64, oct_gap_cause_name(gap->cause), gap->addr);
  else
    snprintf(cause, sizeof cause, "%s", oct_gap_cause_name(gap->cause));
  if (gap->lost_insns != UINT64_MAX) snprintf(insns, sizeof insns, "%" PRIu64, gap->lost_insns);
  if (gap->lost_accesses != UINT64_MAX)
    snprintf(accesses, sizeof accesses, "%" PRIu64, gap->lost_accesses);
  snprintf(start, sizeof start, "%" PRIu64 ",%s,%s,", gap->insn, insns, accesses);
  int error = oct_outfile_write(gaps, start, strlen(start), diag);
  if (!error) error = oct_csv_write_quoted(gaps, cause, diag);
  return error ? error : oct_outfile_write(gaps, "\n", 1, diag);
}

int oct_gaps_open(const char *path, oct_outfile **gaps, oct_diag *diag) {
  static const char head[] = "instruction,lost_instructions,lost_accesses,cause\n";
  int error = path ? oct_outfile_open(path, gaps, diag) : 0;
  return error || !path ? error : oct_outfile_write(*gaps, head, sizeof head - 1, diag);
}

bool oct_gaps_put_all(const char *path, const oct_diag *why) {
  const oct_gap all = {.lost_insns = UINT64_MAX,
                       .lost_accesses = UINT64_MAX,
                       .error = why->error,
                       .is_end = 1,
                       .diag = *why};
  bool is_damage = why->error == OCT_ERR_FORMAT || why->error == OCT_ERR_TRUNCATED ||
                   why->error == OCT_ERR_CHECKSUM || why->error == OCT_ERR_PACKET ||
                   why->error == OCT_ERR_MAP;
  oct_outfile *gaps = NULL;
  oct_diag diag;
  if (!path || !is_damage || oct_gaps_open(path, &gaps, &diag)) return false;
  if (!oct_gaps_put(gaps, &all, &diag)) return !oct_outfile_commit(gaps, &diag);
  oct_outfile_abort(gaps);
  return false;
}

void oct_gap_list_tell(void *context, const oct_gap *gap) {
  oct_gap_list *l = context;
  if (!l->error) l->error = oct_gaps_put(l->file, gap, &l->diag);
}
