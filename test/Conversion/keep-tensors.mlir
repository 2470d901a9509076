// RUN: fpa-opt %s --fpa-expand-math | FileCheck %s --check-prefixes=CHECK,EXPAND
// RUN: fpa-opt %s --fpa-prepare-for-nvvm | FileCheck %s --check-prefixes=CHECK,NVVM

// What the patterns would write for tensors and scalable vectors is not valid:
// such ops stay, and others in the same function do not.

// CHECK-LABEL: func.func @tensors(
// EXPAND-NOT:  math.exp2 %{{.*}} : f32
// NVVM-NOT:    math.exp2 %{{.*}} : f32
// CHECK:       math.exp2 %{{.*}} : tensor<?xf32>
// CHECK:       math.log2 %{{.*}} : tensor<?xf32>
// CHECK:       math.floor %{{.*}} : tensor<?xf32>
// CHECK:       math.absf %{{.*}} : tensor<?xf32>
// CHECK:       math.log1p %{{.*}} : tensor<?xf32>
func.func @tensors(%s: f32, %x: tensor<?xf32>) -> (f32, tensor<?xf32>) {
  %t = math.exp2 %s : f32
  %a = math.exp2 %x : tensor<?xf32>
  %b = math.log2 %a : tensor<?xf32>
  %c = math.floor %b : tensor<?xf32>
  %d = math.absf %c : tensor<?xf32>
  %e = math.log1p %d : tensor<?xf32>
  return %t, %e : f32, tensor<?xf32>
}

// CHECK-LABEL: func.func @static(
// CHECK:       arith.extf %{{.*}} : tensor<4xbf16> to tensor<4xf32>
// CHECK:       math.exp2 %{{.*}} : tensor<4xf32>
// CHECK:       math.log2 %{{.*}} : tensor<4xf32>
// CHECK:       math.floor %{{.*}} : tensor<4xf32>
// CHECK:       math.absf %{{.*}} : tensor<4xf32>
// CHECK:       arith.truncf %{{.*}} : tensor<4xf32> to tensor<4xbf16>
func.func @static(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %w = arith.extf %x : tensor<4xbf16> to tensor<4xf32>
  %a = math.exp2 %w : tensor<4xf32>
  %b = math.log2 %a : tensor<4xf32>
  %c = math.floor %b : tensor<4xf32>
  %d = math.absf %c : tensor<4xf32>
  %e = arith.truncf %d : tensor<4xf32> to tensor<4xbf16>
  return %e : tensor<4xbf16>
}

// CHECK-LABEL: func.func @unranked(
// CHECK:       math.exp2 %{{.*}} : tensor<*xf32>
// CHECK:       math.absf %{{.*}} : tensor<*xf32>
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  %a = math.exp2 %x : tensor<*xf32>
  %b = math.absf %a : tensor<*xf32>
  return %b : tensor<*xf32>
}

// CHECK-LABEL: func.func @scalable(
// CHECK:       math.exp2 %{{.*}} : vector<[4]xf32>
// CHECK:       math.log2 %{{.*}} : vector<[4]xf32>
// CHECK:       math.floor %{{.*}} : vector<[4]xf32>
// CHECK:       math.absf %{{.*}} : vector<[4]xf32>
func.func @scalable(%x: vector<[4]xf32>) -> vector<[4]xf32> {
  %a = math.exp2 %x : vector<[4]xf32>
  %b = math.log2 %a : vector<[4]xf32>
  %c = math.floor %b : vector<[4]xf32>
  %d = math.absf %c : vector<[4]xf32>
  return %d : vector<[4]xf32>
}

// CHECK-LABEL: func.func @quotients(
// CHECK:       arith.ceildivsi %{{.*}} : tensor<4xindex>
// CHECK:       arith.floordivsi %{{.*}} : tensor<4xindex>
// CHECK:       arith.ceildivui %{{.*}} : tensor<4xindex>
func.func @quotients(%x: tensor<4xindex>) -> tensor<4xindex> {
  %a = arith.ceildivsi %x, %x : tensor<4xindex>
  %b = arith.floordivsi %a, %x : tensor<4xindex>
  %c = arith.ceildivui %b, %x : tensor<4xindex>
  return %c : tensor<4xindex>
}

// CHECK-LABEL: func.func @vectors(
// EXPAND-NOT:  arith.ceildivsi
// EXPAND-NOT:  math.exp2
// NVVM-NOT:    math.absf
// CHECK:       return
func.func @vectors(%x: vector<4xindex>, %y: vector<4xf32>) -> (vector<4xindex>, vector<4xf32>) {
  %a = arith.ceildivsi %x, %x : vector<4xindex>
  %b = math.exp2 %y : vector<4xf32>
  %c = math.absf %b : vector<4xf32>
  return %a, %c : vector<4xindex>, vector<4xf32>
}
