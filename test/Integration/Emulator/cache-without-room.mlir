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
