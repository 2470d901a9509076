// One attention op, 8 query heads on 2 key heads, any length. Try
//
//   fpa-run attention.mlir --input=1x8x1000x64xf32 --input=1x2x1000x64xf32
//     --input=1x2x1000x64xf32 --input=1x2x1000xf32:walk --compare=reference --stats
//   fpa-opt attention.mlir --fpa-tile-attention --canonicalize --cse

func.func @main(%q: tensor<1x8x?x64xf32>, %k: tensor<1x2x?x64xf32>,
                %v: tensor<1x2x?x64xf32>, %field: tensor<1x2x?xf32>)
    -> (tensor<1x8x?x64xf32>, tensor<1x8x?xf32>) {
  %c2 = arith.constant 2 : index
  %length = tensor.dim %q, %c2 : tensor<1x8x?x64xf32>
  %o_init = tensor.empty(%length) : tensor<1x8x?x64xf32>
  %lse_init = tensor.empty(%length) : tensor<1x8x?xf32>
  %o, %lse = fpa.attention
    ins(%q, %k, %v : tensor<1x8x?x64xf32>, tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>)
    field(%field : tensor<1x2x?xf32>)
    outs(%o_init, %lse_init : tensor<1x8x?x64xf32>, tensor<1x8x?xf32>)
    -> tensor<1x8x?x64xf32>, tensor<1x8x?xf32>
  return %o, %lse : tensor<1x8x?x64xf32>, tensor<1x8x?xf32>
}
