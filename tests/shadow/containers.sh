#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# containers.sh - do traces with instruction bytes come back from a container of the tracer
# `shadow`, at each of its geometries, and does damage to one end in a message?
. "$(dirname "$0")/../tools/lib.sh"

geometries="shadow shadow-large shadow-tiny shadow-archive"
for trace in foreign/riscv64.spike.xz foreign/arm.execlog.xz isa/x86-64.oct isa/mips.oct; do
  expect 0 "$OCTRACE" convert "$SAMPLES/$trace" t.oct
  as_text t.oct >want
  for geometry in $geometries; do
    expect 0 "$OCTRACE" compress --tracer shadow -g "$geometry,traps=1" -o t.octp t.oct
    expect 0 "$OCTRACE" decompress -o back.oct t.octp
    as_text back.oct >got
    cmp want got
  done
done
