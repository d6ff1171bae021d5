# SPDX-License-Identifier: Apache-2.0
"""verilog - the parts of scripts/hw: one module for each subcommand, and what they share."""
