// A cache whose types leave its size open and whose capacity is a number: loops over
// its parts come to have a single iteration only when the types are known, and stay.
// DEFINE: %{run} = fpa-run %s --input=1x2x50x32xf32 --input=1x1x50x32xf32 --input=1x1x50x32xf32 --input=1x1x50xf32:walk --poison --tolerance=1e-5
// RUN: %{run}
// RUN: %{run} --target=emulator
// RUN: fpa-compile %s --target=nvptx -o %t.pkg
!queries = tensor<1x2x?x32xf32>
!keys = tensor<1x1x?x32xf32>
!row = tensor<1x1x?xf32>
!count = tensor<1x1xi64>

func.func @main(%q: !queries, %k: !keys, %v: !keys, %field: !row) -> (!queries, !count) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %tokens = tensor.dim %q, %c2 : !queries
  %o0 = tensor.empty(%tokens) : !queries
  %capacity = arith.constant 64 : index
  %ck0 = tensor.empty(%capacity) : !keys
  %cv0 = tensor.empty(%capacity) : !keys
  %cl0 = tensor.empty(%capacity) : !row
  %cm0 = tensor.empty(%capacity) : !row
  %none = arith.constant dense<0> : !count
  %all:6 = scf.for %t = %c0 to %tokens step %c1
      iter_args(%o = %o0, %ck = %ck0, %cv = %cv0, %cl = %cl0, %cm = %cm0, %n = %none)
      -> (!queries, !keys, !keys, !row, !row, !count) {
    %qt = tensor.extract_slice %q[0, 0, %t, 0] [1, 2, 1, 32] [1, 1, 1, 1] : !queries to tensor<1x2x1x32xf32>
    %kt = tensor.extract_slice %k[0, 0, %t, 0] [1, 1, 1, 32] [1, 1, 1, 1] : !keys to tensor<1x1x1x32xf32>
    %vt = tensor.extract_slice %v[0, 0, %t, 0] [1, 1, 1, 32] [1, 1, 1, 1] : !keys to tensor<1x1x1x32xf32>
    %ft = tensor.extract_slice %field[0, 0, %t] [1, 1, 1] [1, 1, 1] : !row to tensor<1x1x1xf32>
    %init = tensor.empty() : tensor<1x2x1x32xf32>
    %ot = fpa.cached_attention
      ins(%qt, %kt, %vt : tensor<1x2x1x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x32xf32>)
      field(%ft : tensor<1x1x1xf32>)
      cache(%ck, %cv, %cl, %cm, %n : !keys, !keys, !row, !row, !count)
      outs(%init : tensor<1x2x1x32xf32>) {scale = 0.17677669529663687 : f64} -> tensor<1x2x1x32xf32>
    %new:5 = fpa.update_cache ins(%kt, %vt : tensor<1x1x1x32xf32>, tensor<1x1x1x32xf32>)
      field(%ft : tensor<1x1x1xf32>)
      outs(%ck, %cv, %cl, %cm, %n : !keys, !keys, !row, !row, !count)
      {evict_above = 12.0 : f64} -> !keys, !keys, !row, !row, !count
    %next = tensor.insert_slice %ot into %o[0, 0, %t, 0] [1, 2, 1, 32] [1, 1, 1, 1] : tensor<1x2x1x32xf32> into !queries
    scf.yield %next, %new#0, %new#1, %new#2, %new#3, %new#4 : !queries, !keys, !keys, !row, !row, !count
  }
  return %all#0, %all#5 : !queries, !count
}
