// RUN: not fpa-opt %s --fpa-vectorize-prefix="chunk=16384 columns=2" --fpa-assign-layouts --convert-fpa-tile-to-gpu=shared-limit=16384 2>&1 | FileCheck %s

// What makes a kernel too large is named, and what would do.

// CHECK: [[@LINE+2]]:3: error: 'fpa.vector_scan' op expected a kernel of at most 16384 bytes of shared memory, got one of {{[0-9]+}}: a smaller chunk or fewer warps would do
func.func @columns(%x: memref<?x2xf32>, %y: memref<?x2xf32>) {
  fpa.prefix_min axis(0) ins(%x : memref<?x2xf32>) outs(%y : memref<?x2xf32>)
  return
}
