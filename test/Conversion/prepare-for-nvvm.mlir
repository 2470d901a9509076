// RUN: fpa-opt %s --fpa-prepare-for-nvvm | FileCheck %s

// CHECK-LABEL: func @functions(
// CHECK:         llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%{{.*}}) : (f32) -> f32
// CHECK:         llvm.call_intrinsic "llvm.nvvm.lg2.approx.ftz.f"
// CHECK:         llvm.call_intrinsic "llvm.nvvm.floor.f"
// CHECK-NOT:     math.
func.func @functions(%x: f32) -> (f32, f32, f32) {
  %a = math.exp2 %x : f32
  %b = math.log2 %x : f32
  %c = math.floor %x : f32
  return %a, %b, %c : f32, f32, f32
}

// CHECK-LABEL: func @elements(
// CHECK-COUNT-6: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
// CHECK-NOT:     math.exp2
func.func @elements(%x: vector<2x3xf32>) -> vector<2x3xf32> {
  %y = math.exp2 %x : vector<2x3xf32>
  return %y : vector<2x3xf32>
}

// The hardware's exp2 is of f32 only.
// CHECK-LABEL: func @double(
// CHECK:         math.exp2
func.func @double(%x: f64) -> f64 {
  %y = math.exp2 %x : f64
  return %y : f64
}

// CHECK-LABEL: func @sign(
// CHECK:         %[[MASK:.*]] = arith.constant dense<32767> : vector<4xi16>
// CHECK:         %[[BITS:.*]] = arith.bitcast %arg0 : vector<4xf16> to vector<4xi16>
// CHECK:         %[[MAGNITUDE:.*]] = arith.andi %[[BITS]], %[[MASK]] : vector<4xi16>
// CHECK:         arith.bitcast %[[MAGNITUDE]] : vector<4xi16> to vector<4xf16>
func.func @sign(%x: vector<4xf16>) -> vector<4xf16> {
  %y = math.absf %x : vector<4xf16>
  return %y : vector<4xf16>
}

// CHECK-LABEL: func @slices(
// CHECK-NOT:     vector.extract_strided_slice
// CHECK:         vector.shuffle
func.func @slices(%x: vector<8xf16>) -> vector<2xf16> {
  %y = vector.extract_strided_slice %x {offsets = [2], sizes = [2], strides = [1]} : vector<8xf16> to vector<2xf16>
  return %y : vector<2xf16>
}

// CHECK-LABEL: func @root(
// CHECK:         llvm.call_intrinsic "llvm.nvvm.sqrt.rn.d"(%{{.*}}) : (f64) -> f64
func.func @root(%x: f64) -> f64 {
  %y = math.sqrt %x : f64
  return %y : f64
}

// CHECK-LABEL: func @integers(
// CHECK:         llvm.call_intrinsic "llvm.ceil.f32"
// CHECK:         llvm.call_intrinsic "llvm.round.f32"
// CHECK:         llvm.call_intrinsic "llvm.roundeven.f32"
// CHECK:         llvm.call_intrinsic "llvm.floor.f64"
// CHECK:         llvm.call_intrinsic "llvm.roundeven.f64"
// CHECK-NOT:     math.
func.func @integers(%x: f32, %y: f64) -> (f32, f32, f32, f64, f64) {
  %a = math.ceil %x : f32
  %b = math.round %x : f32
  %c = math.roundeven %x : f32
  %d = math.floor %y : f64
  %e = math.roundeven %y : f64
  return %a, %b, %c, %d, %e : f32, f32, f32, f64, f64
}

// CHECK-LABEL: func @copysign(
// CHECK-DAG:     %[[MAGNITUDE:.*]] = arith.constant 32767 : i16
// CHECK-DAG:     %[[SIGN:.*]] = arith.constant -32768 : i16
// CHECK:         arith.andi %{{.*}}, %[[MAGNITUDE]] : i16
// CHECK:         arith.andi %{{.*}}, %[[SIGN]] : i16
// CHECK:         arith.ori
// CHECK-NOT:     math.copysign
func.func @copysign(%x: bf16, %y: bf16) -> bf16 {
  %z = math.copysign %x, %y : bf16
  return %z : bf16
}
