# SPDX-License-Identifier: Apache-2.0
"""seed - the seed of a random test, and the share of its cases that runs, as tests/test_random.h has them."""
import os
import random
import time

GIVEN, SHARE = os.environ.get("OCT_TEST_SEED"), os.environ.get("OCT_TEST_SHARE")


def seed(test):
    """The seed of the environment (OCT_TEST_SEED), else of the clock; printed."""
    number = int(GIVEN or str(int(time.time())), 0)
    print(f"{test}: OCT_TEST_SEED={number}", flush=True)
    return number


def some(cases):
    """The cases of a list that run: all, or those that OCT_TEST_SHARE (per cent) chooses, but one at least."""
    if SHARE is None:
        return list(cases)
    rng = random.Random(f"{GIVEN} {len(cases)}")
    return [case for case in cases if rng.uniform(0, 100) < float(SHARE)] or [rng.choice(cases)]
