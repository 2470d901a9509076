// RUN: fpa-opt %s --split-input-file --allow-unregistered-dialect --loop-invariant-code-motion | FileCheck %s --check-prefix=HOIST
// RUN: fpa-opt %s --split-input-file --allow-unregistered-dialect --cse | FileCheck %s --check-prefix=CSE
// RUN: fpa-opt %s --split-input-file --allow-unregistered-dialect --canonicalize | FileCheck %s --check-prefix=DEAD

// On tensors the ops have no effects and may be speculated: they leave loops,
// are merged with their like, and go away when nobody uses them.

// HOIST-LABEL: func.func @tensors(
// HOIST: %[[T:.*]] = fpa.attention
// HOIST-NEXT: %[[P:.*]] = fpa.prefix_min
// HOIST-NEXT: %[[S:.*]] = fpa.prefix_sum
// HOIST-NEXT: %[[I:.*]]:2 = fpa.key_intervals
// HOIST: scf.for
// HOIST-NOT: fpa.
// HOIST: "test.use"(%[[T]], %[[P]], %[[S]], %[[I]]#0)
func.func @tensors(%n: index, %q: tensor<1x1x8x8xf32>, %o0: tensor<1x1x8x8xf32>,
    %x: tensor<4x?xf32>, %m0: tensor<4x?xf32>, %f0: tensor<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %o = fpa.attention
        ins(%q, %q, %q : tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>)
        outs(%o0 : tensor<1x1x8x8xf32>) -> tensor<1x1x8x8xf32>
    %m = fpa.prefix_min axis(1) ins(%x : tensor<4x?xf32>) outs(%m0 : tensor<4x?xf32>) -> tensor<4x?xf32>
    %s = fpa.prefix_sum axis(1) ins(%x : tensor<4x?xf32>) outs(%m0 : tensor<4x?xf32>) -> tensor<4x?xf32>
    %first, %last = fpa.key_intervals key_length(%n)
        outs(%f0, %f0 : tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>, tensor<?xi64>
    "test.use"(%o, %m, %s, %first) : (tensor<1x1x8x8xf32>, tensor<4x?xf32>, tensor<4x?xf32>, tensor<?xi64>) -> ()
  }
  return
}

// -----

// HOIST-LABEL: func.func @online_tensors(
// HOIST: fpa.online_attention
// HOIST: fpa.online_finalize
// HOIST: scf.for
// HOIST-NOT: fpa.
// HOIST: return
func.func @online_tensors(%n: index, %q: tensor<4x8xf32>, %a: tensor<4x8xf32>, %m: tensor<4xf32>,
    %s: tensor<4xf32>, %r: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %1:4 = fpa.online_attention
        ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
        outs(%a, %m, %s, %r : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
        {scale = 1.0 : f64} -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    %o = fpa.online_finalize ins(%1#0, %1#1, %1#2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
        outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
    "test.use"(%o) : (tensor<4x8xf32>) -> ()
  }
  return
}

// -----

// HOIST-LABEL: func.func @gradients(
// HOIST: fpa.attention_backward
// HOIST: scf.for
// HOIST-NOT: fpa.
// HOIST: return
func.func @gradients(%n: index, %q: tensor<1x1x8x8xf32>, %lse: tensor<1x1x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %d:3 = fpa.attention_backward
        ins(%q, %q, %q : tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>)
        saved(%q, %lse : tensor<1x1x8x8xf32>, tensor<1x1x8xf32>) gradient(%q : tensor<1x1x8x8xf32>)
        outs(%q, %q, %q : tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>)
        -> tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>
    "test.use"(%d#0, %d#1) : (tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>) -> ()
  }
  return
}

// -----

// HOIST-LABEL: func.func @tiles_of_gradients(
// HOIST: fpa.pass_field
// HOIST: fpa.backward_delta
// HOIST: fpa.backward_tile
// HOIST: fpa.backward_finalize
// HOIST: scf.for
// HOIST-NOT: fpa.
// HOIST: return
// DEAD-LABEL: func.func @tiles_of_gradients(
// DEAD: fpa.backward_finalize
// DEAD-NOT: fpa.
// DEAD: return
func.func @tiles_of_gradients(%n: index, %q: tensor<4x8xf32>, %x: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %r = fpa.pass_field field(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    %delta = fpa.backward_delta ins(%q, %q : tensor<4x8xf32>, tensor<4x8xf32>)
        outs(%x : tensor<4xf32>) -> tensor<4xf32>
    %d:7 = fpa.backward_tile ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
        gradient(%q : tensor<4x8xf32>) saved(%x, %delta : tensor<4xf32>, tensor<4xf32>)
        field(%x, %r : tensor<4xf32>, tensor<4xf32>)
        outs(%q, %q, %q, %x, %x, %x, %x : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>,
          tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {scale = 1.0 : f64}
        -> tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>,
           tensor<4xf32>, tensor<4xf32>
    %dq = fpa.backward_finalize ins(%d#0 : tensor<4x8xf32>) outs(%q : tensor<4x8xf32>)
        {scale = 1.0 : f64} -> tensor<4x8xf32>
    %unused = fpa.backward_finalize ins(%d#1 : tensor<4x8xf32>) outs(%q : tensor<4x8xf32>)
        {scale = 1.0 : f64} -> tensor<4x8xf32>
    "test.use"(%dq, %d#3) : (tensor<4x8xf32>, tensor<4xf32>) -> ()
  }
  return
}

// -----

// CSE-LABEL: func.func @twice(
// CSE: %[[M:.*]] = fpa.prefix_min
// CSE-NOT: fpa.prefix_min
// CSE: return %[[M]], %[[M]]
func.func @twice(%x: tensor<8xf32>, %m0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = fpa.prefix_min axis(0) ins(%x : tensor<8xf32>) outs(%m0 : tensor<8xf32>) -> tensor<8xf32>
  %b = fpa.prefix_min axis(0) ins(%x : tensor<8xf32>) outs(%m0 : tensor<8xf32>) -> tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// -----

// DEAD-LABEL: func.func @unused(
// DEAD-NOT: fpa.
// DEAD: return
func.func @unused(%x: tensor<8xf32>, %m0: tensor<8xf32>) {
  %a = fpa.prefix_min axis(0) ins(%x : tensor<8xf32>) outs(%m0 : tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// On memrefs they read their inputs and write their outs: they stay where they
// are, and a load behind one is not replaced by a load before it.

// HOIST-LABEL: func.func @memrefs(
// HOIST: scf.for
// HOIST: fpa.prefix_min
// DEAD-LABEL: func.func @memrefs(
// DEAD: fpa.prefix_min
// CSE-LABEL: func.func @memrefs(
// CSE: scf.for
// CSE: %[[A:.*]] = memref.load %[[M:.*]][%c0]
// CSE: fpa.prefix_min axis(0) ins(%[[X:.*]] : memref<8xf32>) outs(%[[M]] : memref<8xf32>)
// CSE: %[[B:.*]] = memref.load %[[M]][%c0]
// CSE: "test.use"(%[[A]], %[[B]])
func.func @memrefs(%n: index, %x: memref<8xf32>, %m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %m[%c0] : memref<8xf32>
    fpa.prefix_min axis(0) ins(%x : memref<8xf32>) outs(%m : memref<8xf32>)
    %b = memref.load %m[%c0] : memref<8xf32>
    "test.use"(%a, %b) : (f32, f32) -> ()
  }
  return
}

// -----

// A step on buffers reads what it adds to.

// CSE-LABEL: func.func @gradients_in_buffers(
// CSE: fpa.pass_field
// CSE: fpa.pass_field
// CSE: fpa.backward_tile
// CSE: fpa.backward_tile
// CSE: fpa.backward_finalize
// CSE: return
// HOIST-LABEL: func.func @gradients_in_buffers(
// HOIST: scf.for
// HOIST: fpa.pass_field
// HOIST: fpa.backward_finalize
// DEAD-LABEL: func.func @gradients_in_buffers(
// DEAD: fpa.pass_field
// DEAD: fpa.backward_tile
// DEAD: fpa.backward_finalize
func.func @gradients_in_buffers(%n: index, %q: memref<4x8xf32>, %d: memref<4x8xf32>,
                                %x: memref<4xf32>, %r: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    fpa.pass_field field(%x : memref<4xf32>) outs(%r : memref<4xf32>)
    fpa.pass_field field(%x : memref<4xf32>) outs(%r : memref<4xf32>)
    fpa.backward_tile ins(%q, %q, %q : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>)
        gradient(%q : memref<4x8xf32>) saved(%x, %x : memref<4xf32>, memref<4xf32>)
        outs(%d, %d, %d : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) {scale = 1.0 : f64}
    fpa.backward_tile ins(%q, %q, %q : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>)
        gradient(%q : memref<4x8xf32>) saved(%x, %x : memref<4xf32>, memref<4xf32>)
        outs(%d, %d, %d : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) {scale = 1.0 : f64}
    fpa.backward_finalize ins(%d : memref<4x8xf32>) outs(%q : memref<4x8xf32>) {scale = 1.0 : f64}
  }
  return
}
