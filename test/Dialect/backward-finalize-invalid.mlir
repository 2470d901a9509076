// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.backward_finalize: everything that it refuses.
// The tags are the rules of docs/Spec.md.

// [G11]
func.func @f(%a: tensor<48x64xf32>, %o0: tensor<48x64xf16>, %o1: tensor<48x64xf16>) {
  // expected-error@+1 {{expected 1 out (gradient), got 2}}
  %x:2 = fpa.backward_finalize ins(%a : tensor<48x64xf32>)
    outs(%o0, %o1 : tensor<48x64xf16>, tensor<48x64xf16>) {scale = 0.125 : f64} -> tensor<48x64xf16>, tensor<48x64xf16>
  return
}

// -----

// [G11]
func.func @f(%a: vector<48x64xf32>, %o0: tensor<48x64xf16>) {
  // expected-error@+1 {{expected accumulator to be a ranked tensor or memref, got 'vector<48x64xf32>'}}
  %x = fpa.backward_finalize ins(%a : vector<48x64xf32>)
    outs(%o0 : tensor<48x64xf16>) {scale = 0.125 : f64} -> tensor<48x64xf16>
  return
}

// -----

// [G11]
func.func @f(%a: tensor<48xf32>, %o0: tensor<48x64xf16>) {
  // expected-error@+1 {{expected accumulator of rank 2 (S x D), got 'tensor<48xf32>'}}
  %x = fpa.backward_finalize ins(%a : tensor<48xf32>)
    outs(%o0 : tensor<48x64xf16>) {scale = 0.125 : f64} -> tensor<48x64xf16>
  return
}

// -----

// [G11]
func.func @f(%a: tensor<48x64xf32>, %o0: tensor<1x48x64xf16>) {
  // expected-error@+1 {{expected gradient of rank 2 (M x D), got 'tensor<1x48x64xf16>'}}
  %x = fpa.backward_finalize ins(%a : tensor<48x64xf32>)
    outs(%o0 : tensor<1x48x64xf16>) {scale = 0.125 : f64} -> tensor<1x48x64xf16>
  return
}

// -----

// [G11]
func.func @f(%a: tensor<48x64xbf16>, %o0: tensor<48x64xf16>) {
  // expected-error@+1 {{expected accumulator of element type 'f32' or 'f64', got 'bf16'}}
  %x = fpa.backward_finalize ins(%a : tensor<48x64xbf16>)
    outs(%o0 : tensor<48x64xf16>) {scale = 0.125 : f64} -> tensor<48x64xf16>
  return
}

// -----

// [G11]
func.func @f(%a: tensor<48x64xf32>, %o0: tensor<48x64xi32>) {
  // expected-error@+1 {{expected gradient of element type 'f16', 'bf16', 'f32' or 'f64', got 'i32'}}
  %x = fpa.backward_finalize ins(%a : tensor<48x64xf32>)
    outs(%o0 : tensor<48x64xi32>) {scale = 0.125 : f64} -> tensor<48x64xi32>
  return
}

// -----

// [G11]
func.func @f(%a: tensor<48x64xf32>, %o0: tensor<48x65xf16>) {
  // expected-error@+1 {{expected gradient dimension 1 (D) of size 64 as in accumulator, got 65}}
  %x = fpa.backward_finalize ins(%a : tensor<48x64xf32>)
    outs(%o0 : tensor<48x65xf16>) {scale = 0.125 : f64} -> tensor<48x65xf16>
  return
}

// -----

// [G11]
func.func @f(%a: tensor<48x64xf32>, %o0: tensor<49x64xf16>) {
  // expected-error@+1 {{expected accumulator dimension 0 (S) of size at least 49, got 48}}
  %x = fpa.backward_finalize ins(%a : tensor<48x64xf32>)
    outs(%o0 : tensor<49x64xf16>) {scale = 0.125 : f64} -> tensor<49x64xf16>
  return
}

// -----

// [G11]
func.func @f(%a: tensor<48x64xf32>, %o0: tensor<48x64xf16>) {
  // expected-error@+1 {{expected scale to be finite, got INF}}
  %x = fpa.backward_finalize ins(%a : tensor<48x64xf32>)
    outs(%o0 : tensor<48x64xf16>) {scale = 0x7FF0000000000000 : f64} -> tensor<48x64xf16>
  return
}

// -----

// [G12]
func.func @f(%a: tensor<48x64xf32>, %o0: tensor<48x64xf16>) {
  // expected-error@+1 {{expected type of operand #1 ('tensor<48x64xf16>') to match type of corresponding result ('tensor<?x64xf16>')}}
  %x = fpa.backward_finalize ins(%a : tensor<48x64xf32>)
    outs(%o0 : tensor<48x64xf16>) {scale = 0.125 : f64} -> tensor<?x64xf16>
  return
}
