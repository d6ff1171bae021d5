/* SPDX-License-Identifier: Apache-2.0 */
/* oct_qemu_plugin.h - the part of QEMU's TCG plugin interface, API version 1, that the capture
 * plugin uses.
 *
 * Debian packages the emulators with plugin support but not the header, so the few names needed
 * are declared here; the functions themselves are exported by the emulator that loads the plugin.
 */
#ifndef OCT_QEMU_PLUGIN_H
#define OCT_QEMU_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OCT_QEMU_EXPORT __attribute__((visibility("default")))
#define OCT_QEMU_API_VERSION 1

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

/* What the emulator says of itself at load time. */
typedef struct qemu_info_t {
  const char *target_name;
  struct {
    int min;
    int cur;
  } version;
  bool system_emulation;
  struct {
    int smp_vcpus;
    int max_vcpus;
  } system;
} qemu_info_t;

/* Which registers a callback touches, and which accesses it wants to hear of. */
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS = 0 };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W = 2, QEMU_PLUGIN_MEM_RW = 3 };

typedef void (*qemu_plugin_tb_fn)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*qemu_plugin_vcpu_fn)(qemu_plugin_id_t id, unsigned vcpu);
typedef void (*qemu_plugin_exec_fn)(unsigned vcpu, void *user);
typedef void (*qemu_plugin_mem_fn)(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t addr,
                                   void *user);
typedef void (*qemu_plugin_syscall_fn)(qemu_plugin_id_t id, unsigned vcpu, int64_t number,
                                       uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
                                       uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8);
typedef void (*qemu_plugin_syscall_ret_fn)(qemu_plugin_id_t id, unsigned vcpu, int64_t number,
                                           int64_t result);
typedef void (*qemu_plugin_exit_fn)(qemu_plugin_id_t id, void *user);

/* Defined by the plugin. */
extern OCT_QEMU_EXPORT int qemu_plugin_version;
OCT_QEMU_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                        char **argv);

/* Defined by the emulator. Handles of blocks and instructions hold during the translation callback
 * only. */
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_tb_fn fn);
void qemu_plugin_register_vcpu_exit_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_fn fn);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_plugin_exec_fn fn,
                                            enum qemu_plugin_cb_flags flags, void *user);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_plugin_mem_fn fn,
                                      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
                                      void *user);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, qemu_plugin_syscall_fn fn);
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t id, qemu_plugin_syscall_ret_fn fn);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_plugin_exit_fn fn, void *user);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t number);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn); /* in the emulator's memory */
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);

#ifdef __cplusplus
}
#endif
#endif
