/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_otf2_read.c - reads OTF2 archives, all locations merged by time.
 *
 * The library's global event reader does the merging; its callbacks fill a batch of records. Enter
 * and leave become calls; every other event is kept as its fields, so that it can be written again.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "oct_ev_otf2_defs.h"
#include "oct_ev_source_format.h"
#include "oct_infile.h"

enum { EVENTS_AT_ONCE = OCT_EV_BATCH / 2 }; /* an event gives two records at most */

/* The number here of what has a reference in the archive. References need not follow each other. */
typedef struct reference {
  uint64_t ref;
  uint32_t number;
} reference;

typedef struct references {
  reference *v; /* sorted */
  size_t n;
} references;

typedef struct otf2_state {
  OTF2_Reader *reader;
  OTF2_GlobalEvtReader *events;
  references functions, locations; /* by region and by location */
  uint64_t last_ref;
  uint32_t last_location;
  uint64_t unknown;
  int error;
  oct_diag *diag;
  int lacks_memory;  /* so the library said */
  char library[160]; /* what the library said last */
} otf2_state;

int oct_ev_have_otf2(void) {
  return 1;
}

static OTF2_ErrorCode on_error(void *user, const char *file, uint64_t line, const char *function,
                               OTF2_ErrorCode code, const char *format, va_list args) {
  otf2_state *o = user;
  (void)file;
  (void)line;
  (void)function;
  o->lacks_memory |= code == OTF2_ERROR_ENOMEM || code == OTF2_ERROR_MEM_FAULT ||
                     code == OTF2_ERROR_MEM_ALLOC_FAILED;
  vsnprintf(o->library, sizeof o->library, format, args);
  return code;
}

/* What the library was called for failed; errno was 0 before. */
static int fail(oct_ev_source *s, const char *what, oct_diag *diag) {
  const otf2_state *o = s->state;
  if (o->lacks_memory || errno == ENOMEM)
    return oct_fail_in(diag, OCT_ERR_NOMEM, s->path, "out of memory");
  return oct_fail_in(diag, OCT_ERR_FORMAT, s->path, "%s%s%s", what, o->library[0] ? ": " : "",
                     o->library);
}

static int by_ref(const void *a, const void *b) {
  const reference *x = a, *y = b;
  if (x->ref != y->ref) return x->ref < y->ref ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* The first number of a reference, or -1. */
static int64_t find_ref(const references *r, uint64_t ref) {
  if (ref < r->n && r->v[ref].ref == ref && (!ref || r->v[ref - 1].ref != ref))
    return r->v[ref].number;
  size_t low = 0, high = r->n;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (r->v[middle].ref < ref)
      low = middle + 1;
    else
      high = middle;
  }
  return low < r->n && r->v[low].ref == ref ? (int64_t)r->v[low].number : -1;
}

/* Make both tables of references. */
static int sort_refs(otf2_state *o, const oct_ev_defs *d) {
  o->functions.v = calloc((size_t)d->functions.n + 1, sizeof(reference));
  o->locations.v = calloc((size_t)d->locations.n + 1, sizeof(reference));
  if (!o->functions.v || !o->locations.v) return OCT_ERR_NOMEM;
  for (uint32_t i = 0; i < d->functions.n; i++)
    o->functions.v[o->functions.n++] = (reference){d->function_id[i], i};
  for (uint32_t i = 0; i < d->locations.n; i++)
    o->locations.v[o->locations.n++] = (reference){d->location[i].id, i};
  qsort(o->functions.v, o->functions.n, sizeof(reference), by_ref);
  qsort(o->locations.v, o->locations.n, sizeof(reference), by_ref);
  return 0;
}

/* The number of a location by its reference; the events of one often come in a row. */
static int find_location(oct_ev_source *s, uint64_t ref, uint32_t *location) {
  otf2_state *o = s->state;
  const oct_ev_defs *d = &s->own;
  if (o->last_location < d->locations.n && o->last_ref == ref) {
    *location = o->last_location;
    return 1;
  }
  int64_t found = find_ref(&o->locations, ref);
  if (found >= 0) {
    o->last_ref = ref;
    *location = o->last_location = (uint32_t)found;
    return 1;
  }
  o->error = oct_fail_in(o->diag, OCT_ERR_FORMAT, s->path, "location %llu is not defined",
                         (unsigned long long)ref);
  return 0;
}

static OTF2_CallbackCode add_event(oct_ev_source *s, uint64_t ref, uint64_t time,
                                   OTF2_AttributeList *attributes, oct_ev_otf2_event event,
                                   const uint64_t *v, size_t n) {
  otf2_state *o = s->state;
  oct_buffer b = {0};
  uint32_t location;
  if (!find_location(s, ref, &location)) return OTF2_CALLBACK_INTERRUPT;
  uint32_t n_attributes = OTF2_AttributeList_GetNumberOfElements(attributes);
  oct_buffer_put_leb128(&b, event);
  oct_buffer_put_leb128(&b, n_attributes);
  for (uint32_t i = 0; i < n_attributes; i++) {
    OTF2_AttributeRef attribute;
    OTF2_Type type;
    OTF2_AttributeValue value = {.uint64 = 0};
    OTF2_AttributeList_GetAttributeByIndex(attributes, i, &attribute, &type, &value);
    oct_buffer_put_leb128(&b, attribute);
    oct_buffer_put_leb128(&b, type);
    oct_buffer_put_leb128(&b, oct_ev_otf2_from_value(value));
  }
  for (size_t i = 0; i < n; i++) oct_buffer_put_leb128(&b, v[i]);
  if (b.has_failed)
    o->error = oct_fail_in(o->diag, OCT_ERR_NOMEM, s->path, "out of memory");
  else
    o->error =
        oct_ev_source_add_other(s, time, location, OCT_EV_OTHER_OTF2, b.bytes, b.n_bytes, o->diag);
  free(b.bytes);
  return o->error ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode add_call(oct_ev_source *s, uint64_t ref, uint64_t time,
                                  OTF2_AttributeList *attributes, uint32_t region,
                                  oct_ev_kind kind) {
  otf2_state *o = s->state;
  uint32_t location;
  if (OTF2_AttributeList_GetNumberOfElements(attributes) &&
      add_event(s, ref, time, attributes, OCT_EV_OTF2_ATTRIBUTES, NULL, 0))
    return OTF2_CALLBACK_INTERRUPT;
  if (!find_location(s, ref, &location)) return OTF2_CALLBACK_INTERRUPT;
  int64_t function = find_ref(&o->functions, region);
  if (function < 0) {
    o->error = oct_fail_in(o->diag, OCT_ERR_FORMAT, s->path, "region %u is not defined", region);
    return OTF2_CALLBACK_INTERRUPT;
  }
  oct_ev_source_add(s, time, location, (uint32_t)function, kind);
  return OTF2_CALLBACK_SUCCESS;
}

#define ARGS OTF2_LocationRef at, OTF2_TimeStamp time, void *user, OTF2_AttributeList *list
static OTF2_CallbackCode on_Enter(ARGS, OTF2_RegionRef region) {
  return add_call(user, at, time, list, region, OCT_EV_ENTER);
}
static OTF2_CallbackCode on_Leave(ARGS, OTF2_RegionRef region) {
  return add_call(user, at, time, list, region, OCT_EV_LEAVE);
}
static OTF2_CallbackCode on_Unknown(ARGS) {
  oct_ev_source *s = user;
  (void)at;
  (void)time;
  (void)list;
  ((otf2_state *)s->state)->unknown++;
  return OTF2_CALLBACK_SUCCESS;
}
static OTF2_CallbackCode on_Metric(ARGS, OTF2_MetricRef metric, uint8_t n, const OTF2_Type *types,
                                   const OTF2_MetricValue *values) {
  uint64_t v[2 + 2 * UINT8_MAX] = {metric, n};
  for (unsigned i = 0; i < n; i++) {
    v[2 + 2 * i] = types[i];
    v[3 + 2 * i] = values[i].unsigned_int;
  }
  return add_event(user, at, time, list, OCT_EV_OTF2_Metric, v, 2 + 2 * (size_t)n);
}
static OTF2_CallbackCode on_ProgramBegin(ARGS, OTF2_StringRef name, uint32_t n,
                                         const OTF2_StringRef *arguments) {
  uint64_t *v = malloc(((size_t)n + 2) * sizeof *v);
  if (!v) return OTF2_CALLBACK_INTERRUPT;
  v[0] = name;
  v[1] = n;
  for (uint32_t i = 0; i < n; i++) v[2 + i] = arguments[i];
  OTF2_CallbackCode code =
      add_event(user, at, time, list, OCT_EV_OTF2_ProgramBegin, v, 2 + (size_t)n);
  free(v);
  return code;
}

#define BODY(name, n, ...)                                            \
  {                                                                   \
    const uint64_t v[] = {__VA_ARGS__};                               \
    return add_event(user, at, time, list, OCT_EV_OTF2_##name, v, n); \
  }
#define U(x) (uint64_t)(x)
#define E0(name) static OTF2_CallbackCode on_##name(ARGS) BODY(name, 0, 0)
#define E1(name, A) static OTF2_CallbackCode on_##name(ARGS, A a) BODY(name, 1, U(a))
#define E2(name, A, B) static OTF2_CallbackCode on_##name(ARGS, A a, B b) BODY(name, 2, U(a), U(b))
#define E3(name, A, B, C) \
  static OTF2_CallbackCode on_##name(ARGS, A a, B b, C c) BODY(name, 3, U(a), U(b), U(c))
#define E4(name, A, B, C, D) \
  static OTF2_CallbackCode on_##name(ARGS, A a, B b, C c, D d) BODY(name, 4, U(a), U(b), U(c), U(d))
#define E5(name, A, B, C, D, E)                                     \
  static OTF2_CallbackCode on_##name(ARGS, A a, B b, C c, D d, E e) \
      BODY(name, 5, U(a), U(b), U(c), U(d), U(e))
#define E6(name, A, B, C, D, E, F)                                       \
  static OTF2_CallbackCode on_##name(ARGS, A a, B b, C c, D d, E e, F f) \
      BODY(name, 6, U(a), U(b), U(c), U(d), U(e), U(f))
OCT_EV_OTF2_EVENTS(E0, E1, E2, E3, E4, E5, E6)

static OTF2_GlobalEvtReaderCallbacks *make_callbacks(void) {
  OTF2_GlobalEvtReaderCallbacks *all = OTF2_GlobalEvtReaderCallbacks_New();
  if (!all) return NULL;
#define OCT_X(name, ...) OTF2_GlobalEvtReaderCallbacks_Set##name##Callback(all, on_##name);
  OCT_EV_OTF2_EVENTS(OCT_X, OCT_X, OCT_X, OCT_X, OCT_X, OCT_X, OCT_X)
  OCT_X(Enter)
  OCT_X(Leave)
  OCT_X(Metric)
  OCT_X(ProgramBegin)
  OCT_X(Unknown)
#undef OCT_X
  return all;
}

/* The anchor file: path, or the one in the directory path. */
static int find_anchor(const char *path, char *anchor, size_t size) {
  struct stat st;
  snprintf(anchor, size, "%s", path);
  if (stat(path, &st)) return 0;
  if (!S_ISDIR(st.st_mode)) return 1;
  DIR *dir = opendir(path);
  const struct dirent *e;
  int found = 0;
  while (dir && !found && (e = readdir(dir))) {
    size_t n = strlen(e->d_name);
    found = n > 5 && !strcmp(e->d_name + n - 5, ".otf2");
    if (found) snprintf(anchor, size, "%s/%s", path, e->d_name);
  }
  if (dir) closedir(dir);
  return found;
}

/* Local definitions hold what maps local numbers to global ones; the library applies them. */
static int open_locations(oct_ev_source *s, oct_diag *diag) {
  otf2_state *o = s->state;
  const oct_ev_defs *d = &s->own;
  uint64_t n;
  for (uint32_t i = 0; i < d->locations.n; i++)
    if (OTF2_Reader_SelectLocation(o->reader, d->location[i].id) != OTF2_SUCCESS)
      return fail(s, "cannot select a location", diag);
  int have_defs = OTF2_Reader_OpenDefFiles(o->reader) == OTF2_SUCCESS;
  if (OTF2_Reader_OpenEvtFiles(o->reader) != OTF2_SUCCESS)
    return fail(s, "cannot open the events", diag);
  for (uint32_t i = 0; i < d->locations.n; i++) {
    OTF2_DefReader *local =
        have_defs ? OTF2_Reader_GetDefReader(o->reader, d->location[i].id) : NULL;
    if (local) {
      OTF2_Reader_ReadAllLocalDefinitions(o->reader, local, &n);
      OTF2_Reader_CloseDefReader(o->reader, local);
    }
    if (!OTF2_Reader_GetEvtReader(o->reader, d->location[i].id))
      return fail(s, "cannot read the events of a location", diag);
  }
  if (have_defs) OTF2_Reader_CloseDefFiles(o->reader);
  o->library[0] = 0;
  return 0;
}

/* The library makes room for as many properties as the anchor file says, and counts twice their
 * number in 32 bits. Each has two strings, which the file must have room for. Before the count
 * stand the order of bytes, the mark, sizes and numbers of fixed length, and three strings. What is
 * cut or has no properties is left to the library. 0, OCT_ERR_FORMAT or OCT_ERR_NOMEM. */
static int check_anchor(oct_ev_source *s, const char *anchor, oct_diag *diag) {
  enum { ORDER_AT = 1, FORMAT_AT = 7, BEFORE_STRINGS = 46, LITTLE_ENDIAN_MARK = 0x42 };
  FILE *f = oct_infile_fopen(anchor);
  int c = 0, is_little = 0;
  uint32_t count = 0;
  if (!f) return errno == ENOMEM ? fail(s, "", diag) : 0; /* the library says why */
  for (int i = 0; i < BEFORE_STRINGS && c != EOF; i++) {
    c = getc(f);
    if (i == ORDER_AT) is_little = c == LITTLE_ENDIAN_MARK;
    if (i == FORMAT_AT && c < 2) c = EOF; /* has no properties */
  }
  for (int strings = 3; strings && c != EOF;) strings -= !(c = getc(f));
  for (unsigned i = 0; i < 4 && c != EOF; i++) {
    c = getc(f);
    count |= (uint32_t)(c & 0xff) << 8 * (is_little ? i : 3 - i);
  }
  int has_count = c != EOF;
  for (uint64_t left = 2 * (uint64_t)count; left && c != EOF; left--) c = getc(f);
  fclose(f);
  return has_count && c == EOF ? oct_fail_in(diag, OCT_ERR_FORMAT, s->path,
                                             "more properties than the anchor file has room for")
                               : 0;
}

/* Note what the library opens of an archive in this folder. 0 or -1. */
static int note_files(const char *folder) {
  static const char *const endings[] = {".otf2", ".def", ".evt", ".snap", ".marker", ".thumb"};
  char path[2 * 4096];
  int error = 0;
  DIR *dir = opendir(folder);
  const struct dirent *e;
  while (dir && !error && (e = readdir(dir))) {
    const char *dot = strrchr(e->d_name, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++) {
      snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
      if (!strcmp(dot, endings[i])) error = oct_infile_note_path(path);
    }
  }
  if (dir) closedir(dir);
  return error;
}

/* The archive is in the anchor's folder, and in one there that is named like the anchor. */
static int note_archive(const char *anchor) {
  char folder[4096];
  snprintf(folder, sizeof folder, "%s", anchor);
  char *dot = strrchr(folder, '.'), *slash = strrchr(folder, '/');
  if (dot && (!slash || dot > slash)) *dot = 0;
  int error = note_files(folder);
  if (slash) slash[1] = 0;
  return error ? error : note_files(slash ? folder : ".");
}

static int otf2_open(oct_ev_source *s, oct_diag *diag) {
  char anchor[4096];
  otf2_state *o = calloc(1, sizeof *o);
  s->state = o;
  if (!o) return oct_fail_in(diag, OCT_ERR_NOMEM, s->path, "out of memory");
  o->last_location = UINT32_MAX;
  OTF2_Error_RegisterCallback(on_error, o);
  errno = 0;
  if (!find_anchor(s->path, anchor, sizeof anchor))
    return errno == ENOMEM ? fail(s, "", diag)
                           : oct_fail_in(diag, OCT_ERR_IO, s->path, "no OTF2 anchor file");
  int error = check_anchor(s, anchor, diag);
  if (error) return error;
  if (note_archive(anchor)) return oct_fail_in(diag, OCT_ERR_NOMEM, s->path, "out of memory");
  if (!(o->reader = OTF2_Reader_Open(anchor))) return fail(s, "cannot open the archive", diag);
  OTF2_Reader_SetSerialCollectiveCallbacks(o->reader);
  error = oct_ev_otf2_read_defs(o->reader, &s->own, diag);
  if (error) return fail(s, "definitions", diag);
  if (sort_refs(o, &s->own)) return oct_fail_in(diag, OCT_ERR_NOMEM, s->path, "out of memory");
  if ((error = open_locations(s, diag))) return error;
  OTF2_GlobalEvtReaderCallbacks *callbacks = make_callbacks();
  o->events = OTF2_Reader_GetGlobalEvtReader(o->reader);
  error = !callbacks || (s->own.locations.n && !o->events) ||
          (o->events && OTF2_Reader_RegisterGlobalEvtCallbacks(o->reader, o->events, callbacks,
                                                               s) != OTF2_SUCCESS);
  OTF2_GlobalEvtReaderCallbacks_Delete(callbacks);
  return error ? fail(s, "cannot read the events", diag) : 0;
}

static int otf2_next(oct_ev_source *s, oct_diag *diag) {
  otf2_state *o = s->state;
  uint64_t n = 0;
  if (!o->events) return 0;
  OTF2_Error_RegisterCallback(on_error, o); /* a writer may have its own */
  errno = 0;
  o->diag = diag;
  do {
    OTF2_ErrorCode code = OTF2_Reader_ReadGlobalEvents(o->reader, o->events, EVENTS_AT_ONCE, &n);
    if (o->error) return o->error;
    if (code != OTF2_SUCCESS) return fail(s, "events cannot be read", diag);
  } while (n && !s->n);
  if (o->unknown)
    snprintf(s->note, sizeof s->note,
             "events of a kind newer than the OTF2 library, which are left out: %llu",
             (unsigned long long)o->unknown);
  return s->n > 0;
}

static void otf2_close(oct_ev_source *s) {
  otf2_state *o = s->state;
  if (!o) return;
  OTF2_Error_RegisterCallback(on_error, o);
  OTF2_Reader_Close(o->reader);
  OTF2_Error_RegisterCallback(NULL, NULL);
  free(o->functions.v);
  free(o->locations.v);
  free(o);
}

const oct_ev_source_ops oct_ev_otf2_source = {otf2_open, otf2_next, otf2_close};
