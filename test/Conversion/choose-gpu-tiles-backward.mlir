// RUN: fpa-opt %s --fpa-choose-gpu-tiles=chip=sm_80 | FileCheck %s
// RUN: fpa-opt %s --fpa-choose-gpu-tiles="chip=sm_80 query-tile=32 key-tile=32 edge-tile=32 warps=2 stages=1" | FileCheck %s --check-prefix=ASKED
// RUN: not fpa-opt %s --fpa-choose-gpu-tiles="chip=sm_80 query-tile=512" 2>&1 | FileCheck %s --check-prefix=ROOM
// RUN: not fpa-opt %s --fpa-choose-gpu-tiles="chip=sm_80 key-tile=16 query-tile=64 warps=8" 2>&1 | FileCheck %s --check-prefix=MULTIPLE
// RUN: not fpa-opt %s --fpa-choose-gpu-tiles="chip=sm_80 key-tile=24" 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: not fpa-opt %s --fpa-choose-gpu-tiles=chip=sm_70 2>&1 | FileCheck %s --check-prefix=CHIP

// The backward has sizes for rows that walk along keys and for keys that walk
// along rows, each as large as the registers allow. Edge tiles are as large as key
// tiles.

// ROOM: error: 'fpa.attention_backward' op no tile sizes of the backward of attention in f16 with head sizes 64 and 64 fit into sm_80 with the options given: at least {{[0-9]+}} bytes of shared memory are needed, a block has 166912{{$}}
// MULTIPLE: error: 'fpa.attention_backward' op expected option query-tile to be a multiple of 128, 16 rows for each warp, got 64{{$}}
// POWER: error: 'fpa.attention_backward' op expected option key-tile to be a power of two from 16 to 128, got 24{{$}}
// CHIP: error: expected a chip among {{.*}}, got 'sm_70'{{$}}

// CHECK-LABEL: func @half64(
// CHECK:         fpa.attention_backward
// CHECK-SAME:      fpa.tiles = {keys = {edge = [[#%u,KEY:]] : i64
// CHECK-SAME:      , key = [[#KEY]] : i64, query = [[#%u,PASSING:]] : i64, stages = [[#%u,STAGES:]] : i64, warps = [[#%u,KEYWARPS:]] : i64}
// CHECK-SAME:      , queries = {edge = [[#%u,PASSINGKEYS:]] : i64
// CHECK-SAME:      , key = [[#PASSINGKEYS]] : i64, query = [[#%u,ROWS:]] : i64, stages = [[#STAGES]] : i64, warps = [[#%u,ROWWARPS:]] : i64}}
// ASKED-LABEL: func @half64(
// ASKED:         fpa.attention_backward {{.*}}fpa.tiles = {keys = {edge = 32 : i64, key = 32 : i64, query = 32 : i64, stages = 1 : i64, warps = 2 : i64}, queries = {edge = 32 : i64, key = 32 : i64, query = 32 : i64, stages = 1 : i64, warps = 2 : i64}}
func.func @half64(%q: tensor<1x2x?x64xf16>, %lse: tensor<1x2x?xf32>) -> tensor<1x2x?x64xf16> {
  %d:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>)
    saved(%q, %lse : tensor<1x2x?x64xf16>, tensor<1x2x?xf32>) gradient(%q : tensor<1x2x?x64xf16>)
    outs(%q, %q, %q : tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>)
    -> tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>
  return %d#0 : tensor<1x2x?x64xf16>
}

// Sums that are twice as wide leave half the registers for keys that go by.
// CHECK-LABEL: func @half128(
// CHECK:         fpa.attention_backward {{.*}}fpa.tiles = {keys = {edge = [[#KEY]] : i64, key = [[#KEY]] : i64, query = [[#PASSING]] : i64, {{.*}}}, queries = {edge = [[#div(PASSINGKEYS,2)]] : i64, key = [[#div(PASSINGKEYS,2)]] : i64, query = [[#ROWS]] : i64,
func.func @half128(%q: tensor<1x2x?x128xf16>, %lse: tensor<1x2x?xf32>) -> tensor<1x2x?x128xf16> {
  %d:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x2x?x128xf16>, tensor<1x2x?x128xf16>, tensor<1x2x?x128xf16>)
    saved(%q, %lse : tensor<1x2x?x128xf16>, tensor<1x2x?xf32>) gradient(%q : tensor<1x2x?x128xf16>)
    outs(%q, %q, %q : tensor<1x2x?x128xf16>, tensor<1x2x?x128xf16>, tensor<1x2x?x128xf16>)
    -> tensor<1x2x?x128xf16>, tensor<1x2x?x128xf16>, tensor<1x2x?x128xf16>
  return %d#0 : tensor<1x2x?x128xf16>
}

// Without matrix instructions no left operand is in registers.
// CHECK-LABEL: func @single(
// CHECK:         fpa.attention_backward {{.*}}fpa.tiles = {keys = {edge = [[#KEY]] : i64, key = [[#KEY]] : i64, query = [[#mul(PASSING,2)]] : i64, {{.*}}}, queries = {edge = [[#PASSINGKEYS]] : i64, {{.*}}query = [[#ROWS]] : i64,
func.func @single(%q: tensor<1x2x?x64xf32>, %lse: tensor<1x2x?xf32>) -> tensor<1x2x?x64xf32> {
  %d:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>)
    saved(%q, %lse : tensor<1x2x?x64xf32>, tensor<1x2x?xf32>) gradient(%q : tensor<1x2x?x64xf32>)
    outs(%q, %q, %q : tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>)
    -> tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>
  return %d#0 : tensor<1x2x?x64xf32>
}

// Tiles share suffixes only where a penalty is not smooth.
// CHECK-LABEL: func @smooth(
// CHECK:         fpa.attention_backward {{.*}}fpa.tiles = {keys = {edge = [[#PASSINGKEYS]] : i64, key = [[#PASSINGKEYS]] : i64, {{.*}}}, queries = {edge = [[#PASSINGKEYS]] : i64,
func.func @smooth(%q: tensor<1x2x?x64xf16>, %f: tensor<1x2x?xf32>, %lse: tensor<1x2x?xf32>) -> tensor<1x2x?x64xf16> {
  %d:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>)
    field(%f : tensor<1x2x?xf32>)
    saved(%q, %lse : tensor<1x2x?x64xf16>, tensor<1x2x?xf32>) gradient(%q : tensor<1x2x?x64xf16>)
    outs(%q, %q, %q : tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>)
    {smooth = 1.0 : f64}
    -> tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>
  return %d#0 : tensor<1x2x?x64xf16>
}

// Sizes that are there already stay.
// CHECK-LABEL: func @given(
// CHECK:         fpa.attention_backward {{.*}}{fpa.tiles = {keys = {edge = 16 : i64}}}
// ASKED-LABEL: func @given(
// ASKED:         fpa.attention_backward {{.*}}{fpa.tiles = {keys = {edge = 16 : i64}}}
func.func @given(%q: tensor<1x2x?x64xf32>, %lse: tensor<1x2x?xf32>) -> tensor<1x2x?x64xf32> {
  %d:3 = fpa.attention_backward
    ins(%q, %q, %q : tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>)
    saved(%q, %lse : tensor<1x2x?x64xf32>, tensor<1x2x?xf32>) gradient(%q : tensor<1x2x?x64xf32>)
    outs(%q, %q, %q : tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>)
    {fpa.tiles = {keys = {edge = 16 : i64}}}
    -> tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>
  return %d#0 : tensor<1x2x?x64xf32>
}
