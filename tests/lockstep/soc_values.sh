#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# soc_values.sh - does what a live core's RVFI tells make a trace with values: with the instructions, accesses and traps that the
# trace from its pins has, and executed by replay, which gives back every value? The core is a small one of RV32I, or also PicoRV32
# where PICORV32 names the folder of its Verilog.
. "$(dirname "$0")/../tools/lib.sh"
command -v riscv64-unknown-elf-gcc >/dev/null || exit 77
"$BUILD/tools/octrace" list params --tracer replay -g isa=4 >/dev/null 2>&1 || exit 77

export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here
# The counter, which no execution knows; exceptions, whose handler steps over the instruction; interrupts between any others.
cat >traps.c <<'end'
#include <stdint.h>
__asm__(".option arch, +zicsr");
#define DEVICE(n) (*(volatile uint32_t *)(0x10000000u + (n)))
static volatile unsigned n_traps, n_interrupts;

static __attribute__((interrupt)) void on_trap(void) {
  uint32_t cause, epc, tval;
  __asm__ volatile("csrr %0, mcause\n csrr %1, mepc\n csrr %2, mtval" : "=r"(cause), "=r"(epc), "=r"(tval));
  DEVICE(16) = cause;
  DEVICE(20) = epc;
  DEVICE(24) = tval;
  if (cause >> 31) {
    DEVICE(12) = 0;
    n_interrupts++;
  } else {
    n_traps++;
    __asm__ volatile("csrw mepc, %0" ::"r"(epc + 4));
  }
}

int main(void) {
  static uint32_t words[8];
  char *odd = (char *)words + 1;
  uint32_t last = 0, now, x = 0;
  __asm__ volatile("csrw mtvec, %0" ::"r"(on_trap));
  DEVICE(4) = 397;
  for (unsigned i = 0; i < 50; i++) {
    __asm__ volatile("csrr %0, mcycle" : "=r"(now));
    words[i % 8] = now - last;
    last = now;
    __asm__ volatile("ecall");
    __asm__ volatile("ebreak");
    __asm__ volatile(".word 0xffffffff");
    __asm__ volatile("lw %0, 0(%1)" : "+r"(x) : "r"(odd));
    __asm__ volatile("sh %0, 0(%1)" ::"r"(x), "r"(odd));
    x += *(volatile int8_t *)odd + ((volatile uint16_t *)words)[i % 16];
  }
  DEVICE(4) = 0;
  return n_traps != 250 || n_interrupts < 20;
}
end

octrace=$BUILD/tools/octrace
# check CORRECTIONS PROGRAM...: what the log of each has is what came from the pins, and what replay gives back, which executes most
# of it, with at most so many corrections of accesses.
check() {
  corrections=$1
  shift
  for program; do
    from=--from=rvfi:values=1,reset=1
    "$octrace" convert $from --to text "log/$program" - 2>/dev/null | awk '
      function hex(text) { sub(/^.*:/, "", text); sub(/=.*/, "", text); sub(/^0+/, "", text); return text == "" ? "0" : text }
      /^!(exception|interrupt)/ { printf "t %d 3 %s %s\n", $1 == "!interrupt", $2, hex($3) }
      /^[0-9a-f]/ {
        n = split($1, part, "/")
        print "i", hex(part[1]), (n > 1 ? part[2] : 4)
        for (i = 2; i <= NF; i++) if ($i ~ /^[LS]/) print tolower(substr($i, 1, 1)), hex($i)
      }' >found
    sed 's/^\(t .*\) [^ ]*$/\1/' "list/$program" | cmp - found || die "$program: not what came from the pins"
    "$octrace" info $from "log/$program" >info 2>/dev/null
    [ "$(awk '/^accesses /{ n = $2 } /^values /{ print $2 - n }' info)" = 0 ] || die "$program: accesses without values: $(cat info)"
    "$octrace" compress $from --tracer replay -g replay,traps=1 --json -o back.octp "log/$program" >counters 2>/dev/null
    awk -v max="$corrections" '
      { gsub(/[",:]/, ""); n[$1] = $2 }
      END { exit n["executed"] < 0.75 * n["instructions"] || n["access_corrections"] > max }' counters || die "$program: $(cat counters)"
    expect 0 "$octrace" compare --from-b octp $from "log/$program" back.octp
    contains out ' equal$'
    # A value that is another is one.
    "$octrace" convert --to text back.octp - | sed '/^[0-9a-f].* L4:/{s/=./=f/;:end;n;b end}' >other.txt
    expect 1 "$octrace" compare --from-b text $from "log/$program" other.txt
  done
}
mkdir log list
soc() {
  wanted=$1
  shift
  expect "$wanted" "$SOURCE/scripts/soc" --list list --rvfi log -g paper,traps=1,port_pins=32 "$@"
}
soc 0 --core . --description "$SOURCE/tests/lockstep/rv32" traps.c "$SOURCE/sim/soc/programs/strings.c" "$SOURCE/sim/soc/programs/timer.c"
contains out '^traps: .* [23][0-9][0-9] traps equal; [23][0-9][0-9] handlers saw them; '
check 0 traps strings timer
[ -z "${PICORV32-}" ] || {
  soc 0 --core "$PICORV32"
  check 100 crc exceptions matrix sort storm strings timer together wait
}

# A wrapper that does not tell values, a folder that is none, streams.
cp -r "$SOURCE/tests/lockstep/rv32" without
sed 's/rvfi_rd_addr_o/rd_addr/' "$SOURCE/tests/lockstep/rv32/oct_soc_core.v" >without/oct_soc_core.v
cp "$SOURCE/sim/soc/cores/ibex/start.S" without
sed 's/^start.*/start = start.S/' "$SOURCE/tests/lockstep/rv32/core.ini" >without/core.ini
soc 4 --core . --description without traps.c
one_line "soc: without/oct_soc_core.v: module oct_soc_core: expected a port 'rvfi_rd_addr_o'"
expect 4 "$SOURCE/scripts/soc" --core . --rvfi none
one_line 'soc: none: no such folder'
expect 2 "$SOURCE/scripts/soc" --streams --rvfi log traps.c
one_line 'soc: --rvfi: expected a core, as streams have no values (see .*'
