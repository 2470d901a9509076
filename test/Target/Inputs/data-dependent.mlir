// How often attention runs is in memory, and in the program.
func.func @load(%n: tensor<1xindex>, %x: tensor<1x1x8x16xf32>) -> tensor<1x1x8x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = tensor.extract %n[%c0] : tensor<1xindex>
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%y = %x) -> tensor<1x1x8x16xf32> {
    %e = tensor.empty() : tensor<1x1x8x16xf32>
    %o = fpa.attention ins(%y, %y, %y : tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>)
      outs(%e : tensor<1x1x8x16xf32>) -> tensor<1x1x8x16xf32>
    scf.yield %o : tensor<1x1x8x16xf32>
  }
  return %r : tensor<1x1x8x16xf32>
}

func.func @loop(%x: tensor<1x1x8x16xf32>) -> tensor<1x1x8x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%y = %x) -> tensor<1x1x8x16xf32> {
    %e = tensor.empty() : tensor<1x1x8x16xf32>
    %o = fpa.attention ins(%y, %y, %y : tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>)
      outs(%e : tensor<1x1x8x16xf32>) -> tensor<1x1x8x16xf32>
    scf.yield %o : tensor<1x1x8x16xf32>
  }
  return %r : tensor<1x1x8x16xf32>
}
