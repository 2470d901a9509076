// Tiles that the choice takes for fitting do fit: head sizes for which the kernels
// come close to the shared memory of a block.
// RUN: fpa-compile %s --entry=wide --target=nvptx --chip=sm_80 --emit=mlir -o %t
// RUN: fpa-compile %s --entry=narrow --target=nvptx --chip=sm_80 --emit=mlir -o %t

func.func @wide(%q: tensor<1x2x?x160xf16>, %k: tensor<1x1x?x160xf16>, %v: tensor<1x1x?x160xf16>, %f: tensor<1x1x?xf32>,
    %o: tensor<1x2x?x160xf16>, %lse: tensor<1x2x?xf32>, %do: tensor<1x2x?x160xf16>,
    %q0: tensor<1x2x?x160xf16>, %k0: tensor<1x1x?x160xf16>, %v0: tensor<1x1x?x160xf16>, %f0: tensor<1x1x?xf32>)
    -> (tensor<1x2x?x160xf16>, tensor<1x1x?x160xf16>, tensor<1x1x?x160xf16>, tensor<1x1x?xf32>) {
  %d:4 = fpa.attention_backward
    ins(%q, %k, %v : tensor<1x2x?x160xf16>, tensor<1x1x?x160xf16>, tensor<1x1x?x160xf16>)
    field(%f : tensor<1x1x?xf32>) saved(%o, %lse : tensor<1x2x?x160xf16>, tensor<1x2x?xf32>)
    gradient(%do : tensor<1x2x?x160xf16>)
    outs(%q0, %k0, %v0, %f0 : tensor<1x2x?x160xf16>, tensor<1x1x?x160xf16>, tensor<1x1x?x160xf16>, tensor<1x1x?xf32>)
    -> tensor<1x2x?x160xf16>, tensor<1x1x?x160xf16>, tensor<1x1x?x160xf16>, tensor<1x1x?xf32>
  return %d#0, %d#1, %d#2, %d#3
    : tensor<1x2x?x160xf16>, tensor<1x1x?x160xf16>, tensor<1x1x?x160xf16>, tensor<1x1x?xf32>
}

func.func @narrow(%q: tensor<1x2x?x80xf32>, %k: tensor<1x1x?x80xf32>, %v: tensor<1x1x?x8xf32>, %f: tensor<1x1x?xf32>,
    %o: tensor<1x2x?x8xf32>, %lse: tensor<1x2x?xf32>, %do: tensor<1x2x?x8xf32>,
    %q0: tensor<1x2x?x80xf32>, %k0: tensor<1x1x?x80xf32>, %v0: tensor<1x1x?x8xf32>, %f0: tensor<1x1x?xf32>)
    -> (tensor<1x2x?x80xf32>, tensor<1x1x?x80xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?xf32>) {
  %d:4 = fpa.attention_backward
    ins(%q, %k, %v : tensor<1x2x?x80xf32>, tensor<1x1x?x80xf32>, tensor<1x1x?x8xf32>)
    field(%f : tensor<1x1x?xf32>) saved(%o, %lse : tensor<1x2x?x8xf32>, tensor<1x2x?xf32>)
    gradient(%do : tensor<1x2x?x8xf32>)
    outs(%q0, %k0, %v0, %f0 : tensor<1x2x?x80xf32>, tensor<1x1x?x80xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?xf32>)
    -> tensor<1x2x?x80xf32>, tensor<1x1x?x80xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?xf32>
  return %d#0, %d#1, %d#2, %d#3
    : tensor<1x2x?x80xf32>, tensor<1x1x?x80xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?xf32>
}
