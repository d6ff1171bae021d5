#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# vectors.sh - does docs/effects.md tell the number of its vectors?
set -eu
counted=$(grep -vh '^#' "$SOURCE"/tests/traces/data/shadow-ops/*.txt | wc -l)
grep -q "has $counted instructions with their effects" "$SOURCE/docs/effects.md" || {
  echo "there are $counted vectors; docs/effects.md has another number" >&2
  exit 1
}
