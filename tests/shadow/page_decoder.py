# SPDX-License-Identifier: Apache-2.0
"""page_decoder.py - a second decoder of `shadow`: the stream of a container as instructions and traps.

Written from sections 2, 3, 7 and 8 of docs/shadow-format.md. Where the library
did otherwise, the page was mended, so that it now says all that a decoder needs.
"""

from page_coder import (END, FLUSH, JUMP, MARK, OVERFLOW, OVERFLOW_CUT, PARTIAL, SYNC, TASK, TRAP, Coder, Mark,
                        Plain, crc)
from page_shadow import (CALL, COND_BRANCH, DIRECT_JUMP, ICALL, NONE, OTHER, RETURN, ZERO, Access, Shadow,
                         signed)
from page_tables import Addresses, Direction, Stamps, Targets, length_number, unfold


class Decoder:
    """The stream of a container as instructions and traps."""

    def __init__(self, params, updates):
        self.params, self.updates = params, updates
        self.entries, self.n_updates, self.number = {}, 0, 0
        self.out = []
        self.base = self.task = 0
        self.privilege = 7
        self.reset(0)

    def entry_at(self, addr):
        """The map's entry, as it holds for the instruction at work."""
        while self.n_updates < len(self.updates) and self.updates[self.n_updates][0] <= self.number:
            entry = self.updates[self.n_updates][1]
            if self.params["delay_slots"]:
                entry.delay()
            self.entries[entry.addr] = entry
            self.n_updates += 1
        return self.entries.get(addr)

    def reset(self, task):
        """All state at its initial value."""
        self.shadow = Shadow(self.params, self.entry_at)
        self.shadow.enter(task)
        self.addresses, self.direction = Addresses(self.params), Direction(self.params)
        self.targets, self.stamps = Targets(self.params), Stamps()
        self.claim = [Plain() for _ in range(8)]
        self.next = [Plain() for _ in range(2)]
        self.more = [Plain() for _ in range(2)]
        self.decided = [Plain() for _ in range(2)]
        self.slot = None
        self.is_stamp_due, self.since_stamp = True, 0

    # ---- Section 2 ----

    def run(self, data):
        """All marks and periods."""
        mark, start = Mark(data, 0, self.params), 0
        assert mark.kind == SYNC
        while True:
            if mark.kind == SYNC:
                if not self.params["sync_keeps"] or mark.number == 0:
                    self.reset(mark.task)
                    self.base = 0
                self.task = mark.task
            if mark.kind in (OVERFLOW, OVERFLOW_CUT):
                self.shadow.overflow()
                self.number += mark.lost_insns
                self.out.append(("lost", mark.lost_insns, mark.kind == OVERFLOW_CUT))
                self.is_stamp_due, self.slot = True, None
            if self.params["traps"] and mark.kind != FLUSH and mark.privilege != self.privilege:
                self.privilege = mark.privilege
                self.out.append(("trap", 2, 0, 0, 0, self.privilege))
            end = data.find(MARK, mark.end)
            if end < 0:
                break
            self.coder = Coder(data[mark.end:end], self.params["traps"])
            self.period()
            mark = Mark(data, end, self.params)
            assert mark.check is None or mark.check == crc(data[start:end], mark.kind), f"check of the period to {end}"
            assert mark.number == self.number & (1 << 42) - 1, f"instruction {self.number}, not {mark.number}"
            start = end
        assert mark.kind == FLUSH and not data[mark.end:].strip(b"\0"), "the last mark"

    # ---- Section 3 ----

    def address(self, base):
        """address(b)"""
        a = self.params["pc_align_bits"]
        v = length_number(self.coder, self.targets.length)
        return ((base >> a) + unfold(v) << a) & self.shadow.mask

    def change_task(self):
        """The task of what follows."""
        self.task = self.coder.raw(self.params["task_bits"])
        self.shadow.enter(self.task)

    def value(self):
        """A value of a trap."""
        return self.coder.raw(8 * self.coder.raw(4))

    def traps(self, base):
        """Traps, and where the program continues: None at the end of the period."""
        while True:
            kind, self.privilege = self.coder.raw(2), self.coder.raw(3)
            cause = addr = tval = 0
            if kind < 2:
                cause = self.coder.raw(self.params["cause_bits"])
                addr = base if self.coder.raw(1) else self.value()
                tval = self.value() if kind == 0 else 0
            self.out.append(("trap", kind, cause, addr, tval, self.privilege))
            follows = self.coder.raw(2)
            if follows == 2:
                self.change_task()
            if follows:
                return None if follows == 3 else self.address(base)

    def continue_after(self, escape, base, entry):
        """The address at which the program continues after an escape; None at the end of the period."""
        if escape.kind == END:
            return None
        if escape.kind == TRAP:
            return self.traps(base)
        if escape.kind == TASK:
            self.change_task()
        addr = self.address(base)
        if entry and entry.cls == 0:
            at, tag = self.targets.addr_at(entry.addr)
            self.targets.by_addr[at], self.targets.tags[at] = addr, tag
        return addr

    def period(self):
        """Instructions up to the escape `end`."""
        coder = self.coder
        coder.look()
        if coder.escape:
            pc = self.continue_after(coder.place(), self.base, None)
        else:
            pc = self.address(self.base)
        while pc is not None:
            coder.look()
            pc = self.instruction(pc)

    def instruction(self, pc):
        """One instruction: the address of the next, None at the end of the period."""
        coder, shadow = self.coder, self.shadow
        entry = self.entry_at(pc)
        assert entry, f"instruction {self.number} at {pc:x} is not in the map"
        if coder.escape and coder.escape.kind == PARTIAL and coder.escape.k == coder.n_insns + 1:
            entry = entry.exceeded_by(coder.escape.n)
        op = entry.op if entry.op and entry.op.is_known else None
        shadow.begin(entry)
        holds = shadow.condition(op) if op else None
        accesses, made = self.data(entry, op, holds) if entry.has_data else ([], None)
        cycle = self.stamp(entry, len(accesses))
        coder.look()
        is_late = entry.is_conditional and not entry.has_data and entry.cls > COND_BRANCH
        branch = {"entry": entry, "op": op, "holds": holds, "made": made, "accesses": accesses,
                  "is_late": is_late, "target": None}
        is_delayed = op and op.flags & 4 and entry.cls >= COND_BRANCH and not entry.has_data
        branch["is_likely"] = is_delayed and bool(op.flags & 8)
        if is_delayed:
            branch["is_late"] = is_late = False
        if not is_late:
            held = True
            if entry.has_data:
                held = made
            elif op and op.cond >> 4 & 7 and op.result != 13 and entry.cls != COND_BRANCH:
                held = holds
            branch["target"] = shadow.execute(entry, held, accesses)
        self.out.append((pc, entry.size, tuple((a.is_store, a.size, a.addr) for a in accesses), cycle, self.task))
        self.number += 1
        self.base = pc
        following = (pc + entry.size) & shadow.mask
        escape = coder.escape
        if escape and escape.kind in (JUMP, TASK, END, TRAP) and escape.k == coder.n_insns + 1:
            coder.place()
            slot, self.slot = self.slot, None
            if is_late and not slot:
                shadow.execute(entry, None, accesses)
            elif entry.cls == CALL and not slot and not is_delayed:
                self.targets.push(following)
            return self.continue_after(escape, following, entry)
        coder.n_insns += 1
        slot, self.slot = self.slot, None
        if slot:
            return self.control(slot, entry, following)
        if is_delayed and not branch["is_likely"]:
            self.slot = branch
            return following
        return self.control(branch, entry, following)

    def stamp(self, entry, n_accesses):
        """The cycle of an instruction, if a stamp comes here."""
        if not self.params["timestamp"]:
            return None
        cycle = None
        if self.is_stamp_due:
            w = entry.addr >> self.params["pc_align_bits"]
            cycle = self.stamps.code(self.coder, w, self.params["time_period_insns"])
            self.is_stamp_due, self.since_stamp = False, 0
        self.stamps.pace += max(1, n_accesses)
        self.since_stamp += 1
        if self.since_stamp == self.params["time_period_insns"]:
            self.is_stamp_due = True
        return cycle

    # ---- Section 7 ----

    def data(self, entry, op, holds):
        """The accesses, and whether they were made."""
        coder = self.coder
        escape = coder.escape
        accesses = []
        if escape and escape.kind == PARTIAL and escape.k == coder.n_insns + 1:
            coder.place()
            for i in range(escape.n):
                self.access(entry, op, accesses, i)
            return accesses, bool(escape.n) or not entry.is_conditional
        if entry.is_conditional and not self.condition(entry.addr, op, holds):
            return accesses, False
        if entry.is_variable:
            while len(accesses) == 65535 or coder.bit(self.more[bool(accesses)]):
                if len(accesses) == 65535:
                    break
                self.access(entry, op, accesses, len(accesses))
            return accesses, True
        for i in range(entry.n_slots):
            self.access(entry, op, accesses, i)
        return accesses, True

    def access(self, entry, op, accesses, i):
        """Access number i."""
        coder, shadow = self.coder, self.shadow
        size, is_store = entry.slot(i)
        group = 1 if op and i and i >= op.first_accesses else 0
        mem = op.mem[group] if op else None
        if i == 0 or (op and i == op.first_accesses):
            addr = self.first_access(entry, mem, group, size)
        else:
            claim = accesses[-1].addr
            if not (mem and mem.is_same):
                claim = (claim + (accesses[-1].size or 4)) & shadow.mask
            addr = claim
            if coder.bit(self.next[bool(op)]):
                addr = self.addresses.unknown(coder, entry.addr + i, 1, claim, size)
        accesses.append(Access(addr, size, is_store))

    def first_access(self, entry, mem, group, size):
        """The first access of an operand."""
        coder, shadow = self.coder, self.shadow
        near = None
        base = index = None
        if mem and mem.is_valid:
            base, index = shadow.register(mem.base), shadow.index(mem)
            claim = shadow.address(mem)
            if claim is not None:
                i = 7 if mem.base == ZERO and mem.index == ZERO else \
                    shadow.bank.confidence[mem.base] + 4 * (mem.index != ZERO)
                if not coder.bit(self.claim[i]):
                    shadow.bank.confidence[mem.base] = min(shadow.bank.confidence[mem.base] + 1, 3)
                    return claim
                shadow.bank.confidence[mem.base] = 0
                near = claim
            elif base is not None:
                near = (base + mem.offset) & shadow.mask
        addr = self.addresses.unknown(coder, entry.addr, group, near, size)
        if mem and mem.is_valid:
            self.learn_operand(mem, base, index, addr)
        return addr

    def learn_operand(self, mem, base, index, addr):
        """Base or index learn from an address."""
        shadow = self.shadow
        if mem.write_back == 3:
            index = 0
        if index is not None:
            if mem.base < NONE:
                shadow.learn(mem.base, addr - mem.offset - index)
        elif base is not None and not mem.extend and mem.shift >> 6 == 0:
            d = (addr - base - mem.offset) & shadow.mask
            if mem.is_subtracted:
                d = -d & shadow.mask
            d = signed(d, self.params["addr_bits"])
            if d % (1 << (mem.shift & 63)) == 0:
                shadow.learn(mem.index, d >> (mem.shift & 63))

    # ---- Section 8 ----

    def condition(self, pc, op, known, may_learn=True):
        """Does the condition hold?"""
        if known is not None:
            is_wrong = self.coder.bit(self.decided[op.cond >> 4 & 7 == 1])
            holds = bool(known) != bool(is_wrong)
            if self.params["history_all"]:
                self.direction.note(int(holds))
        else:
            holds = bool(self.direction.code(self.coder, pc))
        self.shadow.tell_condition(op, holds, may_learn)
        return holds

    def control(self, branch, at, following):
        """Where the program goes after the instruction `at`, by the control of `branch` (itself, or the
        one in whose delay slot it is)."""
        entry, op, cls = branch["entry"], branch["op"], branch["entry"].cls
        if branch["is_likely"]:
            return self.likely(branch, at, following)
        if cls == 0:
            return self.end_of_run(entry.addr, following)
        if cls == OTHER:
            return self.repeat(branch, following)
        is_slot = at is not entry
        is_direct = cls in (COND_BRANCH, DIRECT_JUMP, CALL)
        if branch["is_late"] or cls == COND_BRANCH or (is_slot and is_direct and entry.is_conditional):
            may_learn = not is_slot or not any(self.writes(at, r) for r in (op.cond_a, op.cond_b))
            holds = branch["holds"] if is_slot else self.shadow.condition(op) if op else None
            is_taken = self.condition(entry.addr, op, holds, may_learn)
            if branch["is_late"]:
                branch["target"] = self.shadow.execute(entry, is_taken, [])
        else:
            is_taken = branch["made"] is not False
        if not is_taken:
            return following
        if is_direct:
            following, addr = entry.target & self.shadow.mask, following
            if cls == CALL:
                self.targets.push(addr)
            return following
        addr = self.indirect(branch, not is_slot or not self.writes(at, op.a))
        if cls == ICALL:
            self.targets.push(following)
        return addr

    def likely(self, branch, at, following):
        """A branch whose slot is left out if it fails, or its slot."""
        entry = branch["entry"]
        if at is entry:
            if self.condition(entry.addr, branch["op"], branch["holds"]):
                self.slot = branch
                return following
            return (following + entry.size) & self.shadow.mask
        if entry.cls == CALL:
            self.targets.push(following)
        return entry.target & self.shadow.mask

    @staticmethod
    def writes(at, r):
        """May the instruction in the slot write register r?"""
        op = at.op if at.op and at.op.is_known else None
        if r >= NONE:
            return False
        if op is None:
            return True
        if any(m.write_back and m.base == r for m in op.mem):
            return True
        if any(op.data[i] == r and not at.plain_slot(i)[1] for i in (0, 1)):
            return True
        return r in (op.dest, op.link) or bool((op.clobbers | op.list) >> r & 1)

    def repeat(self, branch, following):
        """An instruction that may repeat itself."""
        entry, op = branch["entry"], branch["op"]
        if not op or op.cond >> 4 & 7 != 2 or op.result == 13 or not entry.has_data:
            return following
        if branch["made"] is False:
            return following
        holds = self.shadow.condition(op)
        if holds is False:
            return entry.addr if self.coder.bit(self.more[1]) else following
        return entry.addr if self.condition(entry.addr, op, holds) else following

    def indirect(self, branch, may_learn):
        """The target of an indirect jump, call or return."""
        t, entry, op = self.targets, branch["entry"], branch["op"]
        guesses = []

        def guess(kind, addr):
            if addr is not None and addr not in [g for _, g in guesses]:
                guesses.append((kind, addr))

        known = branch["target"]
        guess(0, known)
        if entry.cls == RETURN:
            guess(1, t.pop())
        else:
            guess(2, t.by_path[t.path_at(entry.addr)])
        guess(3, t.by_addr[t.addr_at(entry.addr)[0]])
        for i, (kind, addr) in enumerate(guesses):
            if not self.coder.bit(t.p[kind + 4 * (i > 0)]):
                break
        else:
            addr = self.address(entry.addr)
        if addr != known:
            if entry.cls != RETURN:
                t.by_path[t.path_at(entry.addr)] = addr
            t.by_addr[t.addr_at(entry.addr)[0]] = addr
            self.learn_target(entry, op, branch["accesses"], addr, may_learn)
        t.note(addr)
        return addr

    def learn_target(self, entry, op, accesses, addr, may_learn):
        """What the target came from learns it."""
        if not op:
            return
        kind = op.target & 15
        if kind == 1 and op.result == 1 and may_learn:
            if op.b == ZERO and not op.imm and op.a < NONE:
                self.shadow.learn(op.a, addr)
                return
        if kind == 2 and entry.cls != RETURN and op.target >> 4 < len(accesses):
            self.shadow.learnt = (accesses[op.target >> 4].addr, addr)

    def learn_end(self, pc, addr):
        """The program left the straight path after the instruction at pc."""
        t = self.targets
        at, tag = t.addr_at(pc)
        t.by_addr[at], t.tags[at] = addr, tag
        t.by_path[t.path_at(pc)] = addr
        t.note(addr)

    def end_of_run(self, pc, following):
        """An instruction of unknown class."""
        t = self.targets
        at, tag = t.addr_at(pc)
        if t.tags[at] != tag:
            return following
        if not self.direction.code(self.coder, pc):
            return following
        guesses = []
        for i, addr in enumerate((t.by_addr[at], t.stack[t.top], t.by_path[t.path_at(pc)])):
            if addr in guesses:
                continue
            guesses.append(addr)
            if not self.coder.bit(t.leave[i]):
                if i == 1:
                    t.pop()
                break
        else:
            addr = self.address(pc)
        self.learn_end(pc, addr)
        return addr
