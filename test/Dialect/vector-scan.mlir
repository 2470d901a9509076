// RUN: fpa-opt %s | fpa-opt | FileCheck %s
// RUN: fpa-opt %s --mlir-print-op-generic | fpa-opt | FileCheck %s

// CHECK-LABEL: func.func @min
// CHECK: fpa.vector_scan <min> axis(1) reverse exclusive %{{.*}}, %{{.*}} : vector<48x64xf32>, vector<48xf32>
func.func @min(%w: vector<48x64xf32>, %r: vector<48xf32>)
    -> (vector<48x64xf32>, vector<48xf32>) {
  %m, %carry = fpa.vector_scan <min> axis(1) reverse exclusive %w, %r
    : vector<48x64xf32>, vector<48xf32>
  return %m, %carry : vector<48x64xf32>, vector<48xf32>
}

// CHECK-LABEL: func.func @sum_of_rank_one
// CHECK: fpa.vector_scan <sum> axis(0) %{{.*}}, %{{.*}} : vector<8xf64>, vector<f64>
func.func @sum_of_rank_one(%w: vector<8xf64>, %r: vector<f64>) -> vector<f64> {
  %s, %carry = fpa.vector_scan <sum> axis(0) %w, %r : vector<8xf64>, vector<f64>
  return %carry : vector<f64>
}

// CHECK-LABEL: func.func @scalable
// CHECK: fpa.vector_scan <min> axis(0) %{{.*}}, %{{.*}} : vector<4x[8]xf32>, vector<[8]xf32>
func.func @scalable(%w: vector<4x[8]xf32>, %r: vector<[8]xf32>) -> vector<4x[8]xf32> {
  %s, %carry = fpa.vector_scan <min> axis(0) %w, %r : vector<4x[8]xf32>, vector<[8]xf32>
  return %s : vector<4x[8]xf32>
}

// CHECK-LABEL: func.func @reset
// CHECK: fpa.vector_scan <sum> axis(1) exclusive %{{.*}}, %{{.*}} reset(%{{.*}}) : vector<48x64xf32>, vector<48xf32>
func.func @reset(%w: vector<48x64xf32>, %r: vector<48xf32>, %stop: vector<48x64xi1>) -> vector<48xf32> {
  %s, %left = fpa.vector_scan <sum> axis(1) exclusive %w, %r reset(%stop)
    : vector<48x64xf32>, vector<48xf32>
  return %left : vector<48xf32>
}
