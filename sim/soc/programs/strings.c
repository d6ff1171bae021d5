/* SPDX-License-Identifier: Apache-2.0 */
/* strings.c - records, strings and branches in the manner of synthetic integer benchmarks. */
#include <string.h>

typedef struct record {
  struct record *next;
  int kind, value;
  char name[32];
} record;

static record records[8];

static int classify(const record *r, int turn) {
  switch ((r->kind + turn) % 4) {
    case 0:
      return r->value + turn;
    case 1:
      return r->value - turn;
    case 2:
      return strcmp(r->name, "record number 3") ? r->value * 3 : 0;
    default:
      return (int)strlen(r->name);
  }
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 8; i++) {
    records[i].next = &records[(i + 3) % 8];
    records[i].kind = i;
    records[i].value = 10 * i;
    strcpy(records[i].name, "record number x");
    records[i].name[14] = (char)('0' + i);
  }
  const record *r = records;
  for (int turn = 0; turn < 300; turn++, r = r->next) {
    record copy = *r;
    copy.kind ^= turn & 1;
    sum += classify(&copy, turn);
  }
  return sum != 29100;
}
