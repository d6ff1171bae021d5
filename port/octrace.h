/* SPDX-License-Identifier: Apache-2.0 */
/* octrace.h - all of liboctrace (docs/library.md). Each header stands alone, too. octrace_feed.h,
 * for programs that write traces without the library, is apart.
 *
 * Threads: as each header says. */
#ifndef OCTRACE_H
#define OCTRACE_H

#include "oct_addresses.h"
#include "oct_atc.h"
#include "oct_buffer.h"
#include "oct_bytesort.h"
#include "oct_cache_config.h"
#include "oct_cache_filter.h"
#include "oct_cdc.h"
#include "oct_codec.h"
#include "oct_codec_file.h"
#include "oct_compare.h"
#include "oct_container.h"
#include "oct_decoded.h"
#include "oct_error.h"
#include "oct_event.h"
#include "oct_event_hash.h"
#include "oct_fidelity.h"
#include "oct_isa.h"
#include "oct_leb128.h"
#include "oct_journal.h"
#include "oct_map.h"
#include "oct_memory.h"
#include "oct_outfile.h"
#include "oct_param.h"
#include "oct_pins.h"
#include "oct_player.h"
#include "oct_replay.h"
#include "oct_port_needs.h"
#include "oct_program.h"
#include "oct_reader.h"
#include "oct_records.h"
#include "oct_run_options.h"
#include "oct_shadow_op.h"
#include "oct_source.h"
#include "oct_stack_distance.h"
#include "oct_stage.h"
#include "oct_state.h"
#include "oct_survey.h"
#include "oct_sweep_plan.h"
#include "oct_sweep_run.h"
#include "oct_trace_split.h"
#include "oct_tracer.h"

#endif
