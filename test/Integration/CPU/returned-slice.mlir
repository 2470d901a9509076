// RUN: fpa-run %s --input=1x2x4xf32 --print | FileCheck %s

// What a caller gets has no gaps between its rows, also where a part of a new tensor
// of sizes that nobody knows is returned.

// CHECK: {{^}}0 1 2{{$}}
// CHECK-NEXT: {{^}}10 11 12{{$}}
func.func @main(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %c = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %e = tensor.empty(%a, %b, %c) : tensor<?x?x?xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%e : tensor<?x?x?xf32>) {
  ^bb0(%old: f32):
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %ten = arith.constant 10 : index
    %row = arith.muli %j, %ten : index
    %at = arith.addi %row, %k : index
    %word = arith.index_cast %at : index to i32
    %value = arith.sitofp %word : i32 to f32
    linalg.yield %value : f32
  } -> tensor<?x?x?xf32>
  %cut = arith.subi %c, %c1 : index
  %s = tensor.extract_slice %y[0, 0, 0] [%a, %b, %cut] [1, 1, 1]
    : tensor<?x?x?xf32> to tensor<?x?x?xf32>
  return %s : tensor<?x?x?xf32>
}
