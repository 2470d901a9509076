// RUN: fpa-opt %s --fpa-assign-layouts=warps=4 --convert-fpa-tile-to-gpu=stages=2 --canonicalize --cse | FileCheck %s

// What a loop only adds to, in a branch or not, stays in parts: the first of four
// lanes begins with all that there was, and they add up when the loop has ended.

// CHECK-LABEL: gpu.func @parts_0
// CHECK:         %[[BEFORE:.*]] = vector.from_elements {{.*}} : vector<2xf32>
// CHECK:         %[[NUMBER:.*]] = arith.andi %{{.*}}, %c3 : index
// CHECK:         %[[IS_FIRST:.*]] = arith.cmpi eq, %[[NUMBER]], %c0
// CHECK:         %[[PART:.*]] = arith.select %[[IS_FIRST]], %[[BEFORE]], %{{.*}} : vector<2xf32>
// CHECK:         %[[SUM:.*]]:2 = scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %c0, %[[P:[a-z0-9]+]] = %[[PART]])
// CHECK-NOT:       gpu.shuffle
// CHECK:           %[[Y:.*]] = vector.from_elements {{.*}} : vector<2xf32>
// CHECK:           %[[N:.*]] = scf.if
// CHECK:             %[[LESS:.*]] = arith.subf %[[P]], %[[Y]] : vector<2xf32>
// CHECK:             scf.yield %[[LESS]]
// CHECK:           } else {
// CHECK:             scf.yield %[[P]]
// CHECK:           %[[M:.*]] = arith.addf %[[N]], %[[Y]] : vector<2xf32>
// CHECK:           scf.yield %{{.*}}, %[[M]]
// CHECK:         %[[X0:.*]] = vector.extract %[[SUM]]#1[0]
// CHECK:         %[[X1:.*]] = vector.extract %[[SUM]]#1[1]
// CHECK-COUNT-4: gpu.shuffle{{ +}}xor
// CHECK-NOT:     gpu.shuffle
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @parts(%q: memref<64x16xf16>, %k: memref<128x16xf16>, %t: memref<64xf32>, %o: memref<64xf32>, %c: memref<4xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %s0 = arith.constant dense<0.0> : vector<64x32xf32>
  %r0 = arith.constant dense<0.0> : vector<64xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf16>, vector<64x16xf16>
    %q1 = arith.extf %q0 : vector<64x16xf16> to vector<64x16xf32>
    %before = vector.transfer_read %t[%c0], %zero {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %before) -> (vector<64xf32>) {
      %at = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
      %k0 = vector.transfer_read %k[%at, %c0], %pad {in_bounds = [true, true]} : memref<128x16xf16>, vector<32x16xf16>
      %k1 = arith.extf %k0 : vector<32x16xf16> to vector<32x16xf32>
      %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q1, %k1, %s0 : vector<64x16xf32>, vector<32x16xf32> into vector<64x32xf32>
      %c2 = memref.load %c[%i] : memref<4xi1>
      %y = vector.multi_reduction <add>, %s, %r0 [1] : vector<64x32xf32> to vector<64xf32>
      %n = scf.if %c2 -> vector<64xf32> {
        %less = arith.subf %sum, %y : vector<64xf32>
        scf.yield %less : vector<64xf32>
      } else {
        scf.yield %sum : vector<64xf32>
      }
      %m = arith.addf %n, %y : vector<64xf32>
      scf.yield %m : vector<64xf32>
    }
    vector.transfer_write %r, %o[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  }
  return
}

// What is looked at in the loop is added up there.

// CHECK-LABEL: gpu.func @looked_at_0
// CHECK:         scf.for
// CHECK-COUNT-4:   gpu.shuffle
// CHECK:           arith.maximumf
func.func @looked_at(%q: memref<64x16xf16>, %k: memref<128x16xf16>, %t: memref<64xf32>, %o: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %s0 = arith.constant dense<0.0> : vector<64x32xf32>
  %r0 = arith.constant dense<0.0> : vector<64xf32>
  scf.forall (%b) in (1) {
    %q0 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf16>, vector<64x16xf16>
    %q1 = arith.extf %q0 : vector<64x16xf16> to vector<64x16xf32>
    %before = vector.transfer_read %t[%c0], %zero {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %before) -> (vector<64xf32>) {
      %at = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
      %k0 = vector.transfer_read %k[%at, %c0], %pad {in_bounds = [true, true]} : memref<128x16xf16>, vector<32x16xf16>
      %k1 = arith.extf %k0 : vector<32x16xf16> to vector<32x16xf32>
      %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q1, %k1, %s0 : vector<64x16xf32>, vector<32x16xf32> into vector<64x32xf32>
      %y = vector.multi_reduction <add>, %s, %r0 [1] : vector<64x32xf32> to vector<64xf32>
      %n = arith.addf %sum, %y : vector<64xf32>
      %m = arith.maximumf %n, %sum : vector<64xf32>
      scf.yield %m : vector<64xf32>
    }
    vector.transfer_write %r, %o[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  }
  return
}
