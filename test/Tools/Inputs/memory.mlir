// Row t of the result is the last of t * n running sums of ones, or 1 for none:
// each index of the parallel loop allocates what it needs.
func.func @main(%x: tensor<?x?xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %empty = tensor.empty() : tensor<64xf32>
  %init = linalg.fill ins(%one : f32) outs(%empty : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%o = %init) -> tensor<64xf32> {
    %size = arith.muli %t, %n : index
    %e = tensor.empty(%size) : tensor<?xf32>
    %ones = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %z = tensor.empty(%size) : tensor<?xf32>
    %sums = fpa.prefix_sum axis(0) ins(%ones : tensor<?xf32>) outs(%z : tensor<?xf32>) -> tensor<?xf32>
    %some = arith.cmpi sgt, %size, %c0 : index
    %v = scf.if %some -> f32 {
      %last = arith.subi %size, %c1 : index
      %w = tensor.extract %sums[%last] : tensor<?xf32>
      scf.yield %w : f32
    } else {
      scf.yield %one : f32
    }
    %row = tensor.empty() : tensor<1xf32>
    %f = linalg.fill ins(%v : f32) outs(%row : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  }
  return %r : tensor<64xf32>
}
