# SPDX-License-Identifier: Apache-2.0
"""page_cache.py - the value cache of section 6 of docs/shadow-format.md, written from the page."""


class ValueCache:
    """Words by address: valid halves, least recently used goes first."""

    def __init__(self, params):
        self.word = 8 if params["addr_bits"] > 32 else 4
        self.sets, self.ways, self.tag_bits = params["vc_sets"], params["vc_ways"], params["vc_tag_bits"]
        self.mask = (1 << params["addr_bits"]) - 1
        self.rows = [[None] * self.ways for _ in range(self.sets)]
        self.used = [[0] * self.ways for _ in range(self.sets)]
        self.clock = 0

    def _find(self, addr):
        if not self.sets:
            return None
        log2 = self.sets.bit_length() - 1
        w = addr // self.word
        row = (w ^ w >> log2) % self.sets
        t = w >> log2
        tag = (t ^ t >> self.tag_bits) & (1 << self.tag_bits) - 1
        for way, word in enumerate(self.rows[row]):
            if word and word["tag"] == tag:
                return row, way, tag
        return row, None, tag

    def _use(self, row, way):
        self.clock += 1
        self.used[row][way] = self.clock

    def _is_within(self, addr, size):
        return addr % self.word + size <= self.word

    def _halves(self, addr, size):
        at = addr % self.word
        return range(at // 4, (at + size - 1) // 4 + 1)

    def read(self, addr, size):
        """The value, or None."""
        if not self.sets or not size or not self._is_within(addr, size):
            return None
        row, way, _ = self._find(addr)
        if way is None:
            return None
        self._use(row, way)
        word = self.rows[row][way]
        if not all(word["valid"][h] for h in self._halves(addr, size)):
            return None
        return word["value"] >> 8 * (addr % self.word) & (1 << 8 * size) - 1

    def _free_if_empty(self, row, way):
        if not any(self.rows[row][way]["valid"]):
            self.rows[row][way] = None

    def write(self, addr, size, value):
        """A store of size bytes (0: not known); value None: not known."""
        if not self.sets:
            return
        if not size or not self._is_within(addr, size):
            size = size or 8
            for w in range(addr // self.word, (addr + size - 1) // self.word + 1):
                row, way, _ = self._find(w * self.word & self.mask)
                if way is not None:
                    self.rows[row][way] = None
            return
        row, way, tag = self._find(addr)
        at = addr % self.word
        is_full = value is not None and (size == self.word or (size == 4 and at % 4 == 0))
        if way is None:
            if not is_full:
                return
            free = [i for i, word in enumerate(self.rows[row]) if word is None]
            way = max(free) if free else min(range(self.ways), key=lambda i: self.used[row][i])
            self.rows[row][way] = {"tag": tag, "value": 0, "valid": [False] * (self.word // 4)}
        self._use(row, way)
        word = self.rows[row][way]
        for half in self._halves(addr, size):
            if value is None:
                word["valid"][half] = False
            elif is_full:
                word["valid"][half] = True
        if value is not None and all(word["valid"][h] for h in self._halves(addr, size)):
            mask = (1 << 8 * size) - 1 << 8 * at
            word["value"] = word["value"] & ~mask | value << 8 * at & mask
        self._free_if_empty(row, way)
