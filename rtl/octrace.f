// SPDX-License-Identifier: Apache-2.0
// octrace.f - the Verilog of octrace, paths from this folder. Tops: oct_top with the trace port,
// oct_compressor without.
+incdir+.
oct_compressor.v
oct_dasc.v
oct_dasc_table.v
oct_fifo.v
oct_ingress.v
oct_ntuple.v
oct_output.v
oct_packet.v
oct_ram.v
oct_regs.v
oct_repetition.v
oct_replace.v
oct_sc_index.v
oct_stream_cache.v
oct_stream_detector.v
oct_thb.v
oct_top.v
oct_trace_port.v
oct_valid.v
