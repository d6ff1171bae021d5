# SPDX-License-Identifier: Apache-2.0
"""page_tables.py - the predictors of addresses, branches, targets and time.

Written from sections 7 to 9 of docs/shadow-format.md.
"""

from page_coder import Plain
from page_shadow import signed

SQUASH = (2047, 1546, 1102, 747, 488, 311, 194, 120, 74, 45, 27, 17, 10, 6, 4, 2, 1)
STRETCH = (122, 111, 100, 89, 78, 66, 55, 43, 31, 18, 0)
M64 = (1 << 64) - 1


def log2_of(size):
    """Base-2 logarithm of a table's size."""
    return size.bit_length() - 1


def squash(x):
    """The probability of a mix."""
    at, f = abs(x) >> 3, abs(x) & 7
    c = (SQUASH[at] * (8 - f) + SQUASH[at + 1] * f) >> 3
    return 4095 - c if x >= 0 else c


def stretch(v):
    """What a branch probability says."""
    t = 2 * v + 1 if v < 512 else 2 * (1023 - v) + 1
    k = t.bit_length() - 1
    f = ((8 * t) >> k) - 8
    d = (STRETCH[k] * (8 - f) + (STRETCH[k + 1] if f else 0) * f) >> 3
    return -d if v < 512 else d


class Stride:
    """An entry of the stride table."""

    def __init__(self):
        self.last = self.stride = self.h2 = self.c = self.reference = self.history = 0


class Matches:
    """Section 7, accesses that are expected to come again."""

    def __init__(self, entries):
        self.entries = entries
        self.accesses, self.numbers = [], [0] * entries
        self.expected = self.trust = 0
        self.p = [[Plain() for _ in range(16)] for _ in range(4)]

    def _at(self, number):
        return self.accesses[number] if number >= 0 else (0, 0)

    def guess(self, coder, key, first, history):
        """The address, if one was expected and is right, or None."""
        if not self.trust or self._at(self.expected)[0] != key:
            return None
        addr = self._at(self.expected)[1]
        i = 0 if addr == first else 1 if not history & 1 else 2 if not history & 2 else 3
        return None if coder.bit(self.p[i][self.trust]) else addr

    def learn(self, key, addr):
        """The access was made."""
        if self.trust:
            is_right = self._at(self.expected) == (key, addr)
            self.trust = min(self.trust + 1, 15) if is_right else 1 + (self.trust >> 2) if self.trust > 1 else 0
            self.expected += 1
        self.accesses.append((key, addr))
        n = len(self.accesses) - 1
        if n < 1:
            return
        h = 0
        for k in range(2):
            at = self._at(n - k)
            h = (h + at[1] + (at[0] << 32)) * 0x9E3779B97F4A7C15 & M64
        place = (h >> 32) % self.entries
        q = self.numbers[place]
        if q and n + 1 - q <= self.entries - 16 and self.trust < 8:
            length = 0
            while length < 15 and self._at(q - 1 - length) == self._at(n - length):
                length += 1
            if length >= 2 and length > self.trust:
                self.expected, self.trust = q, length
        self.numbers[place] = n + 1


class Addresses:
    """Section 7, the unknown access."""

    def __init__(self, params):
        self.params, self.a_bits = params, params["addr_bits"]
        self.mask = (1 << self.a_bits) - 1
        self.strides = [Stride() for _ in range(params["stride_entries"])]
        self.differences = [[0, 0] for _ in range(params["dfcm_entries"])]
        self.p = {"stride": [Plain() for _ in range(32)], "second": [Plain() for _ in range(8)],
                  "ref": [Plain() for _ in range(9)]}
        self.aligned = [[Plain(False) for _ in range(4)] for _ in range(3)]
        self.sign = [[Plain(False) for _ in range(2)] for _ in range(3)]
        self.length = [{}, {}, {}]
        self.latest = 0
        self.matches = Matches(params["match_entries"]) if params["match_entries"] else None

    def unknown(self, coder, pc, group, near, size):
        """Decode the address of an unknown access."""
        size_log2 = log2_of(self.params["stride_entries"])
        w = pc >> self.params["pc_align_bits"]
        at = (w ^ w >> 5 ^ w >> 9 ^ (group << size_log2 - 1 if size_log2 else 0)) & (1 << size_log2) - 1
        e = self.strides[at]
        by_stride = (e.last + e.stride) & self.mask
        difference = None
        by_difference = by_stride
        if self.differences:
            log2 = log2_of(len(self.differences))
            s = e.stride & M64
            x = (s ^ s >> 7 ^ e.h2 << 3) & M64
            difference = self.differences[(x ^ x >> log2) & (1 << log2) - 1]
            by_difference = (e.last + difference[0]) & self.mask
        differ = by_stride != by_difference
        is_first = differ and difference[1] >= 2 and difference[1] > e.c
        guesses = (by_difference, by_stride) if is_first else (by_stride, by_difference)
        if not differ:
            i = e.history
        elif is_first:
            i = 8 + 2 * (e.history % 4) + difference[1] % 2
        else:
            i = 16 + 4 * (e.history % 4) + e.c
        addr = self.matches.guess(coder, pc + group, guesses[0], e.history) if self.matches else None
        if addr is None:
            addr = self._guessed(coder, e, i, guesses, 4 * is_first + e.history % 4, near, size)
        if self.matches:
            self.matches.learn(pc + group, addr)
        self._learn(e, difference, addr, by_stride, addr == guesses[0])
        return addr

    def _guessed(self, coder, e, i, guesses, second, near, size):
        first, second = self.p["stride"][i], self.p["second"][second]
        differ = guesses[0] != guesses[1]
        if differ and not first.is_silent:
            bits = coder.symbol([lambda b: first, lambda b: second if b[0] else None])
        else:
            bits = [coder.bit(first)]
            if bits[0] and differ:
                bits.append(coder.bit(second, False))
        if not bits[0]:
            return guesses[0]
        if len(bits) > 1 and not bits[1]:
            return guesses[1]
        return self._coded(coder, e, near, size)

    def _coded(self, coder, e, near, size):
        ref, r = self.p["ref"], e.reference

        def aligned(reference):
            return self.aligned[reference][log2_of(size)] if size in (2, 4, 8) else None

        if near is not None:
            bits = coder.symbol([
                lambda b: ref[3 * r], lambda b: None if b[0] else ref[3 * r + 1],
                lambda b: aligned(2 if b[0] else b[1])])
            reference = 2 if bits[0] else bits[1]
            bits = bits[1:] if bits[0] else bits[2:]
        else:
            bits = coder.symbol([lambda b: ref[3 * r + 2], lambda b: aligned(b[0])])
            reference, bits = bits[0], bits[1:]
        is_aligned = bool(bits) and not bits[0]
        e.reference = reference
        length, is_negative = coder.length(self.length[reference],
                                           lambda length: self.sign[reference][length > 6])
        if length == 31:
            m = coder.raw(self.a_bits)
        else:
            m = 1 << (length - 1) | coder.raw(length - 1) if length > 1 else length
        d = -m - 1 if is_negative else m
        if is_aligned:
            d *= size
        return ((e.last, self.latest, near)[reference] + d) & self.mask

    def _learn(self, e, difference, addr, by_stride, is_first_right):
        n = signed(addr - e.last, self.a_bits)
        e.c = min(e.c + 1, 3) if addr == by_stride else 0
        e.history = (e.history << 1 | is_first_right) & 7
        if difference:
            new = signed(n, self.params["diff_bits"])
            if difference[0] == new:
                difference[1] = min(difference[1] + 1, 3)
            elif difference[1]:
                difference[1] -= 1
            else:
                difference[0] = new
        s = e.stride & M64
        e.h2 = (s ^ s >> 12 ^ s >> 24) & 0xFFF
        e.stride = signed(n, self.params["stride_bits"])
        e.last = self.latest = addr


def surest(probabilities):
    """Section 8, a direction without weights: the probability of a 1."""
    amount, side = max(((max(v - 512, 511 - v), v >= 512) for v in probabilities), key=lambda it: it[0])
    is_mixed = len({v >= 512 for v in probabilities}) > 1
    amount = amount * (3 if is_mixed else 4) + 2
    return 2048 + amount if side else 2048 - amount


class Direction:
    """Section 8, the mix of three branch probabilities."""

    def __init__(self, params):
        self.params = params
        sizes = (params["pc_entries"], params["short_entries"], params["long_entries"])
        self.tables = [[[512, 0] for _ in range(n)] for n in sizes]
        self.weights = [[819] * 3 for _ in range(params["mix_sets"])]
        self.history = 0
        self.waiting = []

    def note(self, bit):
        """The history takes an outcome."""
        self.history = (self.history << 1 | bit) & M64

    @staticmethod
    def fold(history, log2):
        """A history in log2 bits."""
        f = 0
        while history and log2:
            f = (f << 1 | f >> (log2 - 1)) ^ history
            history >>= log2
        return f & (1 << log2) - 1 if log2 else 0

    def code(self, coder, pc):
        """Decode a direction."""
        w = pc >> self.params["pc_align_bits"]
        entries = []
        for i, (table, shift, n) in enumerate(zip(self.tables, (0, 5, 7),
                                                  (0, self.params["short_bits"], self.params["long_bits"]))):
            log2 = log2_of(len(table))
            x = w ^ w >> (shift or log2)
            if i:
                x ^= self.fold(self.history & (1 << n) - 1, log2)
            entries.append(table[x & len(table) - 1])
        if self.weights:
            weights = self.weights[(w ^ w >> 4) % len(self.weights)]
            s = [stretch(v) for v, _ in entries]
            x = sum((weight >> 5) * t for weight, t in zip(weights, s)) >> 6
            p = squash(max(-127, min(x, 127)))
        else:
            p = surest([entries[i][0] for i in (1, 2, 0)])
        bit = coder.one(p)
        for e in entries:
            r = 1 if e[1] < 3 else self.params["branch_limit"]
            h = 1 << r - 1
            if bit:
                e[0] += (1023 - e[0] + h) >> r
            else:
                e[0] -= (e[0] + h) >> r
            e[1] = min(e[1] + 1, 3)
        if self.weights:
            self.waiting.append((weights, s, ((bit << 12) - p) >> 4))
        if len(self.waiting) > 6:
            then, s, e = self.waiting.pop(0)
            for i in range(3):
                then[i] = max(-4095, min(then[i] + (s[i] * e >> self.params["mix_shift"]), 4095))
        self.note(bit)
        return bit


class Targets:
    """Section 8, return stack and tables of targets."""

    def __init__(self, params):
        self.params = params
        self.path = 0
        self.by_path = [0] * params["path_entries"]
        self.by_addr = [0] * params["target_entries"]
        self.tags = [None] * params["target_entries"]
        self.stack, self.top = [0] * params["return_entries"], 0
        self.p = [Plain() for _ in range(8)]
        self.leave = [Plain() for _ in range(3)]
        self.length = {}

    def push(self, addr):
        """A call."""
        self.top = (self.top + 1) % len(self.stack)
        self.stack[self.top] = addr

    def pop(self):
        """The top of the return stack, popped."""
        addr = self.stack[self.top]
        self.top = (self.top - 1) % len(self.stack)
        return addr

    def _w(self, pc):
        return pc >> self.params["pc_align_bits"]

    def path_at(self, pc):
        """Entry of the path table."""
        w = self._w(pc)
        return (w ^ w >> 6 ^ self.path) % len(self.by_path)

    def addr_at(self, pc):
        """Entry of the target table, and its tag."""
        w = self._w(pc)
        log2 = log2_of(len(self.by_addr))
        t = w >> log2
        return (w ^ w >> log2) % len(self.by_addr), (t ^ t >> 8) & 255

    def note(self, target):
        """The path takes a target."""
        self.path = (self.path << 2 ^ self.path >> 11 ^ target >> self.params["pc_align_bits"]) & 0xFFFF


def length_number(coder, tree):
    """A number by length(T): up to 64 bits."""
    length = coder.length(tree)
    if length == 31:
        return coder.raw(64)
    return 1 << (length - 1) | coder.raw(length - 1) if length > 1 else length


def unfold(v):
    """A signed number that was sent as 2d or -2d - 1."""
    return -(v + 1 >> 1) if v & 1 else v >> 1


class Stamps:
    """Section 9."""

    def __init__(self):
        self.stamp = self.pace = 0
        self.entries = [[0, 0, 0] for _ in range(64)]
        self.missing, self.far = Plain(), Plain()
        self.differs = [Plain() for _ in range(4)]
        self.less = [Plain() for _ in range(2)]
        self.length = {}

    def code(self, coder, w, period):
        """The cycle of a stamp, or None."""
        is_each = period == 1
        e = self.entries[(w ^ w >> 6) % 64 if is_each else 0]
        if coder.bit(self.missing, is_each):
            return None
        differs = self.differs[e[1]]
        others = [lambda b: self.far if b[:1] == [1] else None,
                  lambda b: self.less[e[2]] if b == [1, 0] else None]
        if is_each and differs.is_silent:
            is_other = coder.silent(differs)
            bits = [1] + coder.symbol([lambda b: self.far, lambda b: None if b[0] else self.less[e[2]]]) \
                if is_other else [0]
        else:
            bits = coder.symbol([lambda b: differs] + others)
        d = 0
        if bits[0]:
            d = unfold(length_number(coder, self.length)) if bits[1] else -1 if bits[2] else 1
        e[1] = (e[1] << 1 | bits[0]) & 3
        expected = self.stamp + self.pace + e[0]
        late = e[0] + d
        e[0] = late if -32768 <= late < 32768 else 0
        e[2] = int(d < 0) if d else e[2]
        self.stamp, self.pace = (expected + d) & M64, 0
        return self.stamp
