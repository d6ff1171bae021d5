/* SPDX-License-Identifier: Apache-2.0 */
/* execlog_lines.c - a QEMU plugin that prints the lines which QEMU documents for its plugin
 * execlog, which Debian does not package: `cpu, 0xPC, 0xOPCODE, "disassembly"[, load|store,
 * 0xADDR]...`. */
#include "../../../tools/qemu/oct_qemu_plugin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *qemu_plugin_insn_disas(const struct qemu_plugin_insn *insn);

OCT_QEMU_EXPORT int qemu_plugin_version = OCT_QEMU_API_VERSION;
static FILE *out;
static int begun;

static void exec(unsigned cpu, void *text) {
  fprintf(out, "%s%u, %s", begun ? "\n" : "", cpu, (const char *)text);
  begun = 1;
}

static void mem(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t addr, void *user) {
  (void)cpu, (void)user;
  fprintf(out, ", %s, 0x%08" PRIx64, qemu_plugin_mem_is_store(info) ? "store" : "load", addr);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
  (void)id;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
    struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
    char *disas = qemu_plugin_insn_disas(insn), *text = malloc(strlen(disas) + 64);
    uint32_t opcode = 0;
    memcpy(&opcode, qemu_plugin_insn_data(insn), sizeof opcode);
    sprintf(text, "0x%" PRIx64 ", 0x%" PRIx32 ", \"%s\"", qemu_plugin_insn_vaddr(insn), opcode,
            disas);
    qemu_plugin_register_vcpu_mem_cb(insn, mem, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, NULL);
    qemu_plugin_register_vcpu_insn_exec_cb(insn, exec, QEMU_PLUGIN_CB_NO_REGS, text);
  }
}

static void ended(qemu_plugin_id_t id, void *user) {
  (void)id, (void)user;
  fputc('\n', out);
  fclose(out);
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv) {
  (void)info;
  out = argc == 1 && !strncmp(argv[0], "out=", 4) ? fopen(argv[0] + 4, "w") : NULL;
  if (!out) return -1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
