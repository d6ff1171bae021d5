/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_otf2.h - OTF2 events and definitions as bytes: the tables of what fields they have.
 *
 * An event passed through is: vlq number of the event (oct_ev_otf2_event), vlq number of attributes
 * and of each its vlq reference, vlq type and vlq value, then its fields as vlq; arrays have their
 * length before them. A definition is: vlq number (oct_ev_otf2_def), then its fields likewise;
 * strings have their length before them. Numbers of both are their places in the tables, which
 * therefore only grow at their ends. Fields are those of OTF2_GlobalEvtReaderCallbacks.h and
 * OTF2_GlobalDefReaderCallbacks.h of OTF2 3.0, in their order. */
#ifndef OCT_EV_OTF2_H
#define OCT_EV_OTF2_H

#include <stddef.h>
#include <stdint.h>

#include "oct_ev_bytes.h"

/* En(name, types of its n fields) */
#define OCT_EV_OTF2_EVENTS(E0, E1, E2, E3, E4, E5, E6)                                         \
  E1(BufferFlush, uint64_t)                                                                    \
  E1(MeasurementOnOff, uint8_t)                                                                \
  E4(MpiSend, uint32_t, uint32_t, uint32_t, uint64_t)                                          \
  E5(MpiIsend, uint32_t, uint32_t, uint32_t, uint64_t, uint64_t)                               \
  E1(MpiIsendComplete, uint64_t)                                                               \
  E1(MpiIrecvRequest, uint64_t)                                                                \
  E4(MpiRecv, uint32_t, uint32_t, uint32_t, uint64_t)                                          \
  E5(MpiIrecv, uint32_t, uint32_t, uint32_t, uint64_t, uint64_t)                               \
  E1(MpiRequestTest, uint64_t)                                                                 \
  E1(MpiRequestCancelled, uint64_t)                                                            \
  E0(MpiCollectiveBegin)                                                                       \
  E5(MpiCollectiveEnd, uint8_t, uint32_t, uint32_t, uint64_t, uint64_t)                        \
  E1(OmpFork, uint32_t)                                                                        \
  E0(OmpJoin)                                                                                  \
  E2(OmpAcquireLock, uint32_t, uint32_t)                                                       \
  E2(OmpReleaseLock, uint32_t, uint32_t)                                                       \
  E1(OmpTaskCreate, uint64_t)                                                                  \
  E1(OmpTaskSwitch, uint64_t)                                                                  \
  E1(OmpTaskComplete, uint64_t)                                                                \
  E2(ParameterString, uint32_t, uint32_t)                                                      \
  E2(ParameterInt, uint32_t, int64_t)                                                          \
  E2(ParameterUnsignedInt, uint32_t, uint64_t)                                                 \
  E1(RmaWinCreate, uint32_t)                                                                   \
  E1(RmaWinDestroy, uint32_t)                                                                  \
  E0(RmaCollectiveBegin)                                                                       \
  E6(RmaCollectiveEnd, uint8_t, uint32_t, uint32_t, uint32_t, uint64_t, uint64_t)              \
  E3(RmaGroupSync, uint32_t, uint32_t, uint32_t)                                               \
  E4(RmaRequestLock, uint32_t, uint32_t, uint64_t, uint8_t)                                    \
  E4(RmaAcquireLock, uint32_t, uint32_t, uint64_t, uint8_t)                                    \
  E4(RmaTryLock, uint32_t, uint32_t, uint64_t, uint8_t)                                        \
  E3(RmaReleaseLock, uint32_t, uint32_t, uint64_t)                                             \
  E3(RmaSync, uint32_t, uint32_t, uint8_t)                                                     \
  E1(RmaWaitChange, uint32_t)                                                                  \
  E4(RmaPut, uint32_t, uint32_t, uint64_t, uint64_t)                                           \
  E4(RmaGet, uint32_t, uint32_t, uint64_t, uint64_t)                                           \
  E6(RmaAtomic, uint32_t, uint32_t, uint8_t, uint64_t, uint64_t, uint64_t)                     \
  E2(RmaOpCompleteBlocking, uint32_t, uint64_t)                                                \
  E2(RmaOpCompleteNonBlocking, uint32_t, uint64_t)                                             \
  E2(RmaOpTest, uint32_t, uint64_t)                                                            \
  E2(RmaOpCompleteRemote, uint32_t, uint64_t)                                                  \
  E2(ThreadFork, uint8_t, uint32_t)                                                            \
  E1(ThreadJoin, uint8_t)                                                                      \
  E1(ThreadTeamBegin, uint32_t)                                                                \
  E1(ThreadTeamEnd, uint32_t)                                                                  \
  E3(ThreadAcquireLock, uint8_t, uint32_t, uint32_t)                                           \
  E3(ThreadReleaseLock, uint8_t, uint32_t, uint32_t)                                           \
  E3(ThreadTaskCreate, uint32_t, uint32_t, uint32_t)                                           \
  E3(ThreadTaskSwitch, uint32_t, uint32_t, uint32_t)                                           \
  E3(ThreadTaskComplete, uint32_t, uint32_t, uint32_t)                                         \
  E2(ThreadCreate, uint32_t, uint64_t)                                                         \
  E2(ThreadBegin, uint32_t, uint64_t)                                                          \
  E2(ThreadWait, uint32_t, uint64_t)                                                           \
  E2(ThreadEnd, uint32_t, uint64_t)                                                            \
  E2(CallingContextEnter, uint32_t, uint32_t)                                                  \
  E1(CallingContextLeave, uint32_t)                                                            \
  E3(CallingContextSample, uint32_t, uint32_t, uint32_t)                                       \
  E4(IoCreateHandle, uint32_t, uint8_t, uint32_t, uint32_t)                                    \
  E1(IoDestroyHandle, uint32_t)                                                                \
  E3(IoDuplicateHandle, uint32_t, uint32_t, uint32_t)                                          \
  E4(IoSeek, uint32_t, int64_t, uint8_t, uint64_t)                                             \
  E2(IoChangeStatusFlags, uint32_t, uint32_t)                                                  \
  E2(IoDeleteFile, uint8_t, uint32_t)                                                          \
  E5(IoOperationBegin, uint32_t, uint8_t, uint32_t, uint64_t, uint64_t)                        \
  E2(IoOperationTest, uint32_t, uint64_t)                                                      \
  E2(IoOperationIssued, uint32_t, uint64_t)                                                    \
  E3(IoOperationComplete, uint32_t, uint64_t, uint64_t)                                        \
  E2(IoOperationCancelled, uint32_t, uint64_t)                                                 \
  E2(IoAcquireLock, uint32_t, uint8_t)                                                         \
  E2(IoReleaseLock, uint32_t, uint8_t)                                                         \
  E2(IoTryLock, uint32_t, uint8_t)                                                             \
  E1(ProgramEnd, int64_t)                                                                      \
  E1(NonBlockingCollectiveRequest, uint64_t)                                                   \
  E6(NonBlockingCollectiveComplete, uint8_t, uint32_t, uint32_t, uint64_t, uint64_t, uint64_t) \
  E1(CommCreate, uint32_t)                                                                     \
  E1(CommDestroy, uint32_t)

/* Dn(name, types of its n fields) */
#define OCT_EV_OTF2_DEFS(D2, D3, D4, D5, D6, D7, D9, D10)                                     \
  D4(ClockProperties, uint64_t, uint64_t, uint64_t, uint64_t)                                 \
  D3(Paradigm, uint8_t, uint32_t, uint8_t)                                                    \
  D4(Attribute, uint32_t, uint32_t, uint32_t, uint8_t)                                        \
  D4(SystemTreeNode, uint32_t, uint32_t, uint32_t, uint32_t)                                  \
  D5(LocationGroup, uint32_t, uint32_t, uint8_t, uint32_t, uint32_t)                          \
  D5(Location, uint64_t, uint32_t, uint8_t, uint64_t, uint32_t)                               \
  D10(Region, uint32_t, uint32_t, uint32_t, uint32_t, uint8_t, uint8_t, uint32_t, uint32_t,   \
      uint32_t, uint32_t)                                                                     \
  D5(Callsite, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t)                              \
  D3(Callpath, uint32_t, uint32_t, uint32_t)                                                  \
  D9(MetricMember, uint32_t, uint32_t, uint32_t, uint8_t, uint8_t, uint8_t, uint8_t, int64_t, \
     uint32_t)                                                                                \
  D5(MetricInstance, uint32_t, uint32_t, uint64_t, uint8_t, uint64_t)                         \
  D5(Comm, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t)                                  \
  D3(Parameter, uint32_t, uint32_t, uint8_t)                                                  \
  D4(RmaWin, uint32_t, uint32_t, uint32_t, uint32_t)                                          \
  D2(MetricClassRecorder, uint32_t, uint64_t)                                                 \
  D2(SystemTreeNodeDomain, uint32_t, uint8_t)                                                 \
  D4(CartDimension, uint32_t, uint32_t, uint32_t, uint8_t)                                    \
  D3(SourceCodeLocation, uint32_t, uint32_t, uint32_t)                                        \
  D4(CallingContext, uint32_t, uint32_t, uint32_t, uint32_t)                                  \
  D6(InterruptGenerator, uint32_t, uint32_t, uint8_t, uint8_t, int64_t, uint64_t)             \
  D3(IoRegularFile, uint32_t, uint32_t, uint32_t)                                             \
  D3(IoDirectory, uint32_t, uint32_t, uint32_t)                                               \
  D7(IoHandle, uint32_t, uint32_t, uint32_t, uint8_t, uint32_t, uint32_t, uint32_t)           \
  D3(IoPreCreatedHandleState, uint32_t, uint8_t, uint32_t)                                    \
  D6(InterComm, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t)

/* P(name, type of what has it, type of what it is): properties, which have a typed value. */
#define OCT_EV_OTF2_PROPERTIES(P)               \
  P(ParadigmProperty, uint8_t, uint8_t)         \
  P(SystemTreeNodeProperty, uint32_t, uint32_t) \
  P(LocationGroupProperty, uint32_t, uint32_t)  \
  P(LocationProperty, uint64_t, uint32_t)       \
  P(CallingContextProperty, uint32_t, uint32_t) \
  P(IoFileProperty, uint32_t, uint32_t)         \
  P(CallpathParameter, uint32_t, uint32_t)

typedef enum oct_ev_otf2_event {
  OCT_EV_OTF2_ATTRIBUTES,   /* of the enter or leave that follows; no fields */
  OCT_EV_OTF2_Metric,       /* metric, number, and of each type and value */
  OCT_EV_OTF2_ProgramBegin, /* name, number, arguments */
#define OCT_X(name, ...) OCT_EV_OTF2_##name,
  OCT_EV_OTF2_EVENTS(OCT_X, OCT_X, OCT_X, OCT_X, OCT_X, OCT_X, OCT_X)
#undef OCT_X
      OCT_EV_OTF2_EVENT_COUNT
} oct_ev_otf2_event;

typedef enum oct_ev_otf2_def {
  OCT_EV_OTF2_DEF_String,
  OCT_EV_OTF2_DEF_IoParadigm,
  OCT_EV_OTF2_DEF_Group,
  OCT_EV_OTF2_DEF_MetricClass,
  OCT_EV_OTF2_DEF_CartTopology,
  OCT_EV_OTF2_DEF_CartCoordinate,
#define OCT_X(name, ...) OCT_EV_OTF2_DEF_##name,
  OCT_EV_OTF2_DEFS(OCT_X, OCT_X, OCT_X, OCT_X, OCT_X, OCT_X, OCT_X, OCT_X)
      OCT_EV_OTF2_PROPERTIES(OCT_X)
#undef OCT_X
          OCT_EV_OTF2_DEF_COUNT
} oct_ev_otf2_def;

/* Print an other record's bytes, form byte first, as one line of text: name and numbers. Works
 * without the OTF2 library. */
void oct_ev_otf2_print(oct_buffer *out, const uint8_t *bytes, size_t n);

#endif
