// A head that has no room for its new tokens: a GPU's program, which cannot end its
// own run, hands the number of keys to the host, which says what the CPU's says.
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy, sys; [numpy.save(sys.argv[1] + '/' + n, numpy.array(x)) for n, x in [('held', [[3, 1], [1, 4]]), ('fits', [1, -1]), ('full', [1, 2])]]" %t
// DEFINE: %{run} = fpa-run %s --input=2x2x3x4xf32 --input=2x2x3xf32 --input=@%t/held.npy --input=2x2x4x4xf32 --input=2x2x4xf32
// RUN: not %{run} --entry=lengths --input=@%t/full.npy --target=emulator 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not %{run} --entry=lengths --input=@%t/full.npy 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: {{^}}fpa-run: error: fpa.update_cache: expected cached_key dimension 2 to be at least 6 as the keys of a head with its new tokens, got 4{{$}}
// RUN: %{run} --entry=lengths --input=@%t/fits.npy --target=emulator --print | FileCheck %s --check-prefix=FITS
// FITS:      output 0: 2x2xi64
// FITS-NEXT: 4 2
// FITS-NEXT: 1 4
// FITS-NOT:  {{.}}

// The memrefs of a run that is refused stay what they were.
// RUN: not %{run} --entry=memory --target=emulator --output=@%t/count.npy 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: {{^}}fpa-run: error: fpa.update_cache: expected cached_key dimension 2 to be at least 7 as the keys of a head with its new tokens, got 4{{$}}

// Which one of two is told.
// RUN: not %{run} --entry=twice --target=emulator 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: {{^}}fpa-run: error: fpa.update_cache: expected cached_key dimension 2 to be at least 6 as the keys of a head with its new tokens, got 4{{$}}

// The most that a head would hold in any step of loops.
// RUN: fpa-run %s --entry=loops --input=2x2x3x4xf32 --input=2x2x3xf32 --input=2xf32 --target=emulator --print | FileCheck %s --check-prefix=ONCE
// ONCE:      output 0: 2x2xi64
// ONCE-NEXT: 4 4
// ONCE-NEXT: 4 4
// RUN: not fpa-run %s --entry=loops --input=2x2x3x4xf32 --input=2x2x3xf32 --input=3xf32 --target=emulator --print 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: not fpa-run %s --entry=loops --input=2x2x3x4xf32 --input=2x2x3xf32 --input=3xf32 --print 2>&1 | FileCheck %s --check-prefix=LOOPS
// LOOPS: {{^}}fpa-run: error: fpa.update_cache: expected cached_key dimension 2 to be at least 5 as the keys of a head with its new tokens, got 4{{$}}

!rows = tensor<2x2x3x4xf32>
!row = tensor<2x2x3xf32>
!keys = tensor<2x2x4x4xf32>
!line = tensor<2x2x4xf32>
!count = tensor<2x2xi64>

func.func @lengths(%k: !rows, %f: !row, %held: !count, %c: !keys, %l: !line, %lengths: tensor<2xi64>)
    -> !count {
  %u:5 = fpa.update_cache ins(%k, %k : !rows, !rows) field(%f : !row) lengths(%lengths : tensor<2xi64>)
    outs(%c, %c, %l, %l, %held : !keys, !keys, !line, !line, !count)
    {evict_above = 0x7FF0000000000000 : f64} -> !keys, !keys, !line, !line, !count
  return %u#4 : !count
}

func.func @memory(%k: !rows, %f: !row, %held: memref<2x2xi64>, %c: !keys, %l: !line) -> !line {
  %n = bufferization.to_tensor %held restrict writable : memref<2x2xi64> to !count
  %u:5 = fpa.update_cache ins(%k, %k : !rows, !rows) field(%f : !row)
    outs(%c, %c, %l, %l, %n : !keys, !keys, !line, !line, !count)
    {evict_above = 0x7FF0000000000000 : f64} -> !keys, !keys, !line, !line, !count
  bufferization.materialize_in_destination %u#4 in restrict writable %held : (!count, memref<2x2xi64>) -> ()
  return %u#2 : !line
}

// The first fits, the second does not.
func.func @twice(%k: !rows, %f: !row, %held: !count, %c: !keys, %l: !line) -> (!count, !count) {
  %zero = arith.constant 0 : i64
  %init = tensor.empty() : !count
  %none = linalg.fill ins(%zero : i64) outs(%init : !count) -> !count
  %u:5 = fpa.update_cache ins(%k, %k : !rows, !rows) field(%f : !row)
    outs(%c, %c, %l, %l, %none : !keys, !keys, !line, !line, !count)
    {evict_above = 0x7FF0000000000000 : f64} -> !keys, !keys, !line, !line, !count
  %w:5 = fpa.update_cache ins(%k, %k : !rows, !rows) field(%f : !row)
    outs(%u#0, %u#1, %u#2, %u#3, %u#4 : !keys, !keys, !line, !line, !count)
    {evict_above = 0x7FF0000000000000 : f64} -> !keys, !keys, !line, !line, !count
  return %u#4, %w#4 : !count, !count
}

// Two tokens for each element of %n.
func.func @loops(%ks: !rows, %fs: !row, %n: tensor<?xf32>) -> !count {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %steps = tensor.dim %n, %c0 : tensor<?xf32>
  %zero = arith.constant 0 : i64
  %init = tensor.empty() : !count
  %none = linalg.fill ins(%zero : i64) outs(%init : !count) -> !count
  %c = tensor.empty() : !keys
  %l = tensor.empty() : !line
  %outer:5 = scf.for %i = %c0 to %steps step %c1
      iter_args(%a0 = %c, %a1 = %c, %a2 = %l, %a3 = %l, %a4 = %none)
      -> (!keys, !keys, !line, !line, !count) {
    %inner:5 = scf.for %j = %c0 to %c2 step %c1
        iter_args(%b0 = %a0, %b1 = %a1, %b2 = %a2, %b3 = %a3, %b4 = %a4)
        -> (!keys, !keys, !line, !line, !count) {
      %k = tensor.extract_slice %ks[0, 0, %j, 0] [2, 2, 1, 4] [1, 1, 1, 1] : !rows to tensor<2x2x1x4xf32>
      %f = tensor.extract_slice %fs[0, 0, %j] [2, 2, 1] [1, 1, 1] : !row to tensor<2x2x1xf32>
      %u:5 = fpa.update_cache ins(%k, %k : tensor<2x2x1x4xf32>, tensor<2x2x1x4xf32>) field(%f : tensor<2x2x1xf32>)
        outs(%b0, %b1, %b2, %b3, %b4 : !keys, !keys, !line, !line, !count)
        {evict_above = 0x7FF0000000000000 : f64} -> !keys, !keys, !line, !line, !count
      scf.yield %u#0, %u#1, %u#2, %u#3, %u#4 : !keys, !keys, !line, !line, !count
    }
    scf.yield %inner#0, %inner#1, %inner#2, %inner#3, %inner#4 : !keys, !keys, !line, !line, !count
  }
  return %outer#4 : !count
}
