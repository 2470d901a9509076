// RUN: fpa-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @inclusive
// CHECK-SAME: %[[W:.*]]: vector<48x1xf32>, %[[R:.*]]: vector<48xf32>
// CHECK: %[[E:.*]] = vector.shape_cast %[[W]] : vector<48x1xf32> to vector<48xf32>
// CHECK: %[[T:.*]] = arith.minimumf %[[R]], %[[E]]
// CHECK: %[[S:.*]] = vector.shape_cast %[[T]] : vector<48xf32> to vector<48x1xf32>
// CHECK: return %[[S]], %[[T]]
func.func @inclusive(%w: vector<48x1xf32>, %r: vector<48xf32>) -> (vector<48x1xf32>, vector<48xf32>) {
  %s, %t = fpa.vector_scan <min> axis(1) %w, %r : vector<48x1xf32>, vector<48xf32>
  return %s, %t : vector<48x1xf32>, vector<48xf32>
}

// CHECK-LABEL: func.func @exclusive
// CHECK-SAME: %[[W:.*]]: vector<1xf64>, %[[R:.*]]: vector<f64>
// CHECK-DAG: %[[E:.*]] = vector.shape_cast %[[W]] : vector<1xf64> to vector<f64>
// CHECK-DAG: %[[T:.*]] = arith.addf %[[R]], %[[E]]
// CHECK-DAG: %[[S:.*]] = vector.shape_cast %[[R]] : vector<f64> to vector<1xf64>
// CHECK: return %[[S]], %[[T]]
func.func @exclusive(%w: vector<1xf64>, %r: vector<f64>) -> (vector<1xf64>, vector<f64>) {
  %s, %t = fpa.vector_scan <sum> axis(0) reverse exclusive %w, %r : vector<1xf64>, vector<f64>
  return %s, %t : vector<1xf64>, vector<f64>
}

// CHECK-LABEL: func.func @not_a_unit_axis
// CHECK: fpa.vector_scan <min> axis(0)
// CHECK: fpa.vector_scan <min> axis(0)
func.func @not_a_unit_axis(%w: vector<48x1xf32>, %r: vector<1xf32>, %v: vector<[1]xf32>, %i: vector<f32>)
    -> (vector<48x1xf32>, vector<[1]xf32>) {
  %s, %t = fpa.vector_scan <min> axis(0) %w, %r : vector<48x1xf32>, vector<1xf32>
  %u, %x = fpa.vector_scan <min> axis(0) %v, %i : vector<[1]xf32>, vector<f32>
  return %s, %u : vector<48x1xf32>, vector<[1]xf32>
}

// CHECK-LABEL: func.func @reset_of_one
// CHECK-SAME: %[[W:.*]]: vector<48x1xf32>, %[[R:.*]]: vector<48xf32>, %[[STOP:.*]]: vector<48x1xi1>
// CHECK-DAG: %[[E:.*]] = vector.shape_cast %[[W]] : vector<48x1xf32> to vector<48xf32>
// CHECK-DAG: %[[A:.*]] = arith.addf %[[R]], %[[E]]
// CHECK-DAG: %[[B:.*]] = vector.shape_cast %[[STOP]] : vector<48x1xi1> to vector<48xi1>
// CHECK-DAG: %[[S:.*]] = vector.shape_cast %[[R]] : vector<48xf32> to vector<48x1xf32>
// CHECK: %[[T:.*]] = arith.select %[[B]], %[[E]], %[[A]]
// CHECK: return %[[S]], %[[T]]
func.func @reset_of_one(%w: vector<48x1xf32>, %r: vector<48xf32>, %stop: vector<48x1xi1>) -> (vector<48x1xf32>, vector<48xf32>) {
  %s, %t = fpa.vector_scan <sum> axis(1) exclusive %w, %r reset(%stop) : vector<48x1xf32>, vector<48xf32>
  return %s, %t : vector<48x1xf32>, vector<48xf32>
}

// An inclusive scan begins anew with nothing.
// CHECK-LABEL: func.func @inclusive_reset_of_one
// CHECK: %[[NONE:.*]] = arith.constant dense<0x7F800000> : vector<48xf32>
// CHECK: %[[T:.*]] = arith.minimumf
// CHECK: arith.select %{{.*}}, %[[NONE]], %[[T]]
func.func @inclusive_reset_of_one(%w: vector<48x1xf32>, %r: vector<48xf32>, %stop: vector<48x1xi1>) -> vector<48xf32> {
  %s, %t = fpa.vector_scan <min> axis(1) %w, %r reset(%stop) : vector<48x1xf32>, vector<48xf32>
  return %t : vector<48xf32>
}

// CHECK-LABEL: func.func @no_reset
// CHECK: fpa.vector_scan <sum> axis(0) %{{.*}}, %{{.*}} : vector<8xf32>, vector<f32>
func.func @no_reset(%w: vector<8xf32>, %r: vector<f32>) -> vector<8xf32> {
  %never = arith.constant dense<false> : vector<8xi1>
  %s, %t = fpa.vector_scan <sum> axis(0) %w, %r reset(%never) : vector<8xf32>, vector<f32>
  return %s : vector<8xf32>
}
