// Loops around kernels that carry other tensors than those they were given.
#map = affine_map<(d0) -> (d0)>
func.func @main() -> (tensor<3xf32>, tensor<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a0 = arith.constant dense<[1.0, 1.0, 2.0]> : tensor<3xf32>
  %b0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %a0, %b = %b0)
      -> (tensor<3xf32>, tensor<3xf32>) {
    %e = tensor.empty() : tensor<3xf32>
    %sum = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    scf.yield %b, %sum : tensor<3xf32>, tensor<3xf32>
  }
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
}

// Copies alone.
func.func @rotate(%a0: tensor<3xf32>, %b0: tensor<3xf32>, %d0: tensor<3xf32>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %a0, %b = %b0, %d = %d0)
      -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
    scf.yield %b, %d, %a : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

func.func @steps(%a0: tensor<3xf32>, %x: tensor<?xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %c3 step %n iter_args(%a = %a0) -> tensor<3xf32> {
    %e = tensor.empty() : tensor<3xf32>
    %s = linalg.add ins(%a, %a : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    scf.yield %s : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}

func.func @growing(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> tensor<?xf32> {
    %n = tensor.dim %a, %c0 : tensor<?xf32>
    %m = arith.addi %n, %c1 : index
    %e = tensor.empty(%m) : tensor<?xf32>
    %f = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

func.func @branches(%x: tensor<4xf32>, %n: tensor<1xi64>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> tensor<4xf32> {
    %odd = arith.remsi %i, %c3 : index
    %is = arith.cmpi eq, %odd, %c1 : index
    %y = scf.if %is -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %f = linalg.fill ins(%one : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %f : tensor<4xf32>
    } else {
      scf.yield %a : tensor<4xf32>
    }
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
