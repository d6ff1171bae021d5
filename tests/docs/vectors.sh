#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# vectors.sh - does docs/shadow-operations.md tell the number of its vectors?
set -eu
counted=$(grep -vh '^#' "$SOURCE"/tests/traces/data/shadow-ops/*.txt | wc -l)
grep -q "has $counted instructions with their operations" "$SOURCE/docs/shadow-operations.md" || {
  echo "there are $counted vectors; docs/shadow-operations.md has another number" >&2
  exit 1
}
