#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# prove.sh - do proofs fail on Verilog with a fault, and hold on the same without?
. "$(dirname "$0")/../tools/lib.sh"

"$SOURCE/scripts/hw" plant --copy bad --only 'FIFO counts a push with a pop'
expect 1 "$SOURCE/scripts/hw" prove --jobs 1 --rtl bad --only oct_fifo
contains out '^FAILED  oct_fifo  *induction .*DEPTH=8$'
contains out '^FAILED  oct_fifo  *cover '
contains out '^prove: [0-9]* proved, [1-9][0-9]* failed$'
expect 0 "$SOURCE/scripts/hw" prove --jobs 1 --only oct_fifo
contains out '^proved  oct_fifo  *induction .*DEPTH=8$'
contains out '^prove: [1-9][0-9]* proved, 0 failed$'
# Nothing to prove is not a proof.
expect 2 "$SOURCE/scripts/hw" prove --only nonesuch
contains err 'no proof is of such a module'
