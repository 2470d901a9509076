// Tiles of fpa.attention compute what the whole op does: both are decomposed,
// run, and compared bit by bit. Keys that no row of a tile sees only ever add
// zeros, so leaving them out changes nothing.

// RUN: fpa-opt %s --pass-pipeline="builtin.module( \
// RUN:   transform-preload-library{transform-library-paths=%S/Inputs/tile-schedules.mlir}, transform-interpreter, \
// RUN:   fpa-decompose, \
// RUN:   one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}, \
// RUN:   convert-linalg-to-loops, scf-forall-to-for, expand-strided-metadata, lower-affine, convert-scf-to-cf, \
// RUN:   convert-math-to-llvm, convert-math-to-libm, convert-to-llvm, reconcile-unrealized-casts)" \
// RUN: | mlir-runner -e main --entry-point-result=void \
// RUN:     --shared-libs=%llvm_lib_dir/libmlir_runner_utils.so,%llvm_lib_dir/libmlir_c_runner_utils.so \
// RUN: | FileCheck %s

#map4 = affine_map<(a, b, c, d) -> (a, b, c, d)>
#map3 = affine_map<(a, b, c) -> (a, b, c)>
#none = affine_map<(a, b, c, d) -> ()>

func.func private @printF32(f32)
func.func private @printNewline()

// Numbers in [-2, 2) that look like noise.
func.func private @noise(%b: index, %h: index, %l: index, %d: index, %seed: i32) -> tensor<?x?x?x?xf32> {
  %e = tensor.empty(%b, %h, %l, %d) : tensor<?x?x?x?xf32>
  %x = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%e : tensor<?x?x?x?xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %j0 = arith.muli %i0, %h : index
    %j1 = arith.addi %j0, %i1 : index
    %j2 = arith.muli %j1, %l : index
    %j3 = arith.addi %j2, %i2 : index
    %j4 = arith.muli %j3, %d : index
    %j5 = arith.addi %j4, %i3 : index
    %n = arith.index_cast %j5 : index to i32
    %m = arith.constant 1664525 : i32
    %s0 = arith.addi %n, %seed : i32
    %s1 = arith.muli %s0, %m : i32
    %c15 = arith.constant 15 : i32
    %s2 = arith.shrui %s1, %c15 : i32
    %s3 = arith.xori %s1, %s2 : i32
    %s4 = arith.muli %s3, %m : i32
    %r = arith.sitofp %s4 : i32 to f32
    %scale = arith.constant 9.31322575e-10 : f32
    %v = arith.mulf %r, %scale : f32
    linalg.yield %v : f32
  } -> tensor<?x?x?x?xf32>
  return %x : tensor<?x?x?x?xf32>
}

// Prints the largest difference and the sum of the first tensor.
func.func private @compare(%x: tensor<?x?x?x?xf32>, %y: tensor<?x?x?x?xf32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %d = linalg.generic {indexing_maps = [#map4, #map4, #none], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%x, %y : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %m: f32):
    %same = arith.cmpf oeq, %a, %b : f32
    %diff = arith.subf %a, %b : f32
    %abs = math.absf %diff : f32
    %o = arith.constant 0.0 : f32
    %e = arith.select %same, %o, %abs : f32
    %r = arith.maximumf %e, %m : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %s = linalg.generic {indexing_maps = [#map4, #none], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%x : tensor<?x?x?x?xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%a: f32, %m: f32):
    %abs = math.absf %a : f32
    %r = arith.addf %abs, %m : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %dv = tensor.extract %d[] : tensor<f32>
  call @printF32(%dv) : (f32) -> ()
  call @printNewline() : () -> ()
  %sv = tensor.extract %s[] : tensor<f32>
  call @printF32(%sv) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

// Tiles of 4 rows, with lse.
func.func @rows(%lq: index, %lk: index) {
  %b = arith.constant 1 : index
  %hq = arith.constant 2 : index
  %hk = arith.constant 2 : index
  %hf = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %qs = arith.constant 1 : i32
  %qd = call @noise(%b, %hq, %lq, %c8, %qs) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %q = tensor.cast %qd : tensor<?x?x?x?xf32> to tensor<1x2x?x8xf32>
  %ks = arith.constant 1001 : i32
  %kd = call @noise(%b, %hk, %lk, %c8, %ks) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %k = tensor.cast %kd : tensor<?x?x?x?xf32> to tensor<1x2x?x8xf32>
  %vs = arith.constant 2001 : i32
  %vd = call @noise(%b, %hk, %lk, %c4, %vs) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %v = tensor.cast %vd : tensor<?x?x?x?xf32> to tensor<1x2x?x4xf32>
  %fs = arith.constant 3001 : i32
  %fd = call @noise(%b, %hf, %lk, %c1, %fs) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %fc = tensor.collapse_shape %fd [[0], [1], [2, 3]] : tensor<?x?x?x?xf32> into tensor<?x?x?xf32>
  %f = tensor.cast %fc : tensor<?x?x?xf32> to tensor<1x2x?xf32>
  %ls = arith.constant 4001 : i32
  %ld = call @noise(%b, %hf, %lk, %c1, %ls) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %lc = tensor.collapse_shape %ld [[0], [1], [2, 3]] : tensor<?x?x?x?xf32> into tensor<?x?x?xf32>
  %l = tensor.cast %lc : tensor<?x?x?xf32> to tensor<1x2x?xf32>
  %o0 = tensor.empty(%lq) : tensor<1x2x?x4xf32>
  %l0 = tensor.empty(%lq) : tensor<1x2x?xf32>
  %tiled, %tiledl = fpa.attention ins(%q, %k, %v : tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x4xf32>)
      field(%f : tensor<1x2x?xf32>) level(%l : tensor<1x2x?xf32>)
      outs(%o0, %l0 : tensor<1x2x?x4xf32>, tensor<1x2x?xf32>) {tile = "rows"} -> tensor<1x2x?x4xf32>, tensor<1x2x?xf32>
  %whole, %wholel = fpa.attention ins(%q, %k, %v : tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x4xf32>)
      field(%f : tensor<1x2x?xf32>) level(%l : tensor<1x2x?xf32>)
      outs(%o0, %l0 : tensor<1x2x?x4xf32>, tensor<1x2x?xf32>) {} -> tensor<1x2x?x4xf32>, tensor<1x2x?xf32>
  %td = tensor.cast %tiled : tensor<1x2x?x4xf32> to tensor<?x?x?x?xf32>
  %wd = tensor.cast %whole : tensor<1x2x?x4xf32> to tensor<?x?x?x?xf32>
  call @compare(%wd, %td) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> ()
  %tle = tensor.expand_shape %tiledl [[0], [1], [2, 3]] output_shape [1, 2, %lq, 1] : tensor<1x2x?xf32> into tensor<1x2x?x1xf32>
  %wle = tensor.expand_shape %wholel [[0], [1], [2, 3]] output_shape [1, 2, %lq, 1] : tensor<1x2x?xf32> into tensor<1x2x?x1xf32>
  %tl = tensor.cast %tle : tensor<1x2x?x1xf32> to tensor<?x?x?x?xf32>
  %wl = tensor.cast %wle : tensor<1x2x?x1xf32> to tensor<?x?x?x?xf32>
  call @compare(%wl, %tl) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> ()
  return
}

// One batch, one head, 5 rows, 2 columns.
func.func @heads(%lq: index, %lk: index) {
  %b = arith.constant 2 : index
  %hq = arith.constant 4 : index
  %hk = arith.constant 2 : index
  %hf = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %qs = arith.constant 1 : i32
  %qd = call @noise(%b, %hq, %lq, %c8, %qs) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %q = tensor.cast %qd : tensor<?x?x?x?xf32> to tensor<2x4x?x8xf32>
  %ks = arith.constant 1001 : i32
  %kd = call @noise(%b, %hk, %lk, %c8, %ks) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %k = tensor.cast %kd : tensor<?x?x?x?xf32> to tensor<2x2x?x8xf32>
  %vs = arith.constant 2001 : i32
  %vd = call @noise(%b, %hk, %lk, %c4, %vs) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %v = tensor.cast %vd : tensor<?x?x?x?xf32> to tensor<2x2x?x4xf32>
  %fs = arith.constant 3001 : i32
  %fd = call @noise(%b, %hf, %lk, %c1, %fs) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %fc = tensor.collapse_shape %fd [[0], [1], [2, 3]] : tensor<?x?x?x?xf32> into tensor<?x?x?xf32>
  %f = tensor.cast %fc : tensor<?x?x?xf32> to tensor<2x4x?xf32>
  %ls = arith.constant 4001 : i32
  %ld = call @noise(%b, %hf, %lk, %c1, %ls) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %lc = tensor.collapse_shape %ld [[0], [1], [2, 3]] : tensor<?x?x?x?xf32> into tensor<?x?x?xf32>
  %l = tensor.cast %lc : tensor<?x?x?xf32> to tensor<2x4x?xf32>
  %o0 = tensor.empty(%lq) : tensor<2x4x?x4xf32>
  %tiled = fpa.attention ins(%q, %k, %v : tensor<2x4x?x8xf32>, tensor<2x2x?x8xf32>, tensor<2x2x?x4xf32>)
      field(%f : tensor<2x4x?xf32>) level(%l : tensor<2x4x?xf32>)
      outs(%o0 : tensor<2x4x?x4xf32>) {window = 6 : i64, tile = "heads"} -> tensor<2x4x?x4xf32>
  %whole = fpa.attention ins(%q, %k, %v : tensor<2x4x?x8xf32>, tensor<2x2x?x8xf32>, tensor<2x2x?x4xf32>)
      field(%f : tensor<2x4x?xf32>) level(%l : tensor<2x4x?xf32>)
      outs(%o0 : tensor<2x4x?x4xf32>) {window = 6 : i64} -> tensor<2x4x?x4xf32>
  %td = tensor.cast %tiled : tensor<2x4x?x4xf32> to tensor<?x?x?x?xf32>
  %wd = tensor.cast %whole : tensor<2x4x?x4xf32> to tensor<?x?x?x?xf32>
  call @compare(%wd, %td) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> ()
  return
}

// Two groups of 2 heads, 3 rows; a field for each key head; smooth.
func.func @groups(%lq: index, %lk: index) {
  %b = arith.constant 1 : index
  %hq = arith.constant 6 : index
  %hk = arith.constant 3 : index
  %hf = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %qs = arith.constant 1 : i32
  %qd = call @noise(%b, %hq, %lq, %c8, %qs) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %q = tensor.cast %qd : tensor<?x?x?x?xf32> to tensor<1x6x?x8xf32>
  %ks = arith.constant 1001 : i32
  %kd = call @noise(%b, %hk, %lk, %c8, %ks) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %k = tensor.cast %kd : tensor<?x?x?x?xf32> to tensor<1x3x?x8xf32>
  %vs = arith.constant 2001 : i32
  %vd = call @noise(%b, %hk, %lk, %c4, %vs) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %v = tensor.cast %vd : tensor<?x?x?x?xf32> to tensor<1x3x?x4xf32>
  %fs = arith.constant 3001 : i32
  %fd = call @noise(%b, %hf, %lk, %c1, %fs) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %fc = tensor.collapse_shape %fd [[0], [1], [2, 3]] : tensor<?x?x?x?xf32> into tensor<?x?x?xf32>
  %f = tensor.cast %fc : tensor<?x?x?xf32> to tensor<1x3x?xf32>
  %ls = arith.constant 4001 : i32
  %ld = call @noise(%b, %hf, %lk, %c1, %ls) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %lc = tensor.collapse_shape %ld [[0], [1], [2, 3]] : tensor<?x?x?x?xf32> into tensor<?x?x?xf32>
  %l = tensor.cast %lc : tensor<?x?x?xf32> to tensor<1x3x?xf32>
  %o0 = tensor.empty(%lq) : tensor<1x6x?x4xf32>
  %tiled = fpa.attention ins(%q, %k, %v : tensor<1x6x?x8xf32>, tensor<1x3x?x8xf32>, tensor<1x3x?x4xf32>)
      field(%f : tensor<1x3x?xf32>) level(%l : tensor<1x3x?xf32>)
      outs(%o0 : tensor<1x6x?x4xf32>) {smooth = 2.0 : f64, window = 1 : i64, tile = "groups"} -> tensor<1x6x?x4xf32>
  %whole = fpa.attention ins(%q, %k, %v : tensor<1x6x?x8xf32>, tensor<1x3x?x8xf32>, tensor<1x3x?x4xf32>)
      field(%f : tensor<1x3x?xf32>) level(%l : tensor<1x3x?xf32>)
      outs(%o0 : tensor<1x6x?x4xf32>) {smooth = 2.0 : f64, window = 1 : i64} -> tensor<1x6x?x4xf32>
  %td = tensor.cast %tiled : tensor<1x6x?x4xf32> to tensor<?x?x?x?xf32>
  %wd = tensor.cast %whole : tensor<1x6x?x4xf32> to tensor<?x?x?x?xf32>
  call @compare(%wd, %td) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> ()
  return
}

func.func @main() {
  %c9 = arith.constant 9 : index
  %c11 = arith.constant 11 : index
  %c16 = arith.constant 16 : index
  // CHECK: {{^}}0
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  // CHECK: {{^}}0
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @rows(%c11, %c16) : (index, index) -> ()
  // CHECK: {{^}}0
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  // CHECK: {{^}}0
  // CHECK-NEXT: inf
  call @rows(%c16, %c9) : (index, index) -> ()
  // CHECK: {{^}}0
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  // CHECK: {{^}}0
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @rows(%c11, %c11) : (index, index) -> ()
  // CHECK: {{^}}0
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @heads(%c11, %c16) : (index, index) -> ()
  // CHECK: {{^}}0
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @heads(%c16, %c9) : (index, index) -> ()
  // CHECK: {{^}}0
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @heads(%c11, %c11) : (index, index) -> ()
  // CHECK: {{^}}0
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @groups(%c11, %c16) : (index, index) -> ()
  // CHECK: {{^}}0
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @groups(%c16, %c9) : (index, index) -> ()
  // CHECK: {{^}}0
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @groups(%c11, %c11) : (index, index) -> ()
  return
}
