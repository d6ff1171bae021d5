/* SPDX-License-Identifier: Apache-2.0 */
/* oct_inline.h - steps that are specialised where they are called. */
#ifndef OCT_INLINE_H
#define OCT_INLINE_H

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OCT_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OCT_SANITIZED 1
#endif

/* A function that becomes part of each caller, so that arguments which are constant there cost
 * nothing. Sanitizers check the same code in one copy: many copies take minutes to compile. */
#ifdef OCT_SANITIZED
#define OCT_INLINE static inline
#else
#define OCT_INLINE static inline __attribute__((always_inline))
#endif

/* A hot loop that keeps the registers to itself: merged into its caller by the linker it spills. */
#define OCT_NO_INLINE __attribute__((noinline))

#endif
