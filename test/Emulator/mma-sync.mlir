// RUN: %emulate %s --kernel=f16 --block=32 --arg=16x16xf16:ramp \
// RUN:   --arg=16x8xf16:ramp --arg=out:16x8xf32 | FileCheck %s
// RUN: %emulate %s --kernel=bf16 --block=32 --arg=16x16xbf16:ramp \
// RUN:   --arg=16x8xbf16:ramp --arg=out:16x8xf32 | FileCheck %s
// RUN: %emulate %s --kernel=tf32 --block=32 --arg=16x8xf32:ramp \
// RUN:   --arg=8x8xf32:ramp --arg=out:16x8xf32 | FileCheck %s --check-prefix=TF32
// RUN: %emulate %s --kernel=f16 --block=32 --arg=16x16xf16:ramp --stats \
// RUN:   --arg=16x8xf16:ramp --arg=out:16x8xf32 | FileCheck %s --check-prefix=STATS

// The fragments are loaded element by element, as PTX lays them out.

// CHECK: 16x8xf32
// CHECK-NEXT: 9920 10040 10160 10280 10400 10520 10640 10760
// CHECK-NEXT: 25280 25656 26032 26408 26784 27160 27536 27912
// CHECK-NEXT: 40640 41272 41904 42536 43168 43800 44432 45064
// CHECK-NEXT: 56000 56888 57776 58664 59552 60440 61328 62216
// CHECK-NEXT: 71360 72504 73648 74792 75936 77080 78224 79368
// CHECK-NEXT: 86720 88120 89520 90920 92320 93720 95120 96520
// CHECK-NEXT: 102080 103736 105392 107048 108704 110360 112016 113672
// CHECK-NEXT: 117440 119352 121264 123176 125088 127000 128912 130824
// CHECK-NEXT: 132800 134968 137136 139304 141472 143640 145808 147976
// CHECK-NEXT: 148160 150584 153008 155432 157856 160280 162704 165128
// CHECK-NEXT: 163520 166200 168880 171560 174240 176920 179600 182280
// CHECK-NEXT: 178880 181816 184752 187688 190624 193560 196496 199432
// CHECK-NEXT: 194240 197432 200624 203816 207008 210200 213392 216584
// CHECK-NEXT: 209600 213048 216496 219944 223392 226840 230288 233736
// CHECK-NEXT: 224960 228664 232368 236072 239776 243480 247184 250888
// CHECK-NEXT: 240320 244280 248240 252200 256160 260120 264080 268040

// TF32: 16x8xf32
// TF32-NEXT: 1120 1148 1176 1204 1232 1260 1288 1316
// TF32-NEXT: 2912 3004 3096 3188 3280 3372 3464 3556
// TF32-NEXT: 4704 4860 5016 5172 5328 5484 5640 5796
// TF32-NEXT: 6496 6716 6936 7156 7376 7596 7816 8036
// TF32-NEXT: 8288 8572 8856 9140 9424 9708 9992 10276
// TF32-NEXT: 10080 10428 10776 11124 11472 11820 12168 12516
// TF32-NEXT: 11872 12284 12696 13108 13520 13932 14344 14756
// TF32-NEXT: 13664 14140 14616 15092 15568 16044 16520 16996
// TF32-NEXT: 15456 15996 16536 17076 17616 18156 18696 19236
// TF32-NEXT: 17248 17852 18456 19060 19664 20268 20872 21476
// TF32-NEXT: 19040 19708 20376 21044 21712 22380 23048 23716
// TF32-NEXT: 20832 21564 22296 23028 23760 24492 25224 25956
// TF32-NEXT: 22624 23420 24216 25012 25808 26604 27400 28196
// TF32-NEXT: 24416 25276 26136 26996 27856 28716 29576 30436
// TF32-NEXT: 26208 27132 28056 28980 29904 30828 31752 32676
// TF32-NEXT: 28000 28988 29976 30964 31952 32940 33928 34916

// STATS: mma 1
// STATS: multiply-adds of tensor cores: 2048

#row = affine_map<()[lane, r] -> (lane floordiv 4 + (r mod 2) * 8)>
#pair = affine_map<()[lane, r, e] -> ((lane mod 4) * 2 + (r floordiv 2) * 8 + e)>
#pair_b = affine_map<()[lane, r, e] -> ((lane mod 4) * 2 + r * 8 + e)>
#column = affine_map<()[lane] -> (lane floordiv 4)>
#row_c = affine_map<()[lane, r] -> (lane floordiv 4 + r * 8)>
#column_c = affine_map<()[lane, e] -> ((lane mod 4) * 2 + e)>
#single = affine_map<()[lane, r] -> (lane mod 4 + r * 4)>

gpu.module @kernels {
  gpu.func @f16(%a: memref<16x16xf16>, %b: memref<16x8xf16>, %d: memref<16x8xf32>) kernel {
    %lane = gpu.lane_id
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %empty = arith.constant dense<0.0> : vector<2xf16>
    %n = affine.apply #column()[%lane]
    %ar0 = affine.apply #row()[%lane, %c0]
    %ac00 = affine.apply #pair()[%lane, %c0, %c0]
    %a00 = memref.load %a[%ar0, %ac00] : memref<16x16xf16>
    %ac01 = affine.apply #pair()[%lane, %c0, %c1]
    %a01 = memref.load %a[%ar0, %ac01] : memref<16x16xf16>
    %a0 = vector.from_elements %a00, %a01 : vector<2xf16>
    %ar1 = affine.apply #row()[%lane, %c1]
    %ac10 = affine.apply #pair()[%lane, %c1, %c0]
    %a10 = memref.load %a[%ar1, %ac10] : memref<16x16xf16>
    %ac11 = affine.apply #pair()[%lane, %c1, %c1]
    %a11 = memref.load %a[%ar1, %ac11] : memref<16x16xf16>
    %a1 = vector.from_elements %a10, %a11 : vector<2xf16>
    %ar2 = affine.apply #row()[%lane, %c2]
    %ac20 = affine.apply #pair()[%lane, %c2, %c0]
    %a20 = memref.load %a[%ar2, %ac20] : memref<16x16xf16>
    %ac21 = affine.apply #pair()[%lane, %c2, %c1]
    %a21 = memref.load %a[%ar2, %ac21] : memref<16x16xf16>
    %a2 = vector.from_elements %a20, %a21 : vector<2xf16>
    %ar3 = affine.apply #row()[%lane, %c3]
    %ac30 = affine.apply #pair()[%lane, %c3, %c0]
    %a30 = memref.load %a[%ar3, %ac30] : memref<16x16xf16>
    %ac31 = affine.apply #pair()[%lane, %c3, %c1]
    %a31 = memref.load %a[%ar3, %ac31] : memref<16x16xf16>
    %a3 = vector.from_elements %a30, %a31 : vector<2xf16>
    %br00 = affine.apply #pair_b()[%lane, %c0, %c0]
    %b00 = memref.load %b[%br00, %n] : memref<16x8xf16>
    %br01 = affine.apply #pair_b()[%lane, %c0, %c1]
    %b01 = memref.load %b[%br01, %n] : memref<16x8xf16>
    %b0 = vector.from_elements %b00, %b01 : vector<2xf16>
    %br10 = affine.apply #pair_b()[%lane, %c1, %c0]
    %b10 = memref.load %b[%br10, %n] : memref<16x8xf16>
    %br11 = affine.apply #pair_b()[%lane, %c1, %c1]
    %b11 = memref.load %b[%br11, %n] : memref<16x8xf16>
    %b1 = vector.from_elements %b10, %b11 : vector<2xf16>
    %r = nvvm.mma.sync A[%a0, %a1, %a2, %a3] B[%b0, %b1] C[%zero, %zero, %zero, %zero]
      {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
       shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %dr0 = affine.apply #row_c()[%lane, %c0]
    %dc00 = affine.apply #column_c()[%lane, %c0]
    %d00 = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32)>
    memref.store %d00, %d[%dr0, %dc00] : memref<16x8xf32>
    %dc01 = affine.apply #column_c()[%lane, %c1]
    %d01 = llvm.extractvalue %r[1] : !llvm.struct<(f32, f32, f32, f32)>
    memref.store %d01, %d[%dr0, %dc01] : memref<16x8xf32>
    %dr1 = affine.apply #row_c()[%lane, %c1]
    %dc10 = affine.apply #column_c()[%lane, %c0]
    %d10 = llvm.extractvalue %r[2] : !llvm.struct<(f32, f32, f32, f32)>
    memref.store %d10, %d[%dr1, %dc10] : memref<16x8xf32>
    %dc11 = affine.apply #column_c()[%lane, %c1]
    %d11 = llvm.extractvalue %r[3] : !llvm.struct<(f32, f32, f32, f32)>
    memref.store %d11, %d[%dr1, %dc11] : memref<16x8xf32>
    gpu.return
  }

  gpu.func @bf16(%a: memref<16x16xbf16>, %b: memref<16x8xbf16>, %d: memref<16x8xf32>) kernel {
    %lane = gpu.lane_id
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %empty = arith.constant dense<0.0> : vector<2xbf16>
    %n = affine.apply #column()[%lane]
    %ar0 = affine.apply #row()[%lane, %c0]
    %ac00 = affine.apply #pair()[%lane, %c0, %c0]
    %a00 = memref.load %a[%ar0, %ac00] : memref<16x16xbf16>
    %ac01 = affine.apply #pair()[%lane, %c0, %c1]
    %a01 = memref.load %a[%ar0, %ac01] : memref<16x16xbf16>
    %a0 = vector.from_elements %a00, %a01 : vector<2xbf16>
    %ar1 = affine.apply #row()[%lane, %c1]
    %ac10 = affine.apply #pair()[%lane, %c1, %c0]
    %a10 = memref.load %a[%ar1, %ac10] : memref<16x16xbf16>
    %ac11 = affine.apply #pair()[%lane, %c1, %c1]
    %a11 = memref.load %a[%ar1, %ac11] : memref<16x16xbf16>
    %a1 = vector.from_elements %a10, %a11 : vector<2xbf16>
    %ar2 = affine.apply #row()[%lane, %c2]
    %ac20 = affine.apply #pair()[%lane, %c2, %c0]
    %a20 = memref.load %a[%ar2, %ac20] : memref<16x16xbf16>
    %ac21 = affine.apply #pair()[%lane, %c2, %c1]
    %a21 = memref.load %a[%ar2, %ac21] : memref<16x16xbf16>
    %a2 = vector.from_elements %a20, %a21 : vector<2xbf16>
    %ar3 = affine.apply #row()[%lane, %c3]
    %ac30 = affine.apply #pair()[%lane, %c3, %c0]
    %a30 = memref.load %a[%ar3, %ac30] : memref<16x16xbf16>
    %ac31 = affine.apply #pair()[%lane, %c3, %c1]
    %a31 = memref.load %a[%ar3, %ac31] : memref<16x16xbf16>
    %a3 = vector.from_elements %a30, %a31 : vector<2xbf16>
    %br00 = affine.apply #pair_b()[%lane, %c0, %c0]
    %b00 = memref.load %b[%br00, %n] : memref<16x8xbf16>
    %br01 = affine.apply #pair_b()[%lane, %c0, %c1]
    %b01 = memref.load %b[%br01, %n] : memref<16x8xbf16>
    %b0 = vector.from_elements %b00, %b01 : vector<2xbf16>
    %br10 = affine.apply #pair_b()[%lane, %c1, %c0]
    %b10 = memref.load %b[%br10, %n] : memref<16x8xbf16>
    %br11 = affine.apply #pair_b()[%lane, %c1, %c1]
    %b11 = memref.load %b[%br11, %n] : memref<16x8xbf16>
    %b1 = vector.from_elements %b10, %b11 : vector<2xbf16>
    %w0v = vector.bitcast %a0 : vector<2xbf16> to vector<1xi32>
    %w0 = vector.extract %w0v[0] : i32 from vector<1xi32>
    %w1v = vector.bitcast %a1 : vector<2xbf16> to vector<1xi32>
    %w1 = vector.extract %w1v[0] : i32 from vector<1xi32>
    %w2v = vector.bitcast %a2 : vector<2xbf16> to vector<1xi32>
    %w2 = vector.extract %w2v[0] : i32 from vector<1xi32>
    %w3v = vector.bitcast %a3 : vector<2xbf16> to vector<1xi32>
    %w3 = vector.extract %w3v[0] : i32 from vector<1xi32>
    %w4v = vector.bitcast %b0 : vector<2xbf16> to vector<1xi32>
    %w4 = vector.extract %w4v[0] : i32 from vector<1xi32>
    %w5v = vector.bitcast %b1 : vector<2xbf16> to vector<1xi32>
    %w5 = vector.extract %w5v[0] : i32 from vector<1xi32>
    %r = nvvm.mma.sync A[%w0, %w1, %w2, %w3] B[%w4, %w5] C[%zero, %zero, %zero, %zero]
      {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>,
       shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %dr0 = affine.apply #row_c()[%lane, %c0]
    %dc00 = affine.apply #column_c()[%lane, %c0]
    %d00 = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32)>
    memref.store %d00, %d[%dr0, %dc00] : memref<16x8xf32>
    %dc01 = affine.apply #column_c()[%lane, %c1]
    %d01 = llvm.extractvalue %r[1] : !llvm.struct<(f32, f32, f32, f32)>
    memref.store %d01, %d[%dr0, %dc01] : memref<16x8xf32>
    %dr1 = affine.apply #row_c()[%lane, %c1]
    %dc10 = affine.apply #column_c()[%lane, %c0]
    %d10 = llvm.extractvalue %r[2] : !llvm.struct<(f32, f32, f32, f32)>
    memref.store %d10, %d[%dr1, %dc10] : memref<16x8xf32>
    %dc11 = affine.apply #column_c()[%lane, %c1]
    %d11 = llvm.extractvalue %r[3] : !llvm.struct<(f32, f32, f32, f32)>
    memref.store %d11, %d[%dr1, %dc11] : memref<16x8xf32>
    gpu.return
  }

  gpu.func @tf32(%a: memref<16x8xf32>, %b: memref<8x8xf32>, %d: memref<16x8xf32>) kernel {
    %lane = gpu.lane_id
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %n = affine.apply #column()[%lane]
    %ar0 = affine.apply #row()[%lane, %c0]
    %ac0 = affine.apply #single()[%lane, %c0]
    %a0 = memref.load %a[%ar0, %ac0] : memref<16x8xf32>
    %aw0 = arith.bitcast %a0 : f32 to i32
    %ar1 = affine.apply #row()[%lane, %c1]
    %ac1 = affine.apply #single()[%lane, %c0]
    %a1 = memref.load %a[%ar1, %ac1] : memref<16x8xf32>
    %aw1 = arith.bitcast %a1 : f32 to i32
    %ar2 = affine.apply #row()[%lane, %c2]
    %ac2 = affine.apply #single()[%lane, %c1]
    %a2 = memref.load %a[%ar2, %ac2] : memref<16x8xf32>
    %aw2 = arith.bitcast %a2 : f32 to i32
    %ar3 = affine.apply #row()[%lane, %c3]
    %ac3 = affine.apply #single()[%lane, %c1]
    %a3 = memref.load %a[%ar3, %ac3] : memref<16x8xf32>
    %aw3 = arith.bitcast %a3 : f32 to i32
    %br0 = affine.apply #single()[%lane, %c0]
    %b0 = memref.load %b[%br0, %n] : memref<8x8xf32>
    %bw0 = arith.bitcast %b0 : f32 to i32
    %br1 = affine.apply #single()[%lane, %c1]
    %b1 = memref.load %b[%br1, %n] : memref<8x8xf32>
    %bw1 = arith.bitcast %b1 : f32 to i32
    %r = nvvm.mma.sync A[%aw0, %aw1, %aw2, %aw3] B[%bw0, %bw1] C[%zero, %zero, %zero, %zero]
      {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
       multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>,
       shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %dr0 = affine.apply #row_c()[%lane, %c0]
    %dc00 = affine.apply #column_c()[%lane, %c0]
    %d00 = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32)>
    memref.store %d00, %d[%dr0, %dc00] : memref<16x8xf32>
    %dc01 = affine.apply #column_c()[%lane, %c1]
    %d01 = llvm.extractvalue %r[1] : !llvm.struct<(f32, f32, f32, f32)>
    memref.store %d01, %d[%dr0, %dc01] : memref<16x8xf32>
    %dr1 = affine.apply #row_c()[%lane, %c1]
    %dc10 = affine.apply #column_c()[%lane, %c0]
    %d10 = llvm.extractvalue %r[2] : !llvm.struct<(f32, f32, f32, f32)>
    memref.store %d10, %d[%dr1, %dc10] : memref<16x8xf32>
    %dc11 = affine.apply #column_c()[%lane, %c1]
    %d11 = llvm.extractvalue %r[3] : !llvm.struct<(f32, f32, f32, f32)>
    memref.store %d11, %d[%dr1, %dc11] : memref<16x8xf32>
    gpu.return
  }
}
