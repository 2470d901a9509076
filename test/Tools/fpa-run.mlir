// RUN: fpa-run %s --input=2x2x9x8xf32 --input=2x1x13x8xf32 --input=2x1x13x6xf32 \
// RUN:   --input=2x2x13xf32:walk --strategy=decompose --poison --tolerance=1e-6 \
// RUN:   | FileCheck %s --check-prefix=COMPARE
// COMPARE: output 0: max absolute error {{[1-9].*e-0[78]}}, max relative error {{.*e-0[78]}}, mismatched nan or inf 0
// COMPARE: output 1: max absolute error {{.*}}, mismatched nan or inf 0

// The tiled path, more rows than one tile, on two threads.
// RUN: fpa-run %s --input=1x4x70x8xf32 --input=1x2x301x8xf32 --input=1x2x301x6xf32 \
// RUN:   --input=1x2x301xf32:walk --strategy=tile --threads=2 --poison --tolerance=2e-6 \
// RUN:   | FileCheck %s --check-prefix=COMPARE
// No query, no key.
// RUN: fpa-run %s --input=1x4x0x8xf32 --input=1x2x9x8xf32 --input=1x2x9x6xf32 \
// RUN:   --input=1x2x9xf32 --tolerance=0
// RUN: fpa-run %s --input=1x4x3x8xf32 --input=1x2x0x8xf32 --input=1x2x0x6xf32 \
// RUN:   --input=1x2x0xf32 --tolerance=0

// A tolerance that f32 cannot reach fails, in one line.
// RUN: not fpa-run %s --input=2x2x9x8xf32 --input=2x1x13x8xf32 --input=2x1x13x6xf32 \
// RUN:   --input=2x2x13xf32:walk --strategy=decompose --tolerance=1e-12 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TOLERANCE
// TOLERANCE: fpa-run: error: output 0: expected a relative error of at most 1e-12 and no mismatched nan or inf, got {{.*}} and 0

// Sizes that only the running program knows are checked before it runs.
// RUN: not fpa-run %s --input=2x2x9x8xf32 --input=2x1x13x8xf32 --input=2x1x12x6xf32 \
// RUN:   --input=2x2x13xf32 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: {{^}}fpa-run: error: fpa.attention: expected value dimension 2 to be 13 as key dimension 2, got 12{{$}}
// RUN: not fpa-run %s --input=2x3x9x8xf32 --input=2x2x13x8xf32 --input=2x2x13x6xf32 \
// RUN:   --input=2x2x13xf32 2>&1 | FileCheck %s --check-prefix=HEADS
// HEADS: {{^}}fpa-run: error: fpa.attention: expected query dimension 1 to be a multiple of 2 as key dimension 1, got 3{{$}}
// RUN: not fpa-run %s --input=2x4x9x8xf32 --input=2x2x13x8xf32 --input=2x2x13x6xf32 \
// RUN:   --input=2x3x13xf32 2>&1 | FileCheck %s --check-prefix=FIELD
// FIELD: {{^}}fpa-run: error: fpa.attention: expected field dimension 1 to be 2 or 4 as key dimension 1, got 3{{$}}
func.func @main(%q: tensor<?x?x?x8xf32>, %k: tensor<?x?x?x8xf32>, %v: tensor<?x?x?x6xf32>,
                %f: tensor<?x?x?xf32>) -> (tensor<?x?x?x6xf32>, tensor<?x?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %q, %c0 : tensor<?x?x?x8xf32>
  %h = tensor.dim %q, %c1 : tensor<?x?x?x8xf32>
  %n = tensor.dim %q, %c2 : tensor<?x?x?x8xf32>
  %init = tensor.empty(%b, %h, %n) : tensor<?x?x?x6xf32>
  %lseInit = tensor.empty(%b, %h, %n) : tensor<?x?x?xf32>
  %o, %lse = fpa.attention
    ins(%q, %k, %v : tensor<?x?x?x8xf32>, tensor<?x?x?x8xf32>, tensor<?x?x?x6xf32>)
    field(%f : tensor<?x?x?xf32>)
    outs(%init, %lseInit : tensor<?x?x?x6xf32>, tensor<?x?x?xf32>)
    -> tensor<?x?x?x6xf32>, tensor<?x?x?xf32>
  return %o, %lse : tensor<?x?x?x6xf32>, tensor<?x?x?xf32>
}

// Packed sequences: bounds must start at 0, not fall, and stay in range.
// RUN: fpa-run %s --entry=packed --input= --input= --input= --input=:0,2,2,5 --input=:0,3,3,7 --tolerance=1e-6
// RUN: not fpa-run %s --entry=packed --input= --input= --input= --input=:1,2,2,5 --input=:0,3,3,7 2>&1 \
// RUN:   | FileCheck %s --check-prefix=START
// START: {{^}}fpa-run: error: input 3 (cu_seqlens_q): expected element 0 to be 0, got 1{{$}}
// RUN: not fpa-run %s --entry=packed --input= --input= --input= --input=:0,2,2,5 --input=:0,3,2,7 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FALL
// FALL: {{^}}fpa-run: error: input 4 (cu_seqlens_k): expected element 2 to be at least 3, got 2{{$}}
// RUN: not fpa-run %s --entry=packed --input= --input= --input= --input=:0,2,2,5 --input=:0,3,3,8 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LAST
// LAST: {{^}}fpa-run: error: input 4 (cu_seqlens_k): expected the last element to be at most 7, got 8{{$}}
func.func @packed(%q: tensor<1x1x5x4xf32>, %k: tensor<1x1x7x4xf32>, %v: tensor<1x1x7x4xf32>,
                  %cq: tensor<4xi64>, %ck: tensor<4xi64>) -> tensor<1x1x5x4xf32> {
  %init = tensor.empty() : tensor<1x1x5x4xf32>
  %o = fpa.attention
    ins(%q, %k, %v : tensor<1x1x5x4xf32>, tensor<1x1x7x4xf32>, tensor<1x1x7x4xf32>)
    cu_seqlens(%cq, %ck : tensor<4xi64>, tensor<4xi64>)
    outs(%init : tensor<1x1x5x4xf32>) -> tensor<1x1x5x4xf32>
  return %o : tensor<1x1x5x4xf32>
}

// RUN: not fpa-run %s --entry=none_packed --input= --input= --input= --input=0xi64 --input=0xi64 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOBOUND
// NOBOUND: {{^}}fpa-run: error: input 3 (cu_seqlens_q): expected at least 1 element, got none{{$}}
func.func @none_packed(%q: tensor<1x1x5x4xf32>, %k: tensor<1x1x7x4xf32>, %v: tensor<1x1x7x4xf32>,
                       %cq: tensor<?xi64>, %ck: tensor<?xi64>) -> tensor<1x1x5x4xf32> {
  %init = tensor.empty() : tensor<1x1x5x4xf32>
  %o = fpa.attention
    ins(%q, %k, %v : tensor<1x1x5x4xf32>, tensor<1x1x7x4xf32>, tensor<1x1x7x4xf32>)
    cu_seqlens(%cq, %ck : tensor<?xi64>, tensor<?xi64>)
    outs(%init : tensor<1x1x5x4xf32>) -> tensor<1x1x5x4xf32>
  return %o : tensor<1x1x5x4xf32>
}

// The same seed gives the same numbers, another one others; every input has its
// own.
// RUN: fpa-run %s --entry=sum --seed=7 --print > %t.1
// RUN: fpa-run %s --entry=sum --seed=7 --print > %t.2
// RUN: fpa-run %s --entry=sum --seed=8 --print > %t.3
// RUN: diff %t.1 %t.2
// RUN: not diff %t.1 %t.3
// RUN: fpa-run %s --entry=sum --input=:ramp --input=:ones --print | FileCheck %s --check-prefix=SUM
// SUM:      output 0: 2x2xf32
// SUM-NEXT: {{^}}1 2{{$}}
// SUM-NEXT: {{^}}3 4{{$}}
func.func @sum(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %z = arith.addf %x, %y : tensor<2x2xf32>
  return %z : tensor<2x2xf32>
}

// An entry does not write to its inputs, even where it may bufferize so.
// RUN: fpa-run %s --entry=twice --input=:1,2 --print | FileCheck %s --check-prefix=TWICE
// TWICE:      output 0: 2xf32
// TWICE-NEXT: {{^}}1 2{{$}}
// TWICE-NEXT: output 1: 2xf32
// TWICE-NEXT: {{^}}0 0{{$}}
// TWICE-NEXT: output 2: 2xf32
// TWICE-NEXT: {{^}}5 5{{$}}
func.func @twice(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%x : tensor<2xf32>) -> tensor<2xf32>
  %c = arith.constant dense<5.0> : tensor<2xf32>
  return %x, %z, %c : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// RUN: fpa-run %s --entry=sum --stats --bench=3 --threads=2 | FileCheck %s --check-prefix=STATS
// STATS: compile parsing: {{[0-9.]+}} ms
// STATS: compile buffers: {{[0-9.]+}} ms
// STATS: compile llvm passes: {{[0-9.]+}} ms
// STATS: compile machine code: {{[0-9.]+}} ms
// STATS: compile total: {{[0-9.]+}} ms
// STATS: memory peak: {{(16|64)}} bytes
// STATS: bench: median {{.*}} s, min {{.*}} s, 3 calls

// RUN: fpa-run --help | FileCheck %s --check-prefix=HELP
// HELP: usage: fpa-run FILE.mlir [options]
// HELP: --bench[=N]
