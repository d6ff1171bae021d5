/* SPDX-License-Identifier: Apache-2.0 */
/* oct_capture.c - QEMU plugin that records a user-mode program in the native trace format.
 *
 * At translation the bytes of each instruction are decoded into a program-map entry. At run time
 * the emulator calls insn_exec before an instruction and insn_access after each of its accesses, so
 * the instruction waits, one per guest thread, until the same thread starts its next one. A guest
 * thread is a task; all of them are bound to one processor, so that they take turns as on one core
 * and task switches are those of the scheduler.
 *
 * Options: out=FILE (- is standard output), limit=N instructions, then the guest is ended, skip=N
 * instructions first, values=1 to record what accesses load and store and what registers hold at
 * the start and where the kernel or an instruction from outside may have changed them, isa=thumb
 * for an ARM program that runs Thumb code, stderr=N for the descriptor that is the guest's standard
 * error: until the guest runs, and for what the plugin says, it is the emulator's own, so that its
 * messages can be told from the guest's. The recorded command is taken from the environment,
 * OCT_CAPTURE_COMMAND. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "oct_arm_state.h"
#include "oct_crash.h"
#include "oct_exec.h"
#include "oct_files.h"
#include "oct_guest.h"
#include "oct_messages.h"
#include "oct_modules.h"
#include "oct_sites.h"
#include "octrace/feed.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MAX = 1024, ACCESSES_START = 64, SIGNALS = 65, FRAME_BYTES = 1280 };
/* Registers are told again after so many instructions, in case that something was missed. */
enum { REGISTERS_PERIOD = 1 << 16 };

/* A target of the emulator, and what an ISA is called in traces where its own name does not do. */
static const struct {
  const char *target;
  oct_isa isa;
  const char *name;
} targets[] = {
    {"arm", OCT_ISA_ARM, "armv5te"},    {"arm", OCT_ISA_THUMB, "thumb"},
    {"aarch64", OCT_ISA_AARCH64, NULL}, {"riscv32", OCT_ISA_RISCV32, NULL},
    {"riscv64", OCT_ISA_RISCV64, NULL}, {"x86_64", OCT_ISA_X86_64, NULL},
    {"i386", OCT_ISA_X86, NULL},        {"mips", OCT_ISA_MIPS, NULL},
    {"mipsel", OCT_ISA_MIPSEL, NULL},
};

/* A thread, with its instruction that waits for its accesses. */
typedef struct pending {
  int has_task;  /* task is its number */
  uint32_t task; /* the emulator's number is used again after the thread's end */
  const oct_version *insn, *before;
  unsigned n_access, room;
  oct_access *access;
  uint64_t *value;          /* of each access, if its field value is not 0 */
  int wants_registers;      /* at the next beginning of a block */
  uint32_t since_registers; /* instructions */
  int64_t tells;            /* registers before it, of state; 0: none */
  oct_guest_state state;
  uint32_t results; /* registers that a store-conditional has set, and were not told yet */
  int has_old;      /* what a swap will load: */
  uint64_t old_addr, old, old_events;
  oct_guest_range written[OCT_GUEST_RANGES]; /* by the kernel before it, */
  size_t n_written;
  uint64_t frame_addr; /* and for a signal's handler, which begins with it: */
  uint32_t frame_bytes;
  uint8_t frame[FRAME_BYTES];
  uint64_t args[OCT_GUEST_ARGUMENTS]; /* of the call under way */
} pending;

static struct {
  pthread_mutex_t lock; /* of everything below but each thread's own accesses */
  oct_feed *feed;       /* NULL when not recording (any more) */
  int file;             /* the trace's descriptor */
  const char *target;
  oct_isa isa;
  oct_disasm *disasm;
  oct_disasm *arm; /* for blocks in ARM state of a Thumb program, else NULL */
  uint64_t limit;
  uint64_t skip;
  uint64_t retired;
  uint32_t n_tasks;            /* threads that have begun */
  uint64_t guest_stderr;       /* descriptor, 0: the emulator's */
  int has_values;              /* they are recorded */
  int is_known;                /* registers were found where they should be */
  int started;                 /* the guest runs */
  int has_untold;              /* it has instructions whose accesses are not told */
  uint64_t handlers[SIGNALS];  /* of signals, as far as the program has set them; 0: none */
  atomic_uint_fast64_t events; /* instructions begun and accesses made, by all threads */
  pending threads[THREADS_MAX];
} cap = {.lock = PTHREAD_MUTEX_INITIALIZER};

OCT_QEMU_EXPORT int qemu_plugin_version = OCT_QEMU_API_VERSION;

static void close_feed(void) {
  oct_feed *feed = cap.feed;
  cap.feed = NULL;
  if (feed && oct_feed_close(feed) < 0) oct_die("cannot write the trace");
}

/* The instruction that this thread executed last, recorded or not. */
static _Thread_local const oct_version *last_executed;

/* Whether the waiting instruction is in the slot of a likely branch that was not taken: the
 * emulator tells of it as of any other, but goes on behind it. A branch to there may be taken, so
 * it then counts as not taken if the slot lacks its accesses. */
static int is_annulled(const pending *p, const oct_version *next) {
  if (!p->before || !next || !(p->before->entry.op.flags & OCT_EFFECT_LIKELY)) return 0;
  const oct_map_entry *branch = &p->before->entry, *slot = &p->insn->entry;
  uint64_t behind = branch->addr + 8;
  return slot->addr == branch->addr + 4 && next->entry.addr == behind && !p->n_access &&
         (branch->target != behind || slot->n_slots);
}

/* What the trace tells in front of the waiting instruction. */
static int tell_facts(pending *p) {
  int failed = 0;
  for (size_t i = 0; i < p->n_written; i++) {
    const oct_guest_range *r = &p->written[i];
    const uint32_t n_bytes = r->n_bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)r->n_bytes;
    failed |= oct_feed_memory(cap.feed, r->addr, n_bytes, NULL) < 0;
  }
  if (p->frame_bytes)
    failed |= oct_feed_memory(cap.feed, p->frame_addr, p->frame_bytes, p->frame) < 0;
  if (p->tells) failed |= oct_guest_tell_registers(cap.feed, &p->state, p->tells) < 0;
  p->tells = 0;
  p->n_written = p->frame_bytes = 0;
  return failed;
}

/* Write the waiting instruction of a thread, behind which comes next, if that is known; the lock is
 * held. */
static void retire(unsigned vcpu, const oct_version *next) {
  pending *p = &cap.threads[vcpu];
  const oct_version *v = p->insn;
  if (!v || !cap.feed) return;
  int annulled = is_annulled(p, next);
  p->before = v;
  p->insn = NULL;
  if (annulled) return;
  if (cap.retired++ < cap.skip) {
    p->wants_registers = 1;
    p->n_written = p->frame_bytes = 0;
    p->tells = 0;
    return;
  }
  const oct_map_entry *e = &v->entry;
  int failed = 0;
  if (v->site->written != v) {
    failed |= oct_feed_map_code(cap.feed, e->addr, e->size_bytes, e->cls, e->target, e->n_slots,
                                e->slots, e->flags, e->code_isa, e->code) < 0;
    v->site->written = v;
  }
  failed |= tell_facts(p);
  failed |= oct_feed_insn(cap.feed, p->task, e->addr, e->size_bytes) < 0;
  for (unsigned i = 0; i < p->n_access; i++) {
    const oct_access *a = &p->access[i];
    failed |= oct_feed_access(cap.feed, a->addr, a->size_bytes, a->is_store) < 0;
    if (a->value) failed |= oct_feed_value(cap.feed, &p->value[i]) < 0;
  }
  if (failed) oct_die("cannot write the trace");
  if (cap.limit && cap.retired - cap.skip >= cap.limit) {
    close_feed();
    _exit(0);
  }
}

/* Keep what the kernel has put on the stack for a signal's handler, which begins: as much as has
 * the registers that a debugger wants. */
static void keep_frame(pending *p, const void *env) {
  const uint32_t n = cap.isa == OCT_ISA_AARCH64 ? FRAME_BYTES : FRAME_BYTES / 2;
  p->frame_addr = oct_guest_stack(env);
  p->frame_bytes = oct_guest_read_safely(p->frame_addr, p->frame, n) ? 0 : n;
}

/* Keep the registers at env, at the beginning of a block, where they are to be told: at the start,
 * behind what came from outside, and where a signal's handler begins. */
static void keep_registers(pending *p, const oct_version *v, const void *env) {
  const oct_map_entry *before = p->before ? &p->before->entry : NULL;
  const int goes_on = before && v->entry.addr == before->addr + before->size_bytes;
  int begins_handler = 0;
  for (unsigned i = 0; i < SIGNALS && !goes_on; i++)
    if (cap.handlers[i] == v->entry.addr) p->wants_registers = begins_handler = 1;
  if (begins_handler) keep_frame(p, env);
  if (before && !p->wants_registers && p->since_registers < REGISTERS_PERIOD) {
    if (!p->results) return;
    oct_guest_keep_registers(&p->state, env);
    p->tells = p->results;
    p->results = 0;
    return;
  }
  if (!cap.is_known && !oct_guest_is_start(env))
    oct_die("values=1: this emulator's registers are not where they are expected (QEMU 7.2)");
  cap.is_known = 1;
  oct_guest_keep_registers(&p->state, env);
  p->tells = OCT_GUEST_ALL;
  p->wants_registers = 0;
  p->results = 0;
  p->since_registers = 0;
}

/* Other threads write memory, too: a swap reports an access behind its store, when what it loaded
 * is gone, and what stood there before is that only if no other thread did anything in between. */
static void keep_old(pending *p, const oct_version *v, const void *env) {
  const size_t n_bytes = (size_t)1 << (v->entry.slots[0] & OCT_SLOT_SIZE_MASK);
  p->has_old = env && v->is_swap && n_bytes <= sizeof p->old &&
               oct_guest_address(env, &v->entry.op.mem[0], &p->old_addr) &&
               !oct_guest_read_safely(p->old_addr, &p->old, n_bytes);
  p->old_events = cap.events;
}

static void begin_insn(unsigned vcpu, const oct_version *v, const void *env) {
  if (vcpu >= THREADS_MAX) oct_die("more than 1024 guest threads at a time");
  pending *p = &cap.threads[vcpu];
  pthread_mutex_lock(&cap.lock);
  retire(vcpu, v);
  if (!p->has_task) p->task = cap.n_tasks++;
  p->has_task = 1;
  if (env && cap.has_values) keep_registers(p, v, env);
  p->since_registers++;
  p->wants_registers |= v->is_outside;
  if (v->is_store_conditional) p->results |= v->entry.op.clobbers;
  cap.events++;
  if (cap.has_values) keep_old(p, v, env);
  p->insn = last_executed = v;
  p->n_access = 0;
  pthread_mutex_unlock(&cap.lock);
}

static void insn_exec(unsigned vcpu, void *user) {
  begin_insn(vcpu, user, NULL);
}

#if defined(__x86_64__)
/* The same at the beginning of a block. Generated code has the processor's state in rbp. */
__attribute__((used)) static void insn_exec_first(unsigned vcpu, void *user, const void *env) {
  begin_insn(vcpu, user, env);
}
__attribute__((naked)) static void block_exec(__attribute__((unused)) unsigned vcpu,
                                              __attribute__((unused)) void *user) {
  __asm__("movq %%rbp, %%rdx\n\tjmp %P0" : : "i"(insn_exec_first));
}
#else
static void block_exec(unsigned vcpu, void *user) {
  insn_exec(vcpu, user);
}
#endif

static void insn_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t addr, void *user) {
  const oct_version *v = user;
  pending *p = &cap.threads[vcpu];
  const uint64_t events = atomic_fetch_add(&cap.events, 1);
  if (p->insn != v) return;
  if (p->n_access + 2 > p->room) {
    p->room = p->room ? 2 * p->room : ACCESSES_START;
    p->access = realloc(p->access, p->room * sizeof *p->access);
    p->value = realloc(p->value, p->room * sizeof *p->value);
    if (!p->access || !p->value) oct_die("out of memory");
  }
  uint8_t size_bytes = (uint8_t)(1u << qemu_plugin_mem_size_shift(info));
  uint8_t is_store = qemu_plugin_mem_is_store(info);
  /* To store on a condition is to load nothing, but the emulator may compare first. */
  if (v->is_store_conditional && !is_store) return;
  if (v->is_swap && is_store && p->n_access == 0) {
    p->access[0] = (oct_access){addr, size_bytes, 0, 0};
    p->value[0] = p->old;
    p->access[0].value = p->has_old && addr == p->old_addr && p->old_events == events;
    p->n_access = 1;
  }
  oct_access *a = &p->access[p->n_access];
  *a = (oct_access){addr, size_bytes, is_store, 0};
  /* Memory holds what was loaded, too, unless another thread has written it in between. */
  if (cap.has_values && size_bytes <= sizeof *p->value) {
    oct_guest_read(addr, &p->value[p->n_access], size_bytes);
    a->value = 1;
  }
  p->n_access++;
}

/* An instruction of a block, in ARM state of a Thumb program or not. The lock is held. */
static oct_version *version_of(const struct qemu_plugin_insn *insn, int is_arm) {
  const uint64_t addr = qemu_plugin_insn_vaddr(insn);
  const size_t code_bytes = cap.arm ? oct_arm_bytes(insn, !is_arm) : qemu_plugin_insn_size(insn);
  if (code_bytes > OCT_VERSION_CODE_MAX) oct_die("an instruction of more than 16 bytes");
  if ((addr | code_bytes) % oct_isa_get(cap.isa)->insn_align_bytes)
    oct_die("the guest runs Thumb code: expected ARM state only (or the option isa=thumb)");
  return oct_sites_version(is_arm ? cap.arm : cap.disasm, is_arm ? OCT_ISA_ARM : cap.isa, addr,
                           qemu_plugin_insn_data(insn), code_bytes);
}

/* Say once that the trace lacks accesses. The lock is held. */
static void tell_untold(const oct_version *v) {
  if (v->is_untold && cap.feed && !cap.has_untold)
    dprintf(oct_messages_file(), "oct_capture: untold accesses\n");
  cap.has_untold |= v->is_untold;
}

static void block_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
  (void)id;
  pthread_mutex_lock(&cap.lock);
  if (!cap.started && cap.guest_stderr) oct_messages_hand_over((int)cap.guest_stderr);
  cap.started = 1;
  size_t n = qemu_plugin_tb_n_insns(tb);
  int is_arm = cap.arm && !oct_arm_is_thumb(tb, n, last_executed, cap.disasm, cap.arm);
  const struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn(tb, 0);
  const void *host = qemu_plugin_insn_haddr(first);
  if (cap.feed && host && oct_modules_meet(cap.feed, qemu_plugin_insn_vaddr(first), host))
    oct_die("cannot write the trace");
  pthread_mutex_unlock(&cap.lock);
  for (size_t i = 0; i < n; i++) {
    struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
    pthread_mutex_lock(&cap.lock);
    oct_version *v = version_of(insn, is_arm);
    tell_untold(v);
    pthread_mutex_unlock(&cap.lock);
    if (cap.has_values && oct_guest_find_memory(insn) < 0)
      oct_die("values=1: this emulator does not give the place of the guest's memory");
    qemu_plugin_register_vcpu_insn_exec_cb(insn, cap.has_values && !i ? block_exec : insn_exec,
                                           QEMU_PLUGIN_CB_NO_REGS, v);
    qemu_plugin_register_vcpu_mem_cb(insn, insn_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                     v);
  }
}

static void thread_ended(qemu_plugin_id_t id, unsigned vcpu) {
  (void)id;
  if (vcpu >= THREADS_MAX) return;
  pthread_mutex_lock(&cap.lock);
  retire(vcpu, NULL);
  pending *p = &cap.threads[vcpu];
  *p = (pending){.room = p->room, .access = p->access, .value = p->value};
  pthread_mutex_unlock(&cap.lock);
}

/* The instruction at which a program crashes is written as well, for people look for it. */
static void end_trace(void) {
  pthread_mutex_lock(&cap.lock);
  for (unsigned vcpu = 0; vcpu < THREADS_MAX; vcpu++) retire(vcpu, NULL);
  /* The feed of a guest that could not be loaded stays incomplete, and is refused by that. */
  if (cap.started) close_feed();
  pthread_mutex_unlock(&cap.lock);
}

static void guest_ended(qemu_plugin_id_t id, void *user) {
  (void)id;
  (void)user;
  end_trace();
}

/* exec may not come back. Until it does, the lock keeps others from adding to what has ended. */
static void before_syscall(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1,
                           uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,
                           uint64_t a7, uint64_t a8) {
  (void)id, (void)a7, (void)a8;
  if (vcpu < THREADS_MAX)
    memcpy(cap.threads[vcpu].args, (const uint64_t[]){a1, a2, a3, a4, a5, a6},
           sizeof cap.threads[vcpu].args);
  if (!oct_exec_is_call(cap.target, number)) return;
  pthread_mutex_lock(&cap.lock);
  if (!cap.feed) {
    pthread_mutex_unlock(&cap.lock);
    return;
  }
  retire(vcpu, NULL);
  size_t n_bytes;
  uint8_t *end = oct_feed_end(cap.feed, &n_bytes);
  if (!end) oct_die("cannot write the trace");
  if (oct_exec_begin(cap.file, end, n_bytes, oct_messages_file()) < 0)
    oct_die("cannot end the trace at exec: %s", strerror(errno));
  free(end);
}

static void after_syscall(qemu_plugin_id_t id, unsigned vcpu, int64_t number, int64_t result) {
  (void)id;
  if (cap.has_values && vcpu < THREADS_MAX) {
    pending *p = &cap.threads[vcpu];
    uint64_t handler;
    p->n_written = oct_guest_written(cap.target, number, p->args, result, p->written);
    if (p->args[0] < SIGNALS && oct_guest_sets_handler(cap.target, number, p->args, &handler))
      cap.handlers[p->args[0]] = handler;
  }
  if (!oct_exec_is_call(cap.target, number)) {
    pthread_mutex_lock(&cap.lock);
    oct_modules_outdate();
    pthread_mutex_unlock(&cap.lock);
    return;
  }
  if (!cap.feed) return;
  oct_exec_failed();
  pthread_mutex_unlock(&cap.lock);
}

static void before_fork(void) {
  pthread_mutex_lock(&cap.lock);
}

static void in_parent(void) {
  pthread_mutex_unlock(&cap.lock);
}

/* A forked child runs on unrecorded: the file is its parent's, and ends when the parent says so. */
static void in_child(void) {
  if (cap.feed && cap.file != STDOUT_FILENO) oct_files_close(cap.file);
  cap.feed = NULL;
  oct_crash_before_end(NULL);
  pthread_mutex_unlock(&cap.lock);
}

static void bind_to_one_processor(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return;
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET(i, &set)) {
      CPU_ZERO(&set);
      CPU_SET(i, &set);
      break;
    }
  sched_setaffinity(0, sizeof set, &set);
}

static int parse_count(const char *text, uint64_t *value) {
  char *end;
  errno = 0;
  *value = strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* The number in targets of the emulator's target that is of this set (-1: of any), or -1. */
static int find_target(const char *target, int isa) {
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
    if (!strcmp(targets[i].target, target) && (isa < 0 || (int)targets[i].isa == isa))
      return (int)i;
  return -1;
}

/* Returns the value of out=, and the number in targets that isa= names. */
static const char *parse_options(int argc, char **argv, const char *target, int *number) {
  const char *out = NULL;
  for (int i = 0; i < argc; i++) {
    int good = 1;
    if (!strncmp(argv[i], "out=", 4))
      out = argv[i] + 4;
    else if (!strncmp(argv[i], "limit=", 6))
      good = parse_count(argv[i] + 6, &cap.limit);
    else if (!strncmp(argv[i], "skip=", 5))
      good = parse_count(argv[i] + 5, &cap.skip);
    else if (!strncmp(argv[i], "stderr=", 7))
      good = parse_count(argv[i] + 7, &cap.guest_stderr) && cap.guest_stderr <= INT_MAX;
    else if (!strcmp(argv[i], "values=1"))
      cap.has_values = 1;
    else if (!strncmp(argv[i], "isa=", 4))
      good = (*number = find_target(target, oct_isa_by_name(argv[i] + 4))) >= 0;
    else
      good = 0;
    if (!good)
      oct_die(
          "option '%s': expected out=FILE, limit=N, skip=N, values=1, stderr=N or isa=thumb on arm",
          argv[i]);
  }
  if (!out) oct_die("expected the option out=FILE");
  return out;
}

/* Let the trace's file be out of reach of the guest and its signals. 0 or -1. */
static int keep_apart(oct_feed *feed) {
  const int is_stdout = feed->file == stdout;
  cap.file = is_stdout ? STDOUT_FILENO : oct_files_keep(fileno(feed->file));
  FILE *kept = cap.file < 0 ? NULL : oct_files_stream(cap.file);
  if (!kept || (is_stdout ? fflush(stdout) : fclose(feed->file))) return -1;
  feed->file = kept;
  return 0;
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv) {
  int number = find_target(info->target_name, -1);
  if (number < 0 || info->system_emulation)
    oct_die("target '%s'%s: expected user mode of arm, aarch64, riscv, x86 or mips",
            info->target_name, info->system_emulation ? " (system)" : "");
  const char *out = parse_options(argc, argv, info->target_name, &number);
  if (cap.has_values && !oct_guest_knows(info))
    oct_die("values=1: expected a target but MIPS, and an emulator that runs on x86-64");
  cap.target = targets[number].target;
  cap.isa = targets[number].isa;
  cap.disasm = oct_disasm_new(cap.isa);
  if (cap.isa == OCT_ISA_THUMB) cap.arm = oct_disasm_new(OCT_ISA_ARM);
  if (!cap.disasm || (cap.isa == OCT_ISA_THUMB && !cap.arm)) oct_die("out of memory");
  const oct_isa_info *isa = oct_isa_get(cap.isa);
  const char *command = getenv("OCT_CAPTURE_COMMAND");
  oct_feed_info feed_info = {
      .isa = targets[number].name ? targets[number].name : isa->name,
      .origin = "QEMU user mode, oct_capture",
      .command = command ? command : "",
      .addr_bits = isa->addr_bits,
      .insn_align_bytes = isa->insn_align_bytes,
  };
  cap.feed = oct_feed_open(out, &feed_info);
  if (!cap.feed || keep_apart(cap.feed) < 0) oct_die("%s: cannot write: %s", out, strerror(errno));
  bind_to_one_processor();
  pthread_atfork(before_fork, in_parent, in_child);
  qemu_plugin_register_vcpu_tb_trans_cb(id, block_translated);
  qemu_plugin_register_vcpu_exit_cb(id, thread_ended);
  qemu_plugin_register_vcpu_syscall_cb(id, before_syscall);
  qemu_plugin_register_vcpu_syscall_ret_cb(id, after_syscall);
  qemu_plugin_register_atexit_cb(id, guest_ended, NULL);
  oct_crash_before_end(end_trace);
  return 0;
}
