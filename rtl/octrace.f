// SPDX-License-Identifier: Apache-2.0
// octrace.f - the Verilog of octrace, paths from this folder. Tops: oct_top with the trace port,
// oct_compressor without. Those in shadow/ are parts of the tracer `shadow`.
+incdir+paper
+incdir+shadow
common/oct_atb_check.v
common/oct_crc.v
common/oct_fifo.v
common/oct_ram.v
common/oct_ram_sink.v
common/oct_rvfi.v
common/oct_trace_port.v
common/oct_valid.v
paper/oct_compressor.v
paper/oct_dasc.v
paper/oct_dasc_table.v
paper/oct_ingress.v
paper/oct_ntuple.v
paper/oct_output.v
paper/oct_packet.v
paper/oct_regs.v
paper/oct_repetition.v
paper/oct_replace.v
paper/oct_sc_index.v
paper/oct_stream_cache.v
paper/oct_stream_detector.v
paper/oct_thb.v
paper/oct_top.v
shadow/oct_shadow_a32.v
shadow/oct_shadow_alu.v
shadow/oct_shadow_coder.v
shadow/oct_shadow_prob.v
shadow/oct_shadow_rv.v
shadow/oct_shadow_rvc.v
shadow/oct_shadow_stride.v
shadow/oct_shadow_symbol.v
