// SPDX-License-Identifier: Apache-2.0
// oct_twin_item.h - compares the fields of an item that its kind uses (model/paper/oct_types.h).
#ifndef OCT_TWIN_ITEM_H
#define OCT_TWIN_ITEM_H

#include "oct_twin.h"

// Which fields a kind uses.
inline bool oct_item_has_addr(const oct_item &i) {
  return i.kind == OCT_ITEM_SCMT || i.kind == OCT_ITEM_DMT;
}
inline bool oct_item_has_value(const oct_item &i) {
  return i.kind == OCT_ITEM_INDEX || i.kind == OCT_ITEM_TUPLE_HIT || i.kind == OCT_ITEM_SCMT ||
         i.kind == OCT_ITEM_PATTERN || i.kind == OCT_ITEM_REPEAT || i.kind == OCT_ITEM_PATTERN_PART;
}
inline bool oct_item_has_n(const oct_item &i) {
  return i.kind == OCT_ITEM_TUPLE_PART || i.kind == OCT_ITEM_REPEAT ||
         i.kind == OCT_ITEM_PATTERN_PART;
}
inline bool oct_item_has_tuple(const oct_item &i) {
  return i.kind == OCT_ITEM_TUPLE_MISS || i.kind == OCT_ITEM_TUPLE_PART;
}

// Ports PREFIX##kind_o, mark_o, addr_o, value_o, n_o against an item.
#define OCT_COMPARE_ITEM(dut, item, prefix)                                                   \
  do {                                                                                        \
    (dut).compare(#prefix "kind_o", (item).kind, (dut).top->prefix##kind_o);                  \
    if ((item).kind == OCT_ITEM_MARK)                                                         \
      (dut).compare(#prefix "mark_o", (item).mark, (dut).top->prefix##mark_o);                \
    if (oct_item_has_addr(item))                                                              \
      (dut).compare(#prefix "addr_o", (item).addr, (dut).top->prefix##addr_o);                \
    if (oct_item_has_value(item))                                                             \
      (dut).compare(#prefix "value_o", (item).value, (dut).top->prefix##value_o);             \
    if (oct_item_has_n(item)) (dut).compare(#prefix "n_o", (item).n, (dut).top->prefix##n_o); \
  } while (0)

template <class Port>
void oct_compare_tuple(Dut &dut, const oct_item &item, unsigned index_bits, const Port &port) {
  if (!oct_item_has_tuple(item)) return;
  for (unsigned i = 0; i < item.n; i++)
    dut.compare("tuple_o", item.tuple[i], port_bits(port, i * index_bits, index_bits));
}

#endif
