/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_main.c - runs a fuzz target over the files given, where there is no libFuzzer. */
#include "oct_fuzz.h"

int main(int argc, char **argv) {
  static uint8_t bytes[1 << 20];
  for (int i = 1; i < argc; i++) {
    FILE *f = fopen(argv[i], "rb");
    if (!f) {
      perror(argv[i]);
      return 1;
    }
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    printf("%s\n", argv[i]);
    fflush(stdout);
    LLVMFuzzerTestOneInput(bytes, n);
  }
  return 0;
}
