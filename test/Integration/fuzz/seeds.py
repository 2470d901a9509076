# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Valid modules that the corpus is made from, with the shapes they run on."""

ATTENTION = """\
func.func @main(%q: tensor<1x4x?x16xf32>, %k: tensor<1x2x?x16xf32>,
                %v: tensor<1x2x?x24xf32>, %f: tensor<1x2x?xf32>,
                %l: tensor<1x2x?xf32>)
    -> (tensor<1x4x?x24xf32>, tensor<1x4x?xf32>) {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : tensor<1x4x?x16xf32>
  %o0 = tensor.empty(%n) : tensor<1x4x?x24xf32>
  %s0 = tensor.empty(%n) : tensor<1x4x?xf32>
  %o, %s = fpa.attention
      ins(%q, %k, %v : tensor<1x4x?x16xf32>, tensor<1x2x?x16xf32>,
                       tensor<1x2x?x24xf32>)
      field(%f : tensor<1x2x?xf32>) level(%l : tensor<1x2x?xf32>)
      outs(%o0, %s0 : tensor<1x4x?x24xf32>, tensor<1x4x?xf32>)
      {window = 20 : i64, scale = 0.25 : f64}
      -> tensor<1x4x?x24xf32>, tensor<1x4x?xf32>
  return %o, %s : tensor<1x4x?x24xf32>, tensor<1x4x?xf32>
}
"""

STATIC = """\
func.func @main(%q: tensor<2x2x33x8xf16>, %k: tensor<2x2x33x8xf16>,
                %v: tensor<2x2x33x8xf16>, %f: tensor<2x2x33xf32>)
    -> tensor<2x2x33x8xf16> {
  %o0 = tensor.empty() : tensor<2x2x33x8xf16>
  %o = fpa.attention
      ins(%q, %k, %v : tensor<2x2x33x8xf16>, tensor<2x2x33x8xf16>,
                       tensor<2x2x33x8xf16>)
      field(%f : tensor<2x2x33xf32>) outs(%o0 : tensor<2x2x33x8xf16>)
      {smooth = 1.0 : f64} -> tensor<2x2x33x8xf16>
  return %o : tensor<2x2x33x8xf16>
}
"""

SMOOTH = """\
func.func @main(%q: tensor<1x2x?x16xf32>, %f: tensor<1x2x?xf32>,
                %beta: tensor<f32>) -> tensor<1x2x?x16xf32> {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : tensor<1x2x?x16xf32>
  %o0 = tensor.empty(%n) : tensor<1x2x?x16xf32>
  %o = fpa.attention
      ins(%q, %q, %q : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>,
                       tensor<1x2x?x16xf32>)
      field(%f : tensor<1x2x?xf32>) smooth(%beta : tensor<f32>)
      outs(%o0 : tensor<1x2x?x16xf32>)
      {scale = 0.5 : f64} -> tensor<1x2x?x16xf32>
  return %o : tensor<1x2x?x16xf32>
}
"""

PACKED = """\
func.func @main(%q: tensor<1x2x?x16xf32>, %k: tensor<1x2x?x16xf32>,
                %v: tensor<1x2x?x16xf32>, %f: tensor<1x2x?xf32>,
                %cq: tensor<?xi64>, %ck: tensor<?xi64>)
    -> tensor<1x2x?x16xf32> {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : tensor<1x2x?x16xf32>
  %o0 = tensor.empty(%n) : tensor<1x2x?x16xf32>
  %o = fpa.attention
      ins(%q, %k, %v : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>,
                       tensor<1x2x?x16xf32>)
      field(%f : tensor<1x2x?xf32>)
      cu_seqlens(%cq, %ck : tensor<?xi64>, tensor<?xi64>)
      outs(%o0 : tensor<1x2x?x16xf32>) -> tensor<1x2x?x16xf32>
  return %o : tensor<1x2x?x16xf32>
}
"""

SCANS = """\
func.func @main(%x: tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xi64>,
                                         tensor<4x?xf32>) {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<4x?xf32>
  %m0 = tensor.empty(%n) : tensor<4x?xf32>
  %i0 = tensor.empty(%n) : tensor<4x?xi64>
  %m, %i = fpa.prefix_min axis(1) reverse exclusive segment(16)
      ins(%x : tensor<4x?xf32>) outs(%m0, %i0 : tensor<4x?xf32>, tensor<4x?xi64>)
      -> tensor<4x?xf32>, tensor<4x?xi64>
  %s = fpa.prefix_sum axis(1) ins(%x : tensor<4x?xf32>)
      outs(%m0 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %m, %i, %s : tensor<4x?xf32>, tensor<4x?xi64>, tensor<4x?xf32>
}
"""

ONLINE = """\
func.func @main(%q: tensor<48x16xf32>, %k: tensor<64x16xf32>,
                %v: tensor<64x16xf32>, %f: tensor<64xf32>,
                %a0: tensor<48x16xf32>, %m0: tensor<48xf32>,
                %s0: tensor<48xf32>, %r0: tensor<48xf32>)
    -> (tensor<48x16xf32>, tensor<48xf32>) {
  %a, %m, %s, %r = fpa.online_attention
      ins(%q, %k, %v : tensor<48x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>)
      field(%f : tensor<64xf32>)
      outs(%a0, %m0, %s0, %r0 : tensor<48x16xf32>, tensor<48xf32>,
                                tensor<48xf32>, tensor<48xf32>)
      {scale = 0.25 : f64}
      -> tensor<48x16xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  %o, %lse = fpa.online_finalize
      ins(%a, %m, %s : tensor<48x16xf32>, tensor<48xf32>, tensor<48xf32>)
      outs(%a0, %m0 : tensor<48x16xf32>, tensor<48xf32>)
      -> tensor<48x16xf32>, tensor<48xf32>
  return %o, %lse : tensor<48x16xf32>, tensor<48xf32>
}
"""

INTERVALS = """\
func.func @main(%k: tensor<?x8xf32>, %cq: tensor<?xi64>, %ck: tensor<?xi64>)
    -> (tensor<64xi64>, tensor<64xi64>) {
  %c0 = arith.constant 0 : index
  %lk = tensor.dim %k, %c0 : tensor<?x8xf32>
  %f0 = tensor.empty() : tensor<64xi64>
  %first, %last = fpa.key_intervals key_length(%lk)
      cu_seqlens(%cq, %ck : tensor<?xi64>, tensor<?xi64>)
      outs(%f0, %f0 : tensor<64xi64>, tensor<64xi64>) {window = 7 : i64}
      -> tensor<64xi64>, tensor<64xi64>
  return %first, %last : tensor<64xi64>, tensor<64xi64>
}
"""

# Each module with inputs that agree with it: shapes, or lists of i64. None: a
# stage of the compiler, which fpa-run alone does not carry to the end.
SEEDS = {
    "attention": (ATTENTION, [(1, 4, 37, 16), (1, 2, 50, 16), (1, 2, 50, 24),
                              (1, 2, 50), (1, 2, 50)]),
    "static": (STATIC, ["f16", (2, 2, 33, 8), (2, 2, 33, 8), (2, 2, 33, 8),
                        "f32", (2, 2, 33)]),
    "smooth": (SMOOTH, [(1, 2, 33, 16), (1, 2, 33), ()]),
    "packed": (PACKED, [(1, 2, 40, 16), (1, 2, 40, 16), (1, 2, 40, 16),
                        (1, 2, 40), [0, 7, 7, 40], [0, 9, 9, 40]]),
    "scans": (SCANS, [(4, 70)]),
    "online": (ONLINE, None),
    "intervals": (INTERVALS, [(100, 8), [0, 7, 7, 64], [0, 9, 50, 100]]),
}
