/* SPDX-License-Identifier: Apache-2.0 */
/* test_folder.h - a folder of a test's own with two files. */
#ifndef OCT_TEST_FOLDER_H
#define OCT_TEST_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/oct_test_XXXXXX", whole_path[64], part_path[64];

static inline int make_folder(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return -1;
  snprintf(whole_path, sizeof whole_path, "%s/whole", folder);
  snprintf(part_path, sizeof part_path, "%s/part", folder);
  return 0;
}

static inline int remove_folder(void **state) {
  (void)state;
  unlink(whole_path);
  unlink(part_path);
  return rmdir(folder);
}

#endif
