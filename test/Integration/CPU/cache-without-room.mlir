// A head that has no room for its new tokens: the run ends with a line that says so,
// in a loop too, unless the op has a place where it says that.
// RUN: not fpa-run %s --entry=full --input=2x2x3x4xf32 --input=2x2x3xf32 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: {{^}}fpa-run: error: fpa.update_cache: expected cached_key dimension 2 to be at least 6 as the keys of a head with its new tokens, got 4{{$}}
// RUN: fpa-run %s --entry=fits --input=2x2x3x4xf32 --input=2x2x3xf32 --print | FileCheck %s --check-prefix=FITS
// FITS:      output 0: 2x2xi64
// FITS-NEXT: 3 3
// FITS-NEXT: 4 4
// RUN: fpa-run %s --entry=told --input=2x2x3x4xf32 --input=2x2x3xf32 --print | FileCheck %s --check-prefix=TOLD
// TOLD:      output 0: 2x2xi64
// TOLD-NEXT: 3 3
// TOLD-NEXT: 3 3
// TOLD:      output 1: 2x2x3xf64
// TOLD-NEXT: inf 0 0

!rows = tensor<2x2x3x4xf32>
!row = tensor<2x2x3xf32>
!keys = tensor<2x2x4x4xf32>
!line = tensor<2x2x4xf32>
!count = tensor<2x2xi64>

// The second turn has no room.
func.func @full(%k: !rows, %f: !row) -> !count {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant dense<0> : !count
  %ck = tensor.empty() : !keys
  %cl = tensor.empty() : !line
  %r:5 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %ck, %b = %ck, %c = %cl, %d = %cl, %n = %none)
      -> (!keys, !keys, !line, !line, !count) {
    %u:5 = fpa.update_cache ins(%k, %k : !rows, !rows) field(%f : !row)
      outs(%a, %b, %c, %d, %n : !keys, !keys, !line, !line, !count)
      {evict_above = 1.0e9 : f64} -> !keys, !keys, !line, !line, !count
    scf.yield %u#0, %u#1, %u#2, %u#3, %u#4 : !keys, !keys, !line, !line, !count
  }
  return %r#4 : !count
}

// Lengths beyond what is there, or below 0, stand for the nearest that is.
func.func @fits(%k: !rows, %f: !row) -> !count {
  %held = arith.constant dense<[[3, 3], [1, 1]]> : !count
  %lengths = arith.constant dense<[-7, 9]> : tensor<2xi64>
  %ck = tensor.empty() : !keys
  %cl = tensor.empty() : !line
  %u:5 = fpa.update_cache ins(%k, %k : !rows, !rows) field(%f : !row) lengths(%lengths : tensor<2xi64>)
    outs(%ck, %ck, %cl, %cl, %held : !keys, !keys, !line, !line, !count)
    {evict_above = 0x7FF0000000000000 : f64} -> !keys, !keys, !line, !line, !count
  return %u#4 : !count
}

func.func @told(%k: !rows, %f: !row) -> (!count, tensor<2x2x3xf64>) {
  %held = arith.constant dense<3> : !count
  %nothing = arith.constant dense<0.0> : tensor<2x2x3xf64>
  %ck = tensor.empty() : !keys
  %cl = tensor.empty() : !line
  %u:6 = fpa.update_cache ins(%k, %k : !rows, !rows) field(%f : !row)
    outs(%ck, %ck, %cl, %cl, %held, %nothing : !keys, !keys, !line, !line, !count, tensor<2x2x3xf64>)
    {evict_above = 1.0 : f64} -> !keys, !keys, !line, !line, !count, tensor<2x2x3xf64>
  return %u#4, %u#5 : !count, tensor<2x2x3xf64>
}
