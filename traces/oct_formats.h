/* SPDX-License-Identifier: Apache-2.0 */
/* oct_formats.h - inside of the library: the formats, each defined by the file of its reader. */
#ifndef OCT_FORMATS_H
#define OCT_FORMATS_H

#include "oct_reader_format.h"

extern const oct_format_desc oct_native_format, oct_text_format, oct_bin32_format, oct_bin64_format,
    oct_simplescalar_format, oct_lackey_format, oct_din_format, oct_xdin_format, oct_dinbin_format,
    oct_champsim_format, oct_cloudsuite_format, oct_spike_format, oct_execlog_format,
    oct_gem5_format, oct_drmemtrace_format, oct_cvp_format, oct_pinatrace_format, oct_vpc3_format,
    oct_pc_format, oct_pc32_format, oct_pc64_format, oct_da_format, oct_da32_format,
    oct_da64_format;
extern const oct_writer_ops oct_native_writer;

/* The trace files in a folder of drmemtrace, by name, which the caller frees, also on failure.
 * OCT_ERR_FORMAT when there is none, OCT_ERR_NOMEM. */
int oct_drmemtrace_list(const char *folder, char ***paths, size_t *n_paths, oct_diag *diag);

#endif
