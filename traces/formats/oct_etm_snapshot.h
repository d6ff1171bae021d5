/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm_snapshot.h - inside of the library: a snapshot folder, as Arm's tools write them: the
 * bytes of a trace buffer, how the trace units were set, and what stood in memory. */
#ifndef OCT_ETM_SNAPSHOT_H
#define OCT_ETM_SNAPSHOT_H

#include <stdbool.h>

#include "octrace/error.h"
#include "octrace/trace.h"

/* Registers of an ETMv4 that its stream depends on. */
typedef enum oct_etm_reg {
  OCT_ETM_CONFIGR,
  OCT_ETM_TRACEIDR,
  OCT_ETM_IDR0,
  OCT_ETM_IDR1,
  OCT_ETM_IDR2,
  OCT_ETM_IDR8,
  OCT_ETM_IDR9,
  OCT_ETM_IDR10,
  OCT_ETM_IDR11,
  OCT_ETM_IDR12,
  OCT_ETM_IDR13,
  OCT_ETM_REGS
} oct_etm_reg;

enum { OCT_ETM_NAME_BYTES = 64 };

/* A trace unit, or a core. */
typedef struct oct_etm_device {
  char name[OCT_ETM_NAME_BYTES], type[OCT_ETM_NAME_BYTES], class_name[OCT_ETM_NAME_BYTES];
  char of[OCT_ETM_NAME_BYTES];     /* of a trace unit: the name of its core, */
  char buffer[OCT_ETM_NAME_BYTES]; /* and of the buffer that it writes to */
  uint32_t regs[OCT_ETM_REGS];
  uint32_t has_regs; /* bit number r: register r is told */
} oct_etm_device;

/* Bytes that stood in memory at addr. */
typedef struct oct_etm_dump {
  uint64_t addr;
  uint8_t *bytes;
  size_t n_bytes;
} oct_etm_dump;

typedef struct oct_etm_snapshot {
  oct_buffer devices, dumps; /* arrays of the above */
  uint8_t *bytes;            /* of the trace buffer */
  size_t n_bytes;
  char buffer[OCT_ETM_NAME_BYTES];            /* its name */
  char absent[OCT_LACKING_NAME_BYTES];        /* the first file that is named but not there, */
  unsigned n_absent;                          /* of so many, */
  char absent_device[OCT_LACKING_NAME_BYTES]; /* and the first of them that tells of a device */
  bool is_ours;                               /* octrace wrote it: the trace says where it ends */
  bool is_framed; /* frames of the CoreSight formatter; else one source's bytes */
} oct_etm_snapshot;

/* Read the snapshot whose list, snapshot.ini, is at path. Of several trace buffers the first is
 * taken. OCT_ERR_IO, OCT_ERR_FORMAT, OCT_ERR_UNSUPPORTED, OCT_ERR_NOMEM, with *diag; s is to be
 * freed in every case. */
int oct_etm_snapshot_read(oct_etm_snapshot *s, const char *path, oct_diag *diag);
void oct_etm_snapshot_free(oct_etm_snapshot *s);

static inline size_t oct_etm_n_devices(const oct_etm_snapshot *s) {
  return s->devices.n_bytes / sizeof(oct_etm_device);
}
static inline oct_etm_device *oct_etm_device_at(const oct_etm_snapshot *s, size_t i) {
  return (oct_etm_device *)(void *)s->devices.bytes + i;
}
/* The device of that name, or NULL. */
oct_etm_device *oct_etm_device_of(const oct_etm_snapshot *s, const char *name);

/* The bytes at addr, of the dump that has most: how many is *n; NULL: none are told. */
const uint8_t *oct_etm_memory(const oct_etm_snapshot *s, uint64_t addr, size_t *n);

#endif
