/* SPDX-License-Identifier: Apache-2.0 */
/* oct_vpc3.h - VPC3 as a codec. */
#ifndef OCT_VPC3_H
#define OCT_VPC3_H

#include "octrace/codec.h"

/* Takes oct_layout_pc_ed. Streams: PC codes 0..4, PCs not predicted (4 bytes), data codes 0..10,
 * data not predicted (8 bytes). Option update=always|changed. */
extern const oct_codec oct_codec_vpc3;

#endif
