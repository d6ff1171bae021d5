SPDX-License-Identifier: Apache-2.0
octrace stats: table, JSON, page, basic block vectors; what is wrong.

A loop of four instructions runs three times: two without a jump, the branch that ends it, and one that stores.

  $ cat >in.txt <<END
  > # isa riscv64
  > 10000 I:03320400 L8:20000
  > 10004 I:23205400 S4:20008
  > 10008 I:e31c05fe
  > 10000 I:03320400 L8:20000
  > 10004 I:23205400 S4:2003e
  > 10008 I:e31c05fe
  > 10000 I:03320400 L8:30000
  > 10004 I:23205400 S4:20008
  > 10008 I:e31c05fe
  > 1000c I:67800000
  > END
  $ octrace stats --bbv in.bbv --interval 4 in.txt
  instructions                     10
  bytes each                    4.000
  loads                             3
  stores                            3
  conditional branches              3    66.67 % taken
  touched                       bytes  64-byte lines     4 KB pages
    code                           16              1              1
    data                           24              3              2
  instructions                 number        %     with loads    with stores
  other                             6    60.00              3              3
  conditional branch                3    30.00              0              0
  return                            1    10.00              0              0
  prediction                   misses        % per 1000 insns
  bimodal                           2   66.667        200.000
  gshare                            2   66.667        200.000
  tage                              2   66.667        200.000
  indirect targets                  0    0.000          0.000
  returns                           0    0.000          0.000
  reuse distance           code lines    sum %     data lines    sum %
  0                                 9   90.000              3   42.857
  2 to 3                            0   90.000              1   57.143
  first use                         1                       3
  $ cat in.bbv
  T:1:4
  T:1:4
  T:1:1 :2:1
  $ octrace stats --json --no-distances --top 0 in.txt | head -n 5
  {
    "trace": "in.txt",
    "isa": "riscv64",
    "instructions": 10,
    "bytes_per_instruction": 4.0,

A real program, by function; the page has its plots.

  $ octrace stats --top 2 --elf ../data/mixed-aarch64.elf --html page.html ../data/mixed-aarch64.oct | tail -n 3
    instructions        %       accesses       branches  TAGE misses  function
            5468    44.06           1058            929          313  sort
            3464    27.91             64            577            6  checksum
  $ grep -o 'data-plots="[0-9]*"' page.html
  data-plots="4"
  $ octrace stats --json --elf ../data/mixed-mips.elf ../data/mixed-mips.oct >mips.json
  $ python3 -c 'import json; s = json.load(open("mips.json")); print(s["instructions"], [f["function"] for f in s["functions"]][:2])'
  13615 ['sort', 'checksum']

The last address of all is one, too.

  $ printf '3fc\nffffffffffffffff/1\nffffffffffffffff/1\n' >last.txt && octrace stats --bbv last.bb --interval 10 last.txt >out && cat last.bb && rm last.txt last.bb out
  T:1:1 :2:2

What cannot be.

  $ octrace stats @
  | in.txt x => 2> octrace: stats: one trace is needed (see octrace stats --help)
  | --html - in.txt => 2> octrace: stats: --html: expected a file, as standard output has the report (see octrace stats --help)
  | --bbv - in.txt => 2> octrace: stats: --bbv: expected a file, as standard output has the report (see octrace stats --help)
  | --bbv x --html x in.txt => 2> octrace: stats: x: --html and --bbv are the same file
  | --interval 0 in.txt => 2> octrace: stats: --interval '0': expected a number from 1 (1000, 10K, 2M) (see octrace stats --help)
  | --interval 10 in.txt => 2> octrace: stats: --interval needs --bbv, whose vectors have so many instructions (see octrace stats --help)
  | --top 1001 in.txt => 2> octrace: stats: --top '1001': expected a number from 0 to 1000 (see octrace stats --help)
  | --bbv in.txt in.txt => 2> octrace: stats: in.txt: input and output are the same file
  | none.txt => 4> octrace: none.txt: cannot open: No such file or directory
  $ ls
  in.bbv
  in.txt
  mips.json
  page.html
