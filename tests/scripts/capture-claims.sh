#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture-claims.sh - do effects say what instructions do, of instructions that ask for mistakes? The programs
# in claims/ are captured, and no claim about what they do may be wrong. They have every form of memory operand and every
# instruction with one that the emulator runs (claims/*-memory.s).
# Instruction sets whose assembler or emulator is not installed are left out; skipped where none is.
. "$(dirname "$0")/../tools/lib.sh"

export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here
found=

# claims NAME SOURCE PREFIX EMULATOR CLAIMS ASSEMBLER-OPTIONS LINKER-OPTIONS CAPTURE-OPTIONS: at least so many claims.
claims() {
  command -v "$3as" >out && command -v "$3ld" >out && command -v "$4" >out || return 0
  found=1
  # shellcheck disable=SC2086 # options
  "$3as" --no-warn -I "$SOURCE/tests/scripts/claims" $6 -o "$1.o" "$SOURCE/tests/scripts/claims/$2.s"
  # shellcheck disable=SC2086 # options
  "$3ld" $7 -o "$1" "$1.o"
  # shellcheck disable=SC2086 # options
  expect 0 "$SOURCE/scripts/capture" $8 --root / -o "$1.oct" -- "./$1"
  grep -q 'exited with' err && die "$1: the program fails: $(cat err)"
  "$BUILD/tests/traces/shadow_check" -v 10 "$1.oct" >claimed || :
  awk -v least="$5" '/ right / { if ($0 !~ / wrong +0 /) bad = 1; n = $0; sub(/.* right +/, "", n); all += n }
    END { print all; exit bad || all < least }' claimed >all || die "$1: $(cat all) claims: $(cat claimed)"
}

case $(uname -m) in x86_64) native= ;; *) native=x86_64-linux-gnu- ;; esac
claims x86-64 x86-64 "$native" qemu-x86_64 40000 '' '' '--cpu max'
claims x86 x86 "$native" qemu-i386 6000 --32 -melf_i386 '--cpu max'
claims aarch64 aarch64 aarch64-linux-gnu- qemu-aarch64 40000 -march=armv8.6-a+rng '' '--cpu max'
claims arm arm arm-linux-gnueabi- qemu-arm 30000 -mfpu=neon '' '--cpu max'
claims thumb arm arm-linux-gnueabi- qemu-arm 25000 '-mfpu=neon --defsym THUMB=1' '' '--thumb --cpu max'
claims mips mips mips-linux-gnu- qemu-mips 6000 '-mips32r2 -EB' '' ''
claims riscv64 riscv riscv64-linux-gnu- qemu-riscv64 10000 '-march=rv64gc --defsym RV64=1' '' ''
claims riscv32 riscv riscv64-linux-gnu- qemu-riscv32 7000 '-march=rv32gc -mabi=ilp32d' '-melf32lriscv' ''
[ -n "$found" ] || exit 77
