/* SPDX-License-Identifier: Apache-2.0 */
/* oct_unit_formats.h - inside of the library: readers that need a decoder of others, which a build
 * may lack. */
#ifndef OCT_UNIT_FORMATS_H
#define OCT_UNIT_FORMATS_H

#include "oct_reader_format.h"

extern const oct_reader_ops oct_pt_reader, oct_perf_reader, oct_etm_reader;

#endif
