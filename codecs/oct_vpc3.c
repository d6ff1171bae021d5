/* SPDX-License-Identifier: Apache-2.0 */
/* oct_vpc3.c - VPC3 as published (Burtscher 2004): 4 PC predictors, 10 predictors of the extended
 * data, 26 MB of tables, four streams.
 *
 * Codes follow Table 4 from top to bottom, which is also the priority among equals; 4 and 10 mean
 * "not predicted" as in section 3.3. */
#include "oct_vpc3.h"

#include "oct_vpc.h"
#include "oct_vpc_kernel.h"

/* Section 4.4. Four second-level tables are there; sizes are in lines of two values. */
#define PC_SPEC(changed)                                                                     \
  {                                                                                          \
    .value_bytes = 4, .n_tables = 2, .n_hashes = 3, .n_codes = 4, .changed_only = (changed), \
    .tables = {                                                                              \
      {.differential = 0, .order = 1, .depth = 2, .first_code = 0, .lines_log2 = 17},        \
      {.differential = 0, .order = 3, .depth = 2, .first_code = 2, .lines_log2 = 19}         \
    }                                                                                        \
  }
#define ED_SPEC(changed)                                                                      \
  {                                                                                           \
    .value_bytes = 8, .n_tables = 3, .n_last = 4, .last_code = 4, .n_kept = 4, .n_hashes = 1, \
    .n_strides = 3, .n_codes = 10, .changed_only = (changed), .l1_log2 = 16, .tables = {      \
      {.differential = 1, .order = 1, .depth = 2, .first_code = 0, .lines_log2 = 17},         \
      {.differential = 1, .order = 3, .depth = 2, .first_code = 2, .lines_log2 = 19},         \
      {.differential = 0, .order = 1, .depth = 2, .first_code = 8, .lines_log2 = 19}          \
    }                                                                                         \
  }

/* The kernels see these as constants. */
static const oct_vpc_spec pc_always = PC_SPEC(0), pc_changed = PC_SPEC(1);
static const oct_vpc_spec ed_always = ED_SPEC(0), ed_changed = ED_SPEC(1);

#define KERNELS(name)                                                                            \
  static size_t encode_pc_##name(const oct_vpc_spec *spec, oct_vpc_field *field,                 \
                                 const uint32_t *values, const uint64_t *keys, size_t n,         \
                                 uint8_t *codes, uint32_t *misses) {                             \
    (void)spec;                                                                                  \
    return oct_vpc_encode_kernel32(&pc_##name, field, values, keys, n, codes, misses);           \
  }                                                                                              \
  static size_t encode_ed_##name(const oct_vpc_spec *spec, oct_vpc_field *field,                 \
                                 const uint64_t *values, const uint64_t *keys, size_t n,         \
                                 uint8_t *codes, uint64_t *misses) {                             \
    (void)spec;                                                                                  \
    return oct_vpc_encode_kernel64(&ed_##name, field, values, keys, n, codes, misses);           \
  }                                                                                              \
  static int64_t decode_pc_##name(const oct_vpc_spec *spec, oct_vpc_field *field,                \
                                  const uint8_t *codes, const uint64_t *keys, size_t n,          \
                                  const uint8_t *misses, size_t n_misses, uint32_t *values) {    \
    (void)spec;                                                                                  \
    return oct_vpc_decode_kernel32(&pc_##name, field, codes, keys, n, misses, n_misses, values); \
  }                                                                                              \
  static int64_t decode_ed_##name(const oct_vpc_spec *spec, oct_vpc_field *field,                \
                                  const uint8_t *codes, const uint64_t *keys, size_t n,          \
                                  const uint8_t *misses, size_t n_misses, uint64_t *values) {    \
    (void)spec;                                                                                  \
    return oct_vpc_decode_kernel64(&ed_##name, field, codes, keys, n, misses, n_misses, values); \
  }
KERNELS(always)
KERNELS(changed)

enum { OPTION_UPDATE, N_OPTIONS };

static const oct_codec_option vpc3_options[N_OPTIONS] = {
    [OPTION_UPDATE] =
        {.name = "update",
         .kind = OCT_OPTION_CHOICE,
         .choices = "always|changed",
         .text = "update predictor lines always (as published), or only when the value is new"},
};

static unsigned vpc3_streams(const oct_codec_settings *settings, const oct_layout *layout) {
  (void)settings, (void)layout;
  return 4;
}

static int vpc3_new(const oct_codec_settings *settings, const oct_layout *layout, void **state,
                    oct_diag *diag) {
  static const oct_vpc_kernels always[2] = {
      {.encode32 = encode_pc_always, .decode32 = decode_pc_always},
      {.encode64 = encode_ed_always, .decode64 = decode_ed_always}};
  static const oct_vpc_kernels changed[2] = {
      {.encode32 = encode_pc_changed, .decode32 = decode_pc_changed},
      {.encode64 = encode_ed_changed, .decode64 = decode_ed_changed}};
  bool only_changed = settings->value[OPTION_UPDATE];
  oct_vpc_config config = {.n_fields = 2, .key_field = 0};
  (void)layout;
  config.fields[0] = only_changed ? pc_changed : pc_always;
  config.fields[1] = only_changed ? ed_changed : ed_always;
  return oct_vpc_new(&config, only_changed ? changed : always, state, diag);
}

const oct_codec oct_codec_vpc3 = {
    .name = "vpc3",
    .version = 1,
    .text = "VPC3 of 2004: value predictors for (PC, data) records",
    .takes = OCT_TAKES_PC_ED,
    .lossless = true,
    .stage = OCT_GENERAL_BZIP2,
    .level = 9,
    .options = vpc3_options,
    .n_options = N_OPTIONS,
    .n_streams = vpc3_streams,
    .encoder_new = vpc3_new,
    .encode = oct_vpc_encode,
    .stats = oct_vpc_stats,
    .encoder_free = oct_vpc_free,
    .decoder_new = vpc3_new,
    .decode = oct_vpc_decode,
    .decoder_free = oct_vpc_free,
    .decoder_bytes = oct_vpc_decoder_bytes,
};
