#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# soc_checks.sh - does each check of scripts/soc see a fault that no other check of it sees? Most are planted in the Verilog. What the
# model has too could never get past the comparison with it: such a fault is planted on both sides.
. "$(dirname "$0")/../tools/lib.sh"

export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here
stream() {
  python3 "$SOURCE/sim/soc/rvfi_stream.py" 1 1000 1 --rate 0.1 "$@"
}
stream >plain
stream --traps --secure 1 >secure
stream --break odd >broken

mkdir tree
for part in "$SOURCE"/*; do
  case $part in
  */rtl | */sim | "$BUILD") ;;
  *) ln -s "$part" tree ;;
  esac
done

# fresh: a copy of the tree without a fault.
fresh() {
  rm -rf tree/rtl tree/sim
  cp -r "$SOURCE/rtl" "$SOURCE/sim" tree
}
# plant FILE FROM TO: FROM, a pattern without @, stands in one line of the file; it becomes TO.
plant() {
  [ "$(grep -c -e "$2" "tree/$1")" -eq 1 ] || die "$1: expected one line with '$2'"
  sed -i "s@$2@$3@" "tree/$1"
}
# soc OPTION... STREAM...: the copy runs them.
soc() {
  tree/scripts/soc --streams --channels 1 "$@"
}
machine=paper,port_pins=32,traps=1,data_fifo_depth=64,stream_fifo_depth=64,out_fifo_bytes=4096

# What is compared in each cycle: a port that nothing reads, a sync too many, an error that is none, a pause of the pins, a gate that is closed while nothing retires.
while IFS=@ read -r port file from to; do
  fresh
  plant "$file" "$from" "$to"
  expect 1 soc -g "$machine" plain
  one_line "soc: plain: cycle [0-9]*, $port: model 0x[0-9a-f]*, rtl 0x[0-9a-f]*"
done <<'end'
insn_class_o@rtl/common/oct_rvfi.v@insn_class_o  *= rv_class(insn_word_o)@insn_class_o = 3'd0
at[a-z]*_o@sim/soc/oct_soc.v@syncreq_i  *(1'b0)@syncreq_i(time_q == 64'd500)
error_o@rtl/common/oct_rvfi.v@assign error_o  *= error_q@assign error_o = has_head
port_valid_o@sim/soc/oct_soc.v@stall_i  *(1'b0)@stall_i(time_q < 64'd500)
gate_o@sim/soc/oct_soc_debug.v@is_secure_i  *(|is_secure)@is_secure_i(rvfi_valid_i == {CHANNELS{1'b0}})
end

# The trace bus of the other tracer, ahead of a RAM: a sync too many.
fresh
plant sim/soc/oct_soc.v 'syncreq_i  *(1.b0)' "syncreq_i(time_q == 64'd500)"
expect 1 soc --tracer shadow -g shadow,port_pins=32,gather_insns=1024,gather_accesses=1024,queue_words=4096,out_fifo_bytes=4096 --sink ram plain
one_line 'soc: plain: cycle [0-9]*, at[a-z]*_o: model 0x[0-9a-f]*, rtl 0x[0-9a-f]*'

# Frames of which a RAM keeps five words.
fresh
plant rtl/common/oct_ram_sink.v 'writes = fills_word ||' 'writes = (fills_word \&\& write_at_q != 5) ||'
expect 1 soc -g "$machine" --sink frames plain
one_line 'soc: plain: the RAM sink does not hold whole frames of CoreSight'

# An AXI4-Stream: what is offered changes until it is taken, a packet grows too long, or the last one has no end.
while IFS=@ read -r says from to; do
  fresh
  plant rtl/common/oct_axis_bridge.v "$from" "$to"
  expect 1 soc -g "$machine" --sink axis plain
  one_line "soc: plain: $says"
done <<'end'
cycle [0-9]*, the transfer that is offered: model 0x[0-9a-f]*, rtl 0x[0-9a-f]*@32'd0 : atdata_i;@32'd0 : atdata_i ^ {32{!tready_i}};
cycle [0-9]*, tlast_o: model 0x1, rtl 0x0@tlast_o  *= end_q || beats_q == LAST@tlast_o = end_q
the last packet of the AXI4-Stream has no end@flushed) end_q <= .*@flushed) end_q <= 1'b0;
end

# The register ERRORS does not say that something was left out, or that a rule was broken.
fresh
plant rtl/paper/oct_regs.v '~cleared) | errors_i' '~cleared) | (errors_i \& ~6'"'d8)"
expect 1 soc -g "$machine" --secure 1 secure
one_line 'soc: secure: bit 3 of ERRORS is not set where instructions were left out'
expect 1 soc -g "$machine" broken
one_line 'soc: broken: bit 3 of ERRORS is not set where a rule is broken'

# Model and Verilog mark no gap at all.
fresh
plant rtl/common/oct_rvfi.v 'core_error_o  *= says_gap || says_end || gives_up' "core_error_o = 1'b0"
plant sim/soc/oct_soc.cpp 'oct_rvfi_cycle(.*' '& out->core_error = 0;'
expect 1 soc -g "$machine" --secure 1 secure
one_line 'soc: secure: instruction [0-9]*: no gap before it, where others were left out'
expect 1 soc -g "$machine" broken
one_line 'soc: broken: no gap where a rule is broken'

printf '%020d31%08x%08x%016d\n%020d35%08x%08x%016d\n%054d\n%020d02%032d\n' 0 0x13 0x100 0 0 0x73 0x104 0 0 0 0 >hangs
expect 1 soc -g "$machine" hangs
one_line 'soc: hangs: no gap where RVFI does not tell the cause of a trap'

# Both get the core's time a cycle late.
fresh
plant sim/soc/oct_soc.v 'time_i  *(time_q)' "time_i(time_q + 64'd1)"
plant sim/soc/oct_soc.cpp '\.time = time()' '.time = time() + 1'
expect 1 soc -g "$machine,timestamp=1,time_source=1,time_period_insns=30" plain
one_line 'soc: plain: instruction [0-9]*: its stamp is [0-9]*: expected [0-9]*, the cycle in which the core retired it'

# A core with a program. The instruction at an odd address is none of the program's, but the rule that it breaks is what is told.
edit_elf "$SOURCE/tests/traces/data/mixed-riscv64.elf" program '
offset, at, _ = code[0]
for n in range(100):
    size = 4 if data[offset] & 3 == 3 else 2
    word = int.from_bytes(data[offset:offset + size], "little")
    last = n == 99
    for stream, odd, retired in ("odd", last, word), ("other", 0, 0x13 if last else word):
        with open(stream, "a") as file:
            file.write(f"{0:036x}31{retired:08x}{at | odd:016x}{0:024x}\n")
            file.writelines(f"{0:086x}\n" for _ in range(40 if last else 7))
            file.write(f"{2:038x}{0:048x}\n" if last else "")
    offset, at = offset + size, at + size'
fresh
plant sim/soc/oct_soc.cpp "argv.2..0. != '-' .. oct_program_open(argv.2." 'oct_program_open("program"'
expect 4 soc --xlen 64 -g "$machine" odd
one_line 'soc: odd: the core breaks the rules of RVFI: the trace has the 99 instructions before that, and a gap behind them'
expect 4 soc --xlen 64 -g "$machine" other
one_line "soc: other: the core retired 0x00*13 at 0x[0-9a-f]*: expected the program's code, as decoders know no other"
