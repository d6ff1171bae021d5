/* SPDX-License-Identifier: Apache-2.0 */
/* oct_tracer_list.h - the tracers, in the order in which they are listed. X(paper) stands for
 * oct_tracer_paper, built by model/paper/meson.build. */
#ifndef OCT_TRACER_LIST_H
#define OCT_TRACER_LIST_H

// clang-format off
#define OCT_TRACERS(X) \
  X(paper) \
  X(raw) \
  X(shadow) \
  X(etrace) \
  X(ntrace) \
  X(intel_pt) \
  X(etmv4)
// clang-format on

#endif
