/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_atc.c - any INFO, and any pieces of a chunk, as an ATC directory: all end with a result.
 *
 * First byte 0: the rest is the text of INFO, to which the right hash is put. 1: the rest is INFO
 * as a file of any second stage. 7: the text of INFO behind its length, two bytes, the file of
 * chunk 1 likewise, and that of chunk 2. Else it is the one piece of a chunk, packed by stage (byte
 * - 2) % 5, of which the lists and the hash of the packed bytes are right: checksums would keep
 * most inputs from the decoder. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "octrace/codec.h"
#include "oct_atc_info.h"
#include "oct_fuzz.h"

enum { VALUES = 512 };

static const char *folder;

static const char *path_of(const char *name) {
  static char path[4200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void remove_folder(void) {
  unlink(path_of("INFO"));
  unlink(path_of("1"));
  unlink(path_of("2"));
  rmdir(folder);
}

static void save(const char *name, const uint8_t *data, size_t size) {
  FILE *f = fopen(path_of(name), "wb");
  if (!f || fwrite(data, 1, size, f) != size || fclose(f)) abort();
}

/* The text with the line that ends it. */
static char *with_end(const char *text, size_t n, size_t *n_whole) {
  char *whole = malloc(n + 32);
  if (!whole) abort();
  memcpy(whole, text, n);
  *n_whole = n + (size_t)sprintf(whole + n, "end %016" PRIx64 "\n", XXH64(text, n, 0));
  return whole;
}

static void read_folder(void) {
  static uint64_t values[VALUES];
  oct_atc_options o;
  oct_atc atc;
  oct_atc_options_init(&o);
  o.n_threads = 0;
  if (!oct_atc_open_options(&atc, 'd', folder, &o))
    for (int i = 0; i < 200 && oct_atc_get(&atc, values, VALUES) > 0;) i++;
  oct_atc_close(&atc);
}

static void fuzz_piece(unsigned stage, const uint8_t *data, size_t size) {
  static const char *const names[] = {"none", "gzip", "bzip2", "xz", "zstd"};
  char text[512];
  size_t n_values = size >= 2 ? 1 + (data[0] | (size_t)data[1] << 8) % 2000 : 1, n;
  data += size >= 2 ? 2 : size;
  size -= size >= 2 ? 2 : size;
  if (!size) return;
  int length = snprintf(
      text, sizeof text,
      "ATC 1\nmode lossy\nstage %s\nbuffer 100\ninterval %zu\nthreshold 0.1\n"
      "chunk %zu 0123456789abcdef\npiece %zu %zu %016" PRIx64 "\ncopy 1\naddresses %zu\n",
      names[stage], n_values, n_values, size, 8 * n_values, XXH64(data, size, 1), 2 * n_values);
  char *whole = with_end(text, (size_t)length, &n);
  save("INFO", (const uint8_t *)whole, n);
  save("1", data, size);
  read_folder();
  free(whole);
}

static size_t take_size(const uint8_t **data, size_t *size) {
  if (*size < 2) return 0;
  size_t n = (*data)[0] | (size_t)(*data)[1] << 8;
  *data += 2, *size -= 2;
  return n < *size ? n : *size;
}

static void fuzz_archive(const uint8_t *data, size_t size) {
  size_t n_text = take_size(&data, &size), n_whole;
  char *whole = with_end((const char *)data, n_text, &n_whole);
  save("INFO", (const uint8_t *)whole, n_whole);
  free(whole);
  data += n_text, size -= n_text;
  size_t n = take_size(&data, &size);
  save("1", data, n);
  save("2", data + n, size - n);
  read_folder();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static int ready;
  if (!ready) {
    ready = 1;
    folder = fuzz_folder();
    atexit(remove_folder);
  }
  if (!size) return 0;
  if (data[0] == 0) {
    oct_atc_info info;
    oct_diag diag;
    size_t n;
    char *whole = with_end((const char *)data + 1, size - 1, &n);
    oct_atc_info_parse(whole, n, &info, &diag);
    oct_atc_info_free(&info);
    free(whole);
  } else if (data[0] == 1) {
    save("INFO", data + 1, size - 1);
    save("1", data, size);
    read_folder();
  } else if (data[0] == 7) {
    fuzz_archive(data + 1, size - 1);
  } else {
    fuzz_piece((data[0] - 2u) % 5, data + 1, size - 1);
  }
  return 0;
}
