/* SPDX-License-Identifier: Apache-2.0 */
/* oct_reader_format.h - inside of the library: what a format hands to oct_reader.c and
 * oct_writer.c. */
#ifndef OCT_READER_FORMAT_H
#define OCT_READER_FORMAT_H

#include "oct_input.h"
#include "octrace/trace.h"
#include "octrace/map.h"
#include "octrace/error.h"

#include "oct_batch_rules.h"

#define OCT_BATCH_INSNS 65536

typedef struct oct_reader_ops {
  /* Read what stands before the first instruction; may be NULL. */
  int (*open)(oct_reader *r, oct_diag *diag);
  /* Append instructions, at most OCT_BATCH_INSNS, to the empty batch. 1, 0 at the end or an error;
   * what was appended before an error counts. Formats that seek may leave out whole runs of
   * instructions as long as n_skip allows, and count it down. */
  int (*fill)(oct_reader *r, oct_diag *diag);
  void (*close)(oct_reader *r); /* may be NULL */
} oct_reader_ops;

/* The last instruction of a task. */
typedef struct oct_flow_task {
  uint32_t task;
  bool has_last, is_in_slot; /* a delay slot, behind which the jump goes */
  oct_map_entry last;
} oct_flow_task;

/* A gap that the reader found itself, and its fact. */
typedef struct oct_found_gap {
  oct_gap gap;
  size_t fact; /* its place in facts */
} oct_found_gap;

struct oct_reader {
  const struct oct_format_desc *format;
  oct_input *in;
  oct_trace_info info;
  char *isa, *origin, *command; /* owned copies behind info, or NULL */
  oct_module *modules;          /* likewise, with their paths */
  size_t room_modules;
  void *state;  /* of the format */
  char **paths; /* the files of a folder, or NULL; `in` is the first */
  size_t n_paths;
  oct_map *met;                    /* with a program: all entries that were handed out, or NULL */
  oct_map *described;              /* what oct_reader_describe has handed out, or NULL */
  oct_program *program;            /* of options->elf, or NULL */
  const oct_read_options *options; /* of oct_reader_open, for open alone; never NULL then */
  oct_gap_counts gap_counts;       /* what oct_reader_gap_counts says, */
  oct_lacking lacking;             /* oct_reader_lacking, */
  oct_gaps gaps;                   /* and oct_reader_take_gaps */
  oct_found_gap *found;            /* gaps among the facts that the reader found, in order */
  size_t n_found, room_found;
  bool lacks_memory;                                   /* for one of them */
  void (*tell_gap)(void *context, const oct_gap *gap); /* of the options, or NULL */
  void *gap_context;
  uint64_t n_before;               /* instructions of the batches before this one, */
  uint64_t n_missing, n_passed;    /* and at least those missing: all, and in gaps told */
  uint64_t n_left;                 /* instructions to hand out */
  char *program_path;              /* for messages */
  struct oct_program_check *check; /* of what was taken from it unseen, or NULL */
  oct_map *sizes;                  /* instruction sizes told by successors, or NULL */
  uint64_t n_skip;                 /* instructions still to leave out */
  uint8_t has_skipped_facts;       /* of registers or memory */
  int has_given;                   /* there was an instruction */
  uint64_t map_max, n_map_all;     /* entries allowed, and told so far */
  int fixed_insn_bytes;            /* default_insn_bytes was given by the user */
  bool marks_sizes;                /* as the option */
  bool tells_kinds;                /* of accesses, so far */
  int tells_map;                   /* descriptions came with the trace */
  int is_guessed;                  /* the format was found by content */
  bool is_bare;                    /* that are numbers without a mark */
  int given_isa;                   /* oct_isa by the user's word, or -1 */
  int is_unchecked;                /* what came may be wrong long before damage shows */
  int has_all;                     /* the error is one of the end, and nothing before it lacks */
  uint64_t n_odd_accesses;         /* that their instruction does not make */
  uint64_t n_lost_values;          /* that are in the input, and not in the trace; */
  const char *lost_values_why;     /* of the last one, a constant */
  oct_flow_task *flow_tasks;       /* of a log (oct_reader_flow.h), */
  size_t n_flow_tasks, room_flow_tasks;
  uint64_t n_breaks, first_break; /* instructions that cannot follow, and the first; */
  uint64_t n_with[2][2];          /* those with, without their accesses: loads, stores */
  int is_line_open;               /* the last line of a text has no line end */
  bool is_line_left_out;          /* and is not read */
  int is_open;                    /* accesses of the last instruction may still come */
  int ended, has_told_end;
  oct_diag error; /* error.error != 0: to report once the batch is delivered */
  /* the batch */
  oct_insn *insns;
  size_t n_insns;
  oct_access *accesses;
  size_t n_accesses, room_accesses;
  oct_trap *traps; /* those behind the last instruction go to the next batch */
  size_t n_traps, room_traps;
  oct_fact *facts; /* likewise */
  size_t n_facts, room_facts;
  uint8_t *values; /* of accesses and facts */
  size_t n_values, room_values;
  oct_map_entry *map;
  size_t n_map, room_map;
  size_t n_compared; /* of the map: with the program */
  /* the batch that was handed out ahead */
  oct_batch peeked;
  int has_peeked, peeked_rc;
};

/* Appending to the batch: 0 or an error with *diag filled. */
int oct_reader_add_access(oct_reader *r, uint64_t addr, unsigned size_bytes, int is_store,
                          oct_diag *diag);
int oct_reader_add_map(oct_reader *r, const oct_map_entry *entry, oct_diag *diag);
/* A trap behind the instructions so far. trap->insn is set here. */
int oct_reader_add_trap(oct_reader *r, const oct_trap *trap, oct_diag *diag);
/* n bytes of values; *value is what an access or a fact has to name them. */
int oct_reader_add_value(oct_reader *r, const uint8_t *bytes, size_t n, uint32_t *value,
                         oct_diag *diag);
/* A fact behind the instructions so far, with what it tells, or NULL. fact->insn and value are set
 * here. */
int oct_reader_add_fact(oct_reader *r, const oct_fact *fact, const uint8_t *bytes, oct_diag *diag);
int oct_reader_room_accesses(oct_reader *r, size_t n, oct_diag *diag);
/* Sizes that a format may give to an instruction, to be replaced before the batch is delivered. */
enum {
  OCT_SIZE_NEXT = 0,      /* not known: told by the instruction that follows, if it is close */
  OCT_SIZE_DEFAULT = 254, /* not known, and nothing tells it */
  OCT_SIZE_JUMPED = 255   /* not known, and the instruction that follows tells nothing */
};

/* Tell of the instruction at entry->addr what was not told before. 0; 1 when the batch must be
 * handed out first, since another description holds for what is in it; or an error. */
int oct_reader_describe(oct_reader *r, const oct_map_entry *entry, oct_diag *diag);
/* Likewise n entries: one, and those that continue it (OCT_MAP_CONTINUES). */
int oct_reader_describe_all(oct_reader *r, const oct_map_entry *entries, size_t n, oct_diag *diag);
/* Describe in *e an instruction of n_bytes, at most OCT_CODE_MAX, by its bytes; what is none for
 * disasm, which is of isa, has them and no more. */
void oct_reader_decode(oct_disasm *disasm, oct_isa isa, uint64_t addr, const uint8_t *code,
                       unsigned n_bytes, oct_map_entry *e);
/* Complete the batch: tell what the program says of instructions seen for the first time, and
 * replace OCT_SIZE_NEXT, _DEFAULT and _JUMPED: by the program, by the smallest distance to a
 * successor ever seen (not _DEFAULT), or by default_insn_bytes. */
int oct_reader_complete(oct_reader *r, oct_diag *diag);
/* Say in r's info that the trace is of this set, and make a disassembler in *disasm (NULL: none).
 */
int oct_reader_use_isa(oct_reader *r, oct_isa isa, oct_disasm **disasm, oct_diag *diag);
/* Make *owned (one of r's copies behind info) the n bytes at p. */
int oct_reader_keep(oct_reader *r, char **owned, const char *p, size_t n, oct_diag *diag);

/* Say in r's info that this file was in memory, unless it is said. Its path has path_bytes. 0,
 * OCT_ERR_LIMIT (more than OCT_MODULES_MAX) or OCT_ERR_NOMEM. */
enum { OCT_MODULES_MAX = 1 << 16 };
int oct_reader_add_module(oct_reader *r, const oct_module *module, size_t path_bytes,
                          oct_diag *diag);
/* The same of a file that is mapped there, with the build id that it has now. */
int oct_reader_add_mapped(oct_reader *r, const char *path, uint64_t addr, uint64_t n_bytes,
                          uint64_t bias, oct_diag *diag);

/* Whether the batch has no room for n more instructions: it must be handed out first. */
int oct_reader_is_full(const oct_reader *r, size_t n);
/* There is no code at addr, where the file `name` was mapped ("": that is not known): a gap. */
void oct_reader_lacks_code(oct_reader *r, uint64_t addr, const char *name);
/* Instructions are missing behind those of the batch, nobody knows how many: the recorder lost
 * them, or what stands before them could not be decoded. */
void oct_reader_lost(oct_reader *r);
void oct_reader_lost_by(oct_reader *r, oct_gap_cause cause, uint64_t addr);
/* There is no code at addr: as oct_reader_lacks_code, for a gap that comes later. */
void oct_reader_note_lacking(oct_reader *r, uint64_t addr, const char *name);
/* The trace tells of a gap there, with as many instructions and accesses missing (UINT64_MAX: not
 * known). 0 or an error. */
int oct_reader_add_gap(oct_reader *r, oct_gap_cause cause, uint64_t addr, const uint64_t lost[2],
                       oct_diag *diag);
/* Forget the gaps so far. */
void oct_reader_forget_gaps(oct_reader *r);
/* Reading goes on behind this damage, and nobody knows how many instructions are missing. */
void oct_reader_damaged(oct_reader *r, const oct_diag *what);
/* Numbers among the parameters of a format, "NAME=N,...". Those that are not given stay. 0 or
 * OCT_ERR_ARG. */
typedef struct oct_reader_number {
  const char *name;
  uint64_t max;
  uint64_t *value;
} oct_reader_number;
int oct_reader_numbers(const oct_reader *r, const oct_reader_number *numbers, size_t n,
                       oct_diag *diag);
/* Fail with OCT_ERR_ARG: a format that says where a program went needs the program. */
int oct_reader_needs_program(const oct_reader *r, oct_diag *diag);
/* Behind the instructions of the batch there is a gap: count it in *met, which is r's own or that
 * of a format for the next batch. */
void oct_reader_meet(oct_reader *r, oct_gaps *met, const oct_gap *gap);
/* Add what is missing in front of the next batch to the rest, and clear *met. */
void oct_reader_add_gaps(oct_reader *r, oct_gaps *met);
/* Append an instruction without accesses; there must be room. */
oct_insn *oct_reader_add_insn(oct_reader *r, uint64_t addr, unsigned size_bytes);
/* Take the last instruction of the batch back, with its accesses: it did not retire. */
void oct_reader_take_back(oct_reader *r);

typedef struct oct_writer_ops {
  int (*open)(oct_writer *w, oct_diag *diag); /* may be NULL */
  int (*put)(oct_writer *w, const oct_batch *batch, oct_diag *diag);
  /* NULL: the format has no place for them. */
  int (*put_modules)(oct_writer *w, const oct_module *modules, size_t n, oct_diag *diag);
  int (*finish)(oct_writer *w, oct_diag *diag); /* may be NULL */
  void (*close)(oct_writer *w);                 /* may be NULL */
  int (*flush)(oct_writer *w, oct_diag *diag);  /* write what was put; NULL: put does */
  uint8_t is_folder; /* there is no file: finish makes a folder of that name */
} oct_writer_ops;

struct oct_writer {
  const struct oct_format_desc *format;
  const oct_writer_ops *ops;
  oct_write_options options; /* as given; info, not NULL, and params are there in open alone */
  int is_stream;             /* standard output, once it is open: what was written is gone */
  char *path;                /* for error messages */
  oct_outfile *file;
  int first_digits;      /* of the next address in text that has no other mark of its width */
  oct_batch_rules rules; /* what alignment is not written does not break */
  uint64_t n_insns, n_accesses, n_map; /* put so far */
  uint64_t n_left_out;                 /* accesses without room, which the format counts */
  uint64_t n_gaps_left_out;            /* that the format has no place for */
  void *state;
};

/* Fewest digits of the next hexadecimal address: 16 once in a trace of 64 bits, by which readers
 * know it, else 1. */
int oct_writer_digits(oct_writer *w);

/* A format. */
typedef struct oct_format_desc {
  const char *name;
  const char *text; /* whose traces they are, in a few words */
  /* Whether the first bytes of a file look so; NULL: never recognised. is_text: all printable. */
  int (*probe)(const uint8_t *p, size_t n, int is_text);
  const oct_reader_ops *reader; /* NULL: cannot be read */
  const oct_writer_ops *writer; /* NULL: cannot be written */
  uint8_t addr_bits;            /* until the reader knows better */
  uint8_t insn_bytes;           /* default_insn_bytes; 0 when the format says the sizes */
  uint8_t carries_map;          /* a trace has its own program map, with code */
  /* The trace files in a folder, by name, which the caller frees, also on failure. OCT_ERR_FORMAT
   * when there is none, OCT_ERR_NOMEM. NULL: a trace is one file. */
  int (*list)(const char *folder, char ***paths, size_t *n_paths, oct_diag *diag);
  uint8_t takes_params;  /* options->params may be given */
  uint8_t variant;       /* of formats that share a reader: which of them, in its own numbers */
  uint8_t is_default;    /* it is written unless another is asked for */
  uint8_t takes_numbers; /* bare numbers, as columns of other logs are (oct_listings.h) */
  uint8_t is_guess;    /* recognised only by what its records may hold, as raw addresses may too */
  uint8_t lacks_kinds; /* a trace does not tell loads from stores: all are loads */
  uint8_t is_log;      /* a line is an instruction: oct_reader_flow.h */
  uint8_t is_data_only, is_insns_only; /* a trace has accesses only, or instructions only */
  uint8_t writes_text;                 /* written traces are text */
  uint8_t keeps_traps;                 /* written traces have traps */
  uint8_t keeps_values;                /* and values and facts */
  uint8_t keeps_gaps;                  /* and gaps */
  uint8_t keeps_alignment;             /* and the alignment of instructions */
  uint8_t says_isa;   /* a trace may name its instruction set, which then has to be the user's */
  uint8_t has_checks; /* a trace has checksums of its own */
  uint8_t has_syncs;  /* open begins at sync number options->from_sync */
  const char *lacks;  /* what oct_format_lacks says, or NULL */
} oct_format_desc;

#endif
