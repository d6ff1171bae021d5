# SPDX-License-Identifier: Apache-2.0
# fixtures.sh - traces and programs that tests of the command line share.
# shellcheck shell=sh

# Debian's, for which modules are installed. What a version manager puts before it starts slowly.
python3() {
  if [ -x /usr/bin/python3 ]; then /usr/bin/python3 "$@"; else command python3 "$@"; fi
}

# The search for leaks takes as long as the rest of a short command: only scripts/nightly has it for commands.
export ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=${OCT_LEAKS:-0}"

# A loop of four instructions with a load and a store, COUNT times, as text: tiny_trace COUNT
tiny_trace() {
  awk -v n="$1" 'BEGIN {
    for (i = 0; i < n; i++)
      printf "8000\n8004 L:%x\n8008 S:%x\n800c\n", 4096 + 4 * i, 8192 + 8 * (i % 7)
  }'
}

# The text form of a trace, by which traces are compared.
as_text() {
  "$OCTRACE" convert --to text "$1" - | grep -v '^#\|^!gap '
}

# column NAME FILE: the values of a column of a table in CSV.
column() {
  awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }' "$2"
}

# edit_elf IN OUT PYTHON [WORD...]: a copy of a program that PYTHON has changed. `data` has its bytes,
# `order` and `is_64` say how they are read, `code` has offset, address and size of each segment of code.
edit_elf() {
  python3 - "$@" <<'END_PY'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
order = "<" if data[5] == 1 else ">"
is_64 = data[4] == 2
phoff = struct.unpack_from(order + ("Q" if is_64 else "I"), data, 32 if is_64 else 28)[0]
entry, n = struct.unpack_from(order + "HH", data, 54 if is_64 else 42)
code = []
for at in range(phoff, phoff + n * entry, entry):
    if is_64:
        kind, flags, offset, vaddr, _, filesz = struct.unpack_from(order + "IIQQQQ", data, at)
    else:
        kind, offset, vaddr, _, filesz, _, flags = struct.unpack_from(order + "7I", data, at)
    if kind == 1 and flags & 1:
        code.append((offset, vaddr, filesz))
exec(sys.argv[3])
open(sys.argv[2], "wb").write(data)
END_PY
}

# rebuild IN OUT: another build, in which all code behind the first third is moved by 8 bytes.
rebuild() {
  edit_elf "$1" "$2" '
offset, _, size = code[-1]
at = offset + (size // 3 & ~15)
data[at + 8:offset + size] = data[at:offset + size - 8]'
}

# patch IN OUT ADDRESSES: the file IN with other bytes of the instructions at these addresses, one a line.
patch() {
  edit_elf "$1" "$2" '
for line in open(sys.argv[4]):
    at = int(line, 16)
    for offset, vaddr, size in code:
        if vaddr <= at < vaddr + size:
            data[offset + at - vaddr] ^= 0x15' "$3"
}

# strip_sections IN OUT: without the section table, as sstrip leaves a file; nothing that is loaded changes.
strip_sections() {
  edit_elf "$1" "$2" '
struct.pack_into(order + ("Q" if is_64 else "I"), data, 40 if is_64 else 32, 0)  # e_shoff
struct.pack_into(order + "HH", data, 60 if is_64 else 48, 0, 0)  # e_shnum, e_shstrndx'
}

# move BIAS: a text of instructions, BIAS bytes further on.
move() {
  python3 -c '
import re, sys
mask = (1 << 64) - 1
for line in sys.stdin:
    print(re.sub("^[0-9a-f]+", lambda pc: f"{int(pc[0], 16) + int(sys.argv[1], 0) & mask:x}", line), end="")' "$1"
}
