# SPDX-License-Identifier: Apache-2.0
"""page_shadow.py - the shadow: registers, conditions, execution.

Written from section 6 of docs/shadow-format.md and the section "Effect" of docs/trace-format.md.
"""

from page_cache import ValueCache

ZERO, LOADED, RESULT, LINK, NONE = 33, 34, 35, 36, 32
OTHER, COND_BRANCH, DIRECT_JUMP, CALL, INDIRECT_JUMP, ICALL, RETURN = range(1, 8)
EQ, CS, MI, VS, HI, GE, GT = range(7)


def signed(value, n):
    """The low n bits as a signed number."""
    value &= (1 << n) - 1
    return value - (1 << n) if value >> (n - 1) else value


class Bank:
    """Registers, confidences and conditions of a task."""

    def __init__(self, n_regs):
        self.n_regs = n_regs
        self.confidence = [0] * 64
        self.task = None
        self.used = 0
        self.forget()

    def forget(self):
        """All but the confidences."""
        self.value = [None] * self.n_regs
        self.origin = [None] * self.n_regs
        self.condition = [None] * 7


class Access:
    """An access of the instruction at work."""

    def __init__(self, addr, size, is_store):
        self.addr, self.size, self.is_store = addr, size, is_store


class Shadow:
    """Registers of all tasks, value cache, and what an instruction does to them."""

    def __init__(self, params, entry_at):
        self.params, self.entry_at = params, entry_at
        self.mask = (1 << params["addr_bits"]) - 1
        self.word = 8 if params["addr_bits"] > 32 else 4
        self.banks = [Bank(params["regs"]) for _ in range(params["banks"])]
        self.clock = 0
        self.bank = self.banks[0]
        self.cache = ValueCache(params)
        self.learnt = self.due = None

    # ---- Tasks ----

    def enter(self, task):
        """The first task after a sync, or another one."""
        self.clock += 1
        bank = next((b for b in self.banks if b.task == task), None)
        if bank is None:
            bank = next((b for b in self.banks if b.task is None), None)
            if bank is None:
                bank = min(self.banks, key=lambda b: b.used)
            bank.forget()
            bank.task = task
        self.bank = bank
        bank.used = self.clock

    def overflow(self):
        """Nothing is known any more."""
        for bank in self.banks:
            bank.forget()
            if bank is not self.bank:
                bank.task = None

    # ---- Registers ----

    def register(self, r):
        """The value of a register or ZERO, None if not known."""
        if r == ZERO:
            return 0
        return self.bank.value[r] if r < self.bank.n_regs else None

    def set(self, r, value, origin=None):
        """Write a register."""
        if r < self.bank.n_regs:
            self.bank.value[r] = None if value is None else value & self.mask
            self.bank.origin[r] = origin if value is None else None

    def learn(self, r, value):
        """A register shows its value."""
        if r >= self.bank.n_regs:
            return
        value &= self.mask
        origin = self.bank.origin[r]
        self.set(r, value)
        if origin is not None:
            self.learnt = (origin, value)

    def begin(self, entry):
        """An instruction begins."""
        if self.due and not entry.has_data:
            self.cache.write(self.due[0], self.word, self.due[1])
            self.due = None
        if self.learnt:
            self.due, self.learnt = self.learnt, None

    def is_hit(self, store, origin):
        """Does a store end an origin?"""
        return (store // self.word ^ origin // self.word) & 0xFFF == 0

    # ---- Operands ----

    @staticmethod
    def extended(value, extend, n):
        """The part of a register that is used, in n bits."""
        if extend:
            bits = 8 << (extend - 1) % 3
            value &= (1 << bits) - 1
            if extend > 3:
                value = signed(value, bits)
        return value & (1 << n) - 1

    @staticmethod
    def shifted(value, form, n):
        """A shift of n bits by an immediate."""
        amount, kind = form & 63, form >> 6
        mask = (1 << n) - 1
        if kind == 0:
            return value << amount & mask
        if kind == 1:
            return value >> amount
        if kind == 2:
            return signed(value, n) >> amount & mask
        amount %= n
        return (value >> amount | value << (n - amount)) & mask

    def index(self, mem):
        """The shifted index with its sign, None if not known."""
        n = self.params["addr_bits"]
        value = self.register(mem.index)
        if value is None:
            return None
        value = self.shifted(self.extended(value, mem.extend, n), mem.shift, n)
        return -value if mem.is_subtracted else value

    def address(self, mem):
        """The address of an operand, None if not known."""
        if not mem.is_valid:
            return None
        base, index = self.register(mem.base), 0 if mem.write_back == 3 else self.index(mem)
        if base is None or index is None:
            return None
        return (base + mem.offset + index) & self.mask

    # ---- Conditions ----

    def condition(self, op):
        """Does the condition hold? None: not known."""
        group, c = op.cond >> 4 & 7, op.cond & 15
        if group == 0:
            return True
        if group == 1:
            value = self.bank.condition[c >> 1] if c < 14 else None
            return None if value is None else value != (c & 1)
        if group == 2:
            a, b = self.register(op.cond_a), self.register(op.cond_b)
            if a is None or b is None:
                return None
            n = 32 if op.width & 32 else self.params["addr_bits"]
            a, b = a & (1 << n) - 1, b & (1 << n) - 1
            if c < 6:
                a, b = signed(a, n), signed(b, n)
            return (a == b, a != b, a < b, a >= b, a <= b, a > b, a < b, a >= b)[min(c, 7)]
        if group == 3:
            a = self.register(op.cond_a)
            return None if a is None else (a >> (op.cond_b & 63) & 1) == c
        return None

    def tell_condition(self, op, holds, may_learn=True):
        """A condition was coded."""
        if op is None or not op.is_known:
            return
        group, c = op.cond >> 4 & 7, op.cond & 15
        if group == 1 and c < 14:
            self.bank.condition[c >> 1] = holds != (c & 1)
        if group == 2 and c < 2 and holds == (c == 0) and may_learn and self.params["learn_equal"]:
            a, b = self.register(op.cond_a), self.register(op.cond_b)
            if a is None and b is not None:
                self.learn(op.cond_a, b)
            elif b is None and a is not None:
                self.learn(op.cond_b, a)

    # ---- Execution ----

    def loaded(self, op, access):
        """The word of an access, extended; None if not known."""
        value = self.cache.read(access.addr, access.size)
        if value is None:
            return None
        if op.width & 8:
            value = signed(value, 8 * access.size)
            if op.width & 16:
                value &= 0xFFFFFFFF
        return value & self.mask

    def link(self, entry):
        """The return address."""
        op = entry.op
        size = 2 * entry.size if op.flags & 4 else entry.size
        return (entry.addr + size + bool(op.flags & 16)) & self.mask

    def result(self, op, words):
        """The result and its carry and overflow (None: not known)."""
        n = 8 << (op.width & 3)
        mask = (1 << n) - 1

        def operand(r):
            if r == LOADED:
                return words.get(0)
            return self.register(r) if r < NONE or r == ZERO else None

        if op.result == 14:
            return self.address(op.mem[0]), None, None
        a, b = operand(op.a), operand(op.b)
        if b is not None:
            b = (self.shifted(self.extended(b, op.b_extend, n), op.b_form, n) + op.imm) & mask
        if op.result == 13:
            holds = self.condition(op)
            chosen = None if holds is None else a if holds else b
            return (None if chosen is None else chosen & mask), None, None
        if op.result == 12:
            at = op.b_form & 63
            if a is None:
                return None, None, None
            return (a & ~(0xFFFF << at) | (op.imm & 0xFFFF) << at) & mask, None, None
        if a is None or b is None or op.result == 0:
            return None, None, None
        a &= mask
        carry = overflow = None
        if op.result == 1:
            value = a + b
            carry = value >> n
            overflow = (~(a ^ b) & (a ^ value)) >> (n - 1) & 1
        elif op.result in (2, 3):
            if op.result == 3:
                a, b = b, a
            value = a - b
            carry = int(a >= b)
            overflow = ((a ^ b) & (a ^ value)) >> (n - 1) & 1
        elif op.result == 9:
            value = a << b if b < n else None
        elif op.result == 10:
            value = a >> b if b < n else None
        elif op.result == 11:
            value = signed(a, n) >> b if b < n else None
        else:
            value = {4: a & b, 5: a | b, 6: a ^ b, 7: a & ~b, 8: a | ~b}[op.result]
        return (None if value is None else value & mask), carry, overflow

    def set_flags(self, op, value, carry, overflow):
        """Flags of a result."""
        how = op.set_flags & 15
        if not how:
            return
        n = 8 << (op.width & 3)
        old = self.bank.condition
        complemented = 1 - carry if carry is not None and op.result == 1 else carry
        c = {1: carry, 2: complemented, 3: old[CS], 4: old[CS], 6: 0, 7: 1}.get(how)
        v = {1: overflow, 2: overflow, 3: overflow, 4: old[VS], 5: old[VS], 6: 0, 7: 0}.get(how)
        z = m = None
        if value is not None and how != 8:
            z, m = int(value == 0), value >> (n - 1) & 1
        hi = None if c is None or z is None else int(c and not z)
        ge = None if m is None or v is None else int(m == v)
        gt = None if ge is None or z is None else int(ge and not z)
        self.bank.condition = [x if x is None else bool(x) for x in (z, c, m, v, hi, ge, gt)]

    def execute(self, entry, held, accesses):
        """Carry out the operation. held: False: not; None: perhaps. Returns (is known, target)."""
        op = entry.op
        accesses = [Access(a.addr, *entry.plain_slot(i)) for i, a in enumerate(accesses)]
        stores = [a for a in accesses if a.is_store]
        if op is None or not op.is_known:
            for a in stores:
                self.store(a, None)
            if entry.cls in (0, OTHER):
                self.bank.confidence[:self.bank.n_regs] = [0] * self.bank.n_regs
                self.bank.origin = [None] * self.bank.n_regs
                self.bank.condition = [None] * 7
            return None
        if held is False:
            return None
        words, regs_of = {}, {}
        listed = [r for r in range(32) if op.list >> r & 1]
        for i, a in enumerate(accesses):
            if op.list:
                regs_of[i] = listed[i] if i < len(listed) else NONE
            else:
                regs_of[i] = op.data[i] if i < 2 else NONE
            if not a.is_store:
                words[i] = self.loaded(op, a) if i < 16 else None
        value, carry, overflow = self.result(op, words)
        link = self.link(entry)
        n = 8 << (op.width & 3)
        full = value
        if value is not None and op.width & 4 and op.result != 14:
            full = signed(value, n)
        backs = []
        for mem in op.mem:
            if not mem.is_valid or not mem.write_back:
                continue
            base, index = self.register(mem.base), self.index(mem)
            if mem.write_back == 1:
                new = self.address(mem)
            elif mem.write_back == 2:
                new = None if base is None else base + mem.step
            else:
                new = None if base is None or index is None else base + index
            if mem.base == mem.index:
                new = None
            backs.append((mem.base, new))
        values = []
        for i, a in enumerate(accesses):
            if not a.is_store:
                continue
            r = regs_of[i]
            if op.list or r < NONE:
                values.append(self.register(r))
            else:
                values.append({LOADED: words.get(0), RESULT: full, LINK: link, ZERO: op.imm}.get(r))
        target = None
        kind = op.target & 15
        if kind == 1:
            target = full
        elif kind == 2:
            target = words.get(op.target >> 4)
        if target is not None:
            target &= self.mask
            if op.flags & 32:
                target &= ~1
        for a, v in zip(stores, values):
            self.store(a, v if held else None)
        for r in range(32):
            if op.clobbers >> r & 1:
                self.set(r, None)
        for r, v in backs:
            self.set(r, v if held else None)
        if op.dest < NONE and op.result:
            self.set(op.dest, full if held else None)
        if op.link < NONE:
            self.set(op.link, link if held else None)
        if held:
            self.set_flags(op, value, carry, overflow)
        elif op.set_flags & 15:
            self.bank.condition = [None] * 7
        for i, a in enumerate(accesses):
            if a.is_store or regs_of[i] >= NONE:
                continue
            is_full = a.size == self.word and not op.mem[0].is_same
            self.set(regs_of[i], words[i] if held else None, a.addr if is_full and held else None)
        return target

    def store(self, access, value):
        """A store: to the value cache, and it ends origins."""
        origins = self.bank.origin
        origins[:] = [None if o is not None and self.is_hit(access.addr, o) else o for o in origins]
        if self.due and self.is_hit(access.addr, self.due[0]):
            self.due = None
        self.cache.write(access.addr, access.size, value)
