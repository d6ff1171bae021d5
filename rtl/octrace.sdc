# SPDX-License-Identifier: Apache-2.0
# octrace.sdc - constraints of the two places where a clock is crossed. Source it after the clocks, and call
#   oct_apb_cross_constrain DEBUG_CLOCK CORE_CLOCK    for oct_apb_cross: the clocks of its two sides
#   oct_reset_sync_constrain RESET_PORT               for oct_reset_sync: the port of the chip's reset
# Do not also make the clocks asynchronous groups, which takes the limits away again.

# One bit crosses in each direction, through flip-flops in a row. All else is stable while it is looked at, if it
# arrives within a period of the clock that it goes to. There is nothing to hold.
proc oct_apb_cross_constrain {debug core} {
  foreach {from to} [list $debug $core $core $debug] {
    set_max_delay [get_property [get_clocks $to] period] -from [get_clocks $from] -to [get_clocks $to]
    set_false_path -hold -from [get_clocks $from] -to [get_clocks $to]
  }
}

# It may begin at any time; its end passes flip-flops.
proc oct_reset_sync_constrain {reset} {
  set_false_path -from [get_ports $reset]
}
