// Keys whose elements lie apart cannot be copied asynchronously, however wide
// each is.

// RUN: fpa-run %s --tolerance=1e-5
// RUN: fpa-run %s --target=emulator --tolerance=1e-5
// RUN: fpa-run %s --entry=half --target=emulator --tolerance=2e-3

func.func @main(%x: tensor<1x2x70x32xf32>, %f: tensor<1x2x70xf32>) -> tensor<1x2x70x16xf32> {
  %k = tensor.extract_slice %x[0, 0, 0, 1] [1, 2, 70, 16] [1, 1, 1, 2] : tensor<1x2x70x32xf32> to tensor<1x2x70x16xf32>
  %e = tensor.empty() : tensor<1x2x70x16xf32>
  %o = fpa.attention ins(%k, %k, %k : tensor<1x2x70x16xf32>, tensor<1x2x70x16xf32>, tensor<1x2x70x16xf32>) field(%f : tensor<1x2x70xf32>) outs(%e : tensor<1x2x70x16xf32>) -> tensor<1x2x70x16xf32>
  return %o : tensor<1x2x70x16xf32>
}

func.func @half(%x: tensor<1x2x70x32xf16>, %f: tensor<1x2x70xf32>) -> tensor<1x2x70x16xf16> {
  %k = tensor.extract_slice %x[0, 0, 0, 1] [1, 2, 70, 16] [1, 1, 1, 2] : tensor<1x2x70x32xf16> to tensor<1x2x70x16xf16>
  %e = tensor.empty() : tensor<1x2x70x16xf16>
  %o = fpa.attention ins(%k, %k, %k : tensor<1x2x70x16xf16>, tensor<1x2x70x16xf16>, tensor<1x2x70x16xf16>) field(%f : tensor<1x2x70xf32>) outs(%e : tensor<1x2x70x16xf16>) -> tensor<1x2x70x16xf16>
  return %o : tensor<1x2x70x16xf16>
}
