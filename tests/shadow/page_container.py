# SPDX-License-Identifier: Apache-2.0
"""page_container.py - a container of the tracer `shadow`: parameters, program map, bits.

Written from docs/container-format.md and the section "Effect" of docs/trace-format.md.
Checksums are left alone: the library's own tests hold them.
"""

import struct
import subprocess

CONDITIONAL, VARIABLE, CONTINUES = 2, 1, 4
NONE = 32


class Memory:
    """A memory operand of an operation."""

    def __init__(self, raw):
        (self.offset, self.step, self.base, self.index, self.shift, self.form) = struct.unpack("<QiBBBB", raw)
        self.is_valid = bool(self.form & 0x80)
        self.is_same = bool(self.form & 4)
        self.is_subtracted = bool(self.form & 8)
        self.write_back = self.form & 3
        self.extend = self.form >> 4 & 7


class Operation:
    """An effect of 64 bytes."""

    def __init__(self, raw):
        (self.imm, mem0, mem1, self.list, self.clobbers, self.flags, self.result, self.dest, self.a, self.b,
         self.b_form, self.b_extend, self.width, self.set_flags, self.cond, self.cond_a, self.cond_b, data0,
         data1, self.target, self.link) = struct.unpack("<Q16s16sII16B", raw)
        self.mem = (Memory(mem0), Memory(mem1))
        self.data = (data0, data1)
        self.is_known = bool(self.flags & 1)

    @property
    def first_accesses(self):
        """The number of accesses of mem[0]."""
        count = self.set_flags >> 4
        return 1 << 20 if count == 15 else count


def idle_operation(is_wide):
    """The operation that does nothing, to which a container tells the differences."""
    mem = struct.pack("<QiBBBB", 0, 0, 32, 32, 0, 0)
    return bytearray(struct.pack("<Q16s16sII16B", 0, mem, mem, 0, 0, 3 if is_wide else 1, 0, 32, 32, 32, 0, 0,
                                 3 if is_wide else 2, 240, 0, 32, 32, 32, 32, 0, 32))


class Entry:
    """An instruction of the program map."""

    def __init__(self, addr, size, flags, cls, n_slots, target, slots, op):
        self.addr, self.size, self.flags, self.cls = addr, size, flags, cls
        self.n_slots, self.target, self.op = n_slots, target, op
        self.slots = slots + [0] * (16 - len(slots))
        self.more = []
        self.is_conditional = bool(flags & CONDITIONAL)
        self.is_variable = bool(flags & VARIABLE)
        self.has_data = bool(n_slots or flags & VARIABLE)

    def delay(self):
        """With `delay_slots`: the operation of a jump that has none."""
        if self.cls < 2 or self.has_data or (self.op and self.op.is_known):
            return
        self.op = Operation(idle_operation(False))
        self.op.flags |= 4
        self.op.clobbers = 0xFFFFFFFF
        self.op.cond = 64 if self.cls == 2 else 0
        self.op.target = 3 if self.cls > 4 else 0

    def exceeded_by(self, n):
        """What counts for an instruction of n accesses."""
        if n <= self.n_slots or self.is_variable:
            return self
        last = self.n_slots - 1
        slots = [self.slots[min(i, last)] & 8 | 7 if self.n_slots else 7 for i in range(16)]
        entry = Entry(self.addr, self.size, self.flags, 1, self.n_slots, self.target, slots, None)
        entry.has_data = True
        return entry

    def plain_slot(self, access):
        """The same without the continuation, which the shadow does not look at."""
        byte = self.slots[access if access < 16 else 14 + access % 2]
        return 0 if byte & 7 == 7 else 1 << (byte & 7), bool(byte & 8)

    def slot(self, access):
        """Bytes of an access (0: not known), and whether it is a store."""
        byte = self.slots[access] if access < 16 else None
        if byte is None and access - 16 < len(self.more):
            byte = self.more[access - 16]
        if byte is None:
            byte = self.slots[14 + access % 2]
        size = byte & 7
        return 0 if size == 7 else 1 << size, bool(byte & 8)


class Cursor:
    """Numbers of a MAP payload."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        """u8"""
        self.at += 1
        return self.data[self.at - 1]

    def take(self, n):
        """n bytes"""
        self.at += n
        return self.data[self.at - n:self.at]

    def vlq(self):
        """An unsigned LEB128."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if not byte & 128:
                return value & (1 << 64) - 1

    def svlq(self):
        """A signed number, zigzag."""
        value = self.vlq()
        return value >> 1 ^ -(value & 1)


def read_operation(cursor):
    """The packed operation of an update."""
    kind = cursor.byte()
    if not kind:
        return None
    raw = idle_operation(kind == 2)
    mask = struct.unpack("<Q", cursor.take(8))[0]
    for i in range(64):
        if mask >> i & 1:
            raw[i] = cursor.byte()
    return Operation(bytes(raw))


def read_updates(payload, last):
    """(number of an instruction, entry) of a MAP payload, and the last entry; last: that of the chunk before."""
    cursor, updates = Cursor(payload), []
    number = next_addr = 0
    while cursor.at < len(payload):
        number += cursor.vlq()
        addr = (next_addr + cursor.svlq()) & (1 << 64) - 1
        form, cls, n_slots = cursor.byte(), cursor.byte(), cursor.byte()
        target = (addr + cursor.svlq()) & (1 << 64) - 1 if form & 128 else 0
        slots = list(cursor.take(cls >> 3))
        op = read_operation(cursor)
        flags = form >> 4 & 7
        next_addr = addr + (form & 15)
        if flags & CONTINUES:
            assert last and last.addr == addr, "a continuation of no entry"
            assert target == 16 + len(last.more), "a continuation that does not continue"
            last.more += slots + [0] * (n_slots - len(slots))
        else:
            last = Entry(addr, form & 15, flags, cls & 7, n_slots, target, slots, op)
            updates.append((number, last))
    return updates, last


def chunks(data, at):
    """Kind and payload of each chunk from byte `at` on."""
    while at < len(data):
        kind, codec, _, stored, _, _, _ = struct.unpack_from("<BBHIIQQ", data, at)
        payload = data[at + 28:at + 28 + stored]
        at += 28 + stored
        if codec:
            payload = subprocess.run(["zstd", "-dcq"], input=payload, stdout=subprocess.PIPE, check=True).stdout
        yield kind, payload


def begins_with_continuation(path):
    """Does a chunk of the map go on with an entry of the chunk before?"""
    with open(path, "rb") as file:
        data = file.read()
    for kind, payload in chunks(data, 20 + struct.unpack_from("<I", data, 8)[0]):
        cursor = Cursor(payload)
        if kind == 4 and (cursor.vlq(), cursor.svlq(), cursor.byte())[2] >> 4 & CONTINUES:
            return True
    return False


def read(path):
    """Parameters, updates and bits of a container."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"OCTPORT3", "no container of version 3"
    length = struct.unpack_from("<I", data, 8)[0]
    keys = dict(line.split(": ", 1) for line in data[12:12 + length].decode().splitlines() if ": " in line)
    assert keys["tracer"] == "shadow", keys["tracer"]
    params = {key.split(".")[1]: int(value) for key, value in keys.items()
              if key.startswith(("param.", "hint."))}
    bits, updates, last = [], [], None
    for kind, payload in chunks(data, 20 + length):
        if kind == 1:
            bits.append(payload)
        elif kind == 4:
            more, last = read_updates(payload, last)
            updates += more
        else:
            assert kind == 3, f"chunk of kind {kind}"
    return params, updates, b"".join(bits)
