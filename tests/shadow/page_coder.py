# SPDX-License-Identifier: Apache-2.0
"""page_coder.py - periods, the coder and the probabilities of docs/shadow-format.md (sections 2 to 5).

Written from the page. Decision by decision, as the page tells it; speed does not matter here.
"""

MARK = b"\xff\xff\xff"
SYNC, FLUSH, OVERFLOW, OVERFLOW_CUT = 0, 2, 4, 6
JUMP, TASK, PARTIAL, END, TRAP, WRONG = 0, 1, 2, 3, 4, 5


def numbers(data, at, n):
    """A number of n bytes with 7 bits each, the lowest first."""
    value = 0
    for i in range(n):
        assert not data[at + i] & 128, "bit 7 of a byte of a mark"
        value |= data[at + i] << 7 * i
    return value


def crc(data, kind):
    """CRC of 16 bits, polynomial 0x1021, reflected, of these bytes and the bits of the kind of a mark."""
    value = 0
    for part, n_bits in [(byte, 8) for byte in data] + [(kind >> 1, 2)]:
        value ^= part
        for _ in range(n_bits):
            value = value >> 1 ^ (0x8408 if value & 1 else 0)
    return value


class Mark:
    """What stands between periods."""

    def __init__(self, data, at, params):
        assert data[at:at + 3] == MARK, f"no mark at byte {at}"
        self.kind = data[at + 3]
        self.check = numbers(data, at + 4, 3) if params["check"] else None
        at += 7 if params["check"] else 4
        self.number = numbers(data, at, 6)
        n_task = -(-(params["task_bits"] + 3 * params["traps"]) // 7)
        self.privilege, self.task = divmod(numbers(data, at + 6, n_task), 1 << params["task_bits"])
        at += 6 + n_task
        self.lost_insns = self.lost_accesses = 0
        if self.kind in (OVERFLOW, OVERFLOW_CUT):
            self.lost_insns, self.lost_accesses = numbers(data, at, 6), numbers(data, at + 6, 6)
            at += 12
        self.end = at


class Plain:
    """A plain probability, with a streak or without."""

    def __init__(self, has_streak=True):
        self.v, self.count, self.streak = 4096, 0, 0 if has_streak else None

    @property
    def p(self):
        """Of a 1, in 4096ths."""
        return self.v >> 1

    @property
    def is_silent(self):
        """Nothing is sent."""
        return self.streak == 63

    def learn(self, bit):
        """Learn from a decision that was coded."""
        r = 2 if self.count < 7 else 5
        if bit:
            self.v += (8191 - self.v) >> r
        else:
            self.v -= self.v >> r
        self.count = min(self.count + 1, 7)
        if self.streak is not None:
            self.streak = 0 if bit else min(self.streak + 1, 63)


class Escape:
    """What a symbol's place was used for."""

    def __init__(self, kind, k):
        self.kind, self.k, self.n = kind, k, None


class Coder:
    """The decoder's half of the coder, for one period."""

    def __init__(self, data, has_traps):
        value = n_bits = 0
        is_after = False
        for byte in data:
            value = (value << 7) + byte if is_after else value << 8 | byte
            n_bits += 7 if is_after else 8
            is_after = byte == 255 and not is_after
        assert value >> n_bits == 0, "a carry out of the period"
        self.text = bin(1 << n_bits | value)[3:] + "1" * 20
        self.at = 20
        self.range, self.d = (1 << 20) - 1, int(self.text[:20], 2)
        self.has_traps = has_traps
        self.is_looked = False
        self.n_silent = self.n_insns = 0
        self.escape = None

    def _keep(self, start, size):
        """The part from start on, of this size."""
        assert start <= self.d < start + size, "outside of the part"
        self.d -= start
        self.range = size
        while self.range < 1 << 19:
            self.range <<= 1
            bit = self.text[self.at] if self.at < len(self.text) else "1"
            self.at += 1
            self.d = self.d << 1 | int(bit)

    def _note(self):
        """A symbol was read."""
        assert self.escape is None, "a symbol between an escape and its place"
        self.is_looked = False
        self.n_silent = self.n_insns = 0

    def place(self):
        """The place of the escape: what follows counts as after a symbol."""
        escape, self.escape = self.escape, None
        self._note()
        return escape

    def look(self):
        """Is there an escape? Its number counts from the last symbol."""
        if self.is_looked or self.escape:
            return
        self.is_looked = True
        h = self.range >> 12
        if self.d < self.range - h:
            return
        self._keep(self.range - h, h)
        kind = WRONG if self._raw(1) else self._raw(3 if self.has_traps else 2)
        length = self._raw(3)
        if length == 7:
            length = self._raw(6)
        k = 0
        if length:
            k = 1 << (length - 1) | (self._raw_bits(length - 1) if length > 1 else 0)
        self.escape = Escape(kind, k)
        if kind == PARTIAL:
            self.escape.n = self._raw_bits(16)

    def _raw(self, k):
        """A symbol of k raw bits."""
        h = self.range >> 12
        part = min((self.range - 1 - self.d) // h, 4095)
        value = (1 << k) - 1 - (part >> (12 - k))
        high = part >> (12 - k) << (12 - k)
        low = high + (1 << (12 - k))
        self._keep(self.range - low * h, (1 << (12 - k)) * h)
        return value

    def _raw_bits(self, n):
        value = 0
        while n:
            k = min(n, 8)
            value = value << k | self._raw(k)
            n -= k
        return value

    def raw(self, n):
        """raw(n)"""
        value = self._raw_bits(n)
        if n:
            self._note()
        return value

    def symbol(self, decisions):
        """Several decisions: each is a function from (the bits before) to a probability, or None when
        it does not come. Returns the bits."""
        h = self.range >> 12
        x, y = 1, 4096
        bits = []
        for i, decision in enumerate(decisions):
            p = decision(bits)
            if p is None:
                continue
            least = 1 << (len(decisions) - 1 - i)
            chance = p.p if not bits and x == 1 and y == 4096 else ((y - x) >> 4) * (p.p >> 4) >> 4
            q = max(least, min(chance, y - x - least))
            part = (self.range - 1 - self.d) // h
            bit = int(part < x + q)
            if bit:
                y = x + q
            else:
                x += q
            p.learn(bit)
            bits.append(bit)
        self._keep(self.range - y * h, (y - x) * h)
        self._note()
        return bits

    def one(self, p):
        """A symbol of one decision with the probability p, which does not learn."""
        h = self.range >> 12
        is_swapped = p >= 2048
        q = max(1, min(4095 - p if is_swapped else p, 4094))
        below = self.range - h * (1 + q)
        is_top = self.d >= below
        if is_top:
            self._keep(below, q * h)
        else:
            self._keep(0, below)
        self._note()
        return int(is_top != is_swapped)

    def bit(self, p, may_be_silent=True):
        """bit(P)"""
        if p.is_silent and may_be_silent:
            return self.silent(p)
        bit = self.one(p.p)
        p.learn(bit)
        return bit

    def silent(self, p):
        """A decision of which nothing is sent, unless it is wrong."""
        self.look()
        if self.escape and self.escape.kind == WRONG and self.escape.k == self.n_silent:
            self.place()
            p.learn(1)
            return 1
        self.n_silent += 1
        return 0

    def length(self, tree, last=None):
        """length(T): 5 bits, and the bit of `last`(length) in the symbol of the last two."""
        node = 1
        value = 0
        for part, n in ((0, 3), (1, 2)):
            state = [node]

            def step(bits, state=state, start=node):
                node = start
                for bit in bits:
                    node = 2 * node + bit
                state[0] = node
                return tree.setdefault(node, Plain(False))

            decisions = [step] * n
            if part and last:
                decisions.append(lambda bits, so_far=value: last(so_far << 2 | bits[0] << 1 | bits[1]))
            bits = self.symbol(decisions)
            for bit in bits[:n]:
                node = 2 * node + bit
                value = value << 1 | bit
        return (value, bits[2]) if last else value
