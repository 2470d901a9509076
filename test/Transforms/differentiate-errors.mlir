// RUN: fpa-opt %s --fpa-differentiate=functions=f -verify-diagnostics -split-input-file

func.func private @g(tensor<4xf32>) -> tensor<4xf32>
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected calls to be inlined before differentiation, got one}}
  %y = call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>, %m0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'fpa.prefix_min' op expected an op that can be differentiated between a tensor argument and a result, got this one}}
  %y = fpa.prefix_min axis(0) ins(%x : tensor<4xf32>) outs(%m0 : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'math.sin' op expected a scalar op that can be differentiated, got this one}}
  %y = math.sin %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

#row = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
func.func @f(%x: tensor<4x8xf32>, %m0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a reduction to differentiate to be a sum, got another one}}
  %y = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%m0 : tensor<4xf32>) {
    ^bb0(%a: f32, %m: f32):
      %r = arith.maximumf %a, %m : f32
      linalg.yield %r : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

#shifted = affine_map<(i) -> (i + 1)>
#same = affine_map<(i) -> (i)>
func.func @f(%x: tensor<5xf32>, %y0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected indexing maps to differentiate to be projected permutations, got affine_map<(d0) -> (d0 + 1)>}}
  %y = linalg.generic {indexing_maps = [#shifted, #same], iterator_types = ["parallel"]}
      ins(%x : tensor<5xf32>) outs(%y0 : tensor<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<f32>, %y0: tensor<4xf32>) -> tensor<4xf32> {
  %s = tensor.extract %x[] : tensor<f32>
  // expected-error@+1 {{expected no scalar operand to depend on a tensor argument, got operand 0}}
  %y = linalg.fill ins(%s : f32) outs(%y0 : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @f(%x: tensor<4xf32>, %y0: tensor<4xf32>) -> tensor<4xf32> {
  %y = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%y0 : tensor<4xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      // expected-error@+1 {{expected the body to use no outer value that depends on a tensor argument, got one}}
      %a = tensor.extract %x[%i] : tensor<4xf32>
      linalg.yield %a : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error@+1 {{expected arguments to be tensors to differentiate, got 'memref<4xf32>'}}
func.func @f(%x: memref<4xf32>) {
  return
}

// -----

// expected-error@+1 {{expected a body of one block to differentiate, got 2}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^next
^next:
  return %x : tensor<4xf32>
}

// -----

func.func private @f_backward()
// expected-error@+1 {{expected no function called 'f_backward', got one}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{expected a function called 'f' with a body, got none}}
module {
}
