// RUN: fpa-opt %s -split-input-file -verify-diagnostics --fpa-vectorize-tiles

func.func @unbounded_keys(%q: tensor<16x8xf32>, %k: tensor<?x8xf32>,
                          %a0: tensor<16x8xf32>, %m0: tensor<16xf32>)
    -> (tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  // expected-error@+1 {{expected key rows bounded by a constant, got 'tensor<?x8xf32>'}}
  %a, %m, %l, %r = fpa.online_attention
    ins(%q, %k, %k : tensor<16x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>)
    outs(%a0, %m0, %m0, %m0 : tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
    {scale = 0.5 : f64} -> tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  return %a, %m, %l, %r : tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// -----

func.func @unbounded_rows(%a: tensor<?x8xf32>, %m: tensor<?xf32>, %o0: tensor<?x8xf32>)
    -> tensor<?x8xf32> {
  // expected-error@+1 {{expected accumulator rows bounded by a constant, got 'tensor<?x8xf32>'}}
  %o = fpa.online_finalize
    ins(%a, %m, %m : tensor<?x8xf32>, tensor<?xf32>, tensor<?xf32>)
    outs(%o0 : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %o : tensor<?x8xf32>
}

// -----

func.func @memref(%a: memref<16x8xf32>, %m: memref<16xf32>, %o0: memref<16x8xf32>) {
  // expected-error@+1 {{expected tensors, got operands of type 'memref<16x8xf32>'}}
  fpa.online_finalize
    ins(%a, %m, %m : memref<16x8xf32>, memref<16xf32>, memref<16xf32>)
    outs(%o0 : memref<16x8xf32>)
  return
}

// -----

func.func @unbounded_field(%f: tensor<?xf32>, %r: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error@+1 {{expected field rows bounded by a constant, got 'tensor<?xf32>'}}
  %m = fpa.pass_field field(%f : tensor<?xf32>) outs(%r : tensor<16xf32>) -> tensor<16xf32>
  return %m : tensor<16xf32>
}

// -----

func.func @unbounded_value(%q: tensor<16x8xf32>, %k: tensor<32x8xf32>, %v: tensor<32x?xf32>,
                           %o: tensor<16x?xf32>, %lse: tensor<16xf32>) -> tensor<16x8xf32> {
  // expected-error@+1 {{expected value columns bounded by a constant, got 'tensor<32x?xf32>'}}
  %d:3 = fpa.backward_tile ins(%q, %k, %v : tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x?xf32>)
    gradient(%o : tensor<16x?xf32>) saved(%lse, %lse : tensor<16xf32>, tensor<16xf32>)
    outs(%q, %k, %v : tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x?xf32>) {scale = 0.5 : f64}
    -> tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x?xf32>
  return %d#0 : tensor<16x8xf32>
}

// -----

func.func @unbounded_sum(%a: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error@+1 {{expected accumulator rows bounded by a constant, got 'tensor<?x8xf32>'}}
  %d = fpa.backward_finalize ins(%a : tensor<?x8xf32>) outs(%a : tensor<?x8xf32>)
    {scale = 0.5 : f64} -> tensor<?x8xf32>
  return %d : tensor<?x8xf32>
}

// -----

func.func @field_in_buffers(%f: memref<16xf32>) {
  // expected-error@+1 {{expected tensors, got operands of type 'memref<16xf32>'}}
  fpa.pass_field field(%f : memref<16xf32>) outs(%f : memref<16xf32>)
  return
}
