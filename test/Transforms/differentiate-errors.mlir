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
  // expected-error@+1 {{'linalg.fill' op expected operands that depend on a tensor argument to be ranked tensors of floats, got 'f32' as operand 0}}
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

// -----

// Dependences that are hidden in a region, memory, a scalar or bits.

#id = affine_map<(i) -> (i)>
func.func @f(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 0 : index
    %first = arith.cmpi eq, %i, %c0 : index
    %s = scf.if %first -> f32 {
      scf.yield %a : f32
    } else {
      // expected-error@+1 {{'tensor.extract' op expected the body to use no outer value that depends on a tensor argument, got one}}
      %u = tensor.extract %w[%i] : tensor<4xf32>
      scf.yield %u : f32
    }
    %t = arith.mulf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    // expected-error@+1 {{'math.sincos' op expected a scalar op that can be differentiated, got this one}}
    %s, %c = math.sincos %a : f32
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    // expected-error@+1 {{'math.sincos' op expected a scalar op that can be differentiated, got this one}}
    %s, %c = math.sincos %a : f32
    %t = arith.addf %s, %s : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %bits = arith.bitcast %a : f32 to i32
    // expected-error@+1 {{'arith.bitcast' op expected a scalar op that can be differentiated, got this one}}
    %s = arith.bitcast %bits : i32 to f32
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %bits = arith.bitcast %x : tensor<4xf32> to tensor<4xi32>
  // expected-error@+1 {{expected operands that depend on a tensor argument to be ranked tensors of floats, got 'tensor<4xi32>' as operand 0}}
  %y = arith.bitcast %bits : tensor<4xi32> to tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  // expected-error@+1 {{'affine.for' op expected an op that depends on a tensor argument to have no effect on memory, got one}}
  affine.for %i = 0 to 4 {
    %a = tensor.extract %x[%i] : tensor<4xf32>
    memref.store %a, %m[%i] : memref<4xf32>
  }
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %m = memref.alloca() : memref<f32>
  %a = tensor.extract %x[%i] : tensor<4xf32>
  // expected-error@+1 {{'memref.store' op expected an op that depends on a tensor argument to have no effect on memory, got one}}
  memref.store %a, %m[] : memref<f32>
  %b = memref.load %m[] : memref<f32>
  %t = tensor.splat %b : tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

// A call without a result may write to memory too.
func.func private @g(tensor<4xf32>)
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected calls to be inlined before differentiation, got one}}
  call @g(%x) : (tensor<4xf32>) -> ()
  return %x : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tensor.cast %x : tensor<4xf32> to tensor<*xf32>
  // expected-error@+1 {{'tensor.cast' op expected operands that depend on a tensor argument to be ranked tensors of floats, got 'tensor<*xf32>' as operand 0}}
  %z = tensor.cast %y : tensor<*xf32> to tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// expected-error@+1 {{expected results that depend on a tensor argument to be ranked tensors of floats or integers, got 'tensor<*xf32>' as result 0}}
func.func @f(%x: tensor<4xf32>) -> tensor<*xf32> {
  %y = tensor.cast %x : tensor<4xf32> to tensor<*xf32>
  return %y : tensor<*xf32>
}

// -----

// expected-error@+1 {{expected results that depend on a tensor argument to be ranked tensors of floats or integers, got 'f32' as result 1}}
func.func @f(%x: tensor<4xf32>, %i: index) -> (tensor<4xf32>, f32) {
  %y = tensor.extract %x[%i] : tensor<4xf32>
  return %x, %y : tensor<4xf32>, f32
}

// -----

// expected-error@+1 {{expected arguments to differentiate to be ranked, got 'tensor<*xf32>'}}
func.func @f(%x: tensor<*xf32>) {
  return
}

// -----

// expected-error@+1 {{expected tensors without encoding to differentiate, got 'tensor<4xf32, 1 : i32>'}}
func.func @f(%x: tensor<4xf32, 1 : i32>) -> tensor<4xf32, 1 : i32> {
  %y = arith.mulf %x, %x : tensor<4xf32, 1 : i32>
  return %y : tensor<4xf32, 1 : i32>
}

// -----

!q = tensor<1x1x4x8xf32>
!f = tensor<1x1x4xf32>
func.func @f(%q: !q, %f: !f, %x: tensor<f32>) -> !q {
  %twice = arith.addf %x, %x : tensor<f32>
  // expected-error@+1 {{'fpa.attention' op expected smooth to be an argument by itself or to depend on no tensor argument, as it has no gradient}}
  %o = fpa.attention ins(%q, %q, %q : !q, !q, !q) field(%f : !f)
    smooth(%twice : tensor<f32>) outs(%q : !q) -> !q
  return %o : !q
}
