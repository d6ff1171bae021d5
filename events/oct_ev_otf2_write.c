/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_otf2_write.c - writes OTF2 archives, in a temporary directory that is renamed when whole.
 *
 * Calls become Enter and Leave; events that were passed through are written from their fields by a
 * table of the functions for each kind. Attributes come as a record of their own in front of their
 * event.
 *
 * Where the disk is full, the library goes on to write buffers that it has freed. So what it calls
 * on an error does not return to it: writing ends there, and the archive is left as it is. */
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oct_ev_otf2_defs.h"
#include "oct_ev_sink_format.h"
#include "octrace/error.h"
#include "oct_temporary.h"

/* What is deprecated is still found in archives. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define ARCHIVE_NAME "traces"
enum { EVENT_CHUNK_BYTES = 1 << 20, DEFS_CHUNK_BYTES = 1 << 22 };

typedef struct otf2_out {
  char *folder; /* where it is written */
  int lock;     /* of oct_outfile_make_folder, while there is that folder, */
  void *listed; /* and its place */
  OTF2_Archive *archive;
  OTF2_EvtWriter **writers; /* by location; NULL = not yet needed */
  uint64_t *n_events, *last;
  size_t n, writers_cap, events_cap, last_cap;
  OTF2_AttributeList *attributes; /* of the event to be written */
  uint64_t from, to, left_out;
  int any;
  jmp_buf on_error; /* where an error leads, while the library writes */
  int is_writing, has_failed;
  int reason;        /* errno of the error, 0 where it has none, */
  char library[160]; /* and what the library says of it */
} otf2_out;

static OTF2_ErrorCode on_error(void *user, const char *file, uint64_t line, const char *function,
                               OTF2_ErrorCode code, const char *format, va_list args) {
  otf2_out *o = user;
  (void)file;
  (void)line;
  (void)function;
  if (!o->is_writing) return code;
  o->reason = errno;
  o->has_failed = 1;
  vsnprintf(o->library, sizeof o->library, format, args);
  longjmp(o->on_error, 1);
}

static OTF2_FlushType on_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
                               void *caller, bool final) {
  (void)user;
  (void)type;
  (void)location;
  (void)caller;
  (void) final;
  return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {.otf2_pre_flush = on_flush};

static int fail(oct_ev_sink *s, const char *what, oct_diag *diag) {
  otf2_out *o = s->state;
  const char *why = o->reason ? strerror(o->reason) : o->library;
  return oct_fail_in(diag, OCT_ERR_IO, s->path, "%s%s%s", what, why[0] ? ": " : "", why);
}

/* Let work write; an error of the library ends it. */
static int guard(oct_ev_sink *s,
                 int (*work)(oct_ev_sink *s, const oct_ev_record *records, size_t n,
                             oct_diag *diag),
                 const oct_ev_record *records, size_t n, oct_diag *diag) {
  otf2_out *o = s->state;
  int error;
  OTF2_Error_RegisterCallback(on_error, o); /* a reader may have its own */
  if (setjmp(o->on_error)) {
    error = fail(s, "cannot write the archive", diag);
  } else {
    o->is_writing = 1;
    errno = 0; /* else it is none of the library's */
    error = work(s, records, n, diag);
  }
  o->is_writing = 0;
  return error;
}

static int create(oct_ev_sink *s, const oct_ev_record *records, size_t n, oct_diag *diag) {
  otf2_out *o = s->state;
  (void)records;
  (void)n;
  o->archive = OTF2_Archive_Open(o->folder, ARCHIVE_NAME, OTF2_FILEMODE_WRITE, EVENT_CHUNK_BYTES,
                                 DEFS_CHUNK_BYTES, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  o->attributes = OTF2_AttributeList_New();
  if (!o->archive || !o->attributes ||
      OTF2_Archive_SetFlushCallbacks(o->archive, &flush_callbacks, NULL) != OTF2_SUCCESS ||
      OTF2_Archive_SetSerialCollectiveCallbacks(o->archive) != OTF2_SUCCESS ||
      OTF2_Archive_SetCreator(o->archive, "octrace events") != OTF2_SUCCESS ||
      OTF2_Archive_OpenEvtFiles(o->archive) != OTF2_SUCCESS)
    return fail(s, "cannot create the archive", diag);
  return 0;
}

static int otf2_open(oct_ev_sink *s, oct_diag *diag) {
  struct stat st;
  otf2_out *o = calloc(1, sizeof *o);
  s->state = o;
  size_t n = strlen(s->path) + OCT_TEMPORARY_BYTES;
  if (!o || !(o->folder = malloc(n)))
    return oct_fail_in(diag, OCT_ERR_NOMEM, s->path, "out of memory");
  o->folder[0] = 0;
  if (!strcmp(s->path, "-"))
    return oct_fail(diag, OCT_ERR_UNSUPPORTED, "an OTF2 archive is a directory: name one with -o");
  if (!lstat(s->path, &st))
    return oct_fail_in(diag, OCT_ERR_IO, s->path, "exists: expected the name of a new directory");
  oct_temporary_sweep(s->path);
  if ((o->lock = oct_outfile_make_folder(o->folder, s->path, &o->listed)) < 0) {
    int error = oct_fail_in(diag, OCT_ERR_IO, s->path, "cannot create: %s", strerror(errno));
    o->folder[0] = 0;
    return error;
  }
  return guard(s, create, NULL, 0, diag);
}

static int add_locations(oct_ev_sink *s, oct_diag *diag) {
  otf2_out *o = s->state;
  size_t n = s->defs->locations.n;
  if (oct_ev_grow((void **)&o->writers, &o->writers_cap, n, sizeof(OTF2_EvtWriter *)) ||
      oct_ev_grow((void **)&o->n_events, &o->events_cap, n, sizeof *o->n_events) ||
      oct_ev_grow((void **)&o->last, &o->last_cap, n, sizeof *o->last))
    return oct_fail_in(diag, OCT_ERR_NOMEM, s->path, "out of memory");
  for (; o->n < n; o->n++) {
    const oct_ev_defs *d = s->defs;
    uint64_t ref = d->blob_bytes ? d->location[o->n].id : o->n;
    o->n_events[o->n] = o->last[o->n] = 0;
    if (!(o->writers[o->n] = OTF2_Archive_GetEvtWriter(o->archive, ref)))
      return fail(s, "cannot write a location", diag);
  }
  return 0;
}

#define N(i, T) (T) v[i]
#define CASE(name, ...)    \
  case OCT_EV_OTF2_##name: \
    return OTF2_EvtWriter_##name(w, a, time, ##__VA_ARGS__);
#define E0(name) CASE(name)
#define E1(name, A) CASE(name, N(0, A))
#define E2(name, A, B) CASE(name, N(0, A), N(1, B))
#define E3(name, A, B, C) CASE(name, N(0, A), N(1, B), N(2, C))
#define E4(name, A, B, C, D) CASE(name, N(0, A), N(1, B), N(2, C), N(3, D))
#define E5(name, A, B, C, D, E) CASE(name, N(0, A), N(1, B), N(2, C), N(3, D), N(4, E))
#define E6(name, A, B, C, D, E, F) CASE(name, N(0, A), N(1, B), N(2, C), N(3, D), N(4, E), N(5, F))

static OTF2_ErrorCode write_fields(OTF2_EvtWriter *w, OTF2_AttributeList *a, uint64_t time,
                                   uint64_t event, const uint64_t *v) {
  switch (event) {
    OCT_EV_OTF2_EVENTS(E0, E1, E2, E3, E4, E5, E6)
    default:
      return OTF2_ERROR_INVALID_DATA;
  }
}

static OTF2_ErrorCode write_metric(OTF2_EvtWriter *w, OTF2_AttributeList *a, uint64_t time,
                                   oct_cursor *in) {
  OTF2_Type types[UINT8_MAX];
  OTF2_MetricValue values[UINT8_MAX];
  uint64_t metric = oct_cursor_take_leb128(in), n = oct_cursor_take_leb128(in);
  if (n > UINT8_MAX) return OTF2_ERROR_INVALID_DATA;
  for (uint64_t i = 0; i < n; i++) {
    types[i] = (OTF2_Type)oct_cursor_take_leb128(in);
    values[i].unsigned_int = oct_cursor_take_leb128(in);
  }
  return OTF2_EvtWriter_Metric(w, a, time, (OTF2_MetricRef)metric, (uint8_t)n, types, values);
}

static OTF2_ErrorCode write_program(OTF2_EvtWriter *w, OTF2_AttributeList *a, uint64_t time,
                                    oct_cursor *in) {
  uint64_t name = oct_cursor_take_leb128(in), n = oct_cursor_take_leb128(in);
  if (n > in->n_bytes) return OTF2_ERROR_INVALID_DATA;
  OTF2_StringRef *arguments = malloc((n + 1) * sizeof *arguments);
  if (!arguments) return OTF2_ERROR_MEM_ALLOC_FAILED;
  for (uint64_t i = 0; i < n; i++) arguments[i] = (OTF2_StringRef)oct_cursor_take_leb128(in);
  OTF2_ErrorCode code =
      OTF2_EvtWriter_ProgramBegin(w, a, time, (OTF2_StringRef)name, (uint32_t)n, arguments);
  free(arguments);
  return code;
}

/* An event passed through. Returns 1 when it was only the attributes of the next event. */
static int put_other(oct_ev_sink *s, const oct_ev_record *r, uint64_t time, oct_diag *diag) {
  otf2_out *o = s->state;
  oct_cursor in = {.bytes = r->other + 1, .n_bytes = r->other_bytes - 1};
  OTF2_EvtWriter *w = o->writers[r->location];
  OTF2_AttributeList_RemoveAllAttributes(o->attributes);
  uint64_t v[6] = {0}, event = oct_cursor_take_leb128(&in), n = oct_cursor_take_leb128(&in);
  for (uint64_t i = 0; i < n && !in.has_failed; i++) {
    uint64_t ref = oct_cursor_take_leb128(&in), type = oct_cursor_take_leb128(&in),
             value = oct_cursor_take_leb128(&in);
    OTF2_AttributeList_AddAttribute(o->attributes, (OTF2_AttributeRef)ref, (OTF2_Type)type,
                                    oct_ev_otf2_to_value(value));
  }
  if (!in.has_failed && event == OCT_EV_OTF2_ATTRIBUTES) return 1;
  OTF2_ErrorCode code;
  if (event == OCT_EV_OTF2_Metric) {
    code = write_metric(w, o->attributes, time, &in);
  } else if (event == OCT_EV_OTF2_ProgramBegin) {
    code = write_program(w, o->attributes, time, &in);
  } else {
    for (unsigned i = 0; i < 6 && in.n_bytes; i++) v[i] = oct_cursor_take_leb128(&in);
    code = write_fields(w, o->attributes, time, event, v);
  }
  if (in.has_failed || code == OTF2_ERROR_INVALID_DATA)
    return oct_fail_in(diag, OCT_ERR_FORMAT, s->path, "a damaged event of OTF2");
  return code == OTF2_SUCCESS ? 0 : fail(s, "cannot write an event", diag);
}

static int put_call(oct_ev_sink *s, const oct_ev_record *r, uint64_t time, oct_diag *diag) {
  otf2_out *o = s->state;
  uint64_t region = s->defs->blob_bytes ? s->defs->function_id[r->function] : r->function;
  OTF2_ErrorCode code = r->kind == OCT_EV_ENTER
                            ? OTF2_EvtWriter_Enter(o->writers[r->location], o->attributes, time,
                                                   (OTF2_RegionRef)region)
                            : OTF2_EvtWriter_Leave(o->writers[r->location], o->attributes, time,
                                                   (OTF2_RegionRef)region);
  return code == OTF2_SUCCESS ? 0 : fail(s, "cannot write an event", diag);
}

static int put(oct_ev_sink *s, const oct_ev_record *records, size_t n, oct_diag *diag) {
  otf2_out *o = s->state;
  int error = o->n < s->defs->locations.n ? add_locations(s, diag) : 0;
  for (const oct_ev_record *r = records; r < records + n && !error; r++) {
    uint64_t time = r->time_ticks;
    if (r->kind == OCT_EV_OTHER &&
        (!r->other_bytes || r->other[0] != OCT_EV_OTHER_OTF2 || !s->defs->blob_bytes)) {
      o->left_out++;
      continue;
    }
    /* Lossy times of other records may stand a little behind those of calls. */
    if (time < o->last[r->location]) time = o->last[r->location];
    o->last[r->location] = time;
    if (!o->any || time < o->from) o->from = time;
    if (!o->any || time > o->to) o->to = time;
    o->any = 1;
    error = r->kind == OCT_EV_OTHER ? put_other(s, r, time, diag) : put_call(s, r, time, diag);
    if (error == 1) {
      error = 0;
      continue;
    }
    OTF2_AttributeList_RemoveAllAttributes(o->attributes);
    o->n_events[r->location]++;
  }
  return error;
}

static int otf2_put(oct_ev_sink *s, const oct_ev_record *records, size_t n, oct_diag *diag) {
  return guard(s, put, records, n, diag);
}

static int complete(oct_ev_sink *s, const oct_ev_record *records, size_t n, oct_diag *diag) {
  otf2_out *o = s->state;
  (void)records;
  (void)n;
  const oct_ev_defs *d = s->defs;
  int error = o->n < d->locations.n ? add_locations(s, diag) : 0;
  if (error) return error;
  int bad = 0;
  for (size_t i = 0; i < o->n; i++)
    bad |= OTF2_Archive_CloseEvtWriter(o->archive, o->writers[i]) != OTF2_SUCCESS;
  bad |= OTF2_Archive_CloseEvtFiles(o->archive) != OTF2_SUCCESS;
  bad |= OTF2_Archive_OpenDefFiles(o->archive) != OTF2_SUCCESS;
  for (size_t i = 0; i < o->n && !bad; i++) {
    OTF2_DefWriter *w =
        OTF2_Archive_GetDefWriter(o->archive, d->blob_bytes ? d->location[i].id : i);
    bad |= !w || OTF2_Archive_CloseDefWriter(o->archive, w) != OTF2_SUCCESS;
  }
  bad |= OTF2_Archive_CloseDefFiles(o->archive) != OTF2_SUCCESS;
  OTF2_GlobalDefWriter *w = bad ? NULL : OTF2_Archive_GetGlobalDefWriter(o->archive);
  if (!w) return fail(s, "cannot write definitions", diag);
  error = oct_ev_otf2_write_defs(w, d, o->n_events, o->from, o->to, diag);
  if (error) return error;
  OTF2_Archive_CloseGlobalDefWriter(o->archive, w);
  OTF2_Archive *archive = o->archive;
  o->archive = NULL;
  bad = OTF2_Archive_Close(archive) != OTF2_SUCCESS;
  if (bad) return fail(s, "cannot complete the archive", diag);
  return 0;
}

static int otf2_finish(oct_ev_sink *s, oct_diag *diag) {
  otf2_out *o = s->state;
  int error = guard(s, complete, NULL, 0, diag);
  if (error) return error;
  if (rename(o->folder, s->path))
    return oct_fail_in(diag, OCT_ERR_IO, s->path, "cannot rename: %s", strerror(errno));
  oct_outfile_forget_folder(o->listed);
  close(o->lock);
  o->folder[0] = 0;
  if (o->left_out)
    snprintf(s->note, sizeof s->note,
             "other records that have no form in OTF2, which are left out: %llu",
             (unsigned long long)o->left_out);
  return 0;
}

static void otf2_close(oct_ev_sink *s) {
  otf2_out *o = s->state;
  if (!o) return;
  OTF2_Error_RegisterCallback(on_error, o); /* says nothing */
  if (o->archive && !o->has_failed) OTF2_Archive_Close(o->archive);
  if (o->folder && o->folder[0]) {
    oct_temporary_remove(o->folder);
    oct_outfile_forget_folder(o->listed);
    close(o->lock);
  }
  if (o->attributes) OTF2_AttributeList_Delete(o->attributes);
  OTF2_Error_RegisterCallback(NULL, NULL);
  free(o->folder);
  free(o->writers);
  free(o->n_events);
  free(o->last);
  free(o);
}

const oct_ev_sink_ops oct_ev_otf2_sink = {otf2_open, otf2_put, otf2_finish, otf2_close};
