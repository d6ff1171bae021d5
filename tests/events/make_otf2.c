/* SPDX-License-Identifier: Apache-2.0 */
/* make_otf2.c - writes an OTF2 archive as a measurement of an MPI program would: ranks with two
 * threads, messages, a collective, metrics, parameters, attributes, groups and communicators, two
 * regions of one name. Usage: make_otf2 NEW_DIRECTORY [every]
 *
 * With `every` it has two locations, 0 and 1, the first with an event of every kind, and a
 * definition of every kind. */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_ev_otf2.h"

enum { RANKS = 3, STEPS = 40, CHUNK_BYTES = 1 << 20 };
enum {
  S_EMPTY,
  S_MAIN,
  S_SOLVE,
  S_SEND,
  S_RECV,
  S_NODE,
  S_RANK,
  S_MASTER,
  S_WORKER,
  S_WORLD,
  S_METRIC,
  S_PARAM,
  S_ATTRIBUTE,
  N_STRINGS
};
static const char *const strings[N_STRINGS] = {
    "",         "main",          "solve<int, 2>", "MPI_Send",       "MPI_Recv",     "node",
    "MPI Rank", "Master thread", "OMP thread",    "MPI_COMM_WORLD", "PAPI_TOT_INS", "iteration",
    "address"};
enum { R_MAIN, R_SOLVE, R_SOLVE_2, R_SEND, R_RECV };

static void need(int ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "make_otf2: %s\n", what);
  exit(1);
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

static uint64_t write_rank(OTF2_EvtWriter *w, uint32_t rank) {
  uint64_t t = 1000 + rank, n = 0;
  OTF2_AttributeList *list = OTF2_AttributeList_New();
  OTF2_EvtWriter_Enter(w, NULL, t, R_MAIN);
  for (int i = 0; i < STEPS; i++) {
    OTF2_Type type = OTF2_TYPE_UINT64;
    OTF2_MetricValue value = {.unsigned_int = (uint64_t)i << 40};
    OTF2_EvtWriter_ParameterUnsignedInt(w, NULL, t += 10, 0, (uint64_t)i);
    OTF2_AttributeList_AddUint64(list, 0, 0xdeadbeef00ull + (uint64_t)i);
    OTF2_EvtWriter_Enter(w, list, t += 5, i % 2 ? R_SOLVE : R_SOLVE_2);
    OTF2_EvtWriter_Metric(w, NULL, t, 0, 1, &type, &value);
    OTF2_EvtWriter_Leave(w, NULL, t += 500 + (uint64_t)(i % 3), i % 2 ? R_SOLVE : R_SOLVE_2);
    OTF2_EvtWriter_Enter(w, NULL, t += 2, R_SEND);
    OTF2_EvtWriter_MpiSend(w, NULL, t + 1, (rank + 1) % RANKS, 0, (uint32_t)i, 4096);
    OTF2_EvtWriter_Leave(w, NULL, t += 40, R_SEND);
    OTF2_EvtWriter_Enter(w, NULL, t += 2, R_RECV);
    OTF2_EvtWriter_MpiRecv(w, NULL, t + 70, (rank + RANKS - 1) % RANKS, 0, (uint32_t)i, 4096);
    OTF2_EvtWriter_Leave(w, NULL, t += 75, R_RECV);
    n += 10;
  }
  OTF2_EvtWriter_MpiCollectiveBegin(w, NULL, t += 5);
  OTF2_EvtWriter_MpiCollectiveEnd(w, NULL, t += 50, OTF2_COLLECTIVE_OP_BARRIER, 0,
                                  OTF2_UNDEFINED_UINT32, 0, 0);
  OTF2_EvtWriter_Leave(w, NULL, t + 10, R_MAIN);
  OTF2_AttributeList_Delete(list);
  return n + 4;
}

static uint64_t write_worker(OTF2_EvtWriter *w) {
  uint64_t t = 1500;
  for (int i = 0; i < STEPS; i++) {
    OTF2_EvtWriter_Enter(w, NULL, t += 300, R_SOLVE);
    OTF2_EvtWriter_Leave(w, NULL, t += 200, R_SOLVE);
  }
  return 2 * STEPS;
}

/* An event of every kind, each with an attribute. */
static uint64_t write_every(OTF2_EvtWriter *w) {
  static const OTF2_StringRef arguments[] = {S_MAIN, S_SOLVE};
  uint64_t t = 2000, n = 1;
  OTF2_AttributeList *list = OTF2_AttributeList_New();
  OTF2_EvtWriter_ProgramBegin(w, NULL, t, S_MAIN, 2, arguments);
#define EVENT(name, ...)                                                              \
  OTF2_AttributeList_AddUint64(list, 0, n);                                           \
  need(OTF2_EvtWriter_##name(w, list, t += 3, ##__VA_ARGS__) == OTF2_SUCCESS, #name); \
  n++;
#define E0(name) EVENT(name)
#define E1(name, ...) EVENT(name, 0)
#define E2(name, ...) EVENT(name, 0, 1)
#define E3(name, ...) EVENT(name, 0, 1, 0)
#define E4(name, ...) EVENT(name, 0, 1, 0, 1)
#define E5(name, ...) EVENT(name, 0, 1, 0, 1, 2)
#define E6(name, ...) EVENT(name, 0, 1, 0, 1, 2, 3)
  OCT_EV_OTF2_EVENTS(E0, E1, E2, E3, E4, E5, E6)
  OTF2_AttributeList_Delete(list);
  return n;
}

static void define_every(OTF2_GlobalDefWriter *g) {
  const OTF2_IoParadigmProperty property = 1;
  const OTF2_Type type = OTF2_TYPE_UINT64;
  const OTF2_CartDimensionRef dimension = 0;
  const uint32_t coordinate = 1;
  OTF2_AttributeValue value = {.uint64 = 7};
#define DEFINE(name, ...) OTF2_GlobalDefWriter_Write##name(g, __VA_ARGS__);
#define D2(name, ...) DEFINE(name, 9, 1)
#define D3(name, ...) DEFINE(name, 9, 1, 1)
#define D4(name, ...) DEFINE(name, 9, 1, 1, 1)
#define D5(name, ...) DEFINE(name, 9, 1, 1, 0, 0)
#define D6(name, ...) DEFINE(name, 9, 1, 1, 1, 1, 1)
#define D7(name, ...) DEFINE(name, 9, 1, 1, 1, 1, 1, 1)
#define D9(name, ...) DEFINE(name, 9, 1, 1, 1, 1, 1, 1, 1, 1)
#define D10(name, ...) DEFINE(name, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1)
#define SKIP(name, ...)
#define PROPERTY(name, ...) DEFINE(name, 0, 1, OTF2_TYPE_UINT64, value)
  OCT_EV_OTF2_DEFS(D2, D3, SKIP, SKIP, D6, D7, D9, D10)
  OCT_EV_OTF2_PROPERTIES(PROPERTY)
  OTF2_GlobalDefWriter_WriteCallsite(g, 0, S_MAIN, 1, 0, 1);
  OTF2_GlobalDefWriter_WriteMetricInstance(g, 1, 0, 0, OTF2_SCOPE_LOCATION, 0);
  OTF2_GlobalDefWriter_WriteRmaWin(g, 0, S_NODE, 0, OTF2_RMA_WIN_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteCartDimension(g, 1, S_NODE, 2, OTF2_CART_PERIODIC_TRUE);
  OTF2_GlobalDefWriter_WriteCallingContext(g, 0, 0, OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
                                           OTF2_UNDEFINED_CALLING_CONTEXT);
  OTF2_GlobalDefWriter_WriteIoParadigm(g, 0, S_NODE, S_NODE, OTF2_IO_PARADIGM_CLASS_SERIAL,
                                       OTF2_IO_PARADIGM_FLAG_NONE, 1, &property, &type, &value);
  OTF2_GlobalDefWriter_WriteCartTopology(g, 0, S_NODE, 0, 1, &dimension);
  OTF2_GlobalDefWriter_WriteCartCoordinate(g, 0, 0, 1, &coordinate);
}

static void write_definitions(OTF2_GlobalDefWriter *g, const uint64_t *n_events,
                              uint32_t n_locations) {
  uint64_t members[RANKS] = {0, 1, 2};
  uint32_t metric = 0;
  OTF2_GlobalDefWriter_WriteClockProperties(g, 1000000000, 1000, 100000, 1700000000000000000ull);
  for (uint32_t i = 0; i < N_STRINGS; i++) OTF2_GlobalDefWriter_WriteString(g, i, strings[i]);
  OTF2_GlobalDefWriter_WriteParadigm(g, OTF2_PARADIGM_MPI, S_WORLD, OTF2_PARADIGM_CLASS_PROCESS);
  OTF2_GlobalDefWriter_WriteSystemTreeNode(g, 0, S_NODE, S_NODE, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  for (uint32_t i = 0; i < RANKS; i++)
    OTF2_GlobalDefWriter_WriteLocationGroup(g, i, S_RANK, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
  for (uint32_t i = 0; i < n_locations; i++)
    OTF2_GlobalDefWriter_WriteLocation(g, i % RANKS + ((uint64_t)(i / RANKS) << 32),
                                       i < RANKS ? S_MASTER : S_WORKER,
                                       OTF2_LOCATION_TYPE_CPU_THREAD, n_events[i], i % RANKS);
  static const uint32_t names[] = {S_MAIN, S_SOLVE, S_SOLVE, S_SEND, S_RECV};
  for (uint32_t i = 0; i < 5; i++)
    OTF2_GlobalDefWriter_WriteRegion(g, i, names[i], names[i], S_EMPTY, OTF2_REGION_ROLE_FUNCTION,
                                     i < R_SEND ? OTF2_PARADIGM_USER : OTF2_PARADIGM_MPI,
                                     OTF2_REGION_FLAG_NONE, S_EMPTY, i, i + 10);
  OTF2_GlobalDefWriter_WriteGroup(g, 0, S_EMPTY, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                  OTF2_GROUP_FLAG_NONE, RANKS, members);
  OTF2_GlobalDefWriter_WriteGroup(g, 1, S_WORLD, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                  OTF2_GROUP_FLAG_NONE, RANKS, members);
  OTF2_GlobalDefWriter_WriteComm(g, 0, S_WORLD, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteAttribute(g, 0, S_ATTRIBUTE, S_EMPTY, OTF2_TYPE_UINT64);
  OTF2_GlobalDefWriter_WriteParameter(g, 0, S_PARAM, OTF2_PARAMETER_TYPE_UINT64);
  OTF2_GlobalDefWriter_WriteMetricMember(g, 0, S_METRIC, S_METRIC, OTF2_METRIC_TYPE_PAPI,
                                         OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
                                         OTF2_BASE_DECIMAL, 0, S_METRIC);
  OTF2_GlobalDefWriter_WriteMetricClass(g, 0, 1, &metric, OTF2_METRIC_SYNCHRONOUS,
                                        OTF2_RECORDER_KIND_CPU);
  OTF2_AttributeValue value = {.stringRef = S_NODE};
  OTF2_GlobalDefWriter_WriteLocationProperty(g, 0, S_PARAM, OTF2_TYPE_STRING, value);
}

int main(int argc, char **argv) {
  static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = on_flush};
  uint64_t n_events[2 * RANKS];
  int is_every = argc == 3 && !strcmp(argv[2], "every");
  uint32_t n_locations = is_every ? 2 : 2 * RANKS;
  need(argc == 2 || is_every, "a new directory is needed, and `every` may follow");
  OTF2_Archive *a = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, CHUNK_BYTES,
                                      4 * CHUNK_BYTES, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  need(a != NULL, "cannot create the archive");
  OTF2_Archive_SetFlushCallbacks(a, &flush, NULL);
  OTF2_Archive_SetSerialCollectiveCallbacks(a);
  OTF2_Archive_OpenEvtFiles(a);
  for (uint32_t i = 0; i < n_locations; i++) {
    OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(a, i % RANKS + ((uint64_t)(i / RANKS) << 32));
    need(w != NULL, "cannot write events");
    n_events[i] = is_every && !i ? write_every(w) : i < RANKS ? write_rank(w, i) : write_worker(w);
    OTF2_Archive_CloseEvtWriter(a, w);
  }
  OTF2_Archive_CloseEvtFiles(a);
  OTF2_Archive_OpenDefFiles(a);
  for (uint32_t i = 0; i < n_locations; i++)
    OTF2_Archive_CloseDefWriter(
        a, OTF2_Archive_GetDefWriter(a, i % RANKS + ((uint64_t)(i / RANKS) << 32)));
  OTF2_Archive_CloseDefFiles(a);
  OTF2_GlobalDefWriter *g = OTF2_Archive_GetGlobalDefWriter(a);
  write_definitions(g, n_events, n_locations);
  if (is_every) define_every(g);
  OTF2_Archive_CloseGlobalDefWriter(a, g);
  need(OTF2_Archive_Close(a) == OTF2_SUCCESS, "cannot close the archive");
  return 0;
}
