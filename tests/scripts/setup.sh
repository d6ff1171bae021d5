#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# setup.sh - scripts/setup installs what is missing and nothing else, with scripts in place of
# Debian's tools.
. "$(dirname "$0")/../tools/lib.sh"

mkdir bin
cat >bin/dpkg-query <<'END'
#!/bin/sh
for package; do :; done
case $package in
removed) echo not-installed ;;
broken) echo half-installed ;;
config) echo config-files ;;
both) printf 'config-files\ninstalled\n' ;; # two architectures
unknown) echo "no packages found matching $package" >&2; exit 1 ;;
*) echo installed ;;
esac
END
printf '#!/bin/sh\necho "apt-get $*" >>apt.log\n' >bin/apt-get
printf '#!/bin/sh\necho "${USER_ID:-0}"\n' >bin/id
chmod +x bin/*
setup() {
  : >apt.log
  PATH="$work/bin:$PATH" "$SOURCE/scripts/setup" "$@"
}

expect 0 setup both zstd
[ ! -s apt.log ] || die "fetched though all was there: $(cat apt.log)"
for missing in removed broken config unknown; do
  expect 0 setup both "$missing" zstd
  contains apt.log '^apt-get update'
  contains apt.log "^apt-get install .* --no-install-recommends $missing$"
done
export USER_ID=1000
expect 0 setup both
expect 1 setup removed both
contains err '^setup: these packages are needed, run as root to install them: removed$'
[ ! -s apt.log ] || die "fetched without root"
