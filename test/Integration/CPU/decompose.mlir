// The decomposition of fpa.attention, run by upstream's passes and runner, and
// compared with values worked out by hand. The queries are 0, so that the
// logits are -pen; the field is 0 or -log 2, so that weights are 1 or 1/2.

// RUN: fpa-opt %s --pass-pipeline="builtin.module(fpa-decompose, \
// RUN:   one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}, \
// RUN:   convert-linalg-to-loops, expand-strided-metadata, lower-affine, convert-scf-to-cf, \
// RUN:   convert-math-to-llvm, convert-math-to-libm, convert-to-llvm, reconcile-unrealized-casts)" \
// RUN: | mlir-runner -e main --entry-point-result=void \
// RUN:     --shared-libs=%llvm_lib_dir/libmlir_runner_utils.so,%llvm_lib_dir/libmlir_c_runner_utils.so \
// RUN: | FileCheck %s

// The same numbers must come from streaming over tiny tiles whose online ops
// are decomposed: with tiles of one key, all of them are inner tiles.

// DEFINE: %{tiles} = query-tile=1 key-tile=1 edge-tile=1
// DEFINE: %{stream} = fpa-opt %s --pass-pipeline="builtin.module( \
// DEFINE:   fpa-tile-attention{%{tiles}}, fpa-decompose, canonicalize, cse, \
// DEFINE:   one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}, \
// DEFINE:   convert-fpa-prefix-to-vector, convert-fpa-key-intervals-to-scf, \
// DEFINE:   func.func(scf-forall-to-for, fpa-lower-strided-copies, convert-linalg-to-loops, convert-vector-to-scf), \
// DEFINE:   expand-strided-metadata, lower-affine, convert-scf-to-cf, \
// DEFINE:   convert-math-to-llvm, convert-math-to-libm, convert-to-llvm, reconcile-unrealized-casts)" \
// DEFINE: | mlir-runner -e main --entry-point-result=void \
// DEFINE:     --shared-libs=%llvm_lib_dir/libmlir_runner_utils.so,%llvm_lib_dir/libmlir_c_runner_utils.so \
// DEFINE: | FileCheck %s
// RUN: %{stream}

// REDEFINE: %{tiles} = query-tile=3 key-tile=2 edge-tile=1
// RUN: %{stream}

func.func private @printMemrefF32(%m: tensor<*xf32>)
func.func private @printMemrefF64(%m: tensor<*xf64>)

func.func private @show(%o: tensor<?x?x?x?xf32>, %lse: tensor<?x?x?xf32>) {
  %oc = tensor.cast %o : tensor<?x?x?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%oc) : (tensor<*xf32>) -> ()
  %lc = tensor.cast %lse : tensor<?x?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%lc) : (tensor<*xf32>) -> ()
  return
}

func.func @basic(%q: tensor<1x1x?x1xf32>, %k: tensor<1x1x3x1xf32>, %v: tensor<1x1x3x1xf32>,
                 %f: tensor<1x1x3xf32>) {
  %c2 = arith.constant 2 : index
  %lq = tensor.dim %q, %c2 : tensor<1x1x?x1xf32>
  %o0 = tensor.empty(%lq) : tensor<1x1x?x1xf32>
  %l0 = tensor.empty(%lq) : tensor<1x1x?xf32>
  %o, %l = fpa.attention
      ins(%q, %k, %v : tensor<1x1x?x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>)
      field(%f : tensor<1x1x3xf32>) outs(%o0, %l0 : tensor<1x1x?x1xf32>, tensor<1x1x?xf32>)
      -> tensor<1x1x?x1xf32>, tensor<1x1x?xf32>
  %oc = tensor.cast %o : tensor<1x1x?x1xf32> to tensor<?x?x?x?xf32>
  %lc = tensor.cast %l : tensor<1x1x?xf32> to tensor<?x?x?xf32>
  call @show(%oc, %lc) : (tensor<?x?x?x?xf32>, tensor<?x?x?xf32>) -> ()
  return
}

func.func @window(%q: tensor<1x1x3x1xf32>, %k: tensor<1x1x3x1xf32>, %v: tensor<1x1x3x1xf32>,
                  %f: tensor<1x1x3xf32>) {
  %o0 = tensor.empty() : tensor<1x1x3x1xf32>
  %l0 = tensor.empty() : tensor<1x1x3xf32>
  %o, %l = fpa.attention
      ins(%q, %k, %v : tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>)
      field(%f : tensor<1x1x3xf32>) outs(%o0, %l0 : tensor<1x1x3x1xf32>, tensor<1x1x3xf32>)
      {window = 2 : i64} -> tensor<1x1x3x1xf32>, tensor<1x1x3xf32>
  %oc = tensor.cast %o : tensor<1x1x3x1xf32> to tensor<?x?x?x?xf32>
  %lc = tensor.cast %l : tensor<1x1x3xf32> to tensor<?x?x?xf32>
  call @show(%oc, %lc) : (tensor<?x?x?x?xf32>, tensor<?x?x?xf32>) -> ()
  return
}

func.func @smooth(%q: tensor<1x1x3x1xf32>, %k: tensor<1x1x3x1xf32>, %v: tensor<1x1x3x1xf32>,
                  %f: tensor<1x1x3xf32>) {
  %o0 = tensor.empty() : tensor<1x1x3x1xf32>
  %l0 = tensor.empty() : tensor<1x1x3xf32>
  %o, %l = fpa.attention
      ins(%q, %k, %v : tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>)
      field(%f : tensor<1x1x3xf32>) outs(%o0, %l0 : tensor<1x1x3x1xf32>, tensor<1x1x3xf32>)
      {smooth = 1.0 : f64} -> tensor<1x1x3x1xf32>, tensor<1x1x3xf32>
  %oc = tensor.cast %o : tensor<1x1x3x1xf32> to tensor<?x?x?x?xf32>
  %lc = tensor.cast %l : tensor<1x1x3xf32> to tensor<?x?x?xf32>
  call @show(%oc, %lc) : (tensor<?x?x?x?xf32>, tensor<?x?x?xf32>) -> ()
  return
}

// Three sequences of 2, 0, 3 queries and 3, 1, 2 keys.
func.func @packed(%q: tensor<1x1x5x1xf32>, %k: tensor<1x1x6x1xf32>, %v: tensor<1x1x6x1xf32>,
                  %f: tensor<1x1x6xf32>, %cuq: tensor<?xi64>, %cuk: tensor<?xi64>) {
  %o0 = tensor.empty() : tensor<1x1x5x1xf32>
  %l0 = tensor.empty() : tensor<1x1x5xf32>
  %o, %l = fpa.attention
      ins(%q, %k, %v : tensor<1x1x5x1xf32>, tensor<1x1x6x1xf32>, tensor<1x1x6x1xf32>)
      field(%f : tensor<1x1x6xf32>) cu_seqlens(%cuq, %cuk : tensor<?xi64>, tensor<?xi64>)
      outs(%o0, %l0 : tensor<1x1x5x1xf32>, tensor<1x1x5xf32>)
      -> tensor<1x1x5x1xf32>, tensor<1x1x5xf32>
  %oc = tensor.cast %o : tensor<1x1x5x1xf32> to tensor<?x?x?x?xf32>
  %lc = tensor.cast %l : tensor<1x1x5xf32> to tensor<?x?x?xf32>
  call @show(%oc, %lc) : (tensor<?x?x?x?xf32>, tensor<?x?x?xf32>) -> ()
  return
}

// Four query heads; two key heads; a field and a level for each query head.
func.func @heads(%q: tensor<1x4x2x1xf32>, %k: tensor<1x?x2x1xf32>, %v: tensor<1x?x2x1xf32>,
                 %f: tensor<1x4x2xf32>, %lv: tensor<1x4x2xf32>) {
  %o0 = tensor.empty() : tensor<1x4x2x1xf32>
  %l0 = tensor.empty() : tensor<1x4x2xf32>
  %o, %l = fpa.attention
      ins(%q, %k, %v : tensor<1x4x2x1xf32>, tensor<1x?x2x1xf32>, tensor<1x?x2x1xf32>)
      field(%f : tensor<1x4x2xf32>) level(%lv : tensor<1x4x2xf32>)
      outs(%o0, %l0 : tensor<1x4x2x1xf32>, tensor<1x4x2xf32>)
      -> tensor<1x4x2x1xf32>, tensor<1x4x2xf32>
  %oc = tensor.cast %o : tensor<1x4x2x1xf32> to tensor<?x?x?x?xf32>
  %lc = tensor.cast %l : tensor<1x4x2xf32> to tensor<?x?x?xf32>
  call @show(%oc, %lc) : (tensor<?x?x?x?xf32>, tensor<?x?x?xf32>) -> ()
  return
}

// No field, f64, a logit of log 3 for the first key, and the default scale.
func.func @plain(%q: tensor<1x1x?x4xf64>, %k: tensor<1x1x?x4xf64>, %v: tensor<1x1x2x2xf64>) {
  %o0 = tensor.empty() : tensor<1x1x2x2xf64>
  %o = fpa.attention
      ins(%q, %k, %v : tensor<1x1x?x4xf64>, tensor<1x1x?x4xf64>, tensor<1x1x2x2xf64>)
      outs(%o0 : tensor<1x1x2x2xf64>) -> tensor<1x1x2x2xf64>
  %oc = tensor.cast %o : tensor<1x1x2x2xf64> to tensor<*xf64>
  call @printMemrefF64(%oc) : (tensor<*xf64>) -> ()
  return
}

func.func @main() {
  %q2 = arith.constant dense<0.0> : tensor<1x1x2x1xf32>
  %q3 = arith.constant dense<0.0> : tensor<1x1x3x1xf32>
  %q5 = arith.constant dense<0.0> : tensor<1x1x5x1xf32>
  %k3 = arith.constant dense<1.0> : tensor<1x1x3x1xf32>
  %v3 = arith.constant dense<[[[[6.0], [3.0], [1.5]]]]> : tensor<1x1x3x1xf32>
  %dip = arith.constant dense<[[[0.0, -0.693147180559945, 0.0]]]> : tensor<1x1x3xf32>
  %q2d = tensor.cast %q2 : tensor<1x1x2x1xf32> to tensor<1x1x?x1xf32>
  %q3d = tensor.cast %q3 : tensor<1x1x3x1xf32> to tensor<1x1x?x1xf32>
  %q5d = tensor.cast %q5 : tensor<1x1x5x1xf32> to tensor<1x1x?x1xf32>

  // Weights 1; 1/2 1; 1/2 1 1.
  // CHECK: {{\[6\], *[[:space:]]*\[4\], *[[:space:]]*\[3\]}}
  // CHECK: {{\[0, +0.405465, +0.916291\]}}
  call @basic(%q3d, %k3, %v3, %dip) : (tensor<1x1x?x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3xf32>) -> ()
  // Fewer queries than keys: the last rows of the above.
  // CHECK: {{\[\[4\], *[[:space:]]*\[3\]}}
  // CHECK: {{\[0.405465, +0.916291\]}}
  call @basic(%q2d, %k3, %v3, %dip) : (tensor<1x1x?x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3xf32>) -> ()
  // More: two rows see no key.
  // CHECK: {{\[\[0\], *[[:space:]]*\[0\], *[[:space:]]*\[6\], *[[:space:]]*\[4\], *[[:space:]]*\[3\]}}
  // CHECK: {{\[-inf, +-inf, +0, +0.405465, +0.916291\]}}
  call @basic(%q5d, %k3, %v3, %dip) : (tensor<1x1x?x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3xf32>) -> ()

  // Weights 1; 1/2 1; 0 1 1.
  // CHECK: {{\[6\], *[[:space:]]*\[4\], *[[:space:]]*\[2.25\]}}
  // CHECK: {{\[0, +0.405465, +0.693147\]}}
  call @window(%q3, %k3, %v3, %dip) : (tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3xf32>) -> ()

  // exp(-softplus(z)) = 1 / (1 + exp(z)): weights 1; 1/3 1; 1/3 2/3 1.
  // CHECK: {{\[6\], *[[:space:]]*\[3.75\], *[[:space:]]*\[2.75\]}}
  // CHECK: {{\[0, +0.287682, +0.693147\]}}
  call @smooth(%q3, %k3, %v3, %dip) : (tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3xf32>) -> ()

  // A NaN value reaches only the rows that see its key; so does a NaN field.
  %nan = arith.constant 0x7FC00000 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %vnan = tensor.insert %nan into %v3[%c0, %c0, %c2, %c0] : tensor<1x1x3x1xf32>
  // CHECK: {{\[6\], *[[:space:]]*\[4\], *[[:space:]]*\[-?nan\]}}
  // CHECK: {{\[0, +0.405465, +0.916291\]}}
  call @basic(%q3d, %k3, %vnan, %dip) : (tensor<1x1x?x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3xf32>) -> ()
  %fnan = tensor.insert %nan into %dip[%c0, %c0, %c2] : tensor<1x1x3xf32>
  // CHECK: {{\[6\], *[[:space:]]*\[4\], *[[:space:]]*\[-?nan\]}}
  // CHECK: {{\[0, +0.405465, +-?nan\]}}
  call @basic(%q3d, %k3, %v3, %fnan) : (tensor<1x1x?x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3xf32>) -> ()

  // Tied infinite fields are no penalty; a dip to -inf forgets what is before.
  // CHECK: {{\[6\], *[[:space:]]*\[4.5\], *[[:space:]]*\[3.5\]}}
  // CHECK: {{\[0, +0.693147, +1.09861\]}}
  %up = arith.constant dense<0x7F800000> : tensor<1x1x3xf32>
  call @basic(%q3d, %k3, %v3, %up) : (tensor<1x1x?x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3xf32>) -> ()
  // CHECK: {{\[6\], *[[:space:]]*\[3\], *[[:space:]]*\[2.25\]}}
  // CHECK: {{\[0, +0, +0.693147\]}}
  %down = arith.constant dense<[[[0.0, 0xFF800000, 0.0]]]> : tensor<1x1x3xf32>
  call @basic(%q3d, %k3, %v3, %down) : (tensor<1x1x?x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3xf32>) -> ()

  // Rows 0 and 1 sit on keys 1 and 2; row 2 sees nothing; rows 3 and 4 sit on
  // keys 4 and 5. A NaN field at key 3 reaches nobody, one of key 0 neither.
  // CHECK: {{\[\[4\], *[[:space:]]*\[3\], *[[:space:]]*\[0\], *[[:space:]]*\[8\], *[[:space:]]*\[6\]}}
  // CHECK: {{\[0.405465, +0.916291, +-inf, +0, +0.405465\]}}
  %k6 = arith.constant dense<1.0> : tensor<1x1x6x1xf32>
  %v6 = arith.constant dense<[[[[6.0], [3.0], [1.5], [0x7FC00000], [8.0], [5.0]]]]> : tensor<1x1x6x1xf32>
  %f6 = arith.constant dense<[[[0.0, -0.693147180559945, 0.0, 0x7FC00000, 0.0, -0.693147180559945]]]> : tensor<1x1x6xf32>
  %cuq = arith.constant dense<[0, 2, 2, 5]> : tensor<4xi64>
  %cuk = arith.constant dense<[0, 3, 4, 6]> : tensor<4xi64>
  %cuqd = tensor.cast %cuq : tensor<4xi64> to tensor<?xi64>
  %cukd = tensor.cast %cuk : tensor<4xi64> to tensor<?xi64>
  call @packed(%q5, %k6, %v6, %f6, %cuqd, %cukd) : (tensor<1x1x5x1xf32>, tensor<1x1x6x1xf32>, tensor<1x1x6x1xf32>, tensor<1x1x6xf32>, tensor<?xi64>, tensor<?xi64>) -> ()

  // Row 1 of the heads: weights 1 1; 1/2 1; 1/4 1; 1 1, of values 3 6 and 5 10.
  // CHECK: {{\[\[\[3\], *[[:space:]]*\[4.5\]\], *[[:space:]]*\[\[3\], *[[:space:]]*\[5\]\], *[[:space:]]*\[\[5\], *[[:space:]]*\[9\]\], *[[:space:]]*\[\[5\], *[[:space:]]*\[7.5\]\]}}
  // CHECK: {{\[0, +0.693147\], *[[:space:]]*\[0, +0.405465\], *[[:space:]]*\[0, +0.223144\], *[[:space:]]*\[0, +0.693147\]}}
  %qh = arith.constant dense<0.0> : tensor<1x4x2x1xf32>
  %kh = arith.constant dense<1.0> : tensor<1x2x2x1xf32>
  %vh = arith.constant dense<[[[[3.0], [6.0]], [[5.0], [10.0]]]]> : tensor<1x2x2x1xf32>
  %khd = tensor.cast %kh : tensor<1x2x2x1xf32> to tensor<1x?x2x1xf32>
  %vhd = tensor.cast %vh : tensor<1x2x2x1xf32> to tensor<1x?x2x1xf32>
  %fh = arith.constant dense<[[[0.0, 0.0], [0.0, -0.693147180559945], [0.0, -0.693147180559945], [0.0, 5.0]]]> : tensor<1x4x2xf32>
  %lh = arith.constant dense<[[[0.0, 9.0], [0.0, 9.0], [0.693147180559945, 9.0], [5.0, 9.0]]]> : tensor<1x4x2xf32>
  call @heads(%qh, %khd, %vhd, %fh, %lh) : (tensor<1x4x2x1xf32>, tensor<1x?x2x1xf32>, tensor<1x?x2x1xf32>, tensor<1x4x2xf32>, tensor<1x4x2xf32>) -> ()

  // <q_1, k_0> = 2 log 3 at D = 4, so the weights of row 1 are 3 and 1.
  // CHECK: {{\[4, +8\], *[[:space:]]*\[5, +7\]}}
  %qp = arith.constant dense<[[[[0.0, 0.0, 0.0, 0.0], [2.1972245773362196, 0.0, 0.0, 0.0]]]]> : tensor<1x1x2x4xf64>
  %kp = arith.constant dense<[[[[1.0, 7.0, 7.0, 7.0], [0.0, 7.0, 7.0, 7.0]]]]> : tensor<1x1x2x4xf64>
  %vp = arith.constant dense<[[[[4.0, 8.0], [8.0, 4.0]]]]> : tensor<1x1x2x2xf64>
  %qpd = tensor.cast %qp : tensor<1x1x2x4xf64> to tensor<1x1x?x4xf64>
  %kpd = tensor.cast %kp : tensor<1x1x2x4xf64> to tensor<1x1x?x4xf64>
  call @plain(%qpd, %kpd, %vp) : (tensor<1x1x?x4xf64>, tensor<1x1x?x4xf64>, tensor<1x1x2x2xf64>) -> ()
  return
}
