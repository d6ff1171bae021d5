/* SPDX-License-Identifier: Apache-2.0 */
/* octrace/tracer.h - the interface of the tracers: parameters, engines, pins, decoders. */
#ifndef OCTRACE_TRACER_H
#define OCTRACE_TRACER_H

#include "map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tables of parameters and of named geometries, and settings over them.
 *
 * Values are an array of uint32_t in the order of the table.
 *
 * Threads: Tables are constant; all functions may be called by any threads on values of their own.
 */

/* Rule of a parameter beside its range. */
typedef enum oct_param_rule {
  OCT_ANY,
  OCT_POW2 /* a power of two, or 0 where min is 0 */
} oct_param_rule;

/* What a parameter means to code that knows no tracer. At most one parameter of a tracer has each
 * role; one that it lacks is read as 0. */
typedef enum oct_param_role {
  OCT_ROLE_NONE,
  OCT_ROLE_ADDR_BITS,         /* width of an address */
  OCT_ROLE_PC_ALIGN_BITS,     /* addresses of instructions are multiples of 2^this */
  OCT_ROLE_TASK_BITS,         /* width of a task number */
  OCT_ROLE_SYNC_INSNS,        /* most instructions from one sync to the next, 0 = no limit */
  OCT_ROLE_SYNC_BITS,         /* most port bits, about, likewise */
  OCT_ROLE_DATA,              /* data addresses leave the port */
  OCT_ROLE_TRAPS,             /* traps do */
  OCT_ROLE_CAUSE_BITS,        /* width of the cause of a trap */
  OCT_ROLE_TIMESTAMP,         /* times do */
  OCT_ROLE_TIME_PERIOD_INSNS, /* ... after so many instructions */
  OCT_ROLE_TIME_SOURCE,       /* 1: they are the core's, not the compressor's cycles */
  OCT_ROLE_FILTERS,           /* filters ahead of the compressor */
  OCT_ROLE_PORT_PINS,         /* bits that leave in a cycle */
  OCT_ROLE_RETIRE_WIDTH,      /* instructions that retire in a cycle */
  OCT_ROLE_PIPELINED,         /* the machine takes an access every cycle */
  OCT_ROLE_PRIVILEGE_BITS,    /* width of a privilege level */
  OCT_ROLE_EXECUTED_ISA       /* 1 + oct_isa of what is executed, 0: nothing is */
} oct_param_role;

/* A parameter. A container keeps parameters by name; where an older file lacks one, it has
 * `absent`, the value that the machine had before the parameter existed. */
typedef struct oct_param {
  const char *name;
  uint32_t def, min, max;
  oct_param_rule rule;
  oct_param_role role;
  const char *unit; /* "bits", "entries", "insns", ... or "" */
  const char *text; /* what it means, one line */
  uint32_t absent;
  const char *old_name; /* its name in older files and settings, which is understood too; or NULL */
} oct_param;

/* A named geometry: settings over the defaults, "name=value,name=value". */
typedef struct oct_geometry {
  const char *name, *text, *settings;
} oct_geometry;

typedef struct oct_param_table {
  const oct_param *params;
  unsigned n_params;
  const oct_geometry *geometries;
  unsigned n_geometries;
} oct_param_table;

/* Number of the parameter of that name, or else of that old name, or -1. */
int oct_param_find(const oct_param_table *t, const char *name);
/* All defaults. */
void oct_param_defaults(const oct_param_table *t, uint32_t *values);
/* Is each value within its own range and rule? 0, or OCT_ERR_CONFIG with the first that is not in
 * *diag. */
int oct_param_check(const oct_param_table *t, const uint32_t *values, oct_diag *diag);
/* Set one parameter from decimal text. OCT_ERR_CONFIG: unknown name, not a number, or out of its
 * own range; values are unchanged then. */
int oct_param_set(const oct_param_table *t, uint32_t *values, const char *name, const char *text,
                  oct_diag *diag);
/* Start from the defaults and take a named geometry's settings. OCT_ERR_CONFIG: none of that name.
 * given, if not NULL, gets true for each parameter that is set. */
int oct_param_geometry(const oct_param_table *t, const char *name, uint32_t *values, bool *given);
/* A geometry's name, "name=value,...", or both ("tiny,port_pins=4"), over what values hold. given
 * as above. OCT_ERR_CONFIG, and nothing is changed; OCT_ERR_NOMEM. Rules over several parameters
 * are for the caller to check. */
int oct_param_parse(const oct_param_table *t, const char *text, uint32_t *values, bool *given,
                    oct_diag *diag);

/* How an encoder is run: with or without time, when instructions retire, how often the receiver
 * stalls the port.
 *
 * Threads: Values alone, which any threads may read at the same time. */

/* The untimed engine has no buffers that could overflow: nothing is ever lost. The cycle engine has
 * real buffers, latencies and pins: it may overflow, and says so. */
typedef enum oct_engine { OCT_ENGINE_UNTIMED, OCT_ENGINE_CYCLE } oct_engine;

/* When instructions retire (cycle engine only). */
typedef enum oct_arrival {
  OCT_ARRIVAL_FULL,  /* one a cycle, more cycles only for more than one access */
  OCT_ARRIVAL_CPI,   /* every cpi_milli / 1000 cycles, at least 1000 */
  OCT_ARRIVAL_STAMPS /* the trace's own cycle stamps; without one, as soon as it can */
} oct_arrival;

typedef struct oct_run_options {
  oct_engine engine;
  oct_arrival arrival;
  uint32_t cpi_milli;   /* 1000 = one a cycle */
  uint32_t stall_milli; /* of 1000 cycles, in how many the port is stalled at random */
  uint64_t seed;        /* of those stalls */
  int find_depths; /* also run with the largest buffers, for oct_stats.sufficient (cycle only) */
  uint32_t clock_divider; /* the pins move once in so many cycles (cycle only); 0 is 1 */
  const char *filter; /* what is traced (cycle only): settings as oct_filter_text.h has them; the
                         caller's, read when the encoder is made; NULL: all */
} oct_run_options;

/* How users write when instructions retire: "full", "stamps", or "cpi=X", X cycles per instruction
 * from 1 to 1000 with up to three decimals. Sets options->arrival and, with the last, cpi_milli;
 * nothing on OCT_ERR_ARG, which says in *diag what was expected. */
int oct_arrival_parse(const char *text, oct_run_options *options, oct_diag *diag);

/* The pins of a compressor as a circuit, the same for every tracer that has Verilog: the core that
 * retires, the debugger's bus (APB), the trace bus (ATB), the trace port.
 *
 * Threads: Values alone, which any threads may read at the same time. */

/* What retires in a cycle: an instruction at most, or two, and one access. The first access of an
 * instruction comes in its cycle, the others in the cycles after it without a gap, before the next
 * instruction. */
typedef struct oct_retire {
  bool insn_valid, da_valid, da_end; /* da_end: no address, a terminator */
  uint8_t insn_size_bytes;
  uint8_t insn_class;   /* an oct_class, as RISC-V's `itype` */
  uint8_t priv;         /* its privilege, as RISC-V's `priv` */
  uint8_t trigger;      /* bit i: external trigger i fires in this cycle */
  bool core_error;      /* the adapter ahead saw a rule of its own interface broken */
  uint32_t insn_word;   /* the instruction's bytes, the first lowest, */
  bool insn_word_valid; /* if they are known */
  uint32_t task;
  /* With a retire width of 2: an instruction of the same task that retires ahead of it in the same
   * cycle, without accesses. Without insn_valid, or with a width of 1, it breaks a rule. In
   * Verilog lead_valid_i, lead_addr_i, lead_size_bytes_i, lead_word_i, lead_word_valid_i. */
  bool lead_valid, lead_word_valid;
  uint8_t lead_size_bytes;
  uint32_t lead_word;
  uint64_t lead_addr;
  uint64_t insn_addr, da_addr;
  /* A trap, in a cycle without instruction and access: the fields of oct_trap; task is that of the
   * instruction behind it. In Verilog trap_valid_i, trap_kind_i, trap_privilege_i, trap_cause_i,
   * trap_addr_i, trap_tval_i. */
  bool trap_valid;
  uint8_t trap_kind, trap_privilege;
  uint32_t trap_cause;
  uint64_t trap_addr, trap_tval;
  /* The time of the instruction, where stamps are of the core's time (`time_source` = 1). */
  uint64_t time;
} oct_retire;

typedef struct oct_apb_in {
  bool psel, penable, pwrite;
  uint16_t paddr; /* 12 bits */
  uint32_t pwdata;
} oct_apb_in;

typedef struct oct_apb_out {
  uint32_t prdata;
  bool pready, pslverr; /* pready is always 1 */
} oct_apb_out;

typedef struct oct_pins_in {
  oct_retire retire;
  oct_apb_in apb;
  bool afvalid;    /* flush request, held until afready */
  bool port_stall; /* the trace receiver does not take bits in this cycle */
  bool end;        /* tracing is over: the last pins are padded */
} oct_pins_in;

/* What leaves at the data pins of the trace port. */
typedef struct oct_pins_port {
  bool valid;
  uint32_t data;
} oct_pins_port;

typedef struct oct_pins_out {
  bool atvalid, atready; /* a beat crosses the trace bus when both are set */
  uint8_t atbytes;       /* bytes less one */
  uint8_t atid;
  uint32_t atdata;
  bool afready; /* all that was there when afvalid came has left */
  oct_pins_port port;
  oct_apb_out apb;
} oct_pins_out;

/* A trace bus of its own in place of the trace port. */
typedef struct oct_pins_bus {
  bool atready;
  bool atclken; /* the bus runs in this cycle: else it takes and asks nothing */
  bool syncreq; /* a sync is asked for, a pulse */
} oct_pins_bus;

/* What every decoder gives: runs of decoded trace, and counts.
 *
 * Threads: Values alone; the batch is the decoder's and is for the thread that uses the decoder. */

/* The highest number of an instruction. A stream that counts further is damaged. */
#define OCT_INSN_NUMBER_MAX INT64_MAX

/* Most instructions of a run; the accesses from which on no other instruction joins it, so that it
 * has at most this many and those of one instruction; and most traps. */
enum { OCT_DECODED_INSNS = 8192, OCT_DECODED_ACCESSES = 16384, OCT_DECODED_TRAPS = 256 };

/* A run of decoded trace, which ends where a check confirms it. It may have no instructions when it
 * only tells of a gap or of a check. batch belongs to the decoder until its next call. */
typedef struct oct_decoded {
  oct_batch batch;
  uint64_t first_insn; /* number of batch.insns[0] in the trace */
  int is_gap;          /* after this batch events are missing: */
  uint64_t lost_insns, lost_accesses;
  uint64_t confirmed_insns; /* of the instructions since the start or the last resync, those
                               numbered below this are under a check that agreed; UINT64_MAX for a
                               port without checks */
  uint64_t has_late_traps;  /* 1: that check came before this run, so that it does not hold for
                               traps of the place confirmed_insns; 0: it does */
  uint64_t is_uncounted;    /* 1: behind a gap of unknown length, so that first_insn is the least
                               that it may be; with is_gap, lost_insns is */
} oct_decoded;

typedef struct oct_decoder_counts {
  uint64_t insns, accesses, syncs, gaps, lost_insns, lost_accesses;
  uint64_t bit_offset;      /* bits consumed */
  uint64_t first_sync_bits; /* bits skipped before the first sync (OCT_START_SEARCH) */
} oct_decoder_counts;

typedef enum oct_decoder_start {
  OCT_START_IN_STEP, /* the capture begins with a sync packet, as every stream does */
  OCT_START_SEARCH   /* begin at the first sync found */
} oct_decoder_start;

/* One interface for every tracer: a machine, or a format, that turns retired instructions and
 * their data accesses into the bits of a trace port, and back.
 *
 * A tracer is one constant struct oct_tracer, listed in tools/registry.c. It describes itself in
 * tables (parameters, geometries, counters, figures) and works through function pointers that take
 * a batch at a time, so that what is inside stays inlined. Programs walk the tables and call the
 * functions; they know no tracer, and no stage of one, by name.
 *
 * Parameters are an array of uint32_t and counters an array of uint64_t, each in the order of its
 * table. A tracer whose code prefers structs gives them that layout.
 *
 * Objects (encoders, decoders, packet listings, sweeps) are independent of each other: different
 * ones may be used by different threads at the same time, one object by one thread at a time. The
 * tables are constants. */

/* Most parameters and counters that a tracer may have: room for arrays on the stack. */
enum { OCT_TRACER_PARAMS_MAX = 96, OCT_TRACER_COUNTERS_MAX = 512 };

/* What a counter belongs to. The bits that left the port are the sum of all counters of the four
 * PORT groups, whose unit is bits. */
typedef enum oct_counter_group {
  OCT_GROUP_TRACE,         /* what the encoder was given: instructions, accesses, streams ... */
  OCT_GROUP_STAGE,         /* what a stage did: hits, predictions */
  OCT_GROUP_LOSS,          /* overflows, instructions and accesses lost */
  OCT_GROUP_PORT_INSN,     /* port bits spent on instructions, */
  OCT_GROUP_PORT_DATA,     /* on data addresses, */
  OCT_GROUP_PORT_SYNC,     /* on syncs, overflows, flushes, tasks, times, checks, */
  OCT_GROUP_PORT_OVERHEAD, /* on headers and padding */
  OCT_GROUP_ACCOUNT,       /* other accountings in bits, such as a paper's */
  OCT_GROUP_TIME,          /* cycles (cycle engine) */
  OCT_GROUP_BUFFER         /* occupancy and depths (cycle engine) */
} oct_counter_group;

typedef struct oct_counter {
  const char *name; /* as in JSON: "lost_insns" */
  const char *unit; /* "insns", "accesses", "bits", "cycles", "entries", "" */
  oct_counter_group group;
  const char *label; /* as on a page: "Lost instructions" */
  const char *text;  /* what it means, one line */
} oct_counter;

/* A figure that follows from parameters and counters: a ratio, a size of state. */
typedef struct oct_figure {
  const char *name, *unit, *label, *text;
  double (*value)(const uint32_t *params, const uint64_t *counters);
} oct_figure;

/* The counters that every tracer has, found by name when it is registered: insns, accesses, syncs,
 * packets, overflows, lost_insns, lost_accesses, cycles. One that a tracer lacks is read as 0. */

/* A part of the state that a machine holds, in bits, every bit counted. */
typedef struct oct_state_part {
  const char *name, *text;
  uint64_t (*bits)(const uint32_t *params);
} oct_state_part;

/* A buffer of the cycle engine, whose size is a parameter. The counters named are in the unit of
 * that parameter. */
typedef struct oct_tracer_buffer {
  const char *name;       /* "stream" */
  const char *param;      /* the parameter that is its size */
  const char *high_water; /* the counter of the most it held */
  const char *sufficient; /* that of the least size that would do (find_depths), or NULL */
} oct_tracer_buffer;

/* Names that users may write for the values 0, 1, 2 ... of a parameter; NULL ends them. */
typedef struct oct_value_names {
  const char *param;
  const char *const *names;
} oct_value_names;

/* Something that users vary in a sweep and that is no parameter itself, such as the entries of a
 * cache for its sets. */
typedef struct oct_tracer_axis {
  oct_param values; /* its name, range and rule */
  const char *sets; /* the parameter that it sets */
  /* Set it, all other parameters being set. OCT_ERR_CONFIG. */
  int (*apply)(uint32_t *params, uint32_t value, oct_diag *diag);
} oct_tracer_axis;

/* Most levels that an encoder tells the occupancy of a buffer in. */
enum { OCT_OCCUPANCY_LEVELS_MAX = 65 };

/* What an encoder is given. Instructions went through oct_map_track. updates are the changes of the
 * program map that begin with these instructions, or with later ones before they come, ordered by
 * from_insn, which counts from the first instruction of the trace. All belongs to the caller and is
 * read during the call only. */
typedef struct oct_tracer_input {
  const oct_insn *insns;
  size_t n_insns;
  const oct_access *accesses;
  size_t n_accesses;
  const oct_map_update *updates;
  size_t n_updates;
  const oct_trap *traps; /* oct_batch; left out by a tracer that does not carry them */
  size_t n_traps;
  const oct_fact *facts; /* likewise */
  size_t n_facts;
  const uint8_t *values; /* oct_batch; NULL: there are none */
  size_t n_values;
} oct_tracer_input;

/* A batch and the changes of the map that come with it, as oct_source gives them. */
static inline oct_tracer_input oct_tracer_input_of(const oct_batch *b,
                                                   const oct_map_update *updates,
                                                   size_t n_updates) {
  oct_tracer_input in;
  in.insns = b->insns;
  in.n_insns = b->n_insns;
  in.accesses = b->accesses;
  in.n_accesses = b->n_accesses;
  in.updates = updates;
  in.n_updates = n_updates;
  in.traps = b->traps;
  in.n_traps = b->n_traps;
  in.facts = b->facts;
  in.n_facts = b->n_facts;
  in.values = b->values;
  in.n_values = b->n_values;
  return in;
}

/* One packet of a port stream, as a listing has it. */
enum { OCT_PACKET_FIELDS_MAX = 24, OCT_PACKET_TEXT_BYTES = 160 };
typedef struct oct_packet_field {
  const char *name;
  uint64_t value;
  uint32_t width_bits;
  bool is_hex; /* an address or a pattern */
} oct_packet_field;
typedef struct oct_packet {
  uint64_t bit;     /* where it begins in the stream */
  uint64_t n_bits;  /* how long it is, prefix included */
  uint64_t insn;    /* number of the next instruction when it is read, UINT64_MAX = unknown */
  const char *name; /* of the table of packets, such as "SCMT" */
  unsigned n_fields;
  bool is_sync; /* a sync begins with it: a listing may begin here */
  oct_packet_field fields[OCT_PACKET_FIELDS_MAX];
  char text[OCT_PACKET_TEXT_BYTES]; /* what it means, one line */
} oct_packet;

/* Functions that a tracer may lack are NULL and said so. *_new functions give an object that the
 * caller frees with *_free, which takes NULL. Every function that returns int returns 0 (or a
 * count) or a negative enum oct_error, with one line in *diag. */
/* An instruction after which the decoder, which executes it, had to be corrected, and how often. */
typedef struct oct_correction {
  const oct_map_head *insn;
  uint64_t times;
} oct_correction;

typedef struct oct_tracer_encoder {
  /* OCT_ERR_CONFIG (illegal parameters), OCT_ERR_ARG (an engine or option it does not have),
   * OCT_ERR_NOMEM. run is never NULL. */
  int (*create)(const uint32_t *params, const oct_run_options *run, void **e, oct_diag *diag);
  void (*destroy)(void *e);
  /* OCT_ERR_LIMIT (wider, or aligned less, than configured), OCT_ERR_UNSUPPORTED (the format cannot
   * carry it), OCT_ERR_ARG (oct_tracer_check_traps), OCT_ERR_NOMEM. */
  int (*put)(void *e, const oct_tracer_input *in, oct_diag *diag);
  /* End of trace: everything leaves, closed so that a decoder knows the end. More may follow. */
  int (*flush)(void *e, oct_diag *diag);
  /* Port bytes so far, in order; owned by e, valid until the next call on e; handed out once. */
  size_t (*take)(void *e, const uint8_t **bytes);
  /* All counters, in the order of the table. */
  void (*counters)(const void *e, uint64_t *values);
  /* Cycles spent with buffer number b (of the tracer's table) filled to each level: returns the
   * number of levels, at most OCT_OCCUPANCY_LEVELS_MAX, of which the first is empty and the last
   * full; 0 when nothing was measured. NULL where there are no buffers. */
  unsigned (*occupancy)(const void *e, unsigned b, uint64_t *cycles);
  /* The instructions that were corrected most, the most often first: fills at most n of list, which
   * hold until the next call on e; returns how many there are in all. NULL where none is executed.
   */
  size_t (*corrections)(const void *e, oct_correction *list, size_t n);
} oct_tracer_encoder;

typedef struct oct_tracer_decoder {
  /* OCT_ERR_CONFIG, OCT_ERR_NOMEM. */
  int (*create)(const uint32_t *params, oct_decoder_start start, void **d, oct_diag *diag);
  void (*destroy)(void *d);
  /* Program map changes, ordered by from_insn, before the port bytes that need them. Copied. */
  int (*map)(void *d, const oct_map_update *updates, size_t n, oct_diag *diag);
  /* Append port bytes; copied. Call next until it returns 0 before pushing more. */
  int (*push)(void *d, const uint8_t *bytes, size_t n, oct_diag *diag);
  void (*finish)(void *d);
  /* 1 and *out; 0 when more bytes are needed, or after finish the end. OCT_ERR_PACKET,
   * OCT_ERR_MAP, OCT_ERR_TRUNCATED, OCT_ERR_CHECKSUM, OCT_ERR_LIMIT, OCT_ERR_NOMEM, with
   * `bit N: ` in *diag. All that was decoded before is delivered first. After an error it is only
   * repeated, until resync. */
  int (*next)(void *d, oct_decoded *out, oct_diag *diag);
  /* After an error of the stream: go on at the next sync, that which exposed the damage included.
   * 1: found, next goes on there, and its first run follows a gap; 0: more bytes are needed; call
   * again after push. NULL where the format has no syncs. */
  int (*resync)(void *d, oct_diag *diag);
  void (*counts)(const void *d, oct_decoder_counts *counts);
  /* Before the first push: the stream is another encoder's. Instructions that map did not tell are
   * asked of code, and what our encoder sends to check the decoder (numbers of instructions) may
   * not be there or mean something else, unless its parameter is given. A gap is of unknown length.
   * given: whether a parameter was told, not taken from its default. NULL: the decoder takes our
   * own streams only. */
  void (*foreign)(void *d, const oct_map_code *code, const bool *given);
  /* Before the first push, of OCT_START_SEARCH: the instructions before number insn came already,
   * perhaps others too. NULL: each sync of the format tells its number. Where one does not, runs
   * behind a gap have is_uncounted, and an instruction that stands in map in versions of which
   * nobody knows which holds there is OCT_ERR_MAP. */
  void (*behind_gap)(void *d, uint64_t insn);
  /* After resync, or before the first push of OCT_START_SEARCH: the privilege that the caller was
   * given last, OCT_PRIVILEGE_UNKNOWN if none. The next sync tells its own where it is another.
   * Without this call it may be told again after resync. NULL: syncs tell no privilege. */
  void (*had_privilege)(void *d, unsigned privilege);
  /* Before the first push: also hand out the registers behind each instruction whose results come
   * from outside, so that a result that was lost shows. NULL: no registers are handed out. */
  void (*tell_results)(void *d);
} oct_tracer_decoder;

/* A listing of packets: the parser of the decoder without what it feeds. */
typedef struct oct_tracer_packets {
  int (*create)(const uint32_t *params, oct_decoder_start start, void **p, oct_diag *diag);
  void (*destroy)(void *p);
  int (*push)(void *p, const uint8_t *bytes, size_t n, oct_diag *diag);
  void (*finish)(void *p);
  /* 1 and *out; 0 when more bytes are needed or at the end; errors as the decoder's. */
  int (*next)(void *p, oct_packet *out, oct_diag *diag);
  /* As the decoder's, of formats in which only the program tells where a packet ends; else NULL. */
  int (*map)(void *p, const oct_map_update *updates, size_t n, oct_diag *diag);
} oct_tracer_packets;

/* Many geometries in one pass, sharing what they have in common; each row equals an untimed
 * encoder's to the bit. NULL: a sweep runs one encoder for each geometry. */
typedef struct oct_tracer_sweep {
  /* params: n arrays of n_params values, one after the other. */
  int (*create)(const uint32_t *params, size_t n, void **s, oct_diag *diag);
  void (*destroy)(void *s);
  int (*put)(void *s, const oct_tracer_input *in, oct_diag *diag);
  int (*flush)(void *s, oct_diag *diag);
  void (*counters)(const void *s, size_t i, uint64_t *values);
} oct_tracer_sweep;

/* A stream of instructions that costs a tracer bits: its start and length, how often it was run,
 * and how often it was missed, which means sent in full. */
typedef struct oct_missed_stream {
  uint64_t addr;
  uint64_t misses, executions;
  uint32_t insns; /* its length */
} oct_missed_stream;

/* Which streams a tracer misses, and how often. */
typedef struct oct_tracer_profile {
  int (*create)(const uint32_t *params, void **p); /* OCT_ERR_NOMEM */
  void (*destroy)(void *p);
  int (*put)(void *p, const oct_tracer_input *in); /* OCT_ERR_NOMEM */
  int (*flush)(void *p);                           /* end of trace; OCT_ERR_NOMEM */
  size_t (*count)(const void *p);                  /* distinct streams */
  /* The n that miss most, most misses first, then by address: their number, or OCT_ERR_NOMEM. */
  int64_t (*top)(const void *p, oct_missed_stream *top, size_t n);
} oct_tracer_profile;

/* The machine as a circuit with the pins of oct_pins.h, one call a clock cycle, for whatever runs
 * it beside the Verilog: `module` is the top of that, in rtl/NAME, with the same pins, and the same
 * outputs on every cycle; it may leave out insn_class_i or insn_word_i. */
typedef struct oct_tracer_twin {
  const char *module; /* "oct_top" */
  /* OCT_ERR_CONFIG (legal, but not as a circuit), OCT_ERR_NOMEM. */
  int (*create)(const uint32_t *params, void **t, oct_diag *diag);
  void (*destroy)(void *t);
  /* Program map changes, ordered by from_insn, before the instructions that need them: what the
   * Verilog finds out from the words of the instructions. Copied. OCT_ERR_NOMEM. NULL: it needs
   * none. */
  int (*map)(void *t, const oct_map_update *updates, size_t n, oct_diag *diag);
  /* One clock cycle. 0, or OCT_ERR_MAP (an instruction without an entry), OCT_ERR_NOMEM. */
  int (*cycle)(void *t, const oct_pins_in *in, oct_pins_out *out, oct_diag *diag);
  /* The same without the trace port, whose inputs and outputs mean nothing. */
  int (*cycle_bus)(void *t, const oct_pins_in *in, const oct_pins_bus *bus, oct_pins_out *out,
                   oct_diag *diag);
  /* As the encoder's. */
  void (*counters)(const void *t, uint64_t *values);
  unsigned time_bits; /* of the core's time, that a stamp keeps */
} oct_tracer_twin;

/* What of traps leaves the port, as bits. */
enum {
  OCT_TRAPS_PLACE = 1,     /* where exceptions and interrupts come, and their addr */
  OCT_TRAPS_CAUSE = 2,     /* their kind and cause, */
  OCT_TRAPS_TVAL = 4,      /* tval, */
  OCT_TRAPS_PRIVILEGE = 8, /* and privilege */
  OCT_TRAPS_CHANGES = 16,  /* changes of privilege without a trap (OCT_TRAP_PRIVILEGE) */
  OCT_TRAPS_ALL = 31
};

/* A tracer with a cycle engine has a parameter of the role OCT_ROLE_PORT_PINS. */
typedef struct oct_tracer {
  const char *name; /* "paper" */
  const char *text; /* what it is, one line */
  uint32_t version; /* of its format; a decoder takes its own and older ones (oldest_version) */
  bool has_cycle_engine;
  /* Data addresses leave the port; else accesses are left out and told. A tracer that can do
   * without them has a parameter of OCT_ROLE_DATA, 0 or 1: oct_tracer_carries_data asks for both.
   */
  bool carries_data;
  bool carries_values; /* and the values of accesses do, where the trace has them */
  /* OCT_TRAPS_*: what it sends of traps. A tracer that can do without them has a parameter of
   * OCT_ROLE_TRAPS, 0 or 1. */
  uint32_t trap_parts;
  bool needs_ops;  /* its decoder needs the effects of the map: containers keep them */
  bool needs_code; /* and the bytes of instructions, where the trace has them: likewise */
  const oct_param *params;
  unsigned n_params;
  const oct_geometry *geometries;
  unsigned n_geometries;
  const oct_counter *counters;
  unsigned n_counters;
  const oct_figure *figures;
  unsigned n_figures;
  const oct_state_part *state_parts;
  unsigned n_state_parts;
  /* Legal as a whole? 0 or OCT_ERR_CONFIG with the offending parameter in *diag. */
  int (*check)(const uint32_t *params, oct_diag *diag);
  /* Can this build encode and decode with legal parameters? 0 or OCT_ERR_CONFIG. NULL: with all. */
  int (*check_build)(const uint32_t *params, oct_diag *diag);
  /* Set the parameters that follow from the trace and were not given: address width, alignment,
   * instruction set. isa is as in oct_trace_info, addr_bits 32 or 64, 0 = unknown; given[i] is true
   * for a parameter that the user set. OCT_ERR_UNSUPPORTED: it cannot take this instruction set;
   * OCT_ERR_CONFIG: a given parameter does not suit it. NULL: call oct_tracer_fit, not this. */
  int (*fit)(uint32_t *params, const bool *given, const char *isa, uint32_t addr_bits,
             uint32_t insn_align_bytes, oct_diag *diag);
  oct_tracer_encoder encoder;
  oct_tracer_decoder decoder;
  oct_tracer_packets packets; /* .create is NULL where there is none */
  const oct_tracer_sweep *sweep;
  const oct_tracer_buffer *buffers;
  unsigned n_buffers;
  const oct_value_names *value_names;
  unsigned n_value_names;
  const oct_tracer_axis *axes;
  unsigned n_axes;
  const char *const *timed_params; /* those that only the cycle engine minds; NULL ends, or NULL */
  const oct_tracer_profile *profile; /* or NULL */
  /* The longest stream of sequential instructions, in instructions; NULL where none is cut. */
  uint32_t (*stream_insns_max)(const uint32_t *params);
  const oct_tracer_twin *twin; /* or NULL: it is no circuit */
  uint32_t oldest_version;     /* that its decoder takes; 0 = all older ones */
} oct_tracer;

/* The tracers in the order in which tables show them, the default first; NULL after the last. */
const oct_tracer *oct_tracer_at(unsigned number);
/* By name, or NULL. */
const oct_tracer *oct_tracer_find(const char *name);

/* Helpers over the tables (port/oct_tracer.c). */
/* Number of the parameter or counter of that name, or -1. */
int oct_tracer_param(const oct_tracer *t, const char *name);
int oct_tracer_counter(const oct_tracer *t, const char *name);
/* Number of the parameter of that role, or -1, and its value, or 0. */
int oct_tracer_role(const oct_tracer *t, oct_param_role role);
uint32_t oct_tracer_value(const oct_tracer *t, const uint32_t *params, oct_param_role role);
/* Parameters and geometries as a table of oct_param.h. */
oct_param_table oct_tracer_table(const oct_tracer *t);
/* All defaults. */
void oct_tracer_defaults(const oct_tracer *t, uint32_t *params);
/* A geometry's name, "name=value,...", or both ("tiny,port_pins=4"), over what params holds (a name
 * starts from the defaults). given, if not NULL, gets true for each parameter set by name or by a
 * geometry. The result is checked as a whole. OCT_ERR_CONFIG, OCT_ERR_NOMEM; params are unchanged
 * then. */
int oct_tracer_parse(const oct_tracer *t, const char *text, uint32_t *params, bool *given,
                     oct_diag *diag);
/* Make the parameters of the roles OCT_ROLE_TASK_BITS and OCT_ROLE_PRIVILEGE_BITS that are not
 * given wide enough for the tasks and privileges that info has of a trace. Where the default is too
 * narrow for a task, tasks have all 32 bits, as later ones may be wider than the first. */
void oct_tracer_fit_events(const oct_tracer *t, uint32_t *params, const bool *given,
                           const oct_trace_info *info);
/* t->fit, which see; a tracer that has none takes every trace, and its parameters stay as they are.
 * OCT_ERR_CONFIG, OCT_ERR_UNSUPPORTED. */
int oct_tracer_fit(const oct_tracer *t, uint32_t *params, const bool *given, const char *isa,
                   uint32_t addr_bits, uint32_t insn_align_bytes, oct_diag *diag);
/* Each parameter's own range, then t->check. OCT_ERR_CONFIG. What is legal may still be more than
 * this build can do: oct_tracer_check asks t->check_build too. */
int oct_tracer_check_legal(const oct_tracer *t, const uint32_t *params, oct_diag *diag);
int oct_tracer_check(const oct_tracer *t, const uint32_t *params, oct_diag *diag);
/* Can the tracer be run so? 0, or OCT_ERR_ARG: a cycle engine that it does not have, or options of
 * a later library. */
int oct_tracer_check_run(const oct_tracer *t, const oct_run_options *run, oct_diag *diag);
/* Are the traps of a batch in order, at places within it, of known kinds and privileges? 0, or
 * OCT_ERR_ARG. Each `put` of an encoder begins with it. */
int oct_tracer_check_traps(const oct_tracer_input *in, oct_diag *diag);
/* Whether data addresses leave the port with these parameters. */
bool oct_tracer_carries_data(const oct_tracer *t, const uint32_t *params);
/* The instruction set (oct_isa) of which registers leave it, or -1: none do. */
int oct_tracer_register_isa(const oct_tracer *t, const uint32_t *params);
/* What of traps does: OCT_TRAPS_*, or 0. */
uint32_t oct_tracer_trap_parts(const oct_tracer *t, const uint32_t *params);
/* Value of the counter of that name, 0 where there is none. */
uint64_t oct_tracer_count(const oct_tracer *t, const uint64_t *counters, const char *name);
/* Bits of one PORT group, or of all (group = OCT_GROUP_TRACE). */
uint64_t oct_tracer_port_bits(const oct_tracer *t, const uint64_t *counters,
                              oct_counter_group group);
/* All state, in bits. */
uint64_t oct_tracer_state_bits(const oct_tracer *t, const uint32_t *params);

/* A trace to port bits in memory, and back: the short way, for programs that need no more than
 * that. Longer traces go batch by batch through the tracer itself (oct_tracer.h).
 *
 * Threads: An oct_memory is for one thread at a time, different ones may be used by different
 * threads. */

/* Port bytes, and what a decoder needs beside them: tracer, parameters, program map. */
typedef struct oct_memory oct_memory;

/* Compress what is left of the source with the untimed engine, so that nothing is lost. settings:
 * geometry and parameters as oct_tracer_parse takes them, or NULL; what they leave open is fitted
 * to the trace. The source stays the caller's. 0 and *out, to be freed; else OCT_ERR_CONFIG
 * (settings), OCT_ERR_UNSUPPORTED, OCT_ERR_LIMIT (the tracer cannot take the trace), OCT_ERR_NOMEM,
 * or an error of oct_source_next; *out is NULL then. */
int oct_memory_compress(const oct_tracer *tracer, const char *settings, oct_source *source,
                        oct_memory **out, oct_diag *diag);
void oct_memory_free(oct_memory *memory); /* NULL is allowed */

/* The bytes that left the port: their number, and where they are until oct_memory_free. */
size_t oct_memory_port(const oct_memory *memory, const uint8_t **bytes);

/* The next run of instructions, decoded from the port bytes: 1 and *run, valid until the next call;
 * 0 at the end. The call after that begins at the first instruction again. OCT_ERR_NOMEM, or
 * another error of the tracer's decoder. */
int oct_memory_next(oct_memory *memory, oct_decoded *run, oct_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
