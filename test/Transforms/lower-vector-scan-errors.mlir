// RUN: not fpa-opt %s --fpa-lower-vector-scan=lanes=3 2>&1 | FileCheck %s
// RUN: not fpa-opt %s --fpa-lower-vector-scan=lanes=0 2>&1 | FileCheck %s --check-prefix=ZERO

// CHECK: error: expected option lanes to be a power of two, got 3
// CHECK-NOT: current operation
// ZERO: error: expected option lanes to be a power of two, got 0
// ZERO-NOT: current operation
module {}
