// RUN: fpa-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --split-input-file | FileCheck %s

// An empty tensor is overwritten, so it becomes a buffer that nothing fills.

// CHECK-LABEL: func.func @attention_empty(
// CHECK-SAME: %[[Q:.*]]: memref<1x4x8x16xf32>, %[[K:.*]]: memref<1x2x8x16xf32>, %[[V:.*]]: memref<1x2x8x16xf32>, %[[F:.*]]: memref<1x2x8xf32>
// CHECK-NEXT: %[[O:.*]] = memref.alloc() {{.*}} : memref<1x4x8x16xf32>
// CHECK-NEXT: %[[L:.*]] = memref.alloc() {{.*}} : memref<1x4x8xf32>
// CHECK-NEXT: fpa.attention ins(%[[Q]], %[[K]], %[[V]] : {{.*}}) field(%[[F]] : memref<1x2x8xf32>) outs(%[[O]], %[[L]] : memref<1x4x8x16xf32>, memref<1x4x8xf32>) {window = 4 : i64}{{$}}
// CHECK-NEXT: return %[[O]], %[[L]]
func.func @attention_empty(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>,
    %v: tensor<1x2x8x16xf32>, %f: tensor<1x2x8xf32>)
    -> (tensor<1x4x8x16xf32>, tensor<1x4x8xf32>) {
  %o0 = tensor.empty() : tensor<1x4x8x16xf32>
  %l0 = tensor.empty() : tensor<1x4x8xf32>
  %o, %lse = fpa.attention
      ins(%q, %k, %v : tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>)
      field(%f : tensor<1x2x8xf32>)
      outs(%o0, %l0 : tensor<1x4x8x16xf32>, tensor<1x4x8xf32>) {window = 4 : i64}
      -> tensor<1x4x8x16xf32>, tensor<1x4x8xf32>
  return %o, %lse : tensor<1x4x8x16xf32>, tensor<1x4x8xf32>
}

// -----

// The init is still read afterwards: a new buffer, but no copy into it.

// CHECK-LABEL: func.func @attention_init_read_later(
// CHECK-NOT: memref.copy
// CHECK: %[[O:.*]] = memref.alloc
// CHECK-NOT: memref.copy
// CHECK: fpa.attention {{.*}} outs(%[[O]] :
// CHECK: return %[[O]], %{{.*}}
func.func @attention_init_read_later(%q: tensor<1x1x?x8xf16>, %k: tensor<1x1x?x8xf16>,
    %v: tensor<1x1x?x8xf16>, %o0: tensor<1x1x?x8xf16>)
    -> (tensor<1x1x?x8xf16>, tensor<1x1x?x8xf16>) {
  %o = fpa.attention
      ins(%q, %k, %v : tensor<1x1x?x8xf16>, tensor<1x1x?x8xf16>, tensor<1x1x?x8xf16>)
      outs(%o0 : tensor<1x1x?x8xf16>) -> tensor<1x1x?x8xf16>
  return %o, %o0 : tensor<1x1x?x8xf16>, tensor<1x1x?x8xf16>
}

// -----

// The output may not take the buffer of an operand that the op still reads.

// CHECK-LABEL: func.func @attention_into_its_query(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: memref<1x1x8x8xf32>
// CHECK: %[[O:.*]] = memref.alloc
// CHECK: fpa.attention ins(%[[Q]], {{.*}} outs(%[[O]] :
func.func @attention_into_its_query(%q: tensor<1x1x8x8xf32>, %k: tensor<1x1x8x8xf32>)
    -> tensor<1x1x8x8xf32> {
  %o = fpa.attention
      ins(%q, %k, %k : tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>)
      outs(%q : tensor<1x1x8x8xf32>) -> tensor<1x1x8x8xf32>
  return %o : tensor<1x1x8x8xf32>
}

// -----

// CHECK-LABEL: func.func @packed(
// CHECK: fpa.key_intervals key_length(%{{.*}}) cu_seqlens(%{{.*}}, %{{.*}} : memref<?xi64>, memref<?xi64>) outs(%[[A:.*]], %[[B:.*]] : memref<?xi64>, memref<?xi64>){{$}}
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @packed(%cuq: tensor<?xi64>, %cuk: tensor<?xi64>, %lq: index, %lk: index)
    -> (tensor<?xi64>, tensor<?xi64>) {
  %e = tensor.empty(%lq) : tensor<?xi64>
  %g = tensor.empty(%lq) : tensor<?xi64>
  %a, %b = fpa.key_intervals key_length(%lk)
      cu_seqlens(%cuq, %cuk : tensor<?xi64>, tensor<?xi64>)
      outs(%e, %g : tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>, tensor<?xi64>
  return %a, %b : tensor<?xi64>, tensor<?xi64>
}

// -----

// The init is overwritten, not read: no copy.

// CHECK-LABEL: func.func @prefix_backward(
// CHECK-SAME: %[[I:[a-z0-9]+]]: memref<4x?xi64>, %[[G:[a-z0-9]+]]: memref<4x?xf32>, %[[X:[a-z0-9]+]]: memref<4x?xf32>
// CHECK-NEXT: fpa.prefix_min_backward axis(1) ins(%[[I]], %[[G]] : memref<4x?xi64>, memref<4x?xf32>) outs(%[[X]] : memref<4x?xf32>){{$}}
// CHECK-NEXT: return %[[X]]
func.func @prefix_backward(%i: tensor<4x?xi64>, %g: tensor<4x?xf32>, %x0: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %x = fpa.prefix_min_backward axis(1) ins(%i, %g : tensor<4x?xi64>, tensor<4x?xf32>)
      outs(%x0 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %x : tensor<4x?xf32>
}

// -----

// CHECK-LABEL: func.func @prefix(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4x?xf32>, %[[M:[a-z0-9]+]]: memref<4x?xf32>, %[[I:[a-z0-9]+]]: memref<4x?xi64>, %[[S:[a-z0-9]+]]: memref<4x?xf32>
// CHECK-NEXT: fpa.prefix_min axis(1) reverse exclusive ins(%[[X]] : memref<4x?xf32>) outs(%[[M]], %[[I]] : memref<4x?xf32>, memref<4x?xi64>){{$}}
// CHECK-NEXT: fpa.prefix_sum axis(1) ins(%[[M]] : memref<4x?xf32>) outs(%[[S]] : memref<4x?xf32>){{$}}
// CHECK-NEXT: return %[[S]], %[[I]]
func.func @prefix(%x: tensor<4x?xf32>, %m0: tensor<4x?xf32>, %i0: tensor<4x?xi64>,
    %s0: tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xi64>) {
  %m, %i = fpa.prefix_min axis(1) reverse exclusive ins(%x : tensor<4x?xf32>)
      outs(%m0, %i0 : tensor<4x?xf32>, tensor<4x?xi64>) -> tensor<4x?xf32>, tensor<4x?xi64>
  %s = fpa.prefix_sum axis(1) ins(%m : tensor<4x?xf32>) outs(%s0 : tensor<4x?xf32>)
      -> tensor<4x?xf32>
  return %s, %i : tensor<4x?xf32>, tensor<4x?xi64>
}

// -----

// The state of online attention is read and written: in place through a chain,
// copied first where the old state is still wanted.

// CHECK-LABEL: func.func @online_chain(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<4x8xf32>, %[[M:[a-z0-9]+]]: memref<4xf32>, %[[S:[a-z0-9]+]]: memref<4xf32>, %[[R:[a-z0-9]+]]: memref<4xf32>
// CHECK-NOT: memref.copy
// CHECK: fpa.online_attention {{.*}} outs(%[[A]], %[[M]], %[[S]], %[[R]] :
// CHECK: fpa.online_attention {{.*}} outs(%[[A]], %[[M]], %[[S]], %[[R]] :
// CHECK-NEXT: %[[O:.*]] = memref.alloc
// CHECK-NEXT: fpa.online_finalize ins(%[[A]], %[[M]], %[[S]] : {{.*}}) outs(%[[O]] : memref<4x8xf16>){{$}}
// CHECK-NEXT: return %[[O]]
func.func @online_chain(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %f: tensor<6xf32>,
    %a: tensor<4x8xf32>, %m: tensor<4xf32>, %s: tensor<4xf32>, %r: tensor<4xf32>)
    -> tensor<4x8xf16> {
  %1:4 = fpa.online_attention
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>)
      field(%f : tensor<6xf32>)
      outs(%a, %m, %s, %r : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      {scale = 1.0 : f64} -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %2:4 = fpa.online_attention
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>)
      field(%f : tensor<6xf32>)
      outs(%1#0, %1#1, %1#2, %1#3 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      {scale = 1.0 : f64} -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %o0 = tensor.empty() : tensor<4x8xf16>
  %o = fpa.online_finalize
      ins(%2#0, %2#1, %2#2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o0 : tensor<4x8xf16>) -> tensor<4x8xf16>
  return %o : tensor<4x8xf16>
}

// -----

// CHECK-LABEL: func.func @online_keeps_old_state(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<4x8xf32>, %[[M:[a-z0-9]+]]: memref<4xf32>
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK: memref.copy %[[A]], %[[NEW]]
// CHECK-NOT: memref.copy
// CHECK: fpa.online_attention {{.*}} outs(%[[NEW]], %[[M]],
func.func @online_keeps_old_state(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>,
    %a: tensor<4x8xf32>, %m: tensor<4xf32>, %s: tensor<4xf32>, %r: tensor<4xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %1:4 = fpa.online_attention
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>)
      outs(%a, %m, %s, %r : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      {scale = 1.0 : f64} -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %1#0, %a : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// All gradients in buffers of their own.

// CHECK-LABEL: func.func @attention_backward(
// CHECK-COUNT-4: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: fpa.attention_backward {{.*}} saved(%{{.*}}, %{{.*}} : memref<1x1x8x8xf32>, memref<1x1x8xf32>) gradient(%{{.*}} : memref<1x1x8x8xf32>) outs(%[[Q:.*]], %[[K:.*]], %[[V:.*]], %[[F:.*]] : {{.*}}){{$}}
// CHECK-NEXT: return %[[Q]], %[[K]], %[[V]], %[[F]]
func.func @attention_backward(%q: tensor<1x1x8x8xf32>, %f: tensor<1x1x8xf32>, %lse: tensor<1x1x8xf32>)
    -> (tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1x1x8xf32>) {
  %e0 = tensor.empty() : tensor<1x1x8x8xf32>
  %e1 = tensor.empty() : tensor<1x1x8xf32>
  %d:4 = fpa.attention_backward
      ins(%q, %q, %q : tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>)
      field(%f : tensor<1x1x8xf32>)
      saved(%q, %lse : tensor<1x1x8x8xf32>, tensor<1x1x8xf32>) gradient(%q : tensor<1x1x8x8xf32>)
      outs(%e0, %e0, %e0, %e1 : tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1x1x8xf32>)
      -> tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1x1x8xf32>
  return %d#0, %d#1, %d#2, %d#3 : tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1x1x8xf32>
}

// -----

// The sums of a tile are read and written: in place through a chain. The end
// overwrites what it is given.

// CHECK-LABEL: func.func @backward_chain(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<4x8xf32>, %[[K:[a-z0-9]+]]: memref<6x8xf32>, %[[V:[a-z0-9]+]]: memref<6x8xf32>, %[[R:[a-z0-9]+]]: memref<4xf32>) ->
// CHECK-NOT: memref.copy
// CHECK: fpa.pass_field {{.*}} outs(%[[R]] : memref<4xf32>){{$}}
// CHECK-NEXT: fpa.pass_field {{.*}} outs(%[[R]] : memref<4xf32>){{$}}
// CHECK-NEXT: fpa.backward_tile {{.*}} outs(%[[A]], %[[K]], %[[V]] :
// CHECK-NEXT: fpa.backward_tile {{.*}} outs(%[[A]], %[[K]], %[[V]] :
// CHECK-NEXT: %[[O:.*]] = memref.alloc
// CHECK-NEXT: fpa.backward_finalize ins(%[[A]] : {{.*}}) outs(%[[O]] : memref<4x8xf16>) {scale = 1.000000e+00 : f64}{{$}}
// CHECK-NEXT: return %[[O]], %[[K]], %[[V]]
func.func @backward_chain(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %f: tensor<6xf32>,
    %lse: tensor<4xf32>, %a: tensor<4x8xf32>, %dk: tensor<6x8xf32>, %dv: tensor<6x8xf32>,
    %r: tensor<4xf32>) -> (tensor<4x8xf16>, tensor<6x8xf32>, tensor<6x8xf32>) {
  %r1 = fpa.pass_field field(%f : tensor<6xf32>) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  %r2 = fpa.pass_field field(%f : tensor<6xf32>) outs(%r1 : tensor<4xf32>) -> tensor<4xf32>
  %1:3 = fpa.backward_tile ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>)
      gradient(%q : tensor<4x8xf32>) saved(%lse, %lse : tensor<4xf32>, tensor<4xf32>)
      field(%f, %r2 : tensor<6xf32>, tensor<4xf32>)
      outs(%a, %dk, %dv : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) {scale = 1.0 : f64}
      -> tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>
  %2:3 = fpa.backward_tile ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>)
      gradient(%q : tensor<4x8xf32>) saved(%lse, %lse : tensor<4xf32>, tensor<4xf32>)
      field(%f, %r2 : tensor<6xf32>, tensor<4xf32>)
      outs(%1#0, %1#1, %1#2 : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>)
      {scale = 1.0 : f64} -> tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>
  %q0 = tensor.empty() : tensor<4x8xf16>
  %dq = fpa.backward_finalize ins(%2#0 : tensor<4x8xf32>) outs(%q0 : tensor<4x8xf16>)
      {scale = 1.0 : f64} -> tensor<4x8xf16>
  return %dq, %2#1, %2#2 : tensor<4x8xf16>, tensor<6x8xf32>, tensor<6x8xf32>
}

// -----

// Delta is written, not read: what is still wanted is left alone, and nothing of it
// copied.

// CHECK-LABEL: func.func @delta(
// CHECK-SAME: %[[O:[a-z0-9]+]]: memref<4x8xf16>, %[[D:[a-z0-9]+]]: memref<4xf32>) ->
// CHECK-NOT: memref.copy
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK-NOT: memref.copy
// CHECK: fpa.backward_delta ins(%[[O]], %[[O]] : memref<4x8xf16>, memref<4x8xf16>) outs(%[[NEW]] : memref<4xf32>){{$}}
// CHECK-NEXT: return %[[NEW]], %[[D]]
func.func @delta(%o: tensor<4x8xf16>, %d: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = fpa.backward_delta ins(%o, %o : tensor<4x8xf16>, tensor<4x8xf16>)
      outs(%d : tensor<4xf32>) -> tensor<4xf32>
  return %0, %d : tensor<4xf32>, tensor<4xf32>
}

// -----

// Where the old sums are still wanted they are copied first.

// CHECK-LABEL: func.func @backward_keeps_old_sums(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<4x8xf32>, %[[R:[a-z0-9]+]]: memref<4xf32>) ->
// CHECK-DAG: memref.copy %[[A]], %[[NEW:.*]] :
// CHECK-DAG: memref.copy %[[R]], %[[NEWR:.*]] :
// CHECK-DAG: fpa.backward_tile {{.*}} outs(%[[NEW]], %{{.*}}, %{{.*}} :
// CHECK-DAG: fpa.pass_field {{.*}} outs(%[[NEWR]] :
func.func @backward_keeps_old_sums(%q: tensor<4x8xf32>, %lse: tensor<4xf32>, %k: tensor<6x8xf32>,
    %f: tensor<6xf32>, %a: tensor<4x8xf32>, %r: tensor<4xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {
  %1:3 = fpa.backward_tile ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>)
      gradient(%q : tensor<4x8xf32>) saved(%lse, %lse : tensor<4xf32>, tensor<4xf32>)
      outs(%a, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) {scale = 1.0 : f64}
      -> tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>
  %r1 = fpa.pass_field field(%f : tensor<6xf32>) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  return %1#0, %a, %r1, %r : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>
}
