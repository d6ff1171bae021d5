#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# seeds.sh - does tests/seeds run the random cases alone, each with every seed, and name the seeds that fail?
. "$(dirname "$0")/../tools/lib.sh"

cat >t.c <<'C'
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void count(const char *file) {
  FILE *f = fopen(file, "a");
  fputc('x', f);
  fclose(f);
}

static void is_fixed(void **state) {
  (void)state;
  count("fixed");
}

static void is_random(void **state) {
  (void)state;
  count("random");
  assert_true(atoi(getenv("OCT_TEST_SEED")) < 13);
}

int main(void) {
  const struct CMUnitTest one[] = {cmocka_unit_test(is_fixed)}, other[] = {cmocka_unit_test(is_random)};
  return cmocka_run_group_tests(one, NULL, NULL) || cmocka_run_group_tests(other, NULL, NULL);
}
C
printf '#!/bin/sh\n[ "$OCT_TEST_SEED" != 12 ] || { echo twelve; exit 3; }\n' >script
chmod +x script
mkdir -p build/meson-info
cc -o t t.c -lcmocka
row() { printf '{"cmd": ["%s"%s], "env": {}, "name": "%s", "suite": ["octrace:x"]}' "$work/$1" "$3" "$2"; }
printf '[%s, %s, %s, %s]' "$(row t 'a program' '')" "$(row t 'the same' ', "1"')" "$(row script 'a script' '')" \
  "$(row t.c 'other' '')" >build/meson-info/intro-tests.json

expect 1 "$SOURCE/tests/seeds" --seeds 4 --first 11 build program same script
contains out '^| a program | 4 | 100 | [0-9]* | 13 14 |$'
contains out '^| a script | 4 | 100 | [0-9]* | 12 |$'
[ "$(grep -c '^seed 1[34]: status' out)" -eq 2 ] || die "seeds twice: $(cat out)"
contains out '^twelve$'
[ "$(grep -c '^|' out)" -eq 2 ] || die "other rows: $(cat out)"
# Two runs to time a seed, and one of all; each first child runs every case.
[ "$(cat build/fixed)" = xxx ] || die "the case without a seed ran $(cat build/fixed)"
[ "$(cat build/random)" = xxxxxxx ] || die "the random case ran $(cat build/random)"
