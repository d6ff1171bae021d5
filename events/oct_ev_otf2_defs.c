/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_otf2_defs.c - reads OTF2's global definitions.
 *
 * One table lists the kinds of definitions and their fields; callbacks for all of them are made
 * from it. Strings, regions, groups and locations are collected first and named at the end, since
 * they may refer to definitions that come later. Locations of the same name get that of their
 * process in front. */
#include "oct_ev_otf2_defs.h"

#include <stdio.h>

enum { REF_MAX = 1 << 24 };

/* What names are made of, until all definitions are read. */
typedef struct named {
  uint64_t ref;
  uint32_t name, group;
} named;

typedef struct named_list {
  named *v;
  size_t n, cap;
} named_list;

typedef struct collector {
  oct_buffer blob, text;
  uint32_t *string; /* offset in text + 1 by reference; 0 = none */
  size_t n_strings, strings_cap;
  named_list regions, groups, locations;
  uint64_t ticks_per_second;
  int error;
} collector;

static OTF2_CallbackCode put(collector *c, oct_ev_otf2_def def, const uint64_t *v, size_t n) {
  oct_buffer_put_leb128(&c->blob, def);
  for (size_t i = 0; i < n; i++) oct_buffer_put_leb128(&c->blob, v[i]);
  if (c->blob.has_failed) c->error = OCT_ERR_NOMEM;
  return c->error ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static void note(collector *c, named_list *list, uint64_t ref, uint32_t name, uint32_t group) {
  if (oct_ev_grow((void **)&list->v, &list->cap, list->n + 1, sizeof *list->v))
    c->error = OCT_ERR_NOMEM;
  else
    list->v[list->n++] = (named){.ref = ref, .name = name, .group = group};
}

/* What of a definition is looked at besides being kept. */
static void look(collector *c, oct_ev_otf2_def def, const uint64_t *v) {
  if (def == OCT_EV_OTF2_DEF_ClockProperties)
    c->ticks_per_second = v[0];
  else if (def == OCT_EV_OTF2_DEF_Region)
    note(c, &c->regions, v[0], (uint32_t)v[1], 0);
  else if (def == OCT_EV_OTF2_DEF_LocationGroup)
    note(c, &c->groups, v[0], (uint32_t)v[1], 0);
  else if (def == OCT_EV_OTF2_DEF_Location)
    note(c, &c->locations, v[0], (uint32_t)v[1], (uint32_t)v[4]);
}

#define BODY(name, ...)                                                \
  {                                                                    \
    const uint64_t v[] = {__VA_ARGS__};                                \
    look(user, OCT_EV_OTF2_DEF_##name, v);                             \
    return put(user, OCT_EV_OTF2_DEF_##name, v, sizeof v / sizeof *v); \
  }
#define U(x) (uint64_t)(x)
#define D2(name, A, B) \
  static OTF2_CallbackCode on_##name(void *user, A a, B b) BODY(name, U(a), U(b))
#define D3(name, A, B, C) \
  static OTF2_CallbackCode on_##name(void *user, A a, B b, C c) BODY(name, U(a), U(b), U(c))
#define D4(name, A, B, C, D)                                         \
  static OTF2_CallbackCode on_##name(void *user, A a, B b, C c, D d) \
      BODY(name, U(a), U(b), U(c), U(d))
#define D5(name, A, B, C, D, E)                                           \
  static OTF2_CallbackCode on_##name(void *user, A a, B b, C c, D d, E e) \
      BODY(name, U(a), U(b), U(c), U(d), U(e))
#define D6(name, A, B, C, D, E, F)                                             \
  static OTF2_CallbackCode on_##name(void *user, A a, B b, C c, D d, E e, F f) \
      BODY(name, U(a), U(b), U(c), U(d), U(e), U(f))
#define D7(name, A, B, C, D, E, F, G)                                               \
  static OTF2_CallbackCode on_##name(void *user, A a, B b, C c, D d, E e, F f, G g) \
      BODY(name, U(a), U(b), U(c), U(d), U(e), U(f), U(g))
#define D9(name, A, B, C, D, E, F, G, H, I)                                                   \
  static OTF2_CallbackCode on_##name(void *user, A a, B b, C c, D d, E e, F f, G g, H h, I i) \
      BODY(name, U(a), U(b), U(c), U(d), U(e), U(f), U(g), U(h), U(i))
#define D10(name, A, B, C, D, E, F, G, H, I, J)                                                    \
  static OTF2_CallbackCode on_##name(void *user, A a, B b, C c, D d, E e, F f, G g, H h, I i, J j) \
      BODY(name, U(a), U(b), U(c), U(d), U(e), U(f), U(g), U(h), U(i), U(j))
#define P(name, A, B)                                                      \
  static OTF2_CallbackCode on_##name(void *user, A a, B b, OTF2_Type type, \
                                     OTF2_AttributeValue v) {              \
    const uint64_t all[] = {U(a), U(b), type, oct_ev_otf2_from_value(v)};  \
    return put(user, OCT_EV_OTF2_DEF_##name, all, 4);                      \
  }
OCT_EV_OTF2_DEFS(D2, D3, D4, D5, D6, D7, D9, D10)
OCT_EV_OTF2_PROPERTIES(P)

static OTF2_CallbackCode on_String(void *user, OTF2_StringRef self, const char *string) {
  collector *c = user;
  size_t n = strlen(string);
  uint64_t v[] = {self, n};
  if (self >= REF_MAX) {
    c->error = OCT_ERR_LIMIT;
    return OTF2_CALLBACK_INTERRUPT;
  }
  if (oct_ev_grow((void **)&c->string, &c->strings_cap, (size_t)self + 1, sizeof *c->string)) {
    c->error = OCT_ERR_NOMEM;
    return OTF2_CALLBACK_INTERRUPT;
  }
  for (; c->n_strings <= self; c->n_strings++) c->string[c->n_strings] = 0;
  c->string[self] = (uint32_t)c->text.n_bytes + 1;
  oct_buffer_put(&c->text, string, n + 1);
  put(c, OCT_EV_OTF2_DEF_String, v, 2);
  oct_buffer_put(&c->blob, string, n);
  return c->error ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_IoParadigm(void *user, OTF2_IoParadigmRef self, OTF2_StringRef id,
                                       OTF2_StringRef name, OTF2_IoParadigmClass class,
                                       OTF2_IoParadigmFlag flags, uint8_t n,
                                       const OTF2_IoParadigmProperty *properties,
                                       const OTF2_Type *types, const OTF2_AttributeValue *values) {
  collector *c = user;
  uint64_t v[] = {self, id, name, class, flags, n};
  put(c, OCT_EV_OTF2_DEF_IoParadigm, v, 6);
  for (unsigned i = 0; i < n; i++) {
    oct_buffer_put_leb128(&c->blob, properties[i]);
    oct_buffer_put_leb128(&c->blob, types[i]);
    oct_buffer_put_leb128(&c->blob, oct_ev_otf2_from_value(values[i]));
  }
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_Group(void *user, OTF2_GroupRef self, OTF2_StringRef name,
                                  OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                                  uint32_t n, const uint64_t *members) {
  collector *c = user;
  uint64_t v[] = {self, name, type, paradigm, flags, n};
  put(c, OCT_EV_OTF2_DEF_Group, v, 6);
  for (uint32_t i = 0; i < n; i++) oct_buffer_put_leb128(&c->blob, members[i]);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_MetricClass(void *user, OTF2_MetricRef self, uint8_t n,
                                        const OTF2_MetricMemberRef *members,
                                        OTF2_MetricOccurrence occurrence, OTF2_RecorderKind kind) {
  collector *c = user;
  uint64_t v[] = {self, occurrence, kind, n};
  put(c, OCT_EV_OTF2_DEF_MetricClass, v, 4);
  for (unsigned i = 0; i < n; i++) oct_buffer_put_leb128(&c->blob, members[i]);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_CartTopology(void *user, OTF2_CartTopologyRef self, OTF2_StringRef name,
                                         OTF2_CommRef comm, uint8_t n,
                                         const OTF2_CartDimensionRef *dimensions) {
  collector *c = user;
  uint64_t v[] = {self, name, comm, n};
  put(c, OCT_EV_OTF2_DEF_CartTopology, v, 4);
  for (unsigned i = 0; i < n; i++) oct_buffer_put_leb128(&c->blob, dimensions[i]);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_CartCoordinate(void *user, OTF2_CartTopologyRef topology, uint32_t rank,
                                           uint8_t n, const uint32_t *coordinates) {
  collector *c = user;
  uint64_t v[] = {topology, rank, n};
  put(c, OCT_EV_OTF2_DEF_CartCoordinate, v, 3);
  for (unsigned i = 0; i < n; i++) oct_buffer_put_leb128(&c->blob, coordinates[i]);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_GlobalDefReaderCallbacks *make_callbacks(void) {
  OTF2_GlobalDefReaderCallbacks *all = OTF2_GlobalDefReaderCallbacks_New();
  if (!all) return NULL;
#define OCT_X(name, ...) OTF2_GlobalDefReaderCallbacks_Set##name##Callback(all, on_##name);
  OCT_EV_OTF2_DEFS(OCT_X, OCT_X, OCT_X, OCT_X, OCT_X, OCT_X, OCT_X, OCT_X)
  OCT_EV_OTF2_PROPERTIES(OCT_X)
  OCT_X(String)
  OCT_X(IoParadigm)
  OCT_X(Group)
  OCT_X(MetricClass)
  OCT_X(CartTopology)
  OCT_X(CartCoordinate)
#undef OCT_X
  return all;
}

static const char *string_of(const collector *c, uint32_t ref) {
  return ref < c->n_strings && c->string[ref] ? (const char *)c->text.bytes + c->string[ref] - 1
                                              : "?";
}

static int name_functions(const collector *c, oct_ev_defs *defs) {
  char text[4096];
  for (size_t i = 0; i < c->regions.n; i++) {
    const named *r = &c->regions.v[i];
    const char *name = string_of(c, r->name);
    if (oct_ev_names_find(&defs->functions, name, strlen(name)) >= 0) {
      snprintf(text, sizeof text, "%s #%llu", name, (unsigned long long)r->ref);
      name = text;
    }
    int64_t got = oct_ev_defs_function(defs, name, strlen(name), r->ref);
    if (got < 0) return (int)got;
    if (got != (int64_t)i) return OCT_ERR_FORMAT;
  }
  return 0;
}

/* Mark in again[i] the locations whose name another one has too. 0 or OCT_ERR_NOMEM. */
static int find_namesakes(const collector *c, uint8_t *again) {
  oct_ev_defs seen = {0};
  int64_t at = 0;
  for (size_t i = 0; i < c->locations.n && at >= 0; i++) {
    const char *name = string_of(c, c->locations.v[i].name);
    size_t n = seen.locations.n;
    at = oct_ev_defs_location(&seen, name, strlen(name), "", i);
    if (at >= 0 && seen.locations.n == n) again[i] = again[seen.location[at].id] = 1;
  }
  oct_ev_defs_free(&seen);
  return at < 0 ? (int)at : 0;
}

/* Locations by their names, with PROCESS/ in front where several have the same. */
static int name_all(const collector *c, const uint8_t *again, oct_ev_defs *defs) {
  char text[4096];
  for (size_t i = 0; i < c->locations.n; i++) {
    const named *l = &c->locations.v[i];
    const char *process = "process", *name = string_of(c, l->name);
    for (size_t k = 0; k < c->groups.n; k++)
      if (c->groups.v[k].ref == l->group) process = string_of(c, c->groups.v[k].name);
    int n =
        again[i] ? snprintf(text, 4000, "%s/%s", process, name) : snprintf(text, 4000, "%s", name);
    if (n >= 4000) n = 3999;
    if (oct_ev_names_find(&defs->locations, text, (size_t)n) >= 0)
      n += snprintf(text + n, sizeof text - (size_t)n, " #%llu", (unsigned long long)l->ref);
    int64_t got = oct_ev_defs_location(defs, text, (size_t)n, process, l->ref);
    if (got < 0) return (int)got;
    if (got != (int64_t)i) return OCT_ERR_FORMAT;
  }
  return 0;
}

static int name_locations(const collector *c, oct_ev_defs *defs) {
  uint8_t *again = calloc(c->locations.n + 1, 1);
  int error = again ? find_namesakes(c, again) : OCT_ERR_NOMEM;
  if (!error) error = name_all(c, again, defs);
  free(again);
  return error;
}

int oct_ev_otf2_read_defs(OTF2_Reader *reader, oct_ev_defs *defs, oct_diag *diag) {
  collector c = {0};
  uint64_t n;
  OTF2_GlobalDefReader *all = OTF2_Reader_GetGlobalDefReader(reader);
  OTF2_GlobalDefReaderCallbacks *callbacks = make_callbacks();
  int error = 0;
  if (!all || !callbacks ||
      OTF2_Reader_RegisterGlobalDefCallbacks(reader, all, callbacks, &c) != OTF2_SUCCESS ||
      OTF2_Reader_ReadAllGlobalDefinitions(reader, all, &n) != OTF2_SUCCESS)
    error = OCT_ERR_FORMAT;
  if (c.error) error = c.error;
  if (c.blob.has_failed || c.text.has_failed) error = OCT_ERR_NOMEM;
  if (!error) error = name_functions(&c, defs);
  if (!error) error = name_locations(&c, defs);
  if (!error) {
    defs->ticks_per_second = c.ticks_per_second;
    defs->blob = c.blob.bytes;
    defs->blob_bytes = c.blob.n_bytes;
    defs->blob_cap = c.blob.room_bytes;
    c.blob.bytes = NULL;
  }
  OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
  free(c.blob.bytes);
  free(c.text.bytes);
  free(c.string);
  free(c.regions.v);
  free(c.groups.v);
  free(c.locations.v);
  return error ? oct_fail(diag, error, "definitions: %s", oct_error_text(error)) : 0;
}
