/* SPDX-License-Identifier: Apache-2.0 */
/* oct_vpc.h - the body that VPC3 and the configurable VPC share: records of predicted fields. */
#ifndef OCT_VPC_H
#define OCT_VPC_H

#include "oct_vpc_engine.h"

/* What a record consists of, and who predicts it. */
typedef struct oct_vpc_config {
  unsigned n_fields;
  unsigned key_field; /* its value is the key of all others' first levels; itself has one line */
  oct_vpc_spec fields[OCT_LAYOUT_FIELDS_MAX];
} oct_vpc_config;

/* Text of a configuration (docs/codecs.md): 0, or OCT_ERR_CONFIG with where it is wrong. */
int oct_vpc_parse(const char *text, oct_vpc_config *config, oct_diag *diag);
/* The layout of its records. */
void oct_vpc_layout(const oct_vpc_config *config, oct_layout *layout);
/* Fill in what follows from the tables and n_last: codes and what is kept. OCT_ERR_CONFIG when
 * there are too many codes. */
int oct_vpc_complete(oct_vpc_spec *spec);

/* A coder in either direction; kernels[] has one entry per field, of which those of
 * its element width are used, and is copied. The state is
 * released with oct_vpc_free. OCT_ERR_NOMEM, OCT_ERR_LIMIT (tables over 4 GiB). */
int oct_vpc_new(const oct_vpc_config *config, const oct_vpc_kernels *kernels, void **state,
                oct_diag *diag);
void oct_vpc_free(void *state);

/* The calls of oct_codec. Streams 2f and 2f + 1 are the codes and the values not predicted of
 * field f. */
int oct_vpc_encode(void *state, const uint8_t *records, size_t n_records, oct_buffer *streams,
                   oct_diag *diag);
uint64_t oct_vpc_decoder_bytes(const void *state, uint64_t n_records, uint64_t n_group,
                               uint64_t stream_bytes);
int oct_vpc_decode(void *state, oct_cursor *streams, uint8_t *records, size_t n_records,
                   oct_diag *diag);
unsigned oct_vpc_stats(const void *state, oct_codec_stat *stats, unsigned max);

#endif
