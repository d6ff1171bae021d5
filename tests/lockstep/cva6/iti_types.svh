// SPDX-License-Identifier: Apache-2.0
// iti_types.svh - stands for the file of CVA6; the stand-in needs nothing of it.
