/* SPDX-License-Identifier: Apache-2.0 */
/* oct_vpc_template.h - the kernels for elements of OCT_VPC_T; included by oct_vpc_kernel.h once per
 * type.
 *
 * The second-level lines that a record will need are known once the hashes of its key's line are,
 * which is when the key was seen before: they are fetched then, by encoder and decoder alike. */

typedef OCT_VPC_T OCT_VPC_NAME(oct_vpc_element);

/* Put value in front of a row of `depth`. */
OCT_INLINE void OCT_VPC_NAME(oct_vpc_push)(OCT_VPC_T *row, unsigned depth, OCT_VPC_T value,
                                           bool changed_only) {
  if (changed_only && row[0] == value) return;
  switch (depth) {
    default:
      for (unsigned d = depth; d-- > 4;) row[d] = row[d - 1];
      /* fallthrough */
    case 4:
      row[3] = row[2];
      /* fallthrough */
    case 3:
      row[2] = row[1];
      /* fallthrough */
    case 2:
      row[1] = row[0];
      /* fallthrough */
    case 1:
      row[0] = value;
  }
}

/* A bit per value of the row that is the one wanted. */
OCT_INLINE uint32_t OCT_VPC_NAME(oct_vpc_equal)(const OCT_VPC_T *row, unsigned depth,
                                                OCT_VPC_T want) {
  uint32_t mask = 0;
  switch (depth) {
    default:
      for (unsigned d = depth; d-- > 4;) mask |= (uint32_t)(row[d] == want) << d;
      /* fallthrough */
    case 4:
      mask |= (uint32_t)(row[3] == want) << 3;
      /* fallthrough */
    case 3:
      mask |= (uint32_t)(row[2] == want) << 2;
      /* fallthrough */
    case 2:
      mask |= (uint32_t)(row[1] == want) << 1;
      /* fallthrough */
    case 1:
      mask |= (uint32_t)(row[0] == want);
  }
  return mask;
}

/* Strides are those of the field's own width, so that they wrap as its values do. */
OCT_INLINE OCT_VPC_T OCT_VPC_NAME(oct_vpc_wrap)(const oct_vpc_spec *spec, OCT_VPC_T value) {
  if (spec->value_bytes < sizeof(OCT_VPC_T))
    return value & (OCT_VPC_T)(((uint64_t)1 << 8 * spec->value_bytes % 64) - 1);
  return value;
}

/* All predictors learn value. rows[t] is the row of table t that held its predictions. */
OCT_INLINE void OCT_VPC_NAME(oct_vpc_learn)(const oct_vpc_spec *spec, void *const *tables,
                                            OCT_VPC_T **rows, uint8_t *line, OCT_VPC_T value) {
  OCT_VPC_T *last = (OCT_VPC_T *)line;
  uint32_t *hashes = (uint32_t *)(line + spec->n_kept * sizeof *last);
  uint32_t *strides = hashes + spec->n_hashes;
  OCT_VPC_T stride = 0;
  if (spec->n_strides) stride = OCT_VPC_NAME(oct_vpc_wrap)(spec, value - last[0]);
#pragma GCC unroll 8
  for (unsigned t = 0; t < spec->n_tables; t++) OCT_VPC_NAME(oct_vpc_push)
  (rows[t], spec->tables[t].depth, spec->tables[t].differential ? stride : value,
   spec->changed_only);
  if (spec->n_kept) OCT_VPC_NAME(oct_vpc_push)(last, spec->n_kept, value, spec->changed_only);
  if (spec->n_hashes) oct_vpc_hash(hashes, spec->n_hashes, value);
  if (spec->n_strides) oct_vpc_hash(strides, spec->n_strides, stride);
#pragma GCC unroll 8
  for (unsigned t = 0; t < spec->n_tables; t++) {
    const oct_vpc_table *table = &spec->tables[t];
    uint32_t hash = (table->differential ? strides : hashes)[oct_vpc_order_index(table)];
    __builtin_prefetch(
        (OCT_VPC_T *)tables[t] + (size_t)(hash >> (32 - table->lines_log2)) * table->depth, 1);
  }
}

/* The rows that hold the predictions of the line. */
OCT_INLINE void OCT_VPC_NAME(oct_vpc_rows)(const oct_vpc_spec *spec, void *const *tables,
                                           const uint8_t *line, OCT_VPC_T **rows) {
  const uint32_t *hashes = (const uint32_t *)(line + spec->n_kept * sizeof(OCT_VPC_T));
  const uint32_t *strides = hashes + spec->n_hashes;
#pragma GCC unroll 8
  for (unsigned t = 0; t < spec->n_tables; t++) {
    const oct_vpc_table *table = &spec->tables[t];
    uint32_t hash = (table->differential ? strides : hashes)[oct_vpc_order_index(table)];
    rows[t] = (OCT_VPC_T *)tables[t] + (size_t)(hash >> (32 - table->lines_log2)) * table->depth;
  }
}

/* One bit per prediction that is right. */
OCT_INLINE uint32_t OCT_VPC_NAME(oct_vpc_match)(const oct_vpc_spec *spec, OCT_VPC_T *const *rows,
                                                const uint8_t *line, OCT_VPC_T value) {
  const OCT_VPC_T *last = (const OCT_VPC_T *)line;
  uint32_t mask = 0;
  OCT_VPC_T stride = 0;
  if (spec->n_strides) stride = OCT_VPC_NAME(oct_vpc_wrap)(spec, value - last[0]);
#pragma GCC unroll 8
  for (unsigned t = 0; t < spec->n_tables; t++) {
    const oct_vpc_table *table = &spec->tables[t];
    OCT_VPC_T want = table->differential ? stride : value;
    mask |= OCT_VPC_NAME(oct_vpc_equal)(rows[t], table->depth, want) << table->first_code;
  }
  if (spec->n_last)
    mask |= OCT_VPC_NAME(oct_vpc_equal)(last, spec->n_last, value) << spec->last_code;
  return mask;
}

OCT_INLINE size_t OCT_VPC_NAME(oct_vpc_encode_kernel)(const oct_vpc_spec *spec,
                                                      oct_vpc_field *field, const OCT_VPC_T *values,
                                                      const uint64_t *keys, size_t n,
                                                      uint8_t *codes, OCT_VPC_T *misses) {
  const size_t line_bytes = field->line_bytes;
  uint64_t only[OCT_VPC_LINE_WORDS];
  size_t n_misses = 0;
  void *tables[OCT_VPC_TABLES_MAX];
  memcpy(tables, field->tables, sizeof tables);
  if (!spec->l1_log2) memcpy(only, field->lines, sizeof only);
  OCT_VPC_T *rows[OCT_VPC_TABLES_MAX] = {NULL}; /* gcc cannot tell that learn reads what is set */
  for (size_t i = 0; i < n; i++) {
    OCT_VPC_T value = values[i];
    uint8_t *line =
        spec->l1_log2 ? oct_vpc_line(spec, field, line_bytes, keys, i, n) : (uint8_t *)only;
    OCT_VPC_NAME(oct_vpc_rows)(spec, tables, line, rows);
    uint32_t mask = OCT_VPC_NAME(oct_vpc_match)(spec, rows, line, value);
    OCT_VPC_NAME(oct_vpc_learn)(spec, tables, rows, line, value);
    codes[i] = (uint8_t)oct_vpc_select(&field->selector, mask, spec->n_codes);
    misses[n_misses] = value;
    n_misses += !mask;
  }
  if (!spec->l1_log2) memcpy(field->lines, only, sizeof only);
  return n_misses;
}

/* Where each prediction stands: row, place in it, and whether the last value is to be added. */
typedef struct OCT_VPC_NAME(oct_vpc_places) {
  uint8_t row[OCT_VPC_CODES_MAX], depth[OCT_VPC_CODES_MAX];
  OCT_VPC_T differential[OCT_VPC_CODES_MAX]; /* all ones or zero */
} OCT_VPC_NAME(oct_vpc_places);

OCT_INLINE void OCT_VPC_NAME(oct_vpc_find_places)(const oct_vpc_spec *spec,
                                                  OCT_VPC_NAME(oct_vpc_places) * places) {
  for (unsigned t = 0; t < spec->n_tables; t++)
    for (unsigned d = 0; d < spec->tables[t].depth; d++) {
      unsigned code = spec->tables[t].first_code + d;
      places->row[code] = (uint8_t)t;
      places->depth[code] = (uint8_t)d;
      places->differential[code] = spec->tables[t].differential ? ~(OCT_VPC_T)0 : 0;
    }
  for (unsigned d = 0; d < spec->n_last; d++) {
    places->row[spec->last_code + d] = spec->n_tables;
    places->depth[spec->last_code + d] = (uint8_t)d;
    places->differential[spec->last_code + d] = 0;
  }
}

OCT_INLINE int64_t OCT_VPC_NAME(oct_vpc_decode_kernel)(const oct_vpc_spec *spec,
                                                       oct_vpc_field *field, const uint8_t *codes,
                                                       const uint64_t *keys, size_t n,
                                                       const uint8_t *misses, size_t n_misses,
                                                       OCT_VPC_T *values) {
  const size_t line_bytes = field->line_bytes;
  uint64_t only[OCT_VPC_LINE_WORDS];
  size_t taken = 0;
  void *tables[OCT_VPC_TABLES_MAX];
  OCT_VPC_NAME(oct_vpc_places) places;
  memcpy(tables, field->tables, sizeof tables);
  OCT_VPC_NAME(oct_vpc_find_places)(spec, &places);
  if (!spec->l1_log2) memcpy(only, field->lines, sizeof only);
  for (size_t i = 0; i < n; i++) {
    OCT_VPC_T *rows[OCT_VPC_TABLES_MAX + 1], value = 0;
    uint8_t *line =
        spec->l1_log2 ? oct_vpc_line(spec, field, line_bytes, keys, i, n) : (uint8_t *)only;
    unsigned code = codes[i];
    OCT_VPC_NAME(oct_vpc_rows)(spec, tables, line, rows);
    rows[spec->n_tables] = (OCT_VPC_T *)line;
    if (code < spec->n_codes) {
      value = rows[places.row[code]][places.depth[code]];
      if (spec->n_strides) value += *(const OCT_VPC_T *)line & places.differential[code];
      value = OCT_VPC_NAME(oct_vpc_wrap)(spec, value);
    } else {
      if (code != spec->n_codes || taken == n_misses) return OCT_ERR_FORMAT;
      value = (OCT_VPC_T)oct_get_bytes(misses + taken++ * spec->value_bytes, spec->value_bytes);
    }
    OCT_VPC_NAME(oct_vpc_learn)(spec, tables, rows, line, value);
    values[i] = value;
  }
  if (!spec->l1_log2) memcpy(field->lines, only, sizeof only);
  return (int64_t)taken;
}
