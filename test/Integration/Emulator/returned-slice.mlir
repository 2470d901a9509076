// A result that is a part of something has its own rows, not those of the whole.
// RUN: fpa-run %s --input=2x3x4xf32:ramp --target=emulator --compare=reference --tolerance=0

func.func @main(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %c = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %e = tensor.empty(%a, %b, %c) : tensor<?x?x?xf32>
  %m = fpa.prefix_min axis(2) ins(%x : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b1 = arith.subi %b, %c1 : index
  %c3 = arith.subi %c, %c1 : index
  %s = tensor.extract_slice %m[0, 1, 1] [%a, %b1, %c3] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x?x?xf32>
  return %s : tensor<?x?x?xf32>
}
