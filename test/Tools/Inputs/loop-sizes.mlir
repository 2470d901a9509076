!q = tensor<1x2x?x16xf32>
!f = tensor<1x2x?xf32>

// What each turn attends to has the size that it has at the start.
func.func @same(%x: !q, %f: !f) -> !q {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (!q) {
    %b = fpa.attention ins(%a, %a, %a : !q, !q, !q) field(%f : !f) outs(%a : !q) -> !q
    scf.yield %b : !q
  }
  return %r : !q
}

// One token less each turn.
func.func @shrinking(%x: !q, %f: !f) -> !q {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (!q) {
    %n = tensor.dim %a, %c2 : !q
    %e = tensor.empty(%n) : !q
    %b = fpa.attention ins(%a, %a, %a : !q, !q, !q) field(%f : !f) outs(%e : !q) -> !q
    %m = arith.subi %n, %c1 : index
    %s = tensor.extract_slice %b[0, 0, 0, 0] [1, 2, %m, 16] [1, 1, 1, 1] : !q to !q
    scf.yield %s : !q
  }
  return %r : !q
}

// The field is that of one branch or of the other.
func.func @branch(%x: !q, %f: !f, %g: !f, %which: tensor<1xi1>) -> !q {
  %c0 = arith.constant 0 : index
  %c = tensor.extract %which[%c0] : tensor<1xi1>
  %h = scf.if %c -> (!f) {
    scf.yield %f : !f
  } else {
    %m = arith.negf %g : !f
    scf.yield %m : !f
  }
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c2 : !q
  %e = tensor.empty(%n) : !q
  %o = fpa.attention ins(%x, %x, %x : !q, !q, !q) field(%h : !f) outs(%e : !q) -> !q
  return %o : !q
}

// A choice between whole tensors is made element by element.
func.func @chosen(%x: tensor<?xf32>, %y: tensor<?xf32>, %which: tensor<1xi1>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c = tensor.extract %which[%c0] : tensor<1xi1>
  %r = arith.select %c, %x, %y : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Attention that runs only if it is wanted.
func.func @guarded(%x: !q, %f: !f, %which: tensor<1xi1>) -> !q {
  %c0 = arith.constant 0 : index
  %c = tensor.extract %which[%c0] : tensor<1xi1>
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c2 : !q
  %o = scf.if %c -> (!q) {
    %e = tensor.empty(%n) : !q
    %a = fpa.attention ins(%x, %x, %x : !q, !q, !q) field(%f : !f) outs(%e : !q) -> !q
    scf.yield %a : !q
  } else {
    scf.yield %x : !q
  }
  return %o : !q
}

// Each index of a parallel loop for itself.
func.func @parallel(%x: !q, %f: !f, %lengths: tensor<4xindex>, %out: tensor<4x1x2x16xf32>) -> tensor<4x1x2x16xf32> {
  %c1 = arith.constant 1 : index
  %r = scf.forall (%i) in (4) shared_outs(%o = %out) -> (tensor<4x1x2x16xf32>) {
    %n = tensor.extract %lengths[%i] : tensor<4xindex>
    %e = tensor.empty(%n) : !q
    %a = fpa.attention ins(%x, %x, %x : !q, !q, !q) field(%f : !f) outs(%e : !q) -> !q
    %s = tensor.extract_slice %a[0, 0, 0, 0] [1, 2, 1, 16] [1, 1, 1, 1] : !q to tensor<1x2x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0, 0, 0] [1, 1, 2, 16] [1, 1, 1, 1] : tensor<1x2x16xf32> into tensor<4x1x2x16xf32>
    }
  }
  return %r : tensor<4x1x2x16xf32>
}

// linalg on what a loop carries.
func.func @growing(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %b = linalg.add ins(%a, %y : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
    %z = arith.constant 0.0 : f32
    %p = tensor.pad %b low[0] high[1] {
    ^bb0(%j: index):
      tensor.yield %z : f32
    } : tensor<?xf32> to tensor<?xf32>
    scf.yield %p : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
