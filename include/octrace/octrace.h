/* SPDX-License-Identifier: Apache-2.0 */
/* octrace.h - all of liboctrace (docs/library.md). Each header can be included without the others.
 * feed.h, for programs that write traces without the library, is not among them.
 *
 * Threads: as each header says. */
#ifndef OCTRACE_H
#define OCTRACE_H

#include "cache.h"
#include "codec.h"
#include "container.h"
#include "error.h"
#include "map.h"
#include "sweep.h"
#include "trace.h"
#include "tracer.h"

#endif
