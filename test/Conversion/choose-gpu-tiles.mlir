// RUN: fpa-opt %s --fpa-choose-gpu-tiles=chip=sm_80 | FileCheck %s
// RUN: fpa-opt %s --fpa-choose-gpu-tiles="chip=sm_80 query-tile=64 key-tile=32 edge-tile=16 warps=4 stages=1" | FileCheck %s --check-prefix=ASKED
// RUN: not fpa-opt %s --fpa-choose-gpu-tiles=chip=sm_70 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not fpa-opt %s --fpa-choose-gpu-tiles="query-tile=1024 warps=1" 2>&1 | FileCheck %s --check-prefix=ROOM
// RUN: not fpa-opt %s --fpa-choose-gpu-tiles=key-tile=24 2>&1 | FileCheck %s --check-prefix=MULTIPLE
// RUN: sed s/64xf16/20xf16/g %s | not fpa-opt --fpa-choose-gpu-tiles 2>&1 | FileCheck %s --check-prefix=STEP

// Every attention is told its own sizes, which are those that fpa-compile lists.

// CHECK-LABEL: func @half(
// CHECK:         fpa.attention {{.*}}fpa.tiles = {edge = [[#%u,EDGE:]] : i64, key = [[#%u,KEY:]] : i64, query = [[#%u,QUERY:]] : i64, stages = [[#%u,STAGES:]] : i64, warps = [[#%u,WARPS:]] : i64}
// ASKED-LABEL: func @half(
// ASKED:         fpa.attention {{.*}}fpa.tiles = {edge = 16 : i64, key = 32 : i64, query = 64 : i64, stages = 1 : i64, warps = 4 : i64}
// CHIP: error: expected a chip among {{.*}}, got 'sm_70'
// ROOM: error: 'fpa.attention' op no tile sizes of attention in f16 with head sizes 64 and 64 fit into sm_80 with the options given: at least {{[0-9]+}} {{.*}} are needed
// MULTIPLE: error: 'fpa.attention' op expected option key-tile to be a power of two from 16 to 128, got 24
// STEP: error: 'fpa.attention' op expected a head size of q and k on a GPU that is a multiple of 16, got 20{{$}}
func.func @half(%q: tensor<1x2x?x64xf16>, %k: tensor<1x2x?x64xf16>, %o: tensor<1x2x?x64xf16>) -> tensor<1x2x?x64xf16> {
  %r = fpa.attention ins(%q, %k, %k : tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>) outs(%o : tensor<1x2x?x64xf16>) -> tensor<1x2x?x64xf16>
  return %r : tensor<1x2x?x64xf16>
}
