/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_plain.h - the codec that leaves records as they are; also used for side channels. */
#ifndef OCT_CODEC_PLAIN_H
#define OCT_CODEC_PLAIN_H

#include "octrace/codec.h"

extern const oct_codec oct_codec_plain;

#endif
