#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture-qemu.sh - the plugin in QEMU records each instruction and access of a program made by hand.
# Skipped where qemu-arm is not installed; scripts/test installs it.
. "$(dirname "$0")/../tools/lib.sh"

command -v qemu-arm >found || exit 77
export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here

# An ELF file for ARM Linux: one segment at 0x10000, the code behind the two headers.
python3 - <<'END'
import struct
code = [
    0xe28f002c,  # 10054 add r0, pc, #44: the data at 10088
    0xe3500000,  # 10058 cmp r0, #0
    0x05901000,  # 1005c ldreq r1, [r0]: its condition fails
    0xe8900006,  # 10060 ldm r0, {r1, r2}
    0xe1003091,  # 10064 swp r3, r1, [r0]
    0xe1c000f0,  # 10068 strd r0, [r0]
    0xe1d010b2,  # 1006c ldrh r1, [r0, #2]
    0xeb000002,  # 10070 bl 10080
    0xe3a00000,  # 10074 mov r0, #0
    0xe3a07001,  # 10078 mov r7, #1
    0xef000000,  # 1007c svc 0: exit
    0xe3e00a0f,  # 10080 mvn r0, #0xf000
    0xe240f01f,  # 10084 sub pc, r0, #31: the kernel's helper at ffff0fe0, which returns to 10074
    0, 0, 0]
size = 0x54 + 4 * len(code)
ident = b"\x7fELF" + bytes([1, 1, 1]) + bytes(9)
head = struct.pack("<HHIIIIIHHHHHH", 2, 40, 1, 0x10054, 0x34, 0, 0x05000000, 0x34, 0x20, 1, 0, 0, 0)
segment = struct.pack("<IIIIIIII", 1, 0, 0x10000, 0x10000, size, size, 7, 0x1000)
with open("prog", "wb") as f:
    f.write(ident + head + segment + struct.pack("<%dI" % len(code), *code))
END
chmod +x prog
cat >want <<'END'
00010054
00010058
0001005c
00010060 L4:00010088 L4:0001008c
00010064 L4:00010088 S4:00010088
00010068 S4:00010088 S4:0001008c
0001006c L2:0001008a
00010070
00010080
00010084
ffff0fe0
00010074
00010078
0001007c
END

expect 0 "$SOURCE/scripts/capture" -o all.oct -- ./prog
as_text all.oct >got
diff want got >&2 || die "another trace"
expect 0 "$OCTRACE" info all.oct
contains out '^isa  *armv5te$'
contains out '^map_entries  *14$'
# The failed ldreq is known as a load: its missing access takes a terminator.
expect 0 "$OCTRACE" compress --json -o all.octp all.oct
contains out '"terminators": 1,'

expect 0 "$SOURCE/scripts/capture" --skip 3 --limit 5 -o part.oct -- ./prog
as_text part.oct >got
sed -n 4,8p want | diff - got >&2 || die "another part"

# A failure is one line, whoever meets it: the emulator, the plugin or the converter.
fails() {
  expect 1 "$SOURCE/scripts/capture" "$@"
  [ "$(wc -l <err)" -eq 1 ] || die "not one line: $(cat err)"
  grep -q '^capture: ./[a-z]*: no complete trace recorded: ' err || die "not by capture: $(cat err)"
}
printf '\177ELF\1\1\1\0\0\0\0\0\0\0\0\0\2\0\50\0not run' >torn
chmod +x torn
fails -o x.oct -- ./torn
python3 - <<'END'
code = bytearray(open("prog", "rb").read())
code[0x18] |= 1  # the entry is Thumb code
open("thumb", "wb").write(code)
END
chmod +x thumb
fails -o x.oct -- ./thumb
contains err 'oct_capture: the guest runs Thumb code'
only all.oct all.octp found got part.oct prog thumb torn want
