/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_list.h - inside of the library: the one list of codecs, in the order of the tables. */
#ifndef OCT_CODEC_LIST_H
#define OCT_CODEC_LIST_H

#define OCT_CODECS(X)                                        \
  X(oct_codec_vpc3)      /* VPC3 as published */             \
  X(oct_codec_vpc)       /* VPC by specification */          \
  X(oct_codec_sequitur)  /* Sequitur, a grammar per field */ \
  X(oct_codec_bytesort)  /* the first stage of ATC */        \
  X(oct_codec_unshuffle) /* the same without sorting */      \
  X(oct_codec_atc_lossy) /* ATC with loss */                 \
  X(oct_codec_plain)     /* any records as they are */       \
  X(oct_codec_shadow)    /* whole traces through the tracer `shadow` */

#endif
