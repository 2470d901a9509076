// A loop that carries a cache.
func.func @main(%x: tensor<1x1x8x16xf32>, %f: tensor<1x1x8xf32>) -> tensor<1x1xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %ck0 = tensor.empty() : tensor<1x1x8x16xf32>
  %cl0 = tensor.empty() : tensor<1x1x8xf32>
  %cm0 = tensor.empty() : tensor<1x1x8xf32>
  %cv0 = tensor.empty() : tensor<1x1x8x16xf32>
  %e = tensor.empty() : tensor<1x1xi64>
  %n0 = linalg.fill ins(%none : i64) outs(%e : tensor<1x1xi64>) -> tensor<1x1xi64>
  %r:5 = scf.for %t = %c0 to %c8 step %c1 iter_args(%ck = %ck0, %cv = %cv0, %cl = %cl0, %cm = %cm0, %n = %n0)
      -> (tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x1xi64>) {
    %k = tensor.extract_slice %x[0, 0, %t, 0] [1, 1, 1, 16] [1, 1, 1, 1] : tensor<1x1x8x16xf32> to tensor<1x1x1x16xf32>
    %g = tensor.extract_slice %f[0, 0, %t] [1, 1, 1] [1, 1, 1] : tensor<1x1x8xf32> to tensor<1x1x1xf32>
    %u:5 = fpa.update_cache ins(%k, %k : tensor<1x1x1x16xf32>, tensor<1x1x1x16xf32>) field(%g : tensor<1x1x1xf32>)
      outs(%ck, %cv, %cl, %cm, %n : tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x1xi64>)
      {evict_above = 2.0 : f64} -> tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x1xi64>
    scf.yield %u#0, %u#1, %u#2, %u#3, %u#4 : tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x1xi64>
  }
  return %r#4 : tensor<1x1xi64>
}
