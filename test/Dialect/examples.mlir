// The examples of the op descriptions, which a second command compares.
// RUN: fpa-opt %s -o /dev/null
// RUN: %python %S/Inputs/check_docs.py examples %s \
// RUN:   %fpa_src_root/include/fpa/Dialect/IR/GraphOps.td \
// RUN:   %fpa_src_root/include/fpa/Dialect/IR/CacheOps.td \
// RUN:   %fpa_src_root/include/fpa/Dialect/IR/StreamingOps.td \
// RUN:   %fpa_src_root/include/fpa/Dialect/IR/TileProgramOps.td \
// RUN:   %fpa_src_root/include/fpa/Dialect/IR/MachineOps.td

func.func @attention(%q: tensor<1x8x?x64xf32>, %k: tensor<1x2x?x64xf32>, %v: tensor<1x2x?x64xf32>,
                     %f: tensor<1x2x?xf32>, %l: tensor<1x2x?xf32>,
                     %o0: tensor<1x8x?x64xf32>, %l0: tensor<1x8x?xf32>) {
  %o, %lse = fpa.attention
    ins(%q, %k, %v : tensor<1x8x?x64xf32>, tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>)
    field(%f : tensor<1x2x?xf32>) level(%l : tensor<1x2x?xf32>)
    outs(%o0, %l0 : tensor<1x8x?x64xf32>, tensor<1x8x?xf32>)
    {window = 128 : i64} -> tensor<1x8x?x64xf32>, tensor<1x8x?xf32>
  return
}

func.func @attention_backward(
    %q: tensor<1x8x?x64xf32>, %k: tensor<1x2x?x64xf32>, %v: tensor<1x2x?x64xf32>,
    %f: tensor<1x2x?xf32>, %l: tensor<1x2x?xf32>, %o: tensor<1x8x?x64xf32>, %lse: tensor<1x8x?xf32>,
    %do: tensor<1x8x?x64xf32>, %dlse: tensor<1x8x?xf32>, %q0: tensor<1x8x?x64xf32>,
    %k0: tensor<1x2x?x64xf32>, %v0: tensor<1x2x?x64xf32>, %df0: tensor<1x2x?xf32>,
    %dl0: tensor<1x2x?xf32>) {
  %dq, %dk, %dv, %df, %dl = fpa.attention_backward
    ins(%q, %k, %v : tensor<1x8x?x64xf32>, tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>)
    field(%f : tensor<1x2x?xf32>) level(%l : tensor<1x2x?xf32>)
    saved(%o, %lse : tensor<1x8x?x64xf32>, tensor<1x8x?xf32>)
    gradient(%do : tensor<1x8x?x64xf32>) lse_gradient(%dlse : tensor<1x8x?xf32>)
    outs(%q0, %k0, %v0, %df0, %dl0 : tensor<1x8x?x64xf32>, tensor<1x2x?x64xf32>,
      tensor<1x2x?x64xf32>, tensor<1x2x?xf32>, tensor<1x2x?xf32>)
    {window = 128 : i64} -> tensor<1x8x?x64xf32>, tensor<1x2x?x64xf32>,
      tensor<1x2x?x64xf32>, tensor<1x2x?xf32>, tensor<1x2x?xf32>
  return
}

func.func @prefix_min_backward(%at: tensor<4x?xi64>, %dm: tensor<4x?xf32>, %dx0: tensor<4x?xf32>) {
  %dx = fpa.prefix_min_backward axis(1)
    ins(%at, %dm : tensor<4x?xi64>, tensor<4x?xf32>) outs(%dx0 : tensor<4x?xf32>)
    -> tensor<4x?xf32>
  return
}

func.func @prefix_min(%x: tensor<4x?xf32>, %m0: tensor<4x?xf32>, %i0: tensor<4x?xi64>) {
  %m, %at = fpa.prefix_min axis(1) reverse exclusive
    ins(%x : tensor<4x?xf32>) outs(%m0, %i0 : tensor<4x?xf32>, tensor<4x?xi64>)
    -> tensor<4x?xf32>, tensor<4x?xi64>
  return
}

func.func @prefix_sum(%x: tensor<?xf32>, %s0: tensor<?xf32>) {
  %s = fpa.prefix_sum axis(0) ins(%x : tensor<?xf32>) outs(%s0 : tensor<?xf32>)
    -> tensor<?xf32>
  return
}

func.func @key_intervals(%lk: index, %f0: tensor<?xi64>, %l0: tensor<?xi64>) {
  %first, %last = fpa.key_intervals key_length(%lk)
    outs(%f0, %l0 : tensor<?xi64>, tensor<?xi64>) {window = 64 : i64}
    -> tensor<?xi64>, tensor<?xi64>
  return
}

func.func @online(%q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x64xf32>,
                  %f: tensor<256xf32>, %l: tensor<256xf32>, %a0: tensor<48x64xf32>,
                  %m0: tensor<48xf32>, %s0: tensor<48xf32>, %r0: tensor<48xf32>,
                  %o0: tensor<48x64xf16>, %l0: tensor<48xf32>) {
  %a, %m, %s, %r = fpa.online_attention
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>)
    field(%f : tensor<256xf32>) level(%l : tensor<256xf32>)
    outs(%a0, %m0, %s0, %r0 : tensor<48x64xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    {scale = 0.125 : f64}
    -> tensor<48x64xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
  %o, %lse = fpa.online_finalize
    ins(%a, %m, %s : tensor<48x64xf32>, tensor<48xf32>, tensor<48xf32>)
    outs(%o0, %l0 : tensor<48x64xf16>, tensor<48xf32>)
    -> tensor<48x64xf16>, tensor<48xf32>
  return
}

func.func @pass_field(%f: tensor<256xf32>, %s: tensor<256xf32>, %r0: tensor<48xf32>) {
  %r1 = fpa.pass_field field(%f : tensor<256xf32>) suffix(%s : tensor<256xf32>)
    outs(%r0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

func.func @backward_delta(%o: tensor<48x64xf16>, %do: tensor<48x64xf16>, %dlse: tensor<48xf32>,
                          %d0: tensor<48xf32>) {
  %delta = fpa.backward_delta
    ins(%o, %do : tensor<48x64xf16>, tensor<48x64xf16>) lse_gradient(%dlse : tensor<48xf32>)
    outs(%d0 : tensor<48xf32>) -> tensor<48xf32>
  return
}

func.func @backward_tile(
    %q: tensor<48x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x64xf32>, %do: tensor<48x64xf32>,
    %lse: tensor<48xf32>, %delta: tensor<48xf32>, %f: tensor<256xf32>, %r: tensor<48xf32>, %l: tensor<256xf32>, %s: tensor<256xf32>, %dq0: tensor<48x64xf32>,
    %dk0: tensor<256x64xf32>, %dv0: tensor<256x64xf32>, %c0: tensor<48xf32>,
    %dl0: tensor<256xf32>, %ds0: tensor<256xf32>, %df0: tensor<256xf32>) {
  %dq, %dk, %dv, %c, %dl, %ds, %df = fpa.backward_tile
    ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>)
    gradient(%do : tensor<48x64xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
    field(%f, %r : tensor<256xf32>, tensor<48xf32>)
    level(%l : tensor<256xf32>) suffix(%s : tensor<256xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>,
      tensor<256x64xf32>, tensor<256x64xf32>, tensor<48xf32>,
      tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    {scale = 0.125 : f64} -> tensor<48x64xf32>,
      tensor<256x64xf32>, tensor<256x64xf32>, tensor<48xf32>,
      tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
  return
}

func.func @backward_finalize(%a: tensor<48x64xf32>, %dq0: tensor<48x64xf16>) {
  %dq = fpa.backward_finalize ins(%a : tensor<48x64xf32>)
    outs(%dq0 : tensor<48x64xf16>) {scale = 0.125 : f64} -> tensor<48x64xf16>
  return
}

func.func @vector_scan(%w: vector<48x64xf32>, %r: vector<48xf32>, %stop: vector<48x64xi1>) {
  %m, %carry = fpa.vector_scan <min> axis(1) reverse exclusive %w, %r
    : vector<48x64xf32>, vector<48xf32>
  %s, %left = fpa.vector_scan <sum> axis(1) exclusive %w, %r reset(%stop)
    : vector<48x64xf32>, vector<48xf32>
  return
}

func.func private @body(index, memref<?xf32>, index)
func.func @parallel_call(%n: index, %a: memref<?xf32>, %b: index) {
  fpa.parallel_call @body(%n) args(%a, %b : memref<?xf32>, index)
  return
}

func.func private @layout() attributes {example =
#fpa.layout<["l2 l3 l4 r w0 w1 x1", "r l0 l1 x8"]>
}

func.func @convert_layout(%x: vector<64xf32>) {
  %y = fpa.convert_layout %x {fpa.layouts = [#fpa.layout<["r l0 l1 x8"]>]} : vector<64xf32>
  return
}

func.func @live_keys(%f: tensor<1x2x?xf32>, %p0: tensor<1x2x?xf32>, %n0: tensor<1x2xi64>,
                     %at0: tensor<1x2x?xi64>) {
  %p, %n, %at = fpa.live_keys field(%f : tensor<1x2x?xf32>)
    outs(%p0, %n0, %at0 : tensor<1x2x?xf32>, tensor<1x2xi64>, tensor<1x2x?xi64>)
    {evict_above = 8.0 : f64} -> tensor<1x2x?xf32>, tensor<1x2xi64>, tensor<1x2x?xi64>
  return
}

func.func @cached_attention(%q: tensor<1x8x1x64xf32>, %k: tensor<1x2x1x64xf32>,
    %v: tensor<1x2x1x64xf32>, %f: tensor<1x2x1xf32>, %ck: tensor<1x2x?x64xf32>,
    %cv: tensor<1x2x?x64xf32>, %cl: tensor<1x2x?xf32>, %cm: tensor<1x2x?xf32>,
    %n: tensor<1x2xi64>, %o0: tensor<1x8x1x64xf32>) {
  %o = fpa.cached_attention ins(%q, %k, %v : tensor<1x8x1x64xf32>, tensor<1x2x1x64xf32>, tensor<1x2x1x64xf32>)
    field(%f : tensor<1x2x1xf32>)
    cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>,
      tensor<1x2x?xf32>, tensor<1x2x?xf32>, tensor<1x2xi64>)
    outs(%o0 : tensor<1x8x1x64xf32>) {scale = 0.125 : f64} -> tensor<1x8x1x64xf32>
  %c:5 = fpa.update_cache ins(%k, %v : tensor<1x2x1x64xf32>, tensor<1x2x1x64xf32>)
    field(%f : tensor<1x2x1xf32>)
    outs(%ck, %cv, %cl, %cm, %n : tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>,
      tensor<1x2x?xf32>, tensor<1x2x?xf32>, tensor<1x2xi64>)
    {evict_above = 8.0 : f64} -> tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>,
      tensor<1x2x?xf32>, tensor<1x2x?xf32>, tensor<1x2xi64>
  return
}

func.func @online_merge(%a: tensor<16x64xf32>, %m: tensor<16xf32>, %s: tensor<16xf32>,
                        %a1: tensor<16x64xf32>, %m1: tensor<16xf32>, %s1: tensor<16xf32>) {
  %a2, %m2, %s2 = fpa.online_merge
    ins(%a, %m, %s : tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>)
    outs(%a1, %m1, %s1 : tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>)
    -> tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>
  return
}
