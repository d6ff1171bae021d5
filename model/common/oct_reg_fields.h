/* SPDX-License-Identifier: Apache-2.0 */
/* oct_reg_fields.h - the fields of the registers of oct_regs.h and oct_filter.h, for tools that
 * read a list: from it comes rtl/octrace.rdl. */
#ifndef OCT_REG_FIELDS_H
#define OCT_REG_FIELDS_H

#include "oct_filter.h"
#include "oct_regs.h"

/* R is read only, S the same and constant, RW keeps what is written, W1C clears where a 1 is
 * written, W cannot be read. */
typedef enum oct_reg_access {
  OCT_REG_R,
  OCT_REG_S,
  OCT_REG_RW,
  OCT_REG_W1C,
  OCT_REG_W
} oct_reg_access;

/* Registers of filters and comparators stand so far apart. */
#define OCT_REG_STEP 0x20
/* A reset value that follows from parameters. */
#define OCT_REG_PARAMETER UINT32_MAX

/* X(register's offset, its name, field, highest bit, lowest bit, access, reset, text): those of a
 * register in a row, registers in the order of their offsets. */
#define OCT_REG_FIELDS(X)                                                                          \
  X(OCT_REG_ID, "ID", "id", 31, 0, OCT_REG_S, OCT_REGS_ID, "the characters OCTR")                  \
  X(OCT_REG_CTRL, "CTRL", "enable", 0, 0, OCT_REG_RW, 1, "events are traced")                      \
  X(OCT_REG_SYNC_PERIOD, "SYNC_PERIOD", "insns", 31, 0, OCT_REG_RW, OCT_REG_PARAMETER,             \
    "instructions between syncs, 0 = only the first; after reset SYNC_PERIOD_INSNS or SYNC_INSNS") \
  X(OCT_REG_ATID, "ATID", "id", 6, 0, OCT_REG_RW, 1,                                               \
    "source number on the trace bus, 1 to 0x6f; other writes are ignored")                         \
  X(OCT_REG_OVERFLOWS, "OVERFLOWS", "count", 15, 0, OCT_REG_R, 0, "overflows, up to 65535")        \
  X(OCT_REG_LOST_INSNS, "LOST_INSNS", "count", 15, 0, OCT_REG_R, 0, "instructions dropped")        \
  X(OCT_REG_LOST_ACCESSES, "LOST_ACCESSES", "count", 15, 0, OCT_REG_R, 0, "data accesses dropped") \
  X(OCT_REG_HIGH_STREAM, "HIGH_STREAM", "most", 15, 0, OCT_REG_R, 0,                               \
    "most entries in the stream buffer (shadow: instructions in gather's FIFO)")                   \
  X(OCT_REG_HIGH_DATA, "HIGH_DATA", "most", 15, 0, OCT_REG_R, 0,                                   \
    "most entries in the data buffer (shadow: words of the queue)")                                \
  X(OCT_REG_HIGH_OUT, "HIGH_OUT", "most", 15, 0, OCT_REG_R, 0, "most bytes in the output FIFO")    \
  X(OCT_REG_CLEAR, "CLEAR", "clear", 31, 0, OCT_REG_W, 0,                                          \
    "any value resets the counts and marks from OVERFLOWS on, and LOST_TRAPS")                     \
  X(OCT_REG_ERRORS, "ERRORS", "access", 0, 0, OCT_REG_W1C, 0, "an access without an instruction")  \
  X(OCT_REG_ERRORS, "ERRORS", "address", 1, 1, OCT_REG_W1C, 0, "a misaligned instruction address") \
  X(OCT_REG_ERRORS, "ERRORS", "size", 2, 2, OCT_REG_W1C, 0, "a wrong size of an instruction")      \
  X(OCT_REG_ERRORS, "ERRORS", "adapter", 3, 3, OCT_REG_W1C, 0,                                     \
    "a rule of the adapter's interface, or events dropped by a closed gate")                       \
  X(OCT_REG_ERRORS, "ERRORS", "trap", 4, 4, OCT_REG_W1C, 0,                                        \
    "a trap beside another event, or of no kind")                                                  \
  X(OCT_REG_ERRORS, "ERRORS", "time", 5, 5, OCT_REG_W1C, 0, "a time that went back")               \
  X(OCT_REG_TIME, "TIME", "trTsActive", 0, 0, OCT_REG_R, OCT_REG_PARAMETER, "stamps exist")        \
  X(OCT_REG_TIME, "TIME", "trTsMode", 6, 4, OCT_REG_R, OCT_REG_PARAMETER,                          \
    "1 the core's time, 3 cycles of the compressor")                                               \
  X(OCT_REG_TIME, "TIME", "trTsEnable", 15, 15, OCT_REG_R, OCT_REG_PARAMETER, "stamps exist")      \
  X(OCT_REG_TIME, "TIME", "trTsWidth", 29, 24, OCT_REG_R, OCT_REG_PARAMETER, "bits, 63 at most")   \
  X(OCT_REG_LOST_TRAPS, "LOST_TRAPS", "count", 15, 0, OCT_REG_R, 0, "traps dropped")               \
  X(OCT_REG_TR_TE_CONTROL, "trTeControl", "trTeInstTracing", 2, 2, OCT_REG_RW, 1,                  \
    "instructions are traced")                                                                     \
  X(OCT_REG_TR_TE_CONTROL, "trTeControl", "trTeInstTrigEnable", 11, 11, OCT_REG_RW, 0,             \
    "triggers switch that")                                                                        \
  X(OCT_REG_TR_TE_INST_FILTERS, "trTeInstFilters", "trTeInstFilters", OCT_FILTERS_MAX - 1, 0,      \
    OCT_REG_RW, 0, "bit i: filter i chooses instructions; all 0: every instruction")               \
  X(OCT_REG_TR_TE_DATA_CONTROL, "trTeDataControl", "trTeDataImplemented", 0, 0, OCT_REG_S, 1,      \
    "there is one")                                                                                \
  X(OCT_REG_TR_TE_DATA_CONTROL, "trTeDataControl", "trTeDataTracing", 1, 1, OCT_REG_RW, 1,         \
    "accesses are traced")                                                                         \
  X(OCT_REG_TR_TE_DATA_CONTROL, "trTeDataControl", "trTeDataTrigEnable", 2, 2, OCT_REG_RW, 0,      \
    "triggers switch that")                                                                        \
  X(OCT_REG_TR_TE_DATA_FILTERS, "trTeDataFilters", "trTeDataFilters", OCT_FILTERS_MAX - 1, 0,      \
    OCT_REG_RW, 0, "bit i: filter i chooses accesses; all 0: every access")                        \
  X(OCT_REG_TR_TE_TRIG_EXT_IN, "trTeTrigExtInControl", "trTeTrigExtInAction0", 3, 0, OCT_REG_RW,   \
    0, "of trigger 0: 2 on, 3 off, 0 none; others become none")                                    \
  X(OCT_REG_TR_TE_TRIG_EXT_IN, "trTeTrigExtInControl", "trTeTrigExtInAction1", 7, 4, OCT_REG_RW,   \
    0, "of trigger 1")                                                                             \
  X(OCT_REG_TR_TE_FILTER_CONTROL, "trTeFilterControl", "trTeFilterEnable", 0, 0, OCT_REG_RW, 0,    \
    "the filter may be met")                                                                       \
  X(OCT_REG_TR_TE_FILTER_CONTROL, "trTeFilterControl", "trTeFilterMatchPrivilege", 1, 1,           \
    OCT_REG_RW, 0, "it asks for a privilege")                                                      \
  X(OCT_REG_TR_TE_FILTER_CONTROL, "trTeFilterControl", "trTeFilterMatchComp1", 4, 4, OCT_REG_RW,   \
    0, "it asks for a comparator")                                                                 \
  X(OCT_REG_TR_TE_FILTER_CONTROL, "trTeFilterControl", "trTeFilterComp1", 7, 5, OCT_REG_RW, 0,     \
    "its number")                                                                                  \
  X(OCT_REG_TR_TE_FILTER_CONTROL, "trTeFilterControl", "trTeFilterMatchComp2", 8, 8, OCT_REG_RW,   \
    0, "it asks for a second one")                                                                 \
  X(OCT_REG_TR_TE_FILTER_CONTROL, "trTeFilterControl", "trTeFilterComp2", 11, 9, OCT_REG_RW, 0,    \
    "its number")                                                                                  \
  X(OCT_REG_TR_TE_FILTER_CONTROL, "trTeFilterControl", "trTeFilterMatchComp3", 12, 12, OCT_REG_RW, \
    0, "it asks for a third one")                                                                  \
  X(OCT_REG_TR_TE_FILTER_CONTROL, "trTeFilterControl", "trTeFilterComp3", 15, 13, OCT_REG_RW, 0,   \
    "its number")                                                                                  \
  X(OCT_REG_TR_TE_FILTER_INST, "trTeFilterMatchInst", "trTeFilterMatchChoicePrivilege", 7, 0,      \
    OCT_REG_RW, 0, "bit p allows level p")                                                         \
  X(OCT_REG_TR_TE_COMP_CONTROL, "trTeCompControl", "trTeCompPInput", 1, 0, OCT_REG_RW, 0,          \
    "0 address of the instruction, 1 task, 3 address of the access")                               \
  X(OCT_REG_TR_TE_COMP_CONTROL, "trTeCompControl", "trTeCompSInput", 3, 2, OCT_REG_RW, 0,          \
    "likewise")                                                                                    \
  X(OCT_REG_TR_TE_COMP_CONTROL, "trTeCompControl", "trTeCompPFunction", 6, 4, OCT_REG_RW, 0,       \
    "0 equal, 1 not equal, 2 less, 3 at most, 4 greater, 5 at least, 6 never, 7 always")           \
  X(OCT_REG_TR_TE_COMP_CONTROL, "trTeCompControl", "trTeCompSFunction", 10, 8, OCT_REG_RW, 0,      \
    "likewise; 6: its value is the mask of the primary one")                                       \
  X(OCT_REG_TR_TE_COMP_CONTROL, "trTeCompControl", "trTeCompMatchMode", 13, 12, OCT_REG_RW, 0,     \
    "0 the primary, 1 both, 2 not both, 3 a span")                                                 \
  X(OCT_REG_TR_TE_COMP_P_MATCH_LOW, "trTeCompPMatchLow", "value", 31, 0, OCT_REG_RW, 0,            \
    "value of the primary comparator")                                                             \
  X(OCT_REG_TR_TE_COMP_P_MATCH_HIGH, "trTeCompPMatchHigh", "value", 31, 0, OCT_REG_RW, 0,          \
    "its upper half, as far as an address has it")                                                 \
  X(OCT_REG_TR_TE_COMP_S_MATCH_LOW, "trTeCompSMatchLow", "value", 31, 0, OCT_REG_RW, 0,            \
    "value of the secondary comparator")                                                           \
  X(OCT_REG_TR_TE_COMP_S_MATCH_HIGH, "trTeCompSMatchHigh", "value", 31, 0, OCT_REG_RW, 0,          \
    "its upper half, as far as an address has it")

#endif
