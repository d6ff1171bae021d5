SPDX-License-Identifier: Apache-2.0
octrace fidelity: two address traces side by side, their kinds, and what is wrong.

  $ set -o pipefail
  $ numbers loop '(64 * (i % 12) for i in range(1200))'
  $ octrace fidelity --sets 2 --ways 3 --csv - loop loop
  measure,sets,ways,exact,lossy,difference
  addresses,,,1200,1200,0
  blocks,,,12,12,0
  correct,,,0.83,0.83,0
  incorrect,,,0.165,0.165,0
  not_predicted,,,0.005,0.005,0
  miss_ratio_full,1,1,1,1,0
  miss_ratio_full,1,2,1,1,0
  miss_ratio_full,1,4,1,1,0
  miss_ratio_full,1,8,1,1,0
  miss_ratio_full,1,16,0.01,0.01,0
  miss_ratio,2,1,1,1,0
  miss_ratio,2,2,1,1,0
  miss_ratio,2,3,1,1,0
  $ octrace fidelity loop loop | sed -E '/^ +16  /,/^ +524288 /d'
  exact loop, lossy loop
                                    exact            lossy   difference
  addresses                          1200             1200           +0
  distinct blocks                      12               12           +0
  C/DC predictor, %
    correct                        83.000           83.000       +0.000
    incorrect                      16.500           16.500       +0.000
    not predicted                   0.500            0.500       +0.000
  miss ratio, %, exact above lossy; LRU, lines of 64 bytes
      sets ways       1       2       4       8      16      32  largest difference (ways)
         2      100.000 100.000 100.000   1.000   1.000   1.000
                100.000 100.000 100.000   1.000   1.000   1.000  +0.000 (1)
         4      100.000 100.000   1.000   1.000   1.000   1.000
                100.000 100.000   1.000   1.000   1.000   1.000  +0.000 (1)
         8       67.000   1.000   1.000   1.000   1.000   1.000
                 67.000   1.000   1.000   1.000   1.000   1.000  +0.000 (1)
                  1.000   1.000   1.000   1.000   1.000   1.000  +0.000 (1)
  largest difference +0.000, mean 0.000 percentage points
  fully associative, miss ratio, %
         lines     exact     lossy     diff.
             1   100.000   100.000    +0.000
             2   100.000   100.000    +0.000
             4   100.000   100.000    +0.000
             8   100.000   100.000    +0.000

A file against itself differs in nothing. 12 blocks in turn: 2 sets of 6 hold them, one set of 6 never hits; of 8 sets, 4
have 2 blocks. Not predicted are the first 4, and 2 behind the first jump back; incorrect in each later round: the jump,
since strides come before it, and the third stride, since a jump came after two of them last time.

  $ octrace fidelity --sets 1..8 --ways 6 --json loop loop >r
  $ value '[r[k] for k in ("same_length", "ways", "largest_difference", "mean_difference")], *r["exact"].items()' <r
  True 6 0.0 0.0 ('name', 'loop') ('addresses', 1200) ('blocks', 12) ('predictor', {'correct': 0.83, 'incorrect': 0.165, 'not_predicted': 0.005})
  $ value '[(c["sets"], *c["exact"]) for c in r["curves"]], *r["fully_associative"].items()' <r
  (1, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0) (2, 1.0, 1.0, 1.0, 1.0, 1.0, 0.01) (4, 1.0, 1.0, 0.01, 0.01, 0.01, 0.01) (8, 0.67, 0.01, 0.01, 0.01, 0.01, 0.01) ('lines', [1, 2, 4, 8, 16]) ('exact', [1.0, 1.0, 1.0, 1.0, 0.01]) ('lossy', [1.0, 1.0, 1.0, 1.0, 0.01])

Other lengths and other addresses; parameters of the predictor.

  $ numbers other '(64 * (i % 6) for i in range(600))'
  $ octrace fidelity --sets 1..2 --ways 6 --json loop other >r
  $ value '(r["same_length"], r["lossy"]["addresses"], r["curves"][0]["largest_difference"], r["curves"][0]["at_ways"])' <r
  False 600 -0.99 6
  $ octrace fidelity loop other | sed -n 1,5p
  exact loop, lossy other
  the traces have not the same length
                                    exact            lossy   difference
  addresses                          1200              600         -600
  distinct blocks                      12                6           -6
  $ brief() { octrace fidelity --json "$@" | value '(r["same_length"], r["lossy"]["addresses"], r["lossy"]["blocks"], r["mean_difference"])'; }
  $ brief --limit 500 loop other
  True 500 6 0.019967105263157887
  $ octrace fidelity --json --key 1 --history 3 --index 1 --zone-bytes 1048576 --line-bytes 32 loop other >r
  $ value '(r["line_bytes"], r["exact"], r["lossy"])' <r
  32 {'name': 'loop', 'addresses': 1200, 'blocks': 12, 'predictor': {'correct': 0.75, 'incorrect': 0.0825, 'not_predicted': 0.1675}} {'name': 'other', 'addresses': 600, 'blocks': 6, 'predictor': {'correct': 0.5, 'incorrect': 0.165, 'not_predicted': 0.335}}

The same addresses in other files, from a file and from a pipe, also a trace of as many bytes as addresses may have;
packed; compressed; of codecs: addresses, (PC, address) records, a trace; with streams apart.

  $ octrace convert --from da64 loop loop.oct
  $ octrace convert --from da64 --to vpc3 loop loop.vpc3
  $ octrace convert --from da64 --to da loop loop.txt
  $ n=10
  $ until octrace convert --block-insns $n loop.oct even.oct && [ $(($(wc -c <even.oct) % 8)) -eq 0 ]; do n=$((n + 1)); done
  $ zstd -q loop
  $ octrace compress @ >out 2>&1
  | -o loop.octp loop.oct
  | --codec bytesort --input addresses -o loop.octc loop
  | --codec vpc3 --apart -o records.octc loop.vpc3
  | --codec vpc3 -o trace.octc loop.oct
  | --codec atc-lossy:interval=120 --input addresses -o lossy.octc loop
  | --codec plain --input records -o bytes.octc loop
  $ for file in loop loop.oct even.oct loop.txt loop.vpc3 loop.zst loop.octp loop.octc trace.octc lossy.octc; do
  >   brief loop $file
  >   try octrace fidelity --sets 2 --ways 3 --csv - loop $file >file.csv
  >   cat $file | try octrace fidelity --sets 2 --ways 3 --csv - loop - >pipe.csv
  >   cmp file.csv pipe.csv
  > done
  True 1200 12 0.0
  False 2400 12 0.01123629385964911
  False 2400 12 0.01123629385964911
  True 1200 12 0.0
  True 1200 12 0.0
  True 1200 12 0.0
  False 2400 12 0.01123629385964911
  True 1200 12 0.0
  False 2400 12 0.01123629385964911
  True 1200 12 0.0
  $ brief loop records.octc
  True 1200 12 0.0
  $ brief <(cat loop) loop
  True 1200 12 0.0
  $ brief <(cat loop.octc) loop
  True 1200 12 0.0
  $ brief --lossy-from da loop loop.txt
  True 1200 12 0.0
  $ for file in loop.oct trace.octc; do brief --take data loop $file; brief $file loop.oct; done
  True 1200 12 0.0
  True 2400 12 0.0
  True 1200 12 0.0
  True 2400 12 0.0
  $ octrace fidelity loop bytes.octc
  4> octrace: bytes.octc: expected 64-bit addresses, (PC, address) records or a trace in the file of a codec, found records of 1 byte
  $ head -c 500 trace.octc >short.octc
  $ octrace fidelity loop short.octc
  4> octrace: short.octc: offset 500: the file ends within the head of a block, which begins at offset 346
  $ rm records.octc.2
  $ octrace fidelity loop records.octc
  4> octrace: records.octc.2: the file of stream 2: No such file or directory

What has a mark is no list of addresses.

  $ head -c 600 loop.octp >cut.octp
  $ printf '1 a enter f\n9 a leave f\n' | octrace events compress -o events.octev - >out
  $ { printf OCTEVMT; tail -c +8 events.octev; } >damaged.octev
  $ octrace fidelity @
  | loop events.octev => 4> octrace: events.octev: offset 0: a trace of function calls, which octrace events reads; expected a trace itself
  | damaged.octev loop => 4> octrace: damaged.octev: offset 0: the mark OCTEVNT at its start is damaged
  | loop cut.octp => 4> octrace: cut.octp: offset 600: the header is cut short

With octrace filter: blocks, and the events of the same misses, are the same addresses. What missed in a direct-mapped
cache misses there again: nothing else ever takes its place.

  $ direct='--icache off --dcache ways=1 --limit 300000'
  $ octrace filter $direct --to blocks ../samples/cjpeg.oct misses >out
  0> of 300000 instructions and 80724 accesses: 351 instructions and 351 accesses, 351 blocks
  0> data cache (size=32K,ways=1,line=64,repl=lru,allocate=yes): hit rate 99.5652 %
  0>   80724 looked up, 351 missed, in 351 lines; 23986 stores, 36 missed; 19 write-backs
  $ octrace filter $direct ../samples/cjpeg.oct misses.oct >out
  0> of 300000 instructions and 80724 accesses: 351 instructions and 351 accesses, 351 blocks
  0> data cache (size=32K,ways=1,line=64,repl=lru,allocate=yes): hit rate 99.5652 %
  0>   80724 looked up, 351 missed, in 351 lines; 23986 stores, 36 missed; 19 write-backs
  $ octrace fidelity --json --take data misses misses.oct >r
  $ value '(r["largest_difference"], r["same_length"], [c["exact"][0] for c in r["curves"] if c["sets"] == 512])' <r
  0.0 True [1.0]

An ATC directory: without loss nothing differs; where all intervals look alike, much does.

  $ numbers exact '(64 * (i % 4 if i < 2000 else i * i % 977) for i in range(4000))'
  $ bin2atc -c kept <exact
  $ bin2atc -k -L 500 -e 2 lossy <exact
  0> bin2atc: lossy: lossy: 7 of 8 intervals, 3500 of 4000 values, imitate another one; --lossless keeps all values as they are
  $ brief --sets 1..64 --ways 8 exact kept
  True 4000 490 0.0
  $ brief --sets 1..64 --ways 8 exact lossy
  True 4000 4 0.39557589285714284
  $ rm kept/1.bz2
  $ octrace fidelity exact kept
  4> octrace: kept/1.bz2: cannot open: No such file or directory

Plots.

  $ mkdir plots
  $ for kind in svg png pdf html; do try octrace fidelity --sets 2..8 --plot plots/plot.$kind loop other >out; done
  $ head -qc 5 plots/* | tr -d "\0" | grep -aoE "svg|PDF|PNG|<.DOC|<.xml"
  <!DOC
  PDF
  PNG
  <?xml
  $ grep -oE '<!DOCTYPE html>|prefers-color-scheme:dark|<footer.*--sets 2\.\.8 [^<]*|points</text>|<th>[a-z ]*(predicted|correct)</th>' plots/plot.html
  <!DOCTYPE html>
  prefers-color-scheme:dark
  <th>correct</th>
  <th>incorrect</th>
  <th>not predicted</th>
  points</text>
  points</text>
  <footer data-plots="3"><p>octrace [..], [..]: <code>octrace fidelity --sets 2..8 --plot plots/plot.html loop other
  $ grep -c '<svg' plots/plot.html
  3
  $ /usr/bin/python3 -B - ../samples/../../tools <<'END' # colours can be seen on a page's light and dark ground
  > import sys
  > sys.path.insert(0, sys.argv[1])
  > import matplotlib.colors, plot_fidelity
  > def luminance(colour):
  >     lines = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in matplotlib.colors.to_rgb(colour)]
  >     return 0.2126 * lines[0] + 0.7152 * lines[1] + 0.0722 * lines[2]
  > for n in (1, 2, 19):
  >     for colour in plot_fidelity.colours_of(n):
  >         light, dark = 1.05 / (luminance(colour) + 0.05), (luminance(colour) + 0.05) / (luminance("#191b1d") + 0.05)
  >         assert light > 2 and dark > 2, (n, colour, light, dark)
  > axis = plot_fidelity.plt.figure().add_subplot()
  > rates = {"predictor": {"correct": 0.5, "incorrect": 0.3, "not_predicted": 0.2}}
  > plot_fidelity.draw_predictor(axis, {"exact": rates, "lossy": rates})
  > colours = {bars.get_label(): matplotlib.colors.to_rgb(bars.patches[0].get_facecolor()) for bars in axis.containers}
  > (red, green, _), (other_red, other_green, _) = colours["correct"], colours["incorrect"]
  > assert green > red and other_red > other_green and len(colours) == 3, colours
  > END

What is wrong leaves nothing.

  $ mkdir wrong
  $ cd wrong
  $ cp ../loop .
  $ octrace fidelity @
  | loop => 2> octrace: fidelity: an exact and a lossy trace are needed (see octrace fidelity --help)
  | loop loop loop => 2> octrace: fidelity: an exact and a lossy trace are needed (see octrace fidelity --help)
  | - - => 2> octrace: fidelity: standard input can be one of both only (see octrace fidelity --help)
  | --csv - --json loop loop => 2> octrace: fidelity: --csv and --json cannot both go to standard output (see octrace fidelity --help)
  | --plot plot.jpg loop loop => 2> octrace: fidelity: --plot 'plot.jpg': expected a name in .svg, .png, .pdf or .html (see octrace fidelity --help)
  | --take all loop loop => 2> octrace: fidelity: --take 'all': expected insn, data or both (see octrace fidelity --help)
  | --sets 0 loop loop => 2> octrace: fidelity: --sets '0': expected a number from 1 to 67108864 (see octrace fidelity --help)
  | --sets 3 loop loop => 2> octrace: fidelity: sets 3..3: expected two powers of two up to 67108864 (see octrace fidelity --help)
  | --sets 2..3 loop loop => 2> octrace: fidelity: sets 2..3: expected two powers of two up to 67108864 (see octrace fidelity --help)
  | --sets 8..2 loop loop => 2> octrace: fidelity: sets 8..2: expected two powers of two up to 67108864 (see octrace fidelity --help)
  | --sets 2.. loop loop => 2> octrace: fidelity: --sets '': expected a number from 1 to 67108864 (see octrace fidelity --help)
  | --sets x loop loop => 2> octrace: fidelity: --sets 'x': expected a number from 1 to 67108864 (see octrace fidelity --help)
  | --sets 1..99999999999 loop loop => 2> octrace: fidelity: --sets '99999999999': expected a number from 1 to 67108864 (see octrace fidelity --help)
  | --ways 0 loop loop => 2> octrace: fidelity: --ways '0': expected a number from 1 to 4096 (see octrace fidelity --help)
  | --ways 5000 loop loop => 2> octrace: fidelity: --ways '5000': expected a number from 1 to 4096 (see octrace fidelity --help)
  | --line-bytes 48 loop loop => 2> octrace: fidelity: predictor: zones of 65536 bytes: expected a power of two, at least the line of 48 bytes (see octrace fidelity --help)
  | --index 3 loop loop => 2> octrace: fidelity: predictor: index of 3 entries: expected a power of two up to 65536 (see octrace fidelity --help)
  | --history 1 loop loop => 2> octrace: fidelity: predictor: history of 1 entry: expected 2 to 65536 (see octrace fidelity --help)
  | --key 9 loop loop => 2> octrace: fidelity: --key '9': expected a number from 1 to 8 (see octrace fidelity --help)
  | --zone-bytes 32 loop loop => 2> octrace: fidelity: predictor: zones of 32 bytes: expected a power of two, at least the line of 64 bytes (see octrace fidelity --help)
  | --from frob loop loop => 2> octrace: fidelity: unknown format 'frob': expected one that octrace list formats lists (see octrace fidelity --help)
  | none loop => 4> octrace: none: cannot open: No such file or directory
  | loop none => 4> octrace: none: cannot open: No such file or directory
  | --plot nowhere/x.svg loop loop => 4> octrace: nowhere/x.svg: No such file or directory
  | loop . => 4> octrace: .: a folder: expected a file, a folder of drmemtrace files (*.trace.zip, *.trace.gz), or a snapshot with ETMv4 (snapshot.ini)
  | loop /dev/null => 4> octrace: /dev/null: expected addresses, found none
  $ { head -c 240 loop && printf abc; } >shorn
  $ octrace fidelity --plot x.svg loop shorn
  4> octrace: shorn: offset 240: the trace ends within a record of 8 bytes
  $ ls
  loop
  shorn
