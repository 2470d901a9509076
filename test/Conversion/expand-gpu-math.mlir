// RUN: fpa-opt %s --fpa-expand-gpu-math -split-input-file -verify-diagnostics | FileCheck %s

// What has an instruction stays.
// CHECK-LABEL: func @instructions(
// CHECK-NEXT:    math.exp2 %{{.*}} : vector<2x4xf32>
// CHECK-NEXT:    math.log2
// CHECK-NEXT:    math.sqrt
// CHECK-NEXT:    math.roundeven
// CHECK-NEXT:    return
func.func @instructions(%x: vector<2x4xf32>) -> vector<2x4xf32> {
  %a = math.exp2 %x : vector<2x4xf32>
  %b = math.log2 %a : vector<2x4xf32>
  %c = math.sqrt %b : vector<2x4xf32>
  %d = math.roundeven %c : vector<2x4xf32>
  return %d : vector<2x4xf32>
}

// CHECK-LABEL: func @narrow(
// CHECK:         %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK:         %[[ROOT:.*]] = math.sqrt %[[WIDE]] : f32
// CHECK:         arith.truncf %[[ROOT]] : f32 to f16
// CHECK:         math.exp2 %{{.*}} : vector<4xf32>
// CHECK:         arith.truncf %{{.*}} : vector<4xf32> to vector<4xbf16>
// CHECK:         math.absf %{{.*}} : bf16
func.func @narrow(%x: f16, %y: vector<4xbf16>, %z: bf16) -> (f16, vector<4xbf16>, bf16) {
  %a = math.sqrt %x : f16
  %b = math.exp2 %y : vector<4xbf16>
  %c = math.absf %z : bf16
  return %a, %b, %c : f16, vector<4xbf16>, bf16
}

// Upstream's approximations stay in f32.
// CHECK-LABEL: func @approximations(
// CHECK-NOT:     f64
// CHECK-NOT:     math.{{exp|log|tanh|erf}}
// CHECK:         return
func.func @approximations(%x: f32) -> (f32, f32, f32, f32) {
  %a = math.exp %x : f32
  %b = math.log %x : f32
  %c = math.tanh %x : f32
  %d = math.erf %x : f32
  return %a, %b, %c, %d : f32, f32, f32, f32
}

// CHECK-LABEL: func @double(
// CHECK:         arith.extf %{{.*}} : vector<4xf32> to vector<4xf64>
// CHECK-NOT:     math.{{sin|cos|powf}}
// CHECK:         arith.truncf %{{.*}} : vector<4xf64> to vector<4xf32>
// CHECK-NOT:     math.powf
// CHECK:         return
func.func @double(%x: vector<4xf32>, %y: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %s, %c = math.sincos %x : vector<4xf32>
  %p = math.powf %x, %y : vector<4xf32>
  return %s, %c, %p : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// Ten steps of 28 bits each.
// CHECK-LABEL: func @remainder(
// CHECK-COUNT-10: arith.divf %{{.*}} : f64
// CHECK-NOT:      arith.divf
// CHECK-NOT:      arith.remf
// CHECK:          return
func.func @remainder(%x: f32, %y: f32) -> f32 {
  %r = arith.remf %x, %y : f32
  return %r : f32
}

// A polynomial, times powers of two.
// CHECK-LABEL: func @exp(
// CHECK-COUNT-2: arith.select
// CHECK-COUNT-16: math.fma {{.*}} : f64
// CHECK-COUNT-2: arith.mulf {{.*}} : f64
// CHECK-NOT:     math.exp
func.func @exp(%x: f64) -> f64 {
  %y = math.exp %x : f64
  return %y : f64
}

// CHECK-LABEL: func @classes(
// CHECK-DAG:     arith.cmpf oeq
// CHECK-DAG:     arith.cmpf olt
// CHECK-NOT:     math.is{{inf|normal|finite}}
// CHECK:         return
func.func @classes(%x: bf16) -> (i1, i1, i1) {
  %a = math.isinf %x : bf16
  %b = math.isnormal %x : bf16
  %c = math.isfinite %x : bf16
  return %a, %b, %c : i1, i1, i1
}

// CHECK-LABEL: func @others(
// CHECK-NOT:     math.{{clampf|fpowi|rsqrt}}
// CHECK:         return
func.func @others(%x: f32, %y: f64, %n: i32) -> (f32, f32, f64) {
  %a = math.clampf %x to [%x, %x] : f32
  %b = math.fpowi %x, %n : f32, i32
  %c = math.rsqrt %y : f64
  return %a, %b, %c : f32, f32, f64
}

// -----

func.func @sin(%x: f64) -> f64 {
  // expected-error @below {{expected elements of f32, f16 or bf16 on a GPU, got 'f64'}}
  %y = math.sin %x : f64
  return %y : f64
}

// -----

func.func @remf(%x: f64) -> f64 {
  // expected-error @below {{'arith.remf' op expected elements of f32, f16 or bf16 on a GPU, got 'f64'}}
  %y = arith.remf %x, %x : f64
  return %y : f64
}

// -----

func.func @power(%x: i32) -> i32 {
  // expected-error @below {{expected products, or math.fpowi, on a GPU, got a power of integers}}
  %y = math.ipowi %x, %x : i32
  return %y : i32
}
