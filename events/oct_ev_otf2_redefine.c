/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_otf2_redefine.c - writes OTF2's global definitions: those kept, or new ones.
 *
 * Definitions that a compressed file has kept are written as they were, in their order. A trace
 * from another format gets the least that an archive needs: strings, a clock, a system tree,
 * regions and locations with their numbers of events. */
#include <stdio.h>

#include "oct_ev_otf2_defs.h"

/* What is deprecated is still found in archives. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum { FIELDS_MAX = 10 };

static uint64_t events_of(const oct_ev_defs *defs, const uint64_t *n_events, uint64_t ref) {
  for (uint32_t i = 0; i < defs->locations.n; i++)
    if (defs->location[i].id == ref) return n_events[i];
  return 0;
}

/* Definitions that have arrays. */
static OTF2_ErrorCode write_array(OTF2_GlobalDefWriter *w, uint64_t def, oct_cursor *in,
                                  uint64_t *array) {
  uint64_t v[5] = {0}, n = 0;
  unsigned n_fields = def == OCT_EV_OTF2_DEF_String           ? 1
                      : def == OCT_EV_OTF2_DEF_CartCoordinate ? 2
                      : def == OCT_EV_OTF2_DEF_MetricClass || def == OCT_EV_OTF2_DEF_CartTopology
                          ? 3
                          : 5;
  for (unsigned i = 0; i < n_fields; i++) v[i] = oct_cursor_take_leb128(in);
  n = oct_cursor_take_leb128(in);
  if (n > in->n_bytes) in->has_failed = 1;
  if (in->has_failed) return OTF2_ERROR_INVALID_DATA;
  if (def == OCT_EV_OTF2_DEF_String) {
    char *text = (char *)array;
    memcpy(text, oct_cursor_take(in, n), n);
    text[n] = 0;
    return OTF2_GlobalDefWriter_WriteString(w, (OTF2_StringRef)v[0], text);
  }
  uint32_t *small = (uint32_t *)array;
  if (def == OCT_EV_OTF2_DEF_Group) {
    for (uint64_t i = 0; i < n; i++) array[i] = oct_cursor_take_leb128(in);
    return OTF2_GlobalDefWriter_WriteGroup(w, (OTF2_GroupRef)v[0], (OTF2_StringRef)v[1],
                                           (OTF2_GroupType)v[2], (OTF2_Paradigm)v[3],
                                           (OTF2_GroupFlag)v[4], (uint32_t)n, array);
  }
  if (n > UINT8_MAX) return OTF2_ERROR_INVALID_DATA;
  if (def == OCT_EV_OTF2_DEF_IoParadigm) {
    OTF2_IoParadigmProperty properties[UINT8_MAX];
    OTF2_Type types[UINT8_MAX];
    OTF2_AttributeValue values[UINT8_MAX];
    for (uint64_t i = 0; i < n; i++) {
      properties[i] = (OTF2_IoParadigmProperty)oct_cursor_take_leb128(in);
      types[i] = (OTF2_Type)oct_cursor_take_leb128(in);
      values[i] = oct_ev_otf2_to_value(oct_cursor_take_leb128(in));
    }
    return OTF2_GlobalDefWriter_WriteIoParadigm(w, (OTF2_IoParadigmRef)v[0], (OTF2_StringRef)v[1],
                                                (OTF2_StringRef)v[2], (OTF2_IoParadigmClass)v[3],
                                                (OTF2_IoParadigmFlag)v[4], (uint8_t)n, properties,
                                                types, values);
  }
  for (uint64_t i = 0; i < n; i++) small[i] = (uint32_t)oct_cursor_take_leb128(in);
  if (def == OCT_EV_OTF2_DEF_MetricClass)
    return OTF2_GlobalDefWriter_WriteMetricClass(w, (OTF2_MetricRef)v[0], (uint8_t)n, small,
                                                 (OTF2_MetricOccurrence)v[1],
                                                 (OTF2_RecorderKind)v[2]);
  if (def == OCT_EV_OTF2_DEF_CartTopology)
    return OTF2_GlobalDefWriter_WriteCartTopology(
        w, (OTF2_CartTopologyRef)v[0], (OTF2_StringRef)v[1], (OTF2_CommRef)v[2], (uint8_t)n, small);
  return OTF2_GlobalDefWriter_WriteCartCoordinate(w, (OTF2_CartTopologyRef)v[0], (uint32_t)v[1],
                                                  (uint8_t)n, small);
}

#define N(i, T) (T) v[i]
#define CASE(name, ...)        \
  case OCT_EV_OTF2_DEF_##name: \
    return OTF2_GlobalDefWriter_Write##name(w, __VA_ARGS__);
#define D2(name, A, B) CASE(name, N(0, A), N(1, B))
#define D3(name, A, B, C) CASE(name, N(0, A), N(1, B), N(2, C))
#define D4(name, A, B, C, D) CASE(name, N(0, A), N(1, B), N(2, C), N(3, D))
#define D5(name, A, B, C, D, E) CASE(name, N(0, A), N(1, B), N(2, C), N(3, D), N(4, E))
#define D6(name, A, B, C, D, E, F) CASE(name, N(0, A), N(1, B), N(2, C), N(3, D), N(4, E), N(5, F))
#define D7(name, A, B, C, D, E, F, G) \
  CASE(name, N(0, A), N(1, B), N(2, C), N(3, D), N(4, E), N(5, F), N(6, G))
#define D9(name, A, B, C, D, E, F, G, H, I) \
  CASE(name, N(0, A), N(1, B), N(2, C), N(3, D), N(4, E), N(5, F), N(6, G), N(7, H), N(8, I))
#define D10(name, A, B, C, D, E, F, G, H, I, J)                                               \
  CASE(name, N(0, A), N(1, B), N(2, C), N(3, D), N(4, E), N(5, F), N(6, G), N(7, H), N(8, I), \
       N(9, J))
#define P(name, A, B) CASE(name, N(0, A), N(1, B), (OTF2_Type)v[2], oct_ev_otf2_to_value(v[3]))

static OTF2_ErrorCode write_fields(OTF2_GlobalDefWriter *w, uint64_t def, const uint64_t *v) {
  switch (def) {
    OCT_EV_OTF2_DEFS(D2, D3, D4, D5, D6, D7, D9, D10)
    OCT_EV_OTF2_PROPERTIES(P)
    default:
      return OTF2_ERROR_INVALID_DATA;
  }
}

/* Fields of each definition, by its number. */
static const uint8_t n_fields[] = {0,
                                   0,
                                   0,
                                   0,
                                   0,
                                   0,
#define F2(...) 2,
#define F3(...) 3,
#define F4(...) 4,
#define F5(...) 5,
#define F6(...) 6,
#define F7(...) 7,
#define F9(...) 9,
#define F10(...) 10,
                                   OCT_EV_OTF2_DEFS(F2, F3, F4, F5, F6, F7, F9, F10)
                                       OCT_EV_OTF2_PROPERTIES(F4)};

static OTF2_ErrorCode write_kept(OTF2_GlobalDefWriter *w, const oct_ev_defs *defs,
                                 const uint64_t *n_events) {
  oct_cursor in = {.bytes = defs->blob, .n_bytes = defs->blob_bytes};
  uint64_t *array = malloc((defs->blob_bytes + 1) * sizeof *array);
  OTF2_ErrorCode code = array ? OTF2_SUCCESS : OTF2_ERROR_MEM_ALLOC_FAILED;
  while (in.n_bytes && code == OTF2_SUCCESS) {
    uint64_t v[FIELDS_MAX] = {0}, def = oct_cursor_take_leb128(&in);
    if (def >= OCT_EV_OTF2_DEF_COUNT) {
      code = OTF2_ERROR_INVALID_DATA;
    } else if (!n_fields[def]) {
      code = write_array(w, def, &in, array);
    } else {
      for (unsigned i = 0; i < n_fields[def]; i++) v[i] = oct_cursor_take_leb128(&in);
      if (def == OCT_EV_OTF2_DEF_Location) v[3] = events_of(defs, n_events, v[0]);
      code = in.has_failed ? OTF2_ERROR_INVALID_DATA : write_fields(w, def, v);
    }
  }
  free(array);
  return code;
}

/* A string's reference is its place among those written. */
static OTF2_ErrorCode put_string(OTF2_GlobalDefWriter *w, uint32_t *next, const char *text) {
  return OTF2_GlobalDefWriter_WriteString(w, (*next)++, text);
}

static OTF2_ErrorCode write_new(OTF2_GlobalDefWriter *w, const oct_ev_defs *d,
                                const uint64_t *n_events, uint64_t from, uint64_t to) {
  uint64_t clock = d->ticks_per_second ? d->ticks_per_second : 1000000000;
  uint32_t next = 0, functions, processes, locations;
  OTF2_ErrorCode e = OTF2_GlobalDefWriter_WriteClockProperties(w, clock, from, to - from + 1,
                                                               OTF2_UNDEFINED_TIMESTAMP);
  if (!e) e = put_string(w, &next, "");
  if (!e) e = put_string(w, &next, "machine");
  functions = next;
  for (uint32_t i = 0; i < d->functions.n && !e; i++)
    e = put_string(w, &next, oct_ev_names_text(&d->functions, i));
  processes = next;
  for (uint32_t i = 0; i < d->processes.n && !e; i++)
    e = put_string(w, &next, oct_ev_names_text(&d->processes, i));
  locations = next;
  for (uint32_t i = 0; i < d->locations.n && !e; i++)
    e = put_string(w, &next, oct_ev_names_text(&d->locations, i));
  if (!e) e = OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, 1, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  for (uint32_t i = 0; i < d->processes.n && !e; i++)
    e = OTF2_GlobalDefWriter_WriteLocationGroup(
        w, i, processes + i, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
  for (uint32_t i = 0; i < d->locations.n && !e; i++)
    e = OTF2_GlobalDefWriter_WriteLocation(w, i, locations + i, OTF2_LOCATION_TYPE_CPU_THREAD,
                                           n_events[i], d->location[i].process);
  for (uint32_t i = 0; i < d->functions.n && !e; i++)
    e = OTF2_GlobalDefWriter_WriteRegion(w, i, functions + i, functions + i, 0,
                                         OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER,
                                         OTF2_REGION_FLAG_NONE, 0, 0, 0);
  return e;
}

int oct_ev_otf2_write_defs(OTF2_GlobalDefWriter *writer, const oct_ev_defs *defs,
                           const uint64_t *n_events, uint64_t from, uint64_t to, oct_diag *diag) {
  OTF2_ErrorCode e = defs->blob_bytes ? write_kept(writer, defs, n_events)
                                      : write_new(writer, defs, n_events, from, to);
  if (e == OTF2_SUCCESS) return 0;
  return oct_fail(diag, e == OTF2_ERROR_INVALID_DATA ? OCT_ERR_FORMAT : OCT_ERR_IO,
                  "definitions of OTF2: %s", OTF2_Error_GetDescription(e));
}
