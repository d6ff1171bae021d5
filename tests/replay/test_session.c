/* SPDX-License-Identifier: Apache-2.0 */
/* test_session.c - does each thread have its own registers and program counter at every position of
 * a session, in any order of visits? Two threads count in a loop: the first by 1 from 0, the second
 * by 1 from 100. And are registers known exactly where execution leads to them? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oct_gdb.h"
#include "oct_session.h"
#include "octrace/error.h"
#include "octrace/trace.h"

enum { LOOP = 4, START = 0x1000, INSNS = 400 };

/* add r0, r0, #1; str r0, [r1]; svc #0; b START */
static const char *const codes[LOOP] = {"010080e2", "000081e5", "000000ef", "fbffffea"};

/* Where the two threads are after n instructions of the trace. */
typedef struct threads {
  unsigned done[2];
  bool has_run[2];
} threads;

/* Which thread the instruction at position n is of. */
static unsigned task_at(unsigned n) {
  return n >= 5 && (n * 7 / 10 & 1);
}

static threads threads_at(unsigned n) {
  threads t = {0};
  for (unsigned i = 0; i < n; i++) t.done[task_at(i)]++;
  for (unsigned i = 0; i <= n && i < INSNS; i++) t.has_run[task_at(i)] = true;
  return t;
}

static unsigned count_of(unsigned task, unsigned done) {
  return 100 * task + (done + LOOP - 1) / LOOP;
}

static void write_trace(const char *path) {
  FILE *f = fopen(path, "w");
  unsigned done[2] = {0};
  assert_non_null(f);
  fprintf(f, "# isa armv5te\n");
  for (unsigned n = 0; n < INSNS; n++) {
    const unsigned task = task_at(n), at = done[task] % LOOP;
    if (!done[task]) {
      for (unsigned r = 0; r < 15; r++)
        fprintf(f, "!register r%u=%08x\n", r,
                r == 0   ? 100 * task
                : r == 1 ? 0x2000 + 4 * task
                         : 0x10 * r + task);
    }
    fprintf(f, "%x/4", START + 4 * at);
    if (at == 1) fprintf(f, " S4:%x=%08x", 0x2000 + 4 * task, count_of(task, done[task]));
    fprintf(f, " T:%u I:%s\n", task, codes[at]);
    done[task]++;
  }
  fclose(f);
}

static uint32_t register_of(oct_session *s, unsigned task, unsigned number) {
  uint8_t bytes[OCT_FACT_REGISTER_MAX];
  assert_true(oct_session_register(s, task, number, bytes));
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void threads_keep_their_own(void **state) {
  (void)state;
  char path[] = "/tmp/test_session-XXXXXX";
  oct_session *s;
  oct_diag diag = {0};
  close(mkstemp(path));
  write_trace(path);
  if (oct_session_open(path, NULL, &s, &diag) == OCT_ERR_UNSUPPORTED) skip();
  assert_non_null(s);
  for (unsigned k = 0; k < 300; k++) {
    const unsigned n = k * 149 % (INSNS + 1);
    const threads t = threads_at(n);
    assert_int_equal(oct_session_go(s, n, &diag), 0);
    for (unsigned task = 0; task < 2; task++) {
      uint64_t pc;
      uint8_t bytes[OCT_FACT_REGISTER_MAX];
      if (!t.has_run[task]) {
        assert_false(oct_session_task_pc(s, task, &pc));
        assert_false(oct_session_register(s, task, 15, bytes));
        continue;
      }
      assert_int_equal(register_of(s, task, 0), count_of(task, t.done[task]));
      assert_int_equal(register_of(s, task, 9), 0x90 + task);
      assert_true(oct_session_task_pc(s, task, &pc));
      if (n < INSNS || task != task_at(INSNS - 1))
        assert_int_equal(pc, START + 4 * (t.done[task] % LOOP));
      assert_int_equal(register_of(s, task, 15), pc);
    }
  }
  oct_session_close(s);
  unlink(path);
}

/* A session at instruction n of a program that begins with known registers, all but that one. */
static oct_session *session_without(int register_, const char *isa, const char *program,
                                    uint64_t n) {
  char path[] = "/tmp/test_session-XXXXXX";
  oct_session *s;
  oct_diag diag = {0};
  FILE *f = fdopen(mkstemp(path), "w");
  assert_non_null(f);
  fprintf(f, "# isa %s\n", isa);
  const bool is_arm = !strcmp(isa, "armv7a"), is_x86 = !strcmp(isa, "x86-64");
  const int digits = is_arm || !strcmp(isa, "riscv32") ? 8 : 16;
  for (int r = 0; r < (is_arm ? 15 : is_x86 ? 16 : 32); r++)
    if (r != register_) fprintf(f, "!register %d=%0*x\n", r, digits, r == 1 ? 0x23fe : 0x10 * r);
  fputs(program, f);
  fclose(f);
  int rc = oct_session_open(path, NULL, &s, &diag);
  unlink(path);
  if (rc == OCT_ERR_UNSUPPORTED) skip();
  assert_int_equal(rc, 0);
  assert_int_equal(oct_session_go(s, n, &diag), 0);
  return s;
}

static oct_session *session_at(const char *isa, const char *program, uint64_t n) {
  return session_without(-1, isa, program, n);
}

static bool knows(oct_session *s, unsigned number) {
  uint8_t bytes[OCT_FACT_REGISTER_MAX];
  return oct_session_register(s, 0, number, bytes);
}

/* Each general register has to be told before execution begins, the last ones too. */
static void each_register_counts(void **state) {
  (void)state;
  static const struct {
    const char *isa, *program;
    int n;
  } sets[] = {{"armv7a", "1000/4 I:0000a0e1\n1004/4 I:0000a0e1\n", 15},
              {"x86-64", "1000/1 I:90\n1001/1 I:90\n", 16},
              {"aarch64", "1000/4 I:1f2003d5\n1004/4 I:1f2003d5\n", 32},
              {"riscv64", "1000/4 I:13000000\n1004/4 I:13000000\n", 32}};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
    for (int r = sets[i].n - 2; r <= sets[i].n; r++) {
      oct_session *s = session_without(r, sets[i].isa, sets[i].program, 1);
      assert_int_equal(knows(s, 2), r == sets[i].n);
      if (r < sets[i].n) assert_false(knows(s, (unsigned)r));
      oct_session_close(s);
    }
}

/* What instructions that are missing stored nobody knows; code is where the trace has it. */
static void gap_forgets_memory(void **state) {
  (void)state;
  uint8_t bytes[4];
  oct_diag diag = {0};
  oct_session *s =
      session_at("armv7a",
                 "1000/4 S4:2000=44332211 I:002081e5\n1004/4 I:0000a0e1\n!gap overflow I:5 D:2\n"
                 "1018/4 S4:2010=88776655 I:102081e5\n101c/4 I:0000a0e1\n",
                 0);
  for (unsigned k = 0; k < 10; k++) { /* there and back */
    const unsigned n = k * 3 % 5;
    assert_int_equal(oct_session_go(s, n, &diag), 0);
    assert_int_equal(oct_session_read(s, 0x2000, bytes, 4), n == 1 ? 4 : 0);
    assert_int_equal(oct_session_read(s, 0x2010, bytes, 4), n >= 3 ? 4 : 0);
    assert_int_equal(oct_session_read(s, 0x1000, bytes, 4), 4);
    assert_int_equal(bytes[1], 0x20);
  }
  oct_session_close(s);
}

/* ldr r0, [r1] across a page of the emulator's, which makes more loads of it. */
static void load_across_a_page(void **state) {
  (void)state;
  oct_session *s =
      session_at("armv7a", "1000/4 L4:23fe=44332211 I:000091e5\n1004/4 I:0000a0e1\n", 1);
  assert_int_equal(register_of(s, 0, 0), 0x44332211);
  assert_int_equal(register_of(s, 0, 2), 0x20);
  oct_session_close(s);
}

/* Bits that the emulator does not keep, and registers that the trace does not tell. */
static void status_of_x86(void **state) {
  (void)state;
  oct_session *s =
      session_at("x86-64", "!register rflags=0000000000000a46\n1000/1 I:90\n1001/1 I:90\n", 1);
  assert_int_equal(register_of(s, 0, OCT_REG_STATUS), 0xa46);
  oct_session_close(s);
  s = session_at("x86-64", "1000/1 I:90\n1001/1 I:90\n", 1);
  assert_true(knows(s, 0));
  assert_false(knows(s, OCT_REG_STATUS));
  oct_session_close(s);
}

/* xsave and xrstor, which the emulator lacks: the first changes nothing, the second loads what is
 * saved, or nothing, if it does not ask for it. */
static void state_of_x86(void **state) {
  (void)state;
  enum { AREA = 0x40, HEADER = 512, VECTORS = 160 };
  static const struct {
    unsigned asked, saved;
    bool lacks;
  } cases[] = {{0xee, 2, false}, {0xee, 0, false}, {0xec, 2, false}, {0xee, 2, true}};
  for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
    char program[4096];
    uint8_t bytes[OCT_FACT_REGISTER_MAX];
    int n = snprintf(program, sizeof program, "!register rax=%016x\n", cases[k].asked);
    for (unsigned i = 0; i < 16; i++)
      n += snprintf(program + n, sizeof program - n, "!register xmm%u=%032x\n", i, 0x55 + i);
    n += snprintf(program + n, sizeof program - n,
                  "1000/4 S8:%x=%016x I:0fae2424\n1004/4 L8:%x=%016x L4:%x=00001f80", AREA + HEADER,
                  cases[k].saved, AREA + HEADER, cases[k].saved, AREA + 24);
    for (unsigned i = 0; i < 32u - cases[k].lacks && cases[k].saved; i++)
      n += snprintf(program + n, sizeof program - n, " L8:%x=%016x", AREA + VECTORS + 8 * i, i);
    snprintf(program + n, sizeof program - n, " I:0fae2c24\n1008/1 I:90\n1009/1 I:90\n");
    oct_session *s = session_at("x86-64", program, 1);
    assert_int_equal(register_of(s, 0, 3), 0x30);
    assert_int_equal(register_of(s, 0, OCT_REG_FLOAT + 5), 0x5a);
    oct_diag diag;
    assert_int_equal(oct_session_go(s, 3, &diag), 0);
    assert_int_equal(knows(s, 3), !cases[k].lacks);
    if (!cases[k].lacks) {
      assert_true(oct_session_register(s, 0, OCT_REG_FLOAT + 5, bytes));
      assert_int_equal(bytes[0], !(cases[k].asked & 2) ? 0x5a : cases[k].saved ? 10 : 0);
      assert_int_equal(bytes[8], (cases[k].asked & cases[k].saved & 2) ? 11 : 0);
    }
    oct_session_close(s);
  }
}

/* mov r0, r0 at 1000 does not lead to 2000, but a trap does. */
static void program_goes_on_elsewhere(void **state) {
  (void)state;
  oct_session *s = session_at("armv7a", "1000/4 I:0000a0e1\n2000/4 I:0000a0e1\n", 1);
  assert_false(knows(s, 0));
  oct_session_close(s);
  s = session_at("armv7a", "1000/4 I:0000a0e1\n!interrupt 7 A:1004 P:3\n2000/4 I:0000a0e1\n", 1);
  assert_int_equal(register_of(s, 0, 2), 0x20);
  oct_session_close(s);
}

/* vaddps ymm0, ymm1, ymm2, which the emulator lacks. */
static void instruction_is_not_executed(void **state) {
  (void)state;
  oct_session *s = session_at("x86-64", "1000/4 I:c5f458c2\n1004/1 I:90\n", 1);
  assert_false(knows(s, 0));
  oct_session_close(s);
}

/* stxr w17, w1, [x2], for which the emulator has no reservation: the trace tells what came of it.
 */
static void store_conditional(void **state) {
  (void)state;
  const char *const told[] = {"!register x17=0000000000000000\n", ""};
  for (unsigned i = 0; i < 2; i++) {
    char program[200];
    snprintf(program, sizeof program, "1000/4 S4:20=000023fe I:417c1188\n%s1004/4 I:1f2003d5\n",
             told[i]);
    oct_session *s = session_at("aarch64", program, 1);
    assert_int_equal(knows(s, 2), i == 0);
    if (!i) assert_int_equal(register_of(s, 0, 17), 0);
    oct_session_close(s);
  }
}

/* rep stosb, whose steps are instructions: the emulator stays at it, the program goes on. */
static void instruction_repeats(void **state) {
  (void)state;
  oct_session *s =
      session_at("x86-64",
                 "!register rcx=0000000000000002\n"
                 "1000/2 S1:70=00 I:f3aa\n1000/2 S1:71=00 I:f3aa\n1002/1 I:90\n1003/1 I:90\n",
                 3);
  assert_int_equal(register_of(s, 0, 7), 0x72);
  oct_session_close(s);
}

/* fld fa1, 0(sp) with registers of 32 bits: one of 64 bits is kept whole. */
static void doubles_of_riscv32(void **state) {
  (void)state;
  oct_session *s = session_at("riscv32",
                              "!register f11=0000000000000000\n1000/4 L8:20=3ff8000000000000 "
                              "I:87350100\n1004/4 I:13000000\n",
                              1);
  uint8_t bytes[OCT_FACT_REGISTER_MAX];
  assert_true(oct_session_register(s, 0, OCT_REG_FLOAT + 11, bytes));
  assert_int_equal(bytes[7], 0x3f);
  oct_session_close(s);
  s = session_at("riscv32",
                 "!register f11=3ff8000000000000\n1000/4 I:13000000\n1004/4 I:13000000\n", 1);
  assert_true(oct_session_register(s, 0, OCT_REG_FLOAT + 11, bytes));
  assert_int_equal(bytes[7], 0x3f);
  assert_int_equal(register_of(s, 0, 2), 0x20);
  oct_session_close(s);
}

/* What gdb sends, and is sent. */
typedef struct talk {
  const char *sent;
  unsigned runs_for; /* how often a run looks for a byte in vain */
  char got[4096];
  size_t n;
} talk;

static int take(void *context) {
  talk *t = context;
  return *t->sent ? *t->sent++ : -1;
}

static bool has_byte(void *context) {
  talk *t = context;
  return !t->runs_for || !--t->runs_for;
}

static int give(void *context, const char *bytes, size_t n) {
  talk *t = context;
  assert_true(t->n + n < sizeof t->got);
  memcpy(t->got + t->n, bytes, n);
  t->n += n;
  return 0;
}

/* Write the trace of write_trace with a module. */
static void write_with_module(const char *path, const oct_module *module) {
  char from[] = "/tmp/test_session-XXXXXX";
  oct_reader *r;
  oct_writer *w;
  oct_batch b;
  oct_diag diag = {0};
  close(mkstemp(from));
  write_trace(from);
  assert_int_equal(oct_reader_open(from, NULL, &r, &diag), 0);
  const oct_write_options options = {.info = oct_reader_info(r)};
  assert_int_equal(oct_writer_open(path, &options, &w, &diag), 0);
  assert_int_equal(oct_writer_put_modules(w, module, 1, &diag), 0);
  while (oct_reader_next(r, &b, &diag) > 0) assert_int_equal(oct_writer_put(w, &b, &diag), 0);
  oct_reader_close(r);
  unlink(from);
  assert_int_equal(oct_writer_commit(w, &diag), 0);
}

/* Names of libraries come to gdb, also of a file that the session has to copy. */
static void modules_are_named(void **state) {
  (void)state;
  enum { LETTERS = 300 };
  char path[] = "/tmp/test_session-XXXXXX", packed[] = "/tmp/test_session-XXXXXX", command[80];
  char name[LETTERS + 1] = "", expected[2 * LETTERS + 1] = "";
  const oct_module module = {.path = name, .addr = 0x1000, .n_bytes = 4096, .bias = 0xabc000};
  const char *const files[] = {path, packed};
  memset(name, 'y', LETTERS);
  for (unsigned i = 0; i < LETTERS; i++) memcpy(expected + 2 * i, "79", 2);
  close(mkstemp(path));
  close(mkstemp(packed));
  write_with_module(path, &module);
  snprintf(command, sizeof command, "gzip -c %s >%s", path, packed);
  assert_int_equal(system(command), 0);
  for (unsigned i = 0; i < 2; i++) {
    oct_session *s;
    oct_diag diag = {0};
    char all[4096] = "";
    talk t = {.sent = "+$qRcmd,656e64#93+$qRcmd,6d6f64756c6573#9d$D#44"}; /* end, modules */
    const int rc = oct_session_start(files[i], NULL, &s, &diag);
    unlink(files[i]);
    if (rc == OCT_ERR_UNSUPPORTED) continue;
    assert_int_equal(rc, 0);
    const oct_gdb_line line = {take, has_byte, give, &t};
    assert_int_equal(oct_gdb_serve(s, &line, &diag), 0);
    oct_session_close(s);
    /* Packets of output, put together. */
    for (const char *p = t.got; (p = strstr(p, "$O")) && strncmp(p, "$OK", 3) != 0; p += 2)
      strncat(all, p + 2, strcspn(p + 2, "#"));
    assert_non_null(strstr(all, expected));
    assert_non_null(strstr(all, "3078616263303030")); /* 0xabc000 */
  }
}

/* A loop of many batches: `mov r0, r0` and a jump back, with a store to 2000 at its beginning. */
static void write_loop(const char *path, bool is_native) {
  enum { ROUNDS = 200000 };
  FILE *f = fopen(path, "w");
  oct_reader *r;
  oct_writer *w;
  oct_batch b;
  oct_diag diag = {0};
  char native[] = "/tmp/test_session-XXXXXX";
  assert_non_null(f);
  fprintf(f, "# isa armv7a\n");
  for (unsigned i = 0; i < 15; i++) fprintf(f, "!register r%u=%08x\n", i, i == 1 ? 0x2000 : i);
  fputs("ffc/4 S4:2000=00000000 I:000081e5\n", f);
  for (unsigned i = 0; i < ROUNDS; i++) fputs("1000/4 I:0000a0e1\n1004/4 I:fdffffea\n", f);
  fclose(f);
  if (!is_native) return;
  close(mkstemp(native));
  assert_int_equal(oct_reader_open(path, NULL, &r, &diag), 0);
  const oct_write_options options = {.info = oct_reader_info(r)};
  assert_int_equal(oct_writer_open(native, &options, &w, &diag), 0);
  while (oct_reader_next(r, &b, &diag) > 0) assert_int_equal(oct_writer_put(w, &b, &diag), 0);
  oct_reader_close(r);
  assert_int_equal(oct_writer_commit(w, &diag), 0);
  assert_int_equal(rename(native, path), 0);
}

/* Ctrl-C ends each run, forward and back, also while the session copies the rest of the trace; and
 * from there on each runs on. */
static void interrupt_ends_a_run(void **state) {
  (void)state;
  static const struct {
    const char *sent, *answer;
  } runs[] = {{"$c#63\3", "$T02thread:1;#"}, {"$bc#c5\3", "$T02thread:1;#"}};
  enum { LENGTH = 400001, ON = 3 };
  for (unsigned k = 0; k < 4; k++) {
    const bool is_native = k / 2, is_back = k % 2;
    char path[] = "/tmp/test_session-XXXXXX";
    oct_session *s;
    oct_diag diag = {0};
    close(mkstemp(path));
    write_loop(path, is_native);
    const int rc = oct_session_start(path, NULL, &s, &diag);
    if (rc == OCT_ERR_UNSUPPORTED) skip();
    assert_int_equal(rc, 0);
    if (is_back) assert_int_equal(oct_session_go(s, is_native ? LENGTH : LENGTH / 2, &diag), 0);
    const uint64_t from = oct_session_at(s);
    talk t = {.sent = runs[is_back].sent, .runs_for = 2};
    const oct_gdb_line line = {take, has_byte, give, &t};
    assert_int_equal(oct_gdb_serve(s, &line, &diag), 0);
    assert_non_null(strstr(t.got, runs[is_back].answer));
    const uint64_t at = oct_session_at(s);
    assert_true(is_back ? at > 0 && at <= from : at > 0 && at < LENGTH);
    assert_int_equal(register_of(s, 0, 2), 2);
    /* On from there, and over the whole trace. */
    assert_int_equal(oct_session_go(s, at + ON, &diag), 0);
    assert_int_equal(oct_session_at(s), at + ON < LENGTH ? at + ON : LENGTH);
    assert_int_equal(oct_session_go(s, 1, &diag), 0);
    assert_int_equal(oct_session_pc(s), 0x1000);
    assert_int_equal(oct_session_go(s, LENGTH - 1, &diag), 0);
    assert_int_equal(oct_session_pc(s), 0x1004);
    assert_int_equal(oct_session_length(s), LENGTH);
    oct_session_close(s);
    unlink(path);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_keep_their_own),
                                     cmocka_unit_test(gap_forgets_memory),
                                     cmocka_unit_test(load_across_a_page),
                                     cmocka_unit_test(status_of_x86),
                                     cmocka_unit_test(program_goes_on_elsewhere),
                                     cmocka_unit_test(instruction_is_not_executed),
                                     cmocka_unit_test(instruction_repeats),
                                     cmocka_unit_test(doubles_of_riscv32),
                                     cmocka_unit_test(store_conditional),
                                     cmocka_unit_test(each_register_counts),
                                     cmocka_unit_test(state_of_x86),
                                     cmocka_unit_test(modules_are_named),
                                     cmocka_unit_test(interrupt_ends_a_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
