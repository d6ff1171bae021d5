#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""verify.py - the bundled traces there and back at a named geometry, and how much may be lost.

Usage: verify.py GEOMETRY LOSS CPI ACCESSES [OPTION...] TRACE...

Without time nothing may be lost. In the cycle engine, with one instruction a cycle, at most LOSS per
cent of all instructions may be, with CPI cycles an instruction none; nor any access unless ACCESSES
is `lossy`: one instruction may make more of them than the buffers of a tiny machine hold. What is
lost must be the same number wherever it is told.
"""
import json
import os
import subprocess
import sys

EXIT_LOSS = 3


def fail(message):
    sys.exit(f"FAIL: {message}")


def same(trace, what, *numbers):
    if len(set(numbers)) != 1:
        fail(f"{trace}: {what}: {', '.join(map(str, numbers))}")


def verify(options):
    """The results of `octrace verify`, after checking that its numbers agree."""
    run = subprocess.run([os.environ["OCTRACE"], "verify", "--json", *options],
                         stdout=subprocess.PIPE, check=False)
    if run.returncode not in (0, EXIT_LOSS):
        fail(f"exit code {run.returncode}: {options}")
    results = json.loads(run.stdout)
    for r in results:
        report = r["report"]
        where = f'{r["trace"]}: {r["engine"]}'
        same(where, "lost instructions", r["lost_instructions"], report["lost_instructions"])
        same(where, "lost accesses", r["lost_accesses"], report["lost_accesses"])
        same(where, "gaps", r["gaps"], report["overflows"])
        same(where, "instructions", r["instructions"],
             r["instructions_equal"] + r["lost_instructions"],
             report["instructions"] + r["lost_instructions"])
        if not r["gaps"] and r["lost_instructions"] + r["lost_accesses"]:
            fail(f"{where}: loss without a gap")
        if r["gaps"] and not r["lost_instructions"] + r["lost_accesses"] + report["terminators"]:
            fail(f"{where}: a gap without loss")
    lossy = any(r["gaps"] for r in results)
    same("verify", "exit code", run.returncode, EXIT_LOSS if lossy else 0)
    return results


def total(results, key):
    return sum(r[key] for r in results)


def main():
    geometry, loss, cpi, accesses = sys.argv[1:5]
    options = ["-g", geometry, *sys.argv[5:]]
    untimed = verify(["--engine", "untimed", *options])
    if total(untimed, "gaps"):
        fail("loss without time")

    full = verify(["--engine", "cycle", *options])
    for a, b in zip(untimed, full):
        same(a["trace"], "instructions of both engines", a["instructions"], b["instructions"])
        same(a["trace"], "accesses of both engines", a["report"]["accesses"],
             b["report"]["accesses"] + b["lost_accesses"])
    lost, insns = total(full, "lost_instructions"), total(full, "instructions")
    print(f"one instruction a cycle: {100 * lost / insns:.2f} % lost")
    if lost * 100 > float(loss) * insns:
        fail(f"{lost} of {insns} instructions lost, {loss} % are the most")

    # Slowly; a part will do.
    paced = verify(["--engine", "cycle", *options, "--arrival", f"cpi={cpi}",
                    "--limit", str(480000 // int(cpi))])
    for r in paced:
        if r["report"]["cycle_model"]["cycles"] < r["instructions"] * int(cpi):
            fail(f'{r["trace"]}: {r["report"]["cycle_model"]["cycles"]} cycles')
        if r["lost_instructions"] or (r["lost_accesses"] and accesses != "lossy"):
            fail(f'{r["trace"]}: {r["lost_instructions"]} instructions and {r["lost_accesses"]} '
                 f"accesses lost at {cpi} cycles an instruction")


main()
