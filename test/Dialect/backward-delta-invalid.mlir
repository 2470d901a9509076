// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// fpa.backward_delta: everything that it refuses.
// The tags are the rules of docs/Spec.md.

// [G13]
func.func @f(%o: tensor<48x32xf32>, %d0: tensor<48xf32>) {
  // expected-error@+1 {{expected 1 out (delta), got 2}}
  %x:2 = fpa.backward_delta ins(%o, %o : tensor<48x32xf32>, tensor<48x32xf32>)
    outs(%d0, %d0 : tensor<48xf32>, tensor<48xf32>) -> tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [G13]
func.func @f(%o: vector<48x32xf32>, %do: tensor<48x32xf32>, %d0: tensor<48xf32>) {
  // expected-error@+1 {{expected output to be a ranked tensor or memref, got 'vector<48x32xf32>'}}
  %x = fpa.backward_delta ins(%o, %do : vector<48x32xf32>, tensor<48x32xf32>)
    outs(%d0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G13]
func.func @f(%o: tensor<48x32xf32>, %do: memref<48x32xf32>, %d0: tensor<48xf32>) {
  // expected-error@+1 {{expected output_gradient to be a tensor like output, got 'memref<48x32xf32>'}}
  %x = fpa.backward_delta ins(%o, %do : tensor<48x32xf32>, memref<48x32xf32>)
    outs(%d0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G13]
func.func @f(%o: tensor<48x32xf32>, %do: tensor<48x32xf32>, %dlse: memref<48xf32>,
             %d0: tensor<48xf32>) {
  // expected-error@+1 {{expected lse_gradient to be a tensor like output, got 'memref<48xf32>'}}
  %x = fpa.backward_delta ins(%o, %do : tensor<48x32xf32>, tensor<48x32xf32>)
    lse_gradient(%dlse : memref<48xf32>)
    outs(%d0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G13]
func.func @f(%o: tensor<48xf32>, %do: tensor<48x32xf32>, %d0: tensor<48xf32>) {
  // expected-error@+1 {{expected output of rank 2 (M x Dv), got 'tensor<48xf32>'}}
  %x = fpa.backward_delta ins(%o, %do : tensor<48xf32>, tensor<48x32xf32>)
    outs(%d0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G13]
func.func @f(%o: tensor<48x32xf32>, %do: tensor<1x48x32xf32>, %d0: tensor<48xf32>) {
  // expected-error@+1 {{expected output_gradient of rank 2 (M x Dv), got 'tensor<1x48x32xf32>'}}
  %x = fpa.backward_delta ins(%o, %do : tensor<48x32xf32>, tensor<1x48x32xf32>)
    outs(%d0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G13]
func.func @f(%o: tensor<48x32xf32>, %do: tensor<48x32xf32>, %dlse: tensor<f32>,
             %d0: tensor<48xf32>) {
  // expected-error@+1 {{expected lse_gradient of rank 1 (M), got 'tensor<f32>'}}
  %x = fpa.backward_delta ins(%o, %do : tensor<48x32xf32>, tensor<48x32xf32>)
    lse_gradient(%dlse : tensor<f32>)
    outs(%d0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G13]
func.func @f(%o: tensor<48x32xf32>, %do: tensor<48x32xf32>, %d0: tensor<48x1xf32>) {
  // expected-error@+1 {{expected delta of rank 1 (S), got 'tensor<48x1xf32>'}}
  %x = fpa.backward_delta ins(%o, %do : tensor<48x32xf32>, tensor<48x32xf32>)
    outs(%d0 : tensor<48x1xf32>) -> tensor<48x1xf32>
  return
}

// -----

// [G13]
func.func @f(%o: tensor<48x32xi8>, %do: tensor<48x32xi8>, %d0: tensor<48xf32>) {
  // expected-error@+1 {{expected output of element type 'f16', 'bf16', 'f32' or 'f64', got 'i8'}}
  %x = fpa.backward_delta ins(%o, %do : tensor<48x32xi8>, tensor<48x32xi8>)
    outs(%d0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G13]
func.func @f(%o: tensor<48x32xf32>, %do: tensor<48x32xf16>, %d0: tensor<48xf32>) {
  // expected-error@+1 {{expected output_gradient of element type 'f32', got 'f16'}}
  %x = fpa.backward_delta ins(%o, %do : tensor<48x32xf32>, tensor<48x32xf16>)
    outs(%d0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G13]
func.func @f(%o: tensor<48x32xf32>, %do: tensor<48x32xf32>, %dlse: tensor<48xf64>,
             %d0: tensor<48xf32>) {
  // expected-error@+1 {{expected lse_gradient of element type 'f32', got 'f64'}}
  %x = fpa.backward_delta ins(%o, %do : tensor<48x32xf32>, tensor<48x32xf32>)
    lse_gradient(%dlse : tensor<48xf64>)
    outs(%d0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// That of halves is f32.
// [G13]
func.func @f(%o: tensor<48x32xf16>, %do: tensor<48x32xf16>, %d0: tensor<48xf16>) {
  // expected-error@+1 {{expected delta of element type 'f32', got 'f16'}}
  %x = fpa.backward_delta ins(%o, %do : tensor<48x32xf16>, tensor<48x32xf16>)
    outs(%d0 : tensor<48xf16>) -> tensor<48xf16>
  return
}

// -----

// That of f64 is f64.
// [G13]
func.func @f(%o: tensor<48x32xf64>, %do: tensor<48x32xf64>, %d0: tensor<48xf32>) {
  // expected-error@+1 {{expected delta of element type 'f64', got 'f32'}}
  %x = fpa.backward_delta ins(%o, %do : tensor<48x32xf64>, tensor<48x32xf64>)
    outs(%d0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G13]
func.func @f(%o: tensor<48x32xf32>, %do: tensor<47x32xf32>, %d0: tensor<48xf32>) {
  // expected-error@+1 {{expected output_gradient dimension 0 (M) of size 48 as in output, got 47}}
  %x = fpa.backward_delta ins(%o, %do : tensor<48x32xf32>, tensor<47x32xf32>)
    outs(%d0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G13]
func.func @f(%o: tensor<48x32xf32>, %do: tensor<48x33xf32>, %d0: tensor<48xf32>) {
  // expected-error@+1 {{expected output_gradient dimension 1 (Dv) of size 32 as in output, got 33}}
  %x = fpa.backward_delta ins(%o, %do : tensor<48x32xf32>, tensor<48x33xf32>)
    outs(%d0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G13]
func.func @f(%o: tensor<48x32xf32>, %do: tensor<48x32xf32>, %dlse: tensor<1xf32>,
             %d0: tensor<48xf32>) {
  // expected-error@+1 {{expected lse_gradient dimension 0 (M) of size 48 as in output, got 1}}
  %x = fpa.backward_delta ins(%o, %do : tensor<48x32xf32>, tensor<48x32xf32>)
    lse_gradient(%dlse : tensor<1xf32>)
    outs(%d0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [G13]
func.func @f(%o: tensor<48x32xf32>, %do: tensor<48x32xf32>, %d0: tensor<47xf32>) {
  // expected-error@+1 {{expected delta dimension 0 (S) of size at least 48, got 47}}
  %x = fpa.backward_delta ins(%o, %do : tensor<48x32xf32>, tensor<48x32xf32>)
    outs(%d0 : tensor<47xf32>) -> tensor<47xf32>
  return
}

// -----

// [G12]
func.func @f(%o: tensor<48x32xf32>, %do: tensor<48x32xf32>, %d0: tensor<48xf32>) {
  // expected-error@+1 {{expected type of operand #2 ('tensor<48xf32>') to match type of corresponding result ('tensor<?xf32>')}}
  %x = fpa.backward_delta ins(%o, %do : tensor<48x32xf32>, tensor<48x32xf32>)
    outs(%d0 : tensor<48xf32>) -> tensor<?xf32>
  return
}
