// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.online_finalize: everything that it refuses.
// The tags are the rules of docs/Spec.md.

// [O8]
func.func @f(%a: tensor<48x32xf32>, %m: tensor<48xf32>, %s: tensor<48xf32>, %o0: tensor<48x32xf32>,
             %o1: tensor<48xf32>, %o2: tensor<48xf32>) {
  // expected-error@+1 {{expected 1 or 2 outs (output, lse), got 3}}
  %r:3 = fpa.online_finalize ins(%a, %m, %s : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>)
    outs(%o0, %o1, %o2 : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>)
    -> tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [O9]
func.func @f(%a: tensor<48xf32>, %m: tensor<48xf32>, %s: tensor<48xf32>, %o0: tensor<48x32xf16>,
             %o1: tensor<48xf32>) {
  // expected-error@+1 {{expected accumulator of rank 2 (S x Dv), got 'tensor<48xf32>'}}
  %r:2 = fpa.online_finalize ins(%a, %m, %s : tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    outs(%o0, %o1 : tensor<48x32xf16>, tensor<48xf32>)
    -> tensor<48x32xf16>, tensor<48xf32>
  return
}

// -----

// [O9]
func.func @f(%a: tensor<48x32xf16>, %m: tensor<48xf32>, %s: tensor<48xf32>, %o0: tensor<48x32xf16>,
             %o1: tensor<48xf32>) {
  // expected-error@+1 {{expected accumulator of element type 'f32' or 'f64', got 'f16'}}
  %r:2 = fpa.online_finalize ins(%a, %m, %s : tensor<48x32xf16>, tensor<48xf32>, tensor<48xf32>)
    outs(%o0, %o1 : tensor<48x32xf16>, tensor<48xf32>)
    -> tensor<48x32xf16>, tensor<48xf32>
  return
}

// -----

// [O9]
func.func @f(%a: tensor<48x32xf32>, %m: tensor<48xf64>, %s: tensor<48xf32>, %o0: tensor<48x32xf16>,
             %o1: tensor<48xf32>) {
  // expected-error@+1 {{expected maximum of element type 'f32', got 'f64'}}
  %r:2 = fpa.online_finalize ins(%a, %m, %s : tensor<48x32xf32>, tensor<48xf64>, tensor<48xf32>)
    outs(%o0, %o1 : tensor<48x32xf16>, tensor<48xf32>)
    -> tensor<48x32xf16>, tensor<48xf32>
  return
}

// -----

// [O9]
func.func @f(%a: tensor<48x32xf32>, %m: tensor<48xf32>, %s: tensor<48x1xf32>,
             %o0: tensor<48x32xf16>, %o1: tensor<48xf32>) {
  // expected-error@+1 {{expected sum of rank 1 (S), got 'tensor<48x1xf32>'}}
  %r:2 = fpa.online_finalize ins(%a, %m, %s : tensor<48x32xf32>, tensor<48xf32>, tensor<48x1xf32>)
    outs(%o0, %o1 : tensor<48x32xf16>, tensor<48xf32>)
    -> tensor<48x32xf16>, tensor<48xf32>
  return
}

// -----

// [O9]
func.func @f(%a: tensor<48x32xf32>, %m: tensor<48xf32>, %s: tensor<47xf32>, %o0: tensor<48x32xf16>,
             %o1: tensor<48xf32>) {
  // expected-error@+1 {{expected sum dimension 0 (S) of size 48 as in accumulator, got 47}}
  %r:2 = fpa.online_finalize ins(%a, %m, %s : tensor<48x32xf32>, tensor<48xf32>, tensor<47xf32>)
    outs(%o0, %o1 : tensor<48x32xf16>, tensor<48xf32>)
    -> tensor<48x32xf16>, tensor<48xf32>
  return
}

// -----

// [O9]
func.func @f(%a: tensor<48x32xf32>, %m: tensor<48xf32>, %s: tensor<48xf32>, %o0: tensor<48x33xf32>)
             {
  // expected-error@+1 {{expected output dimension 1 (Dv) of size 32 as in accumulator, got 33}}
  %r:1 = fpa.online_finalize ins(%a, %m, %s : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>)
    outs(%o0 : tensor<48x33xf32>)
    -> tensor<48x33xf32>
  return
}

// -----

// [O9]
func.func @f(%a: tensor<48x32xf32>, %m: tensor<48xf32>, %s: tensor<48xf32>, %o0: tensor<48x32xi32>)
             {
  // expected-error@+1 {{expected output of element type 'f16', 'bf16', 'f32' or 'f64', got 'i32'}}
  %r:1 = fpa.online_finalize ins(%a, %m, %s : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>)
    outs(%o0 : tensor<48x32xi32>)
    -> tensor<48x32xi32>
  return
}

// -----

// [O10]
func.func @f(%a: tensor<40x32xf32>, %m: tensor<40xf32>, %s: tensor<40xf32>, %o0: tensor<48x32xf16>,
             %o1: tensor<48xf32>) {
  // expected-error@+1 {{expected accumulator dimension 0 (S) of size at least 48, got 40}}
  %r:2 = fpa.online_finalize ins(%a, %m, %s : tensor<40x32xf32>, tensor<40xf32>, tensor<40xf32>)
    outs(%o0, %o1 : tensor<48x32xf16>, tensor<48xf32>)
    -> tensor<48x32xf16>, tensor<48xf32>
  return
}

// -----

// [O9]
func.func @f(%a: tensor<48x32xf32>, %m: tensor<48xf32>, %s: tensor<48xf32>, %o0: tensor<48x32xf16>,
             %o1: tensor<48xf16>) {
  // expected-error@+1 {{expected lse of element type 'f32', got 'f16'}}
  %r:2 = fpa.online_finalize ins(%a, %m, %s : tensor<48x32xf32>, tensor<48xf32>, tensor<48xf32>)
    outs(%o0, %o1 : tensor<48x32xf16>, tensor<48xf16>)
    -> tensor<48x32xf16>, tensor<48xf16>
  return
}
