/* SPDX-License-Identifier: Apache-2.0 */
/* oct_known_logs.c - logs of other tools that octrace does not read, each a row of a table: a
 * regular expression of its lines, and what makes a trace of it.
 *
 * A log whose instructions have bytes becomes one of QEMU's execlog, which tells them; others
 * become a list of addresses. Rows of logs that have instructions come first: the same output may
 * hold both. */
#include "oct_known_logs.h"

#include <regex.h>
#include <stdbool.h>
#include <string.h>

enum { LINE_MAX_BYTES = 512 };

#define HEX "[0-9a-fA-F]+"
#define EXECLOG(pc, code) "/0, 0x\\" pc ", 0x\\" code ", \"\"/p' LOG | octrace convert --isa "
#define PC(n) "/\\" n "/p' LOG | octrace convert --from pc --isa "
/* Of models and of cores. */
#define TARMAC(state, isa)                                                                 \
  {"^ *([0-9]+ +)?([a-z]+ +)?([^ ]+ +)?IT +(\\([^)]*\\) )?" HEX "(:[^ ]+)? " HEX " " state \
   "(16|32)? ",                                                                            \
   "Tarmac of an Arm core: sed -nE 's/.*IT (.*\\) )?(" HEX ")[^ ]* (" HEX ") " state       \
   ".*" EXECLOG("2", "3") isa " - OUT"},                                                   \
  {                                                                                        \
    "^ *([0-9]+ +)?([a-z]+ +)?([^ ]+ +)?ES +\\(" HEX ":" HEX "\\) " state,                 \
        "Tarmac of an Arm core: sed -nE 's/.*ES +\\((" HEX "):(" HEX ")\\) " state         \
        ".*" EXECLOG("1", "2") isa " - OUT"                                                \
  }

static const struct {
  const char *line, *text;
} known[] = {
    {"^ *[0-9]+ +[0-9]+ +([0-9]+ +)?0x" HEX " DASM\\(" HEX "\\) #; \\{",
     "a trace of Snitch: sed -nE \"s/.* 0x(.*) DASM.(.*). #.*source': 0x[ 0]*,.*stall': 0x[ "
     "0]*,.*/0, 0x\\1, 0x\\2, \\\"\\\"/p\" LOG | octrace convert --isa riscv32 - OUT"},
    {"^ *[0-9]+ +[0-9]+ +[MSUD] +0x" HEX " +[a-z].*#;",
     "an annotated trace of Snitch: sed -nE 's/^.* 0x([0-9a-f]+) +[a-z].*#;.*" PC(
         "1") "riscv32 - OUT (the .dasm file has more)"},
    {"^(\\[[0-9]+\\] )?commit (inst \\[" HEX "\\]: )?pc " HEX " inst " HEX " ",
     "commits of XiangShan's difftest (of the last instructions, without --dump-commit-trace): sed "
     "-nE 's/.*commit .*pc ([^ ]+) inst ([^ ]+).*" EXECLOG("1", "2") "riscv64 - OUT"},
    {"^commit group \\[" HEX "\\]: pc " HEX " cmtcnt",
     "groups of commits of XiangShan's difftest, not every instruction: its option "
     "--dump-commit-trace prints those"},
    {"^\\[PERF *\\]\\[time=",
     "performance counters of XiangShan, without instructions: the option --dump-commit-trace of "
     "its difftest prints those"},
    TARMAC("O", "aarch64"),
    TARMAC("T", "thumb"),
    TARMAC("A", "arm"),
    {"^Info ([0-9]+: )?'[^']*', 0x" HEX "\\([^)]*\\): ([A-Z][a-z]+ )?" HEX " ",
     "a trace of Imperas: sed -nE 's/^Info .*, 0x([^(]+)\\([^)]*\\): ([A-Z][a-z]+ "
     ")?([0-9a-f]+) .*" EXECLOG("1", "3") "riscv64 - OUT (or riscv32)"},
    {"^core +[0-9]+: prv [0-9a-f]: pc +" HEX ": [A-Z]",
     "a trace of riscv-vp: sed -nE 's/^core.*: pc +([^:]+):.*" PC("1") "riscv32 - OUT"},
    {"^0x" HEX ": [a-z_0-9.]+ # 0x" HEX " \\[",
     "a trace of ETISS: sed -nE 's/^0x([^:]+): .* # 0x([0-9a-f]+).*" EXECLOG("1",
                                                                             "2") "riscv32 - OUT"},
    {"^cycle:[0-9]+ pc:0x" HEX " instruction:0x" HEX,
     "a trace of Ariane: sed -nE 's/^cycle:.*pc:0x([^ ]+) instruction:0x([^ ]+).*" EXECLOG(
         "1", "2") "riscv64 - OUT"},
    {"^rv commit [0-9]+ " HEX "$",
     "a trace of NaxRiscv or VexiiRiscv: sed -nE 's/^rv commit [0-9]+ (.*)" PC(
         "1") "riscv64 - OUT"},
    {"^Cycle: +" HEX " +I0: +" HEX,
     "a trace of FireSim's TracerV: sed -nE 's/^Cycle: .* I0: +([^ ]+).*" PC(
         "1") "riscv64 - OUT, of one instruction a cycle"},
    {"^\\([0-9]+\\)\\.\\[[0-9]+\\] \\[0x" HEX "\\] " HEX ":" HEX " .*; " HEX "$",
     "a log of Bochs: sed -nE 's/^\\(.* \\[0x([^]]+)\\] .*; ([0-9a-f]+)$/\\1 I:\\2/p' LOG | "
     "octrace "
     "convert --isa x86-64 - OUT (physical addresses; or x86)"},
    {"^INS 0x" HEX " +[A-Z]",
     "a trace of Intel SDE: sed -nE 's/^INS 0x([^ ]+) .*" PC("1") "x86-64 - OUT"},
    {"^inst: \\[ *[0-9]+\\] CPU +[0-9]+ <v:0x" HEX "> ",
     "a trace of Simics: sed -nE 's/^inst: .*<v:0x([^>]+)> .*" PC("1") "x86-64 - OUT"},
    {": +file format [a-z]",
     "the disassembly of a program, which is not a trace of its run: octrace capture records one, "
     "and --elf takes the program itself"},
    {"^0x" HEX ": +0x" HEX " *$",
     "a trace of Renode: sed -nE 's/^0x([^:]+): +0x([0-9a-fA-F]+) *$" EXECLOG(
         "1", "2") "riscv64 - OUT (or another set)"},
    {"^=> 0x" HEX ".*:",
     "a session of gdb: sed -nE 's/^=> 0x([0-9a-f]+).*" PC("1") "riscv64 - OUT (or another set)"},
    {"^ *(0x)?" HEX ":[ \t]+([0-9a-fA-F]+[ \t]+)+[a-z][a-z0-9.]*([ \t]|$)",
     "an address and its disassembly a line: sed -nE 's/^ *(0x)?([0-9a-fA-F]+):.*" PC(
         "2") "riscv64 - OUT (or another set), if the lines are those of a run"},
    {"^ *(0x)?[0-9a-f]{8,16}:? +[a-z]*[g-z][a-z0-9.]*( |$)",
     "an address and its disassembly a line: sed -nE 's/^ *(0x)?([0-9a-f]{8,16}):? +[a-z].*" PC(
         "2") "x86-64 - OUT (or another set), if the lines are those of a run"},
    {"^([0-9]+; )?O3PipeView:fetch:[0-9]",
     "a pipeline view of gem5, also with instructions that do not retire: gem5 "
     "--debug-flags=ExecAll prints those that do"},
    {"^Kanata\t",
     "a pipeline view for Konata, also with instructions that do not retire: a log of its "
     "simulator has those that do"},
    {"^Idx:[0-9]+; ID:[0-9a-f]+;",
     "a listing of OpenCSD's trc_pkt_lister: octrace convert SNAPSHOT OUT reads the snapshot that "
     "it was made of"},
    {"^# tracer: ",
     "a trace of ftrace, without instructions: octrace events reads calls, of "
     "uftrace or as text"},
    {"^[$](date|version|timescale|scope)( |$)",
     "waveforms (VCD): let the simulation log its instructions, as RVFI (octrace list formats)"},
};

static bool has_line(const regex_t *regex, const uint8_t *p, size_t n) {
  const uint8_t *stop = p + n;
  for (const uint8_t *next; p < stop; p = next) {
    const uint8_t *end = memchr(p, '\n', (size_t)(stop - p));
    next = end ? end + 1 : stop;
    if (!end) end = stop;
    if (end > p && end[-1] == '\r') end--;
    char line[LINE_MAX_BYTES];
    size_t length = (size_t)(end - p) < sizeof line ? (size_t)(end - p) : sizeof line - 1;
    memcpy(line, p, length);
    line[length] = '\0';
    if (!regexec(regex, line, 0, NULL, 0)) return true;
  }
  return false;
}

const char *oct_known_log_of(const uint8_t *p, size_t n) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    regex_t regex;
    if (regcomp(&regex, known[i].line, REG_EXTENDED | REG_NOSUB)) continue;
    bool is = has_line(&regex, p, n);
    regfree(&regex);
    if (is) return known[i].text;
  }
  return NULL;
}
