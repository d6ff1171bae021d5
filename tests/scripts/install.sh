#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh - what is installed works alone: each header, the library with what pkg-config says of
# it, shared and static, from C and from C++; program, man pages and completion are there.
. "$(dirname "$0")/../tools/lib.sh"

meson install -C "$BUILD" --no-rebuild --quiet --destdir "$work/root" >log 2>&1 || { cat log >&2; die install; }
headers=$(find root -type d -path '*/include/octrace')
count=0
for header in "$headers"/*.h; do
  "$CC" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$headers" -x c -fsyntax-only -include "$header" /dev/null
  "$CXX" -std=c++17 -Wall -Wextra -Wpedantic -Werror -I"$headers" -x c++ -fsyntax-only \
    -include "$header" /dev/null
  count=$((count + 1))
done
[ "$count" -ge 10 ] || die "$count headers"

PKG_CONFIG_LIBDIR=$(dirname "$(find root -name octrace.pc)"):$(pkg-config --variable pc_path pkg-config)
export PKG_CONFIG_LIBDIR
version=$(pkg-config --modversion octrace)
cat >user.c <<'END'
#include <oct_container.h>
#include <oct_reader.h>
#include <oct_tracer.h>
#include <stdio.h>

int main(int argc, char **argv) {
  oct_reader *r;
  oct_batch b;
  oct_diag d;
  const oct_tracer *tracer = oct_tracer_find("paper");
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  void *decoder;
  unsigned long long n = 0;
  oct_tracer_defaults(tracer, params);
  if (argc < 2 || oct_reader_open(argv[1], NULL, &r, &d) < 0) return 1;
  while (oct_reader_next(r, &b, &d) > 0) n += b.n_insns;
  oct_reader_close(r);
  if (tracer->decoder.create(params, OCT_START_IN_STEP, &decoder, &d) < 0) return 1;
  tracer->decoder.destroy(decoder);
  printf("%llu\n", n);
  return 0;
}
END
tiny_trace 100 >t.txt
# The folder is not where the .pc file says: the linker and the loader are told.
library=$(dirname "$(find "$work/root" -name liboctrace.a)")
cflags="$(pkg-config --cflags octrace | sed "s|-I/|-I$work/root/|g")"
# shellcheck disable=SC2046,SC2086 # lists of options
{
  "$CC" $cflags user.c -o shared -L"$library" $(pkg-config --libs octrace)
  "$CXX" $cflags -x c++ user.c -x none -o shared-cxx -L"$library" $(pkg-config --libs octrace)
  "$CC" $cflags user.c -o static "$library/liboctrace.a" \
    $(pkg-config --static --libs octrace | sed 's/-loctrace//g')
}
export LD_LIBRARY_PATH="$library"
for program in shared shared-cxx static; do
  [ "$("./$program" t.txt)" = 400 ] || die "$program"
done
ldd shared | grep -q liboctrace || die "shared is not linked to the shared library"
unset LD_LIBRARY_PATH
"./static" t.txt >out

# octrace.h has them all but feed.h, and nothing of the events' library.
for header in "$headers"/*.h; do
  name=$(basename "$header")
  case $name in
    oct_ev_* | feed.h | octrace.h) continue ;;
  esac
  grep -q "\"$name\"" "$headers/octrace.h" || die "octrace.h lacks $name"
done

# The example of the page does what the page says, with every tracer that takes the trace.
sed -n '/^```c$/,/^```$/p' "$SOURCE/docs/library.md" | sed '1d;$d' >example.c
# shellcheck disable=SC2046,SC2086 # lists of options
"$CC" -std=c11 -Wall -Wextra -Werror $cflags example.c -o example -L"$library" $(pkg-config --libs octrace)
export LD_LIBRARY_PATH="$library"
expect 0 ./example t.txt
contains out '^paper: 400 instructions, [0-9.]* port bits each$'
expect 0 ./example t.txt raw
contains out '^raw: 400 instructions'
expect 2 ./example t.txt nonesuch
# What no header declares is hidden.
nm -D --defined-only "$library/liboctrace.so" | sed 's/.* //' >symbols
grep -q '^oct_source_open' symbols || die "oct_source_open is not exported"
! grep -E '^(oct_untimed_put|oct_top_cycle|oct_raw_decoder_next)' symbols || die "not hidden"
! grep -v '^oct_\|^octrace' symbols || die "names of others are exported"
# C++ finds each function of the library: a header without extern "C" asks for another name.
{
  printf '#include <octrace/octrace.h>\nusing any = void (*)();\nextern const any all[];\nconst any all[] = {\n'
  nm -D --defined-only "$library/liboctrace.so" | sed -n 's/.* T \(oct_.*\)/    reinterpret_cast<any>(\1),/p'
  printf '};\nint main() { return sizeof all / sizeof *all < 100; }\n'
} >all.cpp
# shellcheck disable=SC2046,SC2086 # lists of options
"$CXX" -std=c++17 $cflags all.cpp -o all -L"$library" $(pkg-config --libs octrace)
expect 0 ./all
unset LD_LIBRARY_PATH

# Event traces have a library of their own.
printf '#include <oct_ev_source.h>\n#include <oct_ev_types.h>\nint main(void) { return oct_ev_source_close == 0; }\n' >ev.c
# shellcheck disable=SC2046,SC2086 # lists of options
"$CC" $cflags ev.c -o ev -L"$library" $(pkg-config --static --libs octrace_events)

octrace=$(find root -path '*/bin/octrace')
[ "$("./$octrace" --version)" = "octrace $version" ] || die "version"
for page in octrace $("./$octrace" help | sed -nE 's/^  ([a-z]+) .*/octrace-\1/p'); do
  [ -s "$(find root -name "$page.1*")" ] || die "no man page $page"
done
[ -s "$(find root -path '*/bash-completion/completions/octrace')" ] || die "no completion"

# The recorder finds the plugin and octrace beside it.
capture=$(find root -path '*/bin/octrace-capture')
"./$capture" --help | grep -q usage: || die "octrace-capture --help"
if command -v qemu-x86_64 >/dev/null && [ "$(uname -m)" = x86_64 ]; then
  printf 'int main(void) { return 0; }\n' | "$CC" -static -x c - -o small
  LD_LIBRARY_PATH=$library "./$capture" --limit 2000 -o small.oct -- ./small
  [ -s small.oct ] || die "octrace-capture recorded nothing"
fi
