# SPDX-License-Identifier: Apache-2.0
"""The library's structs as numpy dtypes, with the offsets that its C compiler gave them."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _octrace  # type: ignore[attr-defined] # a module in C

ffi = _octrace.ffi
lib = _octrace.lib

Array = np.ndarray[Any, np.dtype[Any]]
DType = np.dtype[Any]

_SCALARS = {"uint64_t": "<u8", "uint32_t": "<u4", "uint16_t": "<u2", "uint8_t": "u1"}


def _dtype(struct: str) -> DType:
    """The dtype of a C struct whose named fields are unsigned integers. What else the struct holds is in
    fields `_0`, `_1` ... of raw bytes, because numpy copies nothing that no field covers."""
    ctype = ffi.typeof(struct)
    names: list[str] = []
    formats: list[str] = []
    offsets: list[int] = []
    end = 0

    def cover(until: int) -> None:
        if until > end:
            names.append(f"_{sum(name.startswith('_') for name in names)}")
            formats.append(f"V{until - end}")
            offsets.append(end)

    for name, field in sorted(ctype.fields or [], key=lambda item: item[1].offset):
        cover(field.offset)
        names.append(name)
        formats.append(_SCALARS[field.type.cname])
        offsets.append(field.offset)
        end = field.offset + ffi.sizeof(field.type)
    cover(ffi.sizeof(struct))
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": ffi.sizeof(struct)})


#: A retired instruction: addr, cycle (a time stamp, if flags say so), task, n_access (how many of the
#: accesses are its own), size_bytes, flags (see the FLAG_ constants).
INSN = _dtype("oct_insn")
#: A data access: addr, size_bytes (0 = unknown), is_store, value (where its bytes begin in the chunk's values, plus
#: 1; 0 = not known).
ACCESS = _dtype("oct_access")
_ACCESS_PADDING = slice(int(ffi.offsetof("oct_access", "is_store")) + 1, int(ffi.offsetof("oct_access", "value")))
#: What the program map says of an instruction: addr, target (0 = none), size_bytes, cls (see CLASSES),
#: n_slots (how many accesses it makes), flags.
MAP_ENTRY = _dtype("oct_map_entry")

#: A trap, taken before instruction number insn of its chunk (or behind the last): kind (see the TRAP_
#: constants), cause, addr (where the program was to go on), tval (exceptions), privilege from here on.
TRAP = _dtype("oct_trap")
TRAP_EXCEPTION = lib.OCT_TRAP_EXCEPTION
TRAP_INTERRUPT = lib.OCT_TRAP_INTERRUPT
#: The privilege changes without a trap; cause, addr and tval are 0.
TRAP_PRIVILEGE = lib.OCT_TRAP_PRIVILEGE
PRIVILEGE_UNKNOWN = lib.OCT_PRIVILEGE_UNKNOWN

#: What a register or memory holds before instruction number insn of the chunk (or behind the last): kind (see the
#: FACT_ constants), number (of the register), addr (of memory), n_bytes, value (as of an access).
FACT = _dtype("oct_fact")
FACT_REGISTER = lib.OCT_FACT_REGISTER
#: Somebody else wrote these bytes: the kernel, a device, another core.
FACT_MEMORY = lib.OCT_FACT_MEMORY
#: Instructions are missing here: number is the place of the cause in GAP_CAUSES, addr where "no-image" has no code.
#: The bytes are two numbers of 64 bits, the missing instructions and accesses, all ones where that is not known.
FACT_GAP = lib.OCT_FACT_GAP
GAP_CAUSES = tuple(ffi.string(lib.oct_gap_cause_name(i)).decode() for i in range(lib.OCT_GAP_CAUSES))
REGISTER_BYTES_MAX = lib.OCT_FACT_REGISTER_MAX

#: Bits of an instruction's flags.
FLAG_END = lib.OCT_INSN_END
FLAG_PARTIAL = lib.OCT_INSN_PARTIAL
FLAG_HAS_CYCLE = lib.OCT_INSN_HAS_CYCLE
#: The class of an instruction stands in its flags from this bit on, once it went through a program map.
CLASS_SHIFT = lib.OCT_INSN_CLASS_SHIFT
#: Names of the classes, by number.
CLASSES = (
    "unknown",
    "other",
    "conditional branch",
    "direct jump",
    "direct call",
    "indirect jump",
    "indirect call",
    "return",
)


def copy_array(pointer: Any, n: int, dtype: DType) -> Array:
    """A copy of n structs that the library owns."""
    if n == 0:
        return np.empty(0, dtype)
    array: Array = np.frombuffer(ffi.buffer(pointer, n * dtype.itemsize), dtype).copy()
    if dtype == ACCESS:  # what its fields leave is padding, which may hold anything: equal accesses are to be equal
        array.view(np.uint8).reshape(n, dtype.itemsize)[:, _ACCESS_PADDING] = 0
    return array


def copy_values(batch: Any) -> tuple[Array, Array, Array]:
    """The accesses, facts and values of a batch, which name each other."""
    accesses = copy_array(batch.accesses, batch.n_accesses, ACCESS)
    facts = copy_array(batch.facts, batch.n_facts, FACT)
    if batch.values == ffi.NULL:  # then the fields mean nothing
        accesses["value"] = 0
        return accesses, facts, np.empty(0, np.uint8)
    return accesses, facts, np.frombuffer(ffi.buffer(batch.values, batch.n_values), np.uint8).copy()


def as_struct_array(values: Any, dtype: DType, what: str) -> Array:
    """values as a contiguous array of dtype; fields that it lacks are 0. TypeError: other fields, or not one after
    the other. ValueError: a number that its field cannot hold."""
    array = np.asarray(values)
    if array.ndim != 1 and array.dtype.names is not None:
        raise TypeError(f"{what}: expected an array of one dimension; found {array.ndim}")
    if array.dtype == dtype:
        return np.ascontiguousarray(array)
    if array.dtype.names is None:
        raise TypeError(f"{what}: expected a structured array with the fields {dtype.names}")
    unknown = set(array.dtype.names) - set(dtype.names or ())
    if unknown:
        raise TypeError(f"{what}: unknown fields {sorted(unknown)}, expected some of {dtype.names}")
    out = np.zeros(array.shape, dtype)
    for name in array.dtype.names:
        with np.errstate(invalid="ignore"):  # what does not fit is found below
            out[name] = array[name]
        wrong = np.nonzero(out[name] != array[name])[0]
        if len(wrong):
            raise ValueError(f"{what}: {name}[{wrong[0]}]: expected a whole number that fits {out[name].dtype}; "
                             f"found {array[name][wrong[0]]}")
    return out
