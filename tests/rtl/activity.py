#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""activity - does scripts/hw power count what a waveform has: changes, time at 1, bits of memories that are used?"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "scripts"))
sys.dont_write_bytecode = True

from verilog import power  # noqa: E402

# Four cycles of 10. Of the wire [5:4] bit 4 changes twice and is 1 for 20 of 40, bit 5 rises at the end. The memory of 3 bits reads in
# one cycle of four, and never writes.
WAVE = """\
$timescale 1ps $end
$scope module TOP $end
$var wire 1 ! clk_i $end
$scope module oct_part $end
$var wire 1 ! clk_i $end
$var reg 2 " some_q [5:4] $end
$scope module gen_a[0] $end
$scope module u_ram $end
$var wire 1 # re_i $end
$var wire 1 $ we_i $end
$var wire 3 % rdata_o [2:0] $end
$upscope $end
$upscope $end
$upscope $end
$scope module oct_other $end
$var wire 1 & some_q $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
0!
b0 "
0#
0$
b0 %
1&
#5
1!
#10
0!
b01 "
1#
#15
1!
#20
0!
0#
b101 %
#25
1!
#30
0!
b0 "
#35
1!
#40
0!
b10 "
"""


def main():
    bits, cycles = power.activity(iter(WAVE.splitlines(keepends=True)), "oct_part")
    assert cycles == 4, cycles
    assert bits["some_q[4]"] == (2, 0.5) and bits["some_q[5]"] == (1, 0.0), bits
    assert bits["gen_a[0].u_ram.re_i"] == (2, 0.25) and bits["gen_a[0].u_ram.rdata_o[2]"] == (1, 0.5), bits
    assert "some_q" not in bits, "another module's"
    assert power.memory_bits(bits) == [3 * 0.25, 0], power.memory_bits(bits)


main()
