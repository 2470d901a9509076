// RUN: fpa-opt %s | fpa-opt | FileCheck %s
// RUN: fpa-opt %s --mlir-print-op-generic | fpa-opt | FileCheck %s

!tile = tensor<48x64xf32>
!keys = tensor<256x64xf32>
!row = tensor<48xf32>
!line = tensor<256xf32>

// CHECK-LABEL: func.func @inner
// CHECK: fpa.pass_field field(%{{.*}} : tensor<256xf32>) suffix(%{{.*}} : tensor<256xf32>) outs(%{{.*}} : tensor<48xf32>) -> tensor<48xf32>
// CHECK: fpa.backward_tile ins(%{{.*}} : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>) gradient(%{{.*}} : tensor<48x64xf32>) saved(%{{.*}}, %{{.*}} : tensor<48xf32>, tensor<48xf32>) field(%{{.*}}, %{{.*}} : tensor<256xf32>, tensor<48xf32>) level(%{{.*}} : tensor<256xf32>) suffix(%{{.*}} : tensor<256xf32>) outs(%{{.*}}) {scale = 1.250000e-01 : f64, smooth = 2.000000e+00 : f64}
// CHECK: fpa.backward_finalize ins(%{{.*}} : tensor<48x64xf32>) outs(%{{.*}} : tensor<48x64xf16>) {scale = 1.250000e-01 : f64} -> tensor<48x64xf16>
func.func @inner(%q: !tile, %k: !keys, %do: !tile, %lse: !row, %delta: !row, %f: !line, %l: !line,
                 %s: !line, %r0: !row, %a: !tile, %b: !keys, %c: !row, %w: !line,
                 %dq0: tensor<48x64xf16>) -> (!row, tensor<48x64xf16>) {
  %r = fpa.pass_field field(%f : !line) suffix(%s : !line) outs(%r0 : !row) -> !row
  %t:7 = fpa.backward_tile ins(%q, %k, %k : !tile, !keys, !keys) gradient(%do : !tile)
    saved(%lse, %delta : !row, !row) field(%f, %r : !line, !row) level(%l : !line)
    suffix(%s : !line)
    outs(%a, %b, %b, %c, %w, %w, %w : !tile, !keys, !keys, !row, !line, !line, !line)
    {scale = 0.125 : f64, smooth = 2.0 : f64}
    -> !tile, !keys, !keys, !row, !line, !line, !line
  %dq = fpa.backward_finalize ins(%t#0 : !tile) outs(%dq0 : tensor<48x64xf16>)
    {scale = 0.125 : f64} -> tensor<48x64xf16>
  return %t#3, %dq : !row, tensor<48x64xf16>
}

// CHECK-LABEL: func.func @edge
// CHECK: fpa.pass_field field(%{{.*}} : tensor<?xf32>) interval(%{{.*}} at %{{.*}} : tensor<?xi64>) outs(%{{.*}} : tensor<?xf32>) -> tensor<?xf32>
// CHECK: fpa.backward_tile {{.*}} gradient(%{{.*}} : tensor<?x64xbf16>) saved(%{{.*}}, %{{.*}} : tensor<?xf32>, tensor<?xf32>) field(%{{.*}}, %{{.*}} : tensor<?xf32>, tensor<?xf32>) interval(%{{.*}}, %{{.*}} at %{{.*}} : tensor<?xi64>, tensor<?xi64>) outs(%{{.*}}) {scale = 1.000000e+00 : f64}
func.func @edge(%q: tensor<?x64xbf16>, %lse: tensor<?xf32>, %f: tensor<?xf32>,
                %first: tensor<?xi64>, %last: tensor<?xi64>, %at: index,
                %a: tensor<?x64xf32>) -> tensor<?xf32> {
  %r = fpa.pass_field field(%f : tensor<?xf32>) interval(%last at %at : tensor<?xi64>)
    outs(%lse : tensor<?xf32>) -> tensor<?xf32>
  %t:7 = fpa.backward_tile
    ins(%q, %q, %q : tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?x64xbf16>)
    gradient(%q : tensor<?x64xbf16>) saved(%lse, %lse : tensor<?xf32>, tensor<?xf32>)
    field(%f, %r : tensor<?xf32>, tensor<?xf32>)
    interval(%first, %last at %at : tensor<?xi64>, tensor<?xi64>)
    outs(%a, %a, %a, %f, %f, %f, %f : tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>,
      tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
    {scale = 1.0 : f64}
    -> tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>,
       tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  return %t#6 : tensor<?xf32>
}

// The new minimum may be written twice.
// CHECK-LABEL: func.func @copy
// CHECK: fpa.pass_field field(%{{.*}} : tensor<256xf32>) interval(%{{.*}} at %{{.*}} : tensor<16xi64>) outs(%{{.*}}, %{{.*}} : tensor<48xf32>, tensor<48xf32>) -> tensor<48xf32>, tensor<48xf32>
func.func @copy(%f: !line, %last: tensor<16xi64>, %at: index, %r0: !row, %c0: !row) -> (!row, !row) {
  %r:2 = fpa.pass_field field(%f : !line) interval(%last at %at : tensor<16xi64>)
    outs(%r0, %c0 : !row, !row) -> !row, !row
  return %r#0, %r#1 : !row, !row
}

// One part at a time, each with the outs that it adds to. What is passed besides
// the minimum is one number, and the least field another.
// CHECK-LABEL: func.func @parts
// CHECK: fpa.backward_tile part <queries> ins(%{{.*}} : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>) gradient(%{{.*}} : tensor<48x64xf32>) saved(%{{.*}}, %{{.*}} : tensor<48xf32>, tensor<48xf32>) field(%{{.*}}, %{{.*}} : tensor<256xf32>, tensor<48xf32>) passed(%{{.*}} : f32) least(%{{.*}} : f32) ends(%{{.*}}) below(%{{.*}}) above(%{{.*}}) level(%{{.*}} : tensor<256xf32>) suffix(%{{.*}} : tensor<256xf32>) outs(%{{.*}} : tensor<48x64xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>) {scale = 1.000000e+00 : f64} -> tensor<48x64xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>
// CHECK: fpa.backward_tile part <keys> ins(%{{.*}} saved(%{{.*}}, %{{.*}} : tensor<48xf32>, tensor<48xf32>) field(%{{.*}}, %{{.*}} : tensor<256xf32>, tensor<48xf32>) suffix(%{{.*}} : tensor<256xf32>) outs(%{{.*}} : tensor<256x64xf32>, tensor<256x64xf32>, tensor<256xf32>, tensor<256xf32>) {scale = 1.000000e+00 : f64}
// CHECK: fpa.backward_tile ins(%{{.*}} passed(%{{.*}} : f32) outs(%{{.*}} : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>) {scale = 1.000000e+00 : f64}
func.func @parts(%q: !tile, %k: !keys, %lse: !row, %f: !line, %p: f32, %e: i1, %u: i1)
    -> (!tile, !keys, !tile) {
  %d:4 = fpa.backward_tile part <queries> ins(%q, %k, %k : !tile, !keys, !keys) gradient(%q : !tile)
    saved(%lse, %lse : !row, !row) field(%f, %lse : !line, !row) passed(%p : f32) least(%p : f32) ends(%e)
    below(%u) above(%e) level(%f : !line) suffix(%f : !line)
    outs(%q, %lse, %f, %f : !tile, !row, !line, !line) {scale = 1.0 : f64}
    -> !tile, !row, !line, !line
  %h:4 = fpa.backward_tile part <keys> ins(%q, %k, %k : !tile, !keys, !keys) gradient(%q : !tile)
    saved(%lse, %lse : !row, !row) field(%f, %lse : !line, !row) suffix(%f : !line)
    outs(%k, %k, %f, %f : !keys, !keys, !line, !line) {scale = 1.0 : f64}
    -> !keys, !keys, !line, !line
  // All at once is the default.
  %g:3 = fpa.backward_tile part <all> ins(%q, %k, %k : !tile, !keys, !keys) gradient(%q : !tile)
    saved(%lse, %lse : !row, !row) field(%f, %lse : !line, !row) passed(%p : f32)
    outs(%q, %k, %k : !tile, !keys, !keys) {scale = 1.0 : f64} -> !tile, !keys, !keys
  return %d#0, %h#0, %g#0 : !tile, !keys, !tile
}

// Keys, too, may be fewer than the sums that are carried, and a part may be one
// of constants.
// CHECK-LABEL: func.func @keys_to_spare
// CHECK: fpa.backward_tile part <keys> ins(%{{.*}} : tensor<16x64xbf16>, tensor<7x64xbf16>, tensor<7x64xbf16>) {{.*}} saved(%{{.*}}, %{{.*}} : tensor<16xf32>, tensor<48xf32>) field({{.*}}) interval({{.*}}) outs(%{{.*}} : tensor<256x64xf32>, tensor<256x64xf32>, tensor<256xf32>, tensor<256xf32>)
// CHECK: fpa.backward_tile part <keys> {{.*}} outs(%{{.*}} : tensor<256x64xf32>, tensor<256x64xf32>)
// CHECK: fpa.backward_tile part <queries> {{.*}} outs(%{{.*}} : tensor<48x64xf32>)
func.func @keys_to_spare(%q: tensor<16x64xbf16>, %k: tensor<7x64xbf16>, %lse: tensor<16xf32>,
                         %r: !row, %f: tensor<7xf32>, %i: tensor<16xi64>, %at: index, %a: !tile,
                         %dk: !keys, %w: !line) -> (!keys, !keys, !tile) {
  %d:4 = fpa.backward_tile part <keys>
    ins(%q, %k, %k : tensor<16x64xbf16>, tensor<7x64xbf16>, tensor<7x64xbf16>)
    gradient(%q : tensor<16x64xbf16>) saved(%lse, %r : tensor<16xf32>, !row)
    field(%f, %r : tensor<7xf32>, !row) interval(%i, %i at %at : tensor<16xi64>, tensor<16xi64>)
    outs(%dk, %dk, %w, %w : !keys, !keys, !line, !line) {scale = 1.0 : f64}
    -> !keys, !keys, !line, !line
  %e:2 = fpa.backward_tile part <keys>
    ins(%q, %k, %k : tensor<16x64xbf16>, tensor<7x64xbf16>, tensor<7x64xbf16>)
    gradient(%q : tensor<16x64xbf16>) saved(%lse, %r : tensor<16xf32>, !row)
    outs(%dk, %dk : !keys, !keys) {scale = 1.0 : f64} -> !keys, !keys
  %g = fpa.backward_tile part <queries>
    ins(%q, %k, %k : tensor<16x64xbf16>, tensor<7x64xbf16>, tensor<7x64xbf16>)
    gradient(%q : tensor<16x64xbf16>) saved(%lse, %r : tensor<16xf32>, !row)
    outs(%a : !tile) {scale = 1.0 : f64} -> !tile
  return %d#0, %e#0, %g : !keys, !keys, !tile
}

// Field and level may be constants, or not be there.
// CHECK-LABEL: func.func @constant_field
// CHECK: fpa.backward_tile {{.*}} gradient(%{{.*}} : tensor<48x64xf32>) saved(%{{.*}}, %{{.*}} : tensor<48xf32>, tensor<48xf32>) field(%{{.*}}, %{{.*}} : tensor<256xf32>, tensor<48xf32>) outs(%{{.*}}, %{{.*}}, %{{.*}} : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>) {scale
// CHECK: fpa.backward_tile {{.*}} gradient(%{{.*}} : tensor<48x64xf32>) saved(%{{.*}}, %{{.*}} : tensor<48xf32>, tensor<48xf32>) outs(%{{.*}}, %{{.*}}, %{{.*}} : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>) {scale
func.func @constant_field(%q: !tile, %k: !keys, %lse: !row, %f: !line) -> !tile {
  %t:3 = fpa.backward_tile ins(%q, %k, %k : !tile, !keys, !keys) gradient(%q : !tile)
    saved(%lse, %lse : !row, !row) field(%f, %lse : !line, !row)
    outs(%q, %k, %k : !tile, !keys, !keys) {scale = 1.0 : f64} -> !tile, !keys, !keys
  %u:3 = fpa.backward_tile ins(%q, %k, %k : !tile, !keys, !keys) gradient(%q : !tile)
    saved(%lse, %lse : !row, !row) outs(%t#0, %t#1, %t#2 : !tile, !keys, !keys)
    {scale = 1.0 : f64} -> !tile, !keys, !keys
  return %u#0 : !tile
}

// CHECK-LABEL: func.func @memrefs
// CHECK: fpa.pass_field field(%{{.*}} : memref<7xf64>) outs(%{{.*}} : memref<5xf64>)
// CHECK: fpa.backward_tile ins(%{{.*}} : memref<5x8xf64>, memref<7x8xf64>, memref<7x3xf64>) gradient(%{{.*}} : memref<5x3xf64>) saved(%{{.*}}, %{{.*}} : memref<5xf64>, memref<5xf64>) outs(%{{.*}} : memref<5x8xf64>, memref<7x8xf64>, memref<7x3xf64>) {scale = 1.000000e+00 : f64}
// CHECK: fpa.backward_finalize ins(%{{.*}} : memref<5x8xf64>) outs(%{{.*}} : memref<5x8xf64>) {scale = 1.000000e+00 : f64}
func.func @memrefs(%q: memref<5x8xf64>, %k: memref<7x8xf64>, %v: memref<7x3xf64>,
                   %o: memref<5x3xf64>, %f: memref<7xf64>, %r: memref<5xf64>,
                   %a: memref<5x8xf64>, %b: memref<7x8xf64>, %c: memref<7x3xf64>) {
  fpa.pass_field field(%f : memref<7xf64>) outs(%r : memref<5xf64>)
  fpa.backward_tile ins(%q, %k, %v : memref<5x8xf64>, memref<7x8xf64>, memref<7x3xf64>)
    gradient(%o : memref<5x3xf64>) saved(%r, %r : memref<5xf64>, memref<5xf64>)
    outs(%a, %b, %c : memref<5x8xf64>, memref<7x8xf64>, memref<7x3xf64>)
    {scale = 1.0 : f64}
  fpa.backward_finalize ins(%a : memref<5x8xf64>) outs(%q : memref<5x8xf64>) {scale = 1.0 : f64}
  return
}

// The last query tile of a head has fewer rows than the state it carries.
// CHECK-LABEL: func.func @rows_to_spare
// CHECK: fpa.pass_field {{.*}} interval(%{{.*}} : tensor<16xi64>) outs(%{{.*}} : tensor<48xf32>)
// CHECK: fpa.backward_tile ins(%{{.*}} : tensor<16x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>) {{.*}} outs(%{{.*}} : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>, tensor<48xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
// CHECK: fpa.backward_finalize ins(%{{.*}} : tensor<48x64xf32>) outs(%{{.*}} : tensor<16x64xf32>)
func.func @rows_to_spare(%q: tensor<16x64xf32>, %lse: tensor<16xf32>, %k: !keys, %f: !line,
                         %last: tensor<16xi64>, %at: index, %r0: !row, %a: !tile)
    -> tensor<16x64xf32> {
  %r = fpa.pass_field field(%f : !line) interval(%last at %at : tensor<16xi64>)
    outs(%r0 : !row) -> !row
  %t:7 = fpa.backward_tile ins(%q, %k, %k : tensor<16x64xf32>, !keys, !keys)
    gradient(%q : tensor<16x64xf32>) saved(%lse, %r : tensor<16xf32>, !row)
    field(%f, %r : !line, !row)
    outs(%a, %k, %k, %r, %f, %f, %f : !tile, !keys, !keys, !row, !line, !line, !line)
    {scale = 1.0 : f64} -> !tile, !keys, !keys, !row, !line, !line, !line
  %dq = fpa.backward_finalize ins(%t#0 : !tile) outs(%q : tensor<16x64xf32>)
    {scale = 1.0 : f64} -> tensor<16x64xf32>
  return %dq : tensor<16x64xf32>
}
