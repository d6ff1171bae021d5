# SPDX-License-Identifier: Apache-2.0
# octrace.sdc - constraints of the places where a clock is crossed. Source it after the clocks, and call
#   oct_cross_constrain CLOCK CLOCK           the clocks of the two sides of oct_apb_cross, oct_atb_cross or oct_async_fifo
#   oct_reset_sync_constrain RESET_PORT       for oct_reset_sync: the port of the chip's reset
# Do not also make the clocks asynchronous groups, which takes the limits away again.

# Single bits and Gray codes cross, through oct_sync. The bits of a code may not come further apart than it changes: a period
# of the clock that it comes from. All else is stable while it is looked at, if it arrives within a period of the clock
# that it goes to. There is nothing to hold.
proc oct_cross_constrain {one other} {
  set periods [list [get_property [get_clocks $one] period] [get_property [get_clocks $other] period]]
  foreach {from to} [list $one $other $other $one] {
    set_max_delay [lindex [lsort -real $periods] 0] -from [get_clocks $from] -to [get_clocks $to]
    set_false_path -hold -from [get_clocks $from] -to [get_clocks $to]
  }
}

# It may begin at any time; its end passes flip-flops.
proc oct_reset_sync_constrain {reset} {
  set_false_path -from [get_ports $reset]
}
