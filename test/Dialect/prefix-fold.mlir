// RUN: fpa-opt %s --canonicalize | FileCheck %s

// The expected constants below were found by hand from the op's definition.

// CHECK-LABEL: func.func @unit_axis(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x1xf32>
// CHECK-NEXT: return %[[X]], %[[X]]
func.func @unit_axis(%x: tensor<4x1xf32>, %o: tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>) {
  %m = fpa.prefix_min axis(1) reverse ins(%x : tensor<4x1xf32>) outs(%o : tensor<4x1xf32>) -> tensor<4x1xf32>
  %s = fpa.prefix_sum axis(1) ins(%x : tensor<4x1xf32>) outs(%o : tensor<4x1xf32>) -> tensor<4x1xf32>
  return %m, %s : tensor<4x1xf32>, tensor<4x1xf32>
}

// CHECK-LABEL: func.func @unit_segment(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf32>
// CHECK-NEXT: return %[[X]]
func.func @unit_segment(%x: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %m = fpa.prefix_min axis(0) segment(1) ins(%x : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %m : tensor<?xf32>
}

// Exclusive, another axis, with the index, segments of two.
// CHECK-LABEL: func.func @not_unit
// CHECK: fpa.prefix_min axis(1) exclusive
// CHECK: fpa.prefix_sum axis(0)
// CHECK: fpa.prefix_min axis(1) ins
// CHECK: fpa.prefix_min axis(0) segment(2)
func.func @not_unit(%x: tensor<4x1xf32>, %o: tensor<4x1xf32>, %i: tensor<4x1xi64>)
    -> (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xi64>, tensor<4x1xf32>) {
  %a = fpa.prefix_min axis(1) exclusive ins(%x : tensor<4x1xf32>) outs(%o : tensor<4x1xf32>) -> tensor<4x1xf32>
  %b = fpa.prefix_sum axis(0) ins(%x : tensor<4x1xf32>) outs(%o : tensor<4x1xf32>) -> tensor<4x1xf32>
  %c, %at = fpa.prefix_min axis(1) ins(%x : tensor<4x1xf32>) outs(%o, %i : tensor<4x1xf32>, tensor<4x1xi64>) -> tensor<4x1xf32>, tensor<4x1xi64>
  %d = fpa.prefix_min axis(0) segment(2) ins(%x : tensor<4x1xf32>) outs(%o : tensor<4x1xf32>) -> tensor<4x1xf32>
  return %a, %b, %c, %at, %d : tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xi64>, tensor<4x1xf32>
}

// CHECK-LABEL: func.func @no_elements(
// CHECK-SAME: %{{.*}}: tensor<0x?xf32>, %[[O:.*]]: tensor<0x?xf32>, %[[I:.*]]: tensor<0x?xi64>)
// CHECK-NEXT: return %[[O]], %[[I]]
func.func @no_elements(%x: tensor<0x?xf32>, %o: tensor<0x?xf32>, %i: tensor<0x?xi64>) -> (tensor<0x?xf32>, tensor<0x?xi64>) {
  %m, %at = fpa.prefix_min axis(1) ins(%x : tensor<0x?xf32>) outs(%o, %i : tensor<0x?xf32>, tensor<0x?xi64>) -> tensor<0x?xf32>, tensor<0x?xi64>
  return %m, %at : tensor<0x?xf32>, tensor<0x?xi64>
}

// CHECK-LABEL: func.func @minimum_of_minima(
// CHECK: %[[M:.*]] = fpa.prefix_min axis(0) reverse
// CHECK-NOT: fpa.prefix_min
// CHECK: return %[[M]], %[[M]]
func.func @minimum_of_minima(%x: tensor<?xf32>, %o: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %m = fpa.prefix_min axis(0) reverse ins(%x : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  %n = fpa.prefix_min axis(0) reverse ins(%m : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  %p = fpa.prefix_min axis(0) reverse segment(4) ins(%m : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %n, %p : tensor<?xf32>, tensor<?xf32>
}

// Another direction, another axis, exclusive, wider segments, sums.
// CHECK-LABEL: func.func @not_minimum_of_minima
// CHECK-COUNT-7: fpa.prefix_min
// CHECK-COUNT-2: fpa.prefix_sum
func.func @not_minimum_of_minima(%x: tensor<?x?xf32>, %o: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %m = fpa.prefix_min axis(1) ins(%x : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = fpa.prefix_min axis(1) segment(8) ins(%x : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  %a = fpa.prefix_min axis(1) reverse ins(%m : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = fpa.prefix_min axis(0) ins(%m : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = fpa.prefix_min axis(1) exclusive ins(%m : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  %d = fpa.prefix_min axis(1) ins(%s : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  %e = fpa.prefix_min axis(1) segment(16) ins(%s : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  %t = fpa.prefix_sum axis(1) ins(%x : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  %u = fpa.prefix_sum axis(1) ins(%t : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %a, %b, %c, %d, %e, %u : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK-LABEL: func.func @constant_min
// CHECK-DAG: %[[M:.*]] = arith.constant dense<[3.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00]>
// CHECK-DAG: %[[I:.*]] = arith.constant dense<[0, 1, 1, 3, 4]>
// CHECK: return %[[M]], %[[I]]
func.func @constant_min(%o: tensor<5xf32>, %i: tensor<5xi64>) -> (tensor<5xf32>, tensor<5xi64>) {
  %x = arith.constant dense<[3.0, 1.0, 2.0, 1.0, 0.0]> : tensor<5xf32>
  %m, %at = fpa.prefix_min axis(0) ins(%x : tensor<5xf32>) outs(%o, %i : tensor<5xf32>, tensor<5xi64>) -> tensor<5xf32>, tensor<5xi64>
  return %m, %at : tensor<5xf32>, tensor<5xi64>
}

// Suffix minima of segments of three, the last one shorter; ties go to the
// largest index from either direction.
// CHECK-LABEL: func.func @constant_suffix_min
// CHECK-DAG: %[[M:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00, 0x7F800000, 1.000000e+00, 0x7F800000]>
// CHECK-DAG: %[[I:.*]] = arith.constant dense<[1, 2, -1, 4, -1]>
// CHECK: return %[[M]], %[[I]]
func.func @constant_suffix_min(%o: tensor<5xf32>, %i: tensor<5xi64>) -> (tensor<5xf32>, tensor<5xi64>) {
  %x = arith.constant dense<[3.0, 1.0, 2.0, 0.0, 1.0]> : tensor<5xf32>
  %m, %at = fpa.prefix_min axis(0) reverse exclusive segment(3) ins(%x : tensor<5xf32>) outs(%o, %i : tensor<5xf32>, tensor<5xi64>) -> tensor<5xf32>, tensor<5xi64>
  return %m, %at : tensor<5xf32>, tensor<5xi64>
}

// CHECK-LABEL: func.func @constant_ties_in_reverse
// CHECK: arith.constant dense<2> : tensor<3xi64>
func.func @constant_ties_in_reverse(%o: tensor<3xf32>, %i: tensor<3xi64>) -> tensor<3xi64> {
  %x = arith.constant dense<[1.0, 2.0, 1.0]> : tensor<3xf32>
  %m, %at = fpa.prefix_min axis(0) reverse ins(%x : tensor<3xf32>) outs(%o, %i : tensor<3xf32>, tensor<3xi64>) -> tensor<3xf32>, tensor<3xi64>
  return %at : tensor<3xi64>
}

// A NaN stays from where it stands; +inf is an element like any other.
// CHECK-LABEL: func.func @constant_min_of_nan
// CHECK-DAG: %[[M:.*]] = arith.constant dense<[0x7C00, 1.000000e+00, 0x7E00, 0x7E00, 0x7E00]> : tensor<5xf16>
// CHECK-DAG: %[[I:.*]] = arith.constant dense<[0, 1, 2, 2, 4]>
// CHECK: return %[[M]], %[[I]]
func.func @constant_min_of_nan(%o: tensor<5xf16>, %i: tensor<5xi64>) -> (tensor<5xf16>, tensor<5xi64>) {
  %x = arith.constant dense<[0x7C00, 1.0, 0x7E00, 0.0, 0x7E00]> : tensor<5xf16>
  %m, %at = fpa.prefix_min axis(0) ins(%x : tensor<5xf16>) outs(%o, %i : tensor<5xf16>, tensor<5xi64>) -> tensor<5xf16>, tensor<5xi64>
  return %m, %at : tensor<5xf16>, tensor<5xi64>
}

// CHECK-LABEL: func.func @constant_min_of_columns
// CHECK: arith.constant dense<{{\[\[}}3.000000e+00, 1.000000e+00], [2.000000e+00, 1.000000e+00], [2.000000e+00, 0.000000e+00]]>
func.func @constant_min_of_columns(%o: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %x = arith.constant dense<[[3.0, 1.0], [2.0, 5.0], [4.0, 0.0]]> : tensor<3x2xf32>
  %m = fpa.prefix_min axis(0) ins(%x : tensor<3x2xf32>) outs(%o : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %m : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @constant_sum
// CHECK-DAG: arith.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00, 6.000000e+00], [4.000000e+00, 9.000000e+00, 1.500000e+01]]>
// CHECK-DAG: arith.constant dense<{{\[\[}}5.000000e+00, 3.000000e+00, 0.000000e+00], [1.100000e+01, 6.000000e+00, 0.000000e+00]]>
// CHECK-DAG: arith.constant dense<{{\[\[}}0.000000e+00, 1.000000e+00, 0.000000e+00], [0.000000e+00, 4.000000e+00, 0.000000e+00]]>
func.func @constant_sum(%o: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %x = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %a = fpa.prefix_sum axis(1) ins(%x : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = fpa.prefix_sum axis(1) reverse exclusive ins(%x : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = fpa.prefix_sum axis(1) exclusive segment(2) ins(%x : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %a, %b, %c : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// Rounded once: 1e8 + 1 - 1e8 keeps the 1.
// CHECK-LABEL: func.func @constant_sum_is_rounded_once
// CHECK: arith.constant dense<[1.000000e+08, 1.000000e+08, 1.000000e+00]> : tensor<3xf32>
func.func @constant_sum_is_rounded_once(%o: tensor<3xf32>) -> tensor<3xf32> {
  %x = arith.constant dense<[1.0e8, 1.0, -1.0e8]> : tensor<3xf32>
  %s = fpa.prefix_sum axis(0) ins(%x : tensor<3xf32>) outs(%o : tensor<3xf32>) -> tensor<3xf32>
  return %s : tensor<3xf32>
}

// CHECK-LABEL: func.func @large_constant
// CHECK: fpa.prefix_sum
func.func @large_constant(%o: tensor<1025xf32>) -> tensor<1025xf32> {
  %x = arith.constant dense<1.0> : tensor<1025xf32>
  %s = fpa.prefix_sum axis(0) ins(%x : tensor<1025xf32>) outs(%o : tensor<1025xf32>) -> tensor<1025xf32>
  return %s : tensor<1025xf32>
}

// CHECK-LABEL: func.func @memref_is_kept
// CHECK: fpa.prefix_min
func.func @memref_is_kept(%x: memref<1xf32>, %o: memref<1xf32>) {
  fpa.prefix_min axis(0) ins(%x : memref<1xf32>) outs(%o : memref<1xf32>)
  return
}

// CHECK-LABEL: func.func @index_is_not_read
// CHECK: fpa.prefix_min axis(0) reverse exclusive segment(4) ins(%{{.*}} : tensor<?xf32>) outs(%{{.*}} : tensor<?xf32>) {note} -> tensor<?xf32>
func.func @index_is_not_read(%x: tensor<?xf32>, %o: tensor<?xf32>, %i: tensor<?xi64>) -> tensor<?xf32> {
  %m, %at = fpa.prefix_min axis(0) reverse exclusive segment(4)
    ins(%x : tensor<?xf32>) outs(%o, %i : tensor<?xf32>, tensor<?xi64>) {note} -> tensor<?xf32>, tensor<?xi64>
  return %m : tensor<?xf32>
}

// CHECK-LABEL: func.func @only_index_is_read
// CHECK: fpa.prefix_min axis(0) ins(%{{.*}}) outs(%{{.*}}, %{{.*}} : tensor<?xf32>, tensor<?xi64>)
func.func @only_index_is_read(%x: tensor<?xf32>, %o: tensor<?xf32>, %i: tensor<?xi64>) -> tensor<?xi64> {
  %m, %at = fpa.prefix_min axis(0) ins(%x : tensor<?xf32>) outs(%o, %i : tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>, tensor<?xi64>
  return %at : tensor<?xi64>
}
