#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""coverage.py FILE [PARSER...] - how much of each parser the corpora of the fuzz targets reach.

FILE is what `llvm-cov export` says of all targets together. A parser is a source file of the list
below, without those of its functions that only write or tell what was read. Told are its regions (runs of code without a
branch) and which functions are never entered. What no input can reach is left out where its first line
says so: a lack of memory, a file that cannot be read or written, a checksum, which is not looked at in
builds for fuzzing. How many these are stands at the end. Of the parsers named, all lines that are not
reached are told instead. The salvage of containers is left out: where any checksum is right, its search ends at the first header.
"""
import collections
import json
import pathlib
import re
import sys

PROMISED_PERCENT = 90
PARSERS = """
oct_native oct_addrlist oct_champsim oct_cvp oct_din oct_drmemtrace oct_execlog
oct_gem5 oct_input oct_lackey oct_lines oct_pinatrace oct_simplescalar oct_spike oct_text oct_zip
oct_core_logs oct_waiting oct_qemu oct_qemu_traps oct_printed oct_bt9 oct_memory_traces
oct_program oct_symbols
oct_codec_read oct_codec_head oct_trace_join oct_general oct_bytesort oct_sequitur_read
oct_vpc_spec oct_codec oct_atc_info oct_atc oct_atc_pieces
oct_container oct_decoder oct_data_side oct_insn_side oct_join oct_parser
oct_ev_text oct_ev_uftrace oct_ev_symbols oct_ev_otf2_read oct_ev_otf2_defs
oct_ev_index oct_ev_rebuild oct_ev_relocate oct_ev_reader oct_ev_store oct_ev_cursor
oct_plan_file oct_sweep_plan oct_journal
oct_shadow_get oct_shadow_decoder oct_replay oct_player
oct_etrace_parse oct_etrace_decode oct_ntrace_decode oct_ntrace_message oct_pt_decode oct_pt_packet
oct_etm4_decode oct_etm4_packet oct_perf_file oct_etm_snapshot oct_pt_flow oct_etm_reader oct_perf_reader
oct_pt_reader oct_port_stream oct_unframe oct_raw_decoder
""".split()
WRITES = re.compile(r"_(write|put|print|append|save|pack|add|encode|name|commit|mark|finish)$|"
                    r"encode|write|_put_|print_|pack_piece|writer|pareto|by_key|"
                    r"oct_journal_(key|trace_hash|append)|oct_counts_|hash_file|no_memory|put_chunk|put_copy|"
                    r"packer|^(put|pack|drain|close_file|hand_over|begin_piece|put_[a-z]+)$|does_not_fit|free_place|"
                    r"compare_points|_bytes_(read|total|done)$|^bin_pair$|"
                    r"oct_(container_(config|get_info)|program_isa|journal_path|trace_join_info)$|"
                    r"oct_(decoder_get_counts|ev_reader_params|drmemtrace_list|ev_have_otf2)$|"
                    r"^(begin_written|end_written|finish_writing|flush|take_option|check_options)$|"
                    r"oct_atc_(options_init|options_command|open|drain|abort|count)$|"
                    # Of containers: the writer and the salvage.
                    r"^(pack_(update|address)|shown_path|(make|finish)_head|free_writer|chunk_at|next_header)$|"
                    r"oct_container_(create|keep_ops|abort|skip_damage|has_map|check_changes)$|"
                    # The writers of the native format and of bare streams.
                    r"^(add_(index|trap|fact)|flush_\w+|fact_bytes|out_of_memory)$|oct_port_stream_(open|end)$|"
                    # What the targets do not go through: files (they have memory), streams apart, and
                    # questions about what was read.
                    r"oct_codec_reader_(streams|apart|position|totals)$|open_apart|(fetch|skip)_apart$|"
                    r"read_nothing|oct_ev_(store|reader)_open(_salvage)?$|open_(bytes|path)$|oct_lines_none$|"
                    r"oct_container_(tracer|params)$|oct_(replay_decoder|player)_counts$|oct_etm4_(pack_atoms|frame)$|oct_symbols_line$|oct_trace_join_map_max$")


# Regions that begin in such a line.
NOT_BY_INPUT = re.compile(r"OCT_ERR_(NOMEM|IO|CHECKSUM)|UNDO_NO_MEMORY|out of memory|strerror|no_memory|checksum_is|"
                          # Memory, files and locks that others hold; and the freeing of nothing.
                          r"asprintf|strdup|fstat|fseeko|fopen|F_OFD_SETLK|EAGAIN|EEXIST|_grow\(|oct_error_text|"
                          r"if \(!\w\) return;")


def main():
    data = json.loads(pathlib.Path(sys.argv[1]).read_text())["data"][0]
    reached, total = collections.Counter(), collections.Counter()
    left_out_all = 0
    never = collections.defaultdict(list)
    lines, left_out, file_of = {}, set(), {}
    # A function that several targets have counts once, with what any of them reached.
    regions = collections.defaultdict(dict)
    for function in data["functions"]:
        name = function["name"].split(":")[-1]
        source = pathlib.Path(function["filenames"][0]).stem
        if source not in PARSERS or WRITES.search(name):
            continue
        for region in function["regions"]:
            place = tuple(region[:4])
            if region[7] == 0: # code
                path = file_of[source, name] = function["filenames"][0]
                lines.setdefault(path, pathlib.Path(path).read_text(encoding="utf-8").splitlines())
                if not region[4] and NOT_BY_INPUT.search(lines[path][region[0] - 1]):
                    left_out.add((path, *place))
                known = regions[source, name]
                known[place] = max(known.get(place, 0), region[4])
    for (source, name), places in regions.items():
        left = {at[1:] for at in left_out if pathlib.Path(at[0]).stem == source}
        places = {at: count for at, count in places.items() if count or at not in left}
        left_out_all += len(regions[source, name]) - len(places)
        total[source] += len(places)
        reached[source] += sum(count > 0 for count in places.values())
        if not any(places.values()):
            never[source].append(name)
    for source in sys.argv[2:]:
        for path, *at in sorted({(file_of[of, name], *at[:2]) for (of, name), places in regions.items() if of == source
                                 for at, count in places.items() if not count and (file_of[of, name], *at) not in left_out}):
            print(f"{pathlib.Path(path).name}:{at[0]}:{at[1]}: {lines[path][at[0] - 1].strip()}")
    if sys.argv[2:]:
        return
    low = [source for source in PARSERS if reached[source] * 100 < PROMISED_PERCENT * total[source]]
    for source in PARSERS:
        percent = 100 * reached[source] / total[source] if total[source] else 0
        entered = f"  never entered: {' '.join(never[source])}" if never[source] else ""
        print(f"{source:20} {reached[source]:5} of {total[source]:5} regions {percent:6.1f} %{entered}")
    print(f"{len(PARSERS) - len(low)} of {len(PARSERS)} parsers at {PROMISED_PERCENT} % or more of "
          f"their regions; {sum(reached.values())} of {sum(total.values())} regions in all, without "
          f"{left_out_all} of missing memory, files and checksums")


main()
