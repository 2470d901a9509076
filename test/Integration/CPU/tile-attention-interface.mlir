// Tiles of fpa.attention compute what the whole op does: both are decomposed,
// run, and compared bit by bit. Keys that no row of a tile sees only ever add
// zeros, so leaving them out changes nothing. Split keys are summed in another
// order, which rounds differently.

// RUN: fpa-opt %s --pass-pipeline="builtin.module( \
// RUN:   transform-preload-library{transform-library-paths=%S/Inputs/tile-schedules.mlir}, transform-interpreter, \
// RUN:   fpa-decompose, \
// RUN:   one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}, \
// RUN:   convert-fpa-prefix-to-vector, convert-linalg-to-loops, scf-forall-to-for, convert-vector-to-scf, \
// RUN:   expand-strided-metadata, lower-affine, convert-scf-to-cf, \
// RUN:   convert-math-to-llvm, convert-math-to-libm, convert-vector-to-llvm, convert-to-llvm, reconcile-unrealized-casts)" \
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

// 40 keys in chunks of 16, with a state from keys to the right.
func.func @keys_inner() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c40 = arith.constant 40 : index
  %q_seed = arith.constant 7 : i32
  %q_noise = call @noise(%c1, %c1, %c8, %c4, %q_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %q_flat = tensor.collapse_shape %q_noise [[0, 1, 2], [3]] : tensor<?x?x?x?xf32> into tensor<?x?xf32>
  %q = tensor.cast %q_flat : tensor<?x?xf32> to tensor<8x4xf32>
  %k_seed = arith.constant 1007 : i32
  %k_noise = call @noise(%c1, %c1, %c40, %c4, %k_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %k_flat = tensor.collapse_shape %k_noise [[0, 1, 2], [3]] : tensor<?x?x?x?xf32> into tensor<?x?xf32>
  %k = tensor.cast %k_flat : tensor<?x?xf32> to tensor<40x4xf32>
  %v_seed = arith.constant 2007 : i32
  %v_noise = call @noise(%c1, %c1, %c40, %c2, %v_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %v_flat = tensor.collapse_shape %v_noise [[0, 1, 2], [3]] : tensor<?x?x?x?xf32> into tensor<?x?xf32>
  %v = tensor.cast %v_flat : tensor<?x?xf32> to tensor<40x2xf32>
  %a0_seed = arith.constant 3007 : i32
  %a0_noise = call @noise(%c1, %c1, %c8, %c2, %a0_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %a0_flat = tensor.collapse_shape %a0_noise [[0, 1, 2], [3]] : tensor<?x?x?x?xf32> into tensor<?x?xf32>
  %a0 = tensor.cast %a0_flat : tensor<?x?xf32> to tensor<8x2xf32>
  %f_seed = arith.constant 4007 : i32
  %f_noise = call @noise(%c1, %c1, %c40, %c1, %f_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %f_flat = tensor.collapse_shape %f_noise [[0, 1, 2, 3]] : tensor<?x?x?x?xf32> into tensor<?xf32>
  %f = tensor.cast %f_flat : tensor<?xf32> to tensor<40xf32>
  %l_seed = arith.constant 5007 : i32
  %l_noise = call @noise(%c1, %c1, %c40, %c1, %l_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %l_flat = tensor.collapse_shape %l_noise [[0, 1, 2, 3]] : tensor<?x?x?x?xf32> into tensor<?xf32>
  %l = tensor.cast %l_flat : tensor<?xf32> to tensor<40xf32>
  %m0_seed = arith.constant 6007 : i32
  %m0_noise = call @noise(%c1, %c1, %c8, %c1, %m0_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %m0_flat = tensor.collapse_shape %m0_noise [[0, 1, 2, 3]] : tensor<?x?x?x?xf32> into tensor<?xf32>
  %m0 = tensor.cast %m0_flat : tensor<?xf32> to tensor<8xf32>
  %s0_seed = arith.constant 7007 : i32
  %s0_noise = call @noise(%c1, %c1, %c8, %c1, %s0_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %s0_flat = tensor.collapse_shape %s0_noise [[0, 1, 2, 3]] : tensor<?x?x?x?xf32> into tensor<?xf32>
  %s0 = tensor.cast %s0_flat : tensor<?xf32> to tensor<8xf32>
  %r0_seed = arith.constant 8007 : i32
  %r0_noise = call @noise(%c1, %c1, %c8, %c1, %r0_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %r0_flat = tensor.collapse_shape %r0_noise [[0, 1, 2, 3]] : tensor<?x?x?x?xf32> into tensor<?xf32>
  %r0 = tensor.cast %r0_flat : tensor<?xf32> to tensor<8xf32>
  %split:4 = fpa.online_attention ins(%q, %k, %v : tensor<8x4xf32>, tensor<40x4xf32>, tensor<40x2xf32>)
      field(%f : tensor<40xf32>) level(%l : tensor<40xf32>)
      outs(%a0, %m0, %s0, %r0 : tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {scale = 0.5 : f64, tile = "keys"} -> tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  %whole:4 = fpa.online_attention ins(%q, %k, %v : tensor<8x4xf32>, tensor<40x4xf32>, tensor<40x2xf32>)
      field(%f : tensor<40xf32>) level(%l : tensor<40xf32>)
      outs(%a0, %m0, %s0, %r0 : tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {scale = 0.5 : f64} -> tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  %ad = tensor.expand_shape %split#0 [[0, 1, 2], [3]] output_shape [1, 1, 8, 2] : tensor<8x2xf32> into tensor<1x1x8x2xf32>
  %bd = tensor.expand_shape %whole#0 [[0, 1, 2], [3]] output_shape [1, 1, 8, 2] : tensor<8x2xf32> into tensor<1x1x8x2xf32>
  %ac = tensor.cast %ad : tensor<1x1x8x2xf32> to tensor<?x?x?x?xf32>
  %bc = tensor.cast %bd : tensor<1x1x8x2xf32> to tensor<?x?x?x?xf32>
  call @compare(%bc, %ac) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> ()
  %a1d = tensor.expand_shape %split#1 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %b1d = tensor.expand_shape %whole#1 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %a1c = tensor.cast %a1d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  %b1c = tensor.cast %b1d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  call @compare(%b1c, %a1c) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> ()
  %a2d = tensor.expand_shape %split#2 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %b2d = tensor.expand_shape %whole#2 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %a2c = tensor.cast %a2d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  %b2c = tensor.cast %b2d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  call @compare(%b2c, %a2c) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> ()
  %a3d = tensor.expand_shape %split#3 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %b3d = tensor.expand_shape %whole#3 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %a3c = tensor.cast %a3d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  %b3c = tensor.cast %b3d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  call @compare(%b3c, %a3c) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> ()
  return
}

func.func @keys_tied() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c40 = arith.constant 40 : index
  %q_seed = arith.constant 7 : i32
  %q_noise = call @noise(%c1, %c1, %c8, %c4, %q_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %q_flat = tensor.collapse_shape %q_noise [[0, 1, 2], [3]] : tensor<?x?x?x?xf32> into tensor<?x?xf32>
  %q = tensor.cast %q_flat : tensor<?x?xf32> to tensor<8x4xf32>
  %k_seed = arith.constant 1007 : i32
  %k_noise = call @noise(%c1, %c1, %c40, %c4, %k_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %k_flat = tensor.collapse_shape %k_noise [[0, 1, 2], [3]] : tensor<?x?x?x?xf32> into tensor<?x?xf32>
  %k = tensor.cast %k_flat : tensor<?x?xf32> to tensor<40x4xf32>
  %v_seed = arith.constant 2007 : i32
  %v_noise = call @noise(%c1, %c1, %c40, %c2, %v_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %v_flat = tensor.collapse_shape %v_noise [[0, 1, 2], [3]] : tensor<?x?x?x?xf32> into tensor<?x?xf32>
  %v = tensor.cast %v_flat : tensor<?x?xf32> to tensor<40x2xf32>
  %a0_seed = arith.constant 3007 : i32
  %a0_noise = call @noise(%c1, %c1, %c8, %c2, %a0_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %a0_flat = tensor.collapse_shape %a0_noise [[0, 1, 2], [3]] : tensor<?x?x?x?xf32> into tensor<?x?xf32>
  %a0 = tensor.cast %a0_flat : tensor<?x?xf32> to tensor<8x2xf32>
  %f_seed = arith.constant 4007 : i32
  %f_noise = call @noise(%c1, %c1, %c40, %c1, %f_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %f_flat = tensor.collapse_shape %f_noise [[0, 1, 2, 3]] : tensor<?x?x?x?xf32> into tensor<?xf32>
  %f = tensor.cast %f_flat : tensor<?xf32> to tensor<40xf32>
  %l_seed = arith.constant 5007 : i32
  %l_noise = call @noise(%c1, %c1, %c40, %c1, %l_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %l_flat = tensor.collapse_shape %l_noise [[0, 1, 2, 3]] : tensor<?x?x?x?xf32> into tensor<?xf32>
  %l = tensor.cast %l_flat : tensor<?xf32> to tensor<40xf32>
  %m0_seed = arith.constant 6007 : i32
  %m0_noise = call @noise(%c1, %c1, %c8, %c1, %m0_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %m0_flat = tensor.collapse_shape %m0_noise [[0, 1, 2, 3]] : tensor<?x?x?x?xf32> into tensor<?xf32>
  %m0 = tensor.cast %m0_flat : tensor<?xf32> to tensor<8xf32>
  %s0_seed = arith.constant 7007 : i32
  %s0_noise = call @noise(%c1, %c1, %c8, %c1, %s0_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %s0_flat = tensor.collapse_shape %s0_noise [[0, 1, 2, 3]] : tensor<?x?x?x?xf32> into tensor<?xf32>
  %s0 = tensor.cast %s0_flat : tensor<?xf32> to tensor<8xf32>
  %r0_seed = arith.constant 8007 : i32
  %r0_noise = call @noise(%c1, %c1, %c8, %c1, %r0_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %r0_flat = tensor.collapse_shape %r0_noise [[0, 1, 2, 3]] : tensor<?x?x?x?xf32> into tensor<?xf32>
  %r0 = tensor.cast %r0_flat : tensor<?xf32> to tensor<8xf32>
  %split:4 = fpa.online_attention ins(%q, %k, %v : tensor<8x4xf32>, tensor<40x4xf32>, tensor<40x2xf32>)
      field(%f : tensor<40xf32>)
      outs(%a0, %m0, %s0, %r0 : tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {scale = 0.5 : f64, smooth = 3.0 : f64, tile = "keys"} -> tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  %whole:4 = fpa.online_attention ins(%q, %k, %v : tensor<8x4xf32>, tensor<40x4xf32>, tensor<40x2xf32>)
      field(%f : tensor<40xf32>)
      outs(%a0, %m0, %s0, %r0 : tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {scale = 0.5 : f64, smooth = 3.0 : f64} -> tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  %ad = tensor.expand_shape %split#0 [[0, 1, 2], [3]] output_shape [1, 1, 8, 2] : tensor<8x2xf32> into tensor<1x1x8x2xf32>
  %bd = tensor.expand_shape %whole#0 [[0, 1, 2], [3]] output_shape [1, 1, 8, 2] : tensor<8x2xf32> into tensor<1x1x8x2xf32>
  %ac = tensor.cast %ad : tensor<1x1x8x2xf32> to tensor<?x?x?x?xf32>
  %bc = tensor.cast %bd : tensor<1x1x8x2xf32> to tensor<?x?x?x?xf32>
  call @compare(%bc, %ac) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> ()
  %a1d = tensor.expand_shape %split#1 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %b1d = tensor.expand_shape %whole#1 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %a1c = tensor.cast %a1d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  %b1c = tensor.cast %b1d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  call @compare(%b1c, %a1c) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> ()
  %a2d = tensor.expand_shape %split#2 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %b2d = tensor.expand_shape %whole#2 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %a2c = tensor.cast %a2d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  %b2c = tensor.cast %b2d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  call @compare(%b2c, %a2c) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> ()
  %a3d = tensor.expand_shape %split#3 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %b3d = tensor.expand_shape %whole#3 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %a3c = tensor.cast %a3d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  %b3c = tensor.cast %b3d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  call @compare(%b3c, %a3c) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> ()
  return
}

func.func @keys_edge() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c40 = arith.constant 40 : index
  %q_seed = arith.constant 7 : i32
  %q_noise = call @noise(%c1, %c1, %c8, %c4, %q_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %q_flat = tensor.collapse_shape %q_noise [[0, 1, 2], [3]] : tensor<?x?x?x?xf32> into tensor<?x?xf32>
  %q = tensor.cast %q_flat : tensor<?x?xf32> to tensor<8x4xf32>
  %k_seed = arith.constant 1007 : i32
  %k_noise = call @noise(%c1, %c1, %c40, %c4, %k_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %k_flat = tensor.collapse_shape %k_noise [[0, 1, 2], [3]] : tensor<?x?x?x?xf32> into tensor<?x?xf32>
  %k = tensor.cast %k_flat : tensor<?x?xf32> to tensor<40x4xf32>
  %v_seed = arith.constant 2007 : i32
  %v_noise = call @noise(%c1, %c1, %c40, %c2, %v_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %v_flat = tensor.collapse_shape %v_noise [[0, 1, 2], [3]] : tensor<?x?x?x?xf32> into tensor<?x?xf32>
  %v = tensor.cast %v_flat : tensor<?x?xf32> to tensor<40x2xf32>
  %a0_seed = arith.constant 3007 : i32
  %a0_noise = call @noise(%c1, %c1, %c8, %c2, %a0_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %a0_flat = tensor.collapse_shape %a0_noise [[0, 1, 2], [3]] : tensor<?x?x?x?xf32> into tensor<?x?xf32>
  %a0 = tensor.cast %a0_flat : tensor<?x?xf32> to tensor<8x2xf32>
  %f_seed = arith.constant 4007 : i32
  %f_noise = call @noise(%c1, %c1, %c40, %c1, %f_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %f_flat = tensor.collapse_shape %f_noise [[0, 1, 2, 3]] : tensor<?x?x?x?xf32> into tensor<?xf32>
  %f = tensor.cast %f_flat : tensor<?xf32> to tensor<40xf32>
  %l_seed = arith.constant 5007 : i32
  %l_noise = call @noise(%c1, %c1, %c40, %c1, %l_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %l_flat = tensor.collapse_shape %l_noise [[0, 1, 2, 3]] : tensor<?x?x?x?xf32> into tensor<?xf32>
  %l = tensor.cast %l_flat : tensor<?xf32> to tensor<40xf32>
  %m0_seed = arith.constant 6007 : i32
  %m0_noise = call @noise(%c1, %c1, %c8, %c1, %m0_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %m0_flat = tensor.collapse_shape %m0_noise [[0, 1, 2, 3]] : tensor<?x?x?x?xf32> into tensor<?xf32>
  %m0 = tensor.cast %m0_flat : tensor<?xf32> to tensor<8xf32>
  %s0_seed = arith.constant 7007 : i32
  %s0_noise = call @noise(%c1, %c1, %c8, %c1, %s0_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %s0_flat = tensor.collapse_shape %s0_noise [[0, 1, 2, 3]] : tensor<?x?x?x?xf32> into tensor<?xf32>
  %s0 = tensor.cast %s0_flat : tensor<?xf32> to tensor<8xf32>
  %r0_seed = arith.constant 8007 : i32
  %r0_noise = call @noise(%c1, %c1, %c8, %c1, %r0_seed) : (index, index, index, index, i32) -> tensor<?x?x?x?xf32>
  %r0_flat = tensor.collapse_shape %r0_noise [[0, 1, 2, 3]] : tensor<?x?x?x?xf32> into tensor<?xf32>
  %r0 = tensor.cast %r0_flat : tensor<?xf32> to tensor<8xf32>
  %at = arith.constant 100 : index
  %first = arith.constant dense<[90, 100, 105, 110, 115, 120, 125, 140]> : tensor<8xi64>
  %last = arith.constant dense<[99, 100, 106, 115, 116, 131, 132, 150]> : tensor<8xi64>
  %split:4 = fpa.online_attention ins(%q, %k, %v : tensor<8x4xf32>, tensor<40x4xf32>, tensor<40x2xf32>)
      field(%f : tensor<40xf32>) level(%l : tensor<40xf32>) interval(%first, %last at %at : tensor<8xi64>, tensor<8xi64>)
      outs(%a0, %m0, %s0, %r0 : tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {scale = 0.5 : f64, tile = "keys"} -> tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  %whole:4 = fpa.online_attention ins(%q, %k, %v : tensor<8x4xf32>, tensor<40x4xf32>, tensor<40x2xf32>)
      field(%f : tensor<40xf32>) level(%l : tensor<40xf32>) interval(%first, %last at %at : tensor<8xi64>, tensor<8xi64>)
      outs(%a0, %m0, %s0, %r0 : tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {scale = 0.5 : f64} -> tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  %ad = tensor.expand_shape %split#0 [[0, 1, 2], [3]] output_shape [1, 1, 8, 2] : tensor<8x2xf32> into tensor<1x1x8x2xf32>
  %bd = tensor.expand_shape %whole#0 [[0, 1, 2], [3]] output_shape [1, 1, 8, 2] : tensor<8x2xf32> into tensor<1x1x8x2xf32>
  %ac = tensor.cast %ad : tensor<1x1x8x2xf32> to tensor<?x?x?x?xf32>
  %bc = tensor.cast %bd : tensor<1x1x8x2xf32> to tensor<?x?x?x?xf32>
  call @compare(%bc, %ac) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> ()
  %a1d = tensor.expand_shape %split#1 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %b1d = tensor.expand_shape %whole#1 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %a1c = tensor.cast %a1d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  %b1c = tensor.cast %b1d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  call @compare(%b1c, %a1c) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> ()
  %a2d = tensor.expand_shape %split#2 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %b2d = tensor.expand_shape %whole#2 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %a2c = tensor.cast %a2d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  %b2c = tensor.cast %b2d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  call @compare(%b2c, %a2c) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> ()
  %a3d = tensor.expand_shape %split#3 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %b3d = tensor.expand_shape %whole#3 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xf32> into tensor<1x1x8x1xf32>
  %a3c = tensor.cast %a3d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  %b3c = tensor.cast %b3d : tensor<1x1x8x1xf32> to tensor<?x?x?x?xf32>
  call @compare(%b3c, %a3c) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> ()
  return
}

func.func @main() {
  %c9 = arith.constant 9 : index
  %c11 = arith.constant 11 : index
  %c16 = arith.constant 16 : index
  // CHECK: {{^}}0{{$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  // CHECK: {{^}}0{{$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @rows(%c11, %c16) : (index, index) -> ()
  // CHECK: {{^}}0{{$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  // CHECK: {{^}}0{{$}}
  // CHECK-NEXT: inf
  call @rows(%c16, %c9) : (index, index) -> ()
  // CHECK: {{^}}0{{$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  // CHECK: {{^}}0{{$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @rows(%c11, %c11) : (index, index) -> ()
  // CHECK: {{^}}0{{$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @heads(%c11, %c16) : (index, index) -> ()
  // CHECK: {{^}}0{{$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @heads(%c16, %c9) : (index, index) -> ()
  // CHECK: {{^}}0{{$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @heads(%c11, %c11) : (index, index) -> ()
  // CHECK: {{^}}0{{$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @groups(%c11, %c16) : (index, index) -> ()
  // CHECK: {{^}}0{{$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @groups(%c16, %c9) : (index, index) -> ()
  // CHECK: {{^}}0{{$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @groups(%c11, %c11) : (index, index) -> ()
  // CHECK-NEXT: {{^(0|[0-9.]+e-0[6-9])$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  // CHECK-NEXT: {{^(0|[0-9.]+e-0[6-9])$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @keys_inner() : () -> ()
  // CHECK-NEXT: {{^(0|[0-9.]+e-0[6-9])$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  // CHECK-NEXT: {{^(0|[0-9.]+e-0[6-9])$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @keys_tied() : () -> ()
  // CHECK-NEXT: {{^(0|[0-9.]+e-0[6-9])$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  // CHECK-NEXT: {{^(0|[0-9.]+e-0[6-9])$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^[1-9][0-9]*(\.[0-9]+)?$}}
  call @keys_edge() : () -> ()
  return
}
