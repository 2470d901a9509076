// Ops that leave keys out, as block vectors in a parallel loop and as linalg by
// itself, each against the linalg in float64. State has a row to spare. Slacks
// are those of the type.
// RUN: fpa-run %s --entry=norms --tolerance=1e-3
// RUN: fpa-run %s --entry=levels --tolerance=2e-3
// RUN: fpa-run %s --entry=drop --tolerance=1e-3
// RUN: fpa-run %s --entry=carry --tolerance=1e-5

!rows = tensor<5x8xf32>
!row = tensor<5xf32>
!state = tensor<6xf32>
!line = tensor<7xf32>

func.func @norms(%q: !rows) -> (!row, tensor<2x5xf32>) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : !row
  %a = fpa.row_norms ins(%q : !rows) outs(%e : !row) {factor = -0.5 : f64} -> !row
  %e2 = tensor.empty() : tensor<2x5xf32>
  %b = scf.forall (%i) in (2) shared_outs(%o = %e2) -> tensor<2x5xf32> {
    %s = tensor.extract_slice %o[%i, 0] [1, 5] [1, 1] : tensor<2x5xf32> to !row
    %n = fpa.row_norms ins(%q : !rows) outs(%s : !row) {factor = -0.5 : f64} -> !row
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%i, 0] [1, 5] [1, 1] : !row into tensor<2x5xf32>
    }
  }
  return %a, %b : !row, tensor<2x5xf32>
}

// The mean is above the least level, which is given, by 0 to log(5).
func.func @levels(%l: !row) -> (!state, tensor<2x6xf32>) {
  %ten = arith.constant dense<10.0> : !row
  %high = arith.subf %l, %ten : !row
  %e = tensor.empty() : !state
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %first = tensor.extract %high[%c0] : !row
  %least = scf.for %i = %c1 to %c5 step %c1 iter_args(%x = %first) -> f32 {
    %y = tensor.extract %high[%i] : !row
    %z = arith.minimumf %x, %y : f32
    scf.yield %z : f32
  }
  %a = fpa.mean_level ins(%high : !row) least(%least : f32) outs(%e : !state) -> !state
  %e2 = tensor.empty() : tensor<2x6xf32>
  %b = scf.forall (%i) in (2) shared_outs(%o = %e2) -> tensor<2x6xf32> {
    %s = tensor.extract_slice %o[%i, 0] [1, 6] [1, 1] : tensor<2x6xf32> to !state
    %n = fpa.mean_level ins(%high : !row) least(%least : f32) outs(%s : !state) -> !state
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%i, 0] [1, 6] [1, 1] : !state into tensor<2x6xf32>
    }
  }
  return %a, %b : !state, tensor<2x6xf32>
}

// Levels far above the minimum: bounds below the maximum.
func.func @drop(%q: !rows, %m0: !state, %r0: !state, %d0: !state, %s0: !state, %x: !line,
                %first: tensor<5xi64>)
    -> (!row, tensor<5xi64>, tensor<5xi64>, tensor<1xi64>, tensor<2x5xf32>) {
  %c0 = arith.constant 0 : index
  %n = arith.constant 7 : index
  %lots = arith.constant 1000 : index
  %norm = arith.constant -2.0 : f32
  %all = arith.constant -3.0 : f32
  %level = arith.constant 6.0 : f32
  %nine = arith.constant dense<9.0> : !state
  %sum1 = math.absf %s0 : !state
  %sum = arith.addf %sum1, %nine : !state
  %d1 = math.absf %d0 : !state
  %e = tensor.empty() : !state
  %reach = fpa.row_norms ins(%q : !rows) outs(%e : !state) {factor = 0.25 : f64} -> !state
  %keep = fpa.prune_keys rows(%reach, %r0 : !state, !state) maximum(%m0 : !state)
    keys(%norm, %level, %all of %n : f32) {eps = 0.5 : f64, head_size = 8 : i64}
  %keep64 = arith.index_cast %keep : index to i64
  %kept = tensor.from_elements %keep64 : tensor<1xi64>
  %drop:2 = fpa.drop_keys rows(%reach, %r0 : !state, !state) maximum(%m0 : !state)
    keys(%norm, %level, %all of %n : f32)
    outs(%d1, %r0 : !state, !state) {head_size = 8 : i64} -> !state, !state
  %er = tensor.empty() : !row
  %ei = tensor.empty() : tensor<5xi64>
  %end:3 = fpa.drop_finalize ins(%drop#0, %drop#1, %drop#1, %sum : !state, !state, !state, !state)
    keys(%first, %n, %lots : tensor<5xi64>)
    outs(%er, %ei, %ei : !row, tensor<5xi64>, tensor<5xi64>)
    -> !row, tensor<5xi64>, tensor<5xi64>
  %e2 = tensor.empty() : tensor<2x5xf32>
  %b = scf.forall (%i) in (2) shared_outs(%o = %e2) -> tensor<2x5xf32> {
    %f = tensor.empty() : !state
    %reach2 = fpa.row_norms ins(%q : !rows) outs(%f : !state) {factor = 0.25 : f64} -> !state
    %drop2:2 = fpa.drop_keys rows(%reach2, %r0 : !state, !state) maximum(%m0 : !state)
      keys(%norm, %level, %all of %n : f32)
      outs(%d1, %r0 : !state, !state) {head_size = 8 : i64} -> !state, !state
    %s = tensor.extract_slice %o[%i, 0] [1, 5] [1, 1] : tensor<2x5xf32> to !row
    %end2 = fpa.drop_finalize ins(%drop2#0, %drop2#1, %drop2#1, %sum : !state, !state, !state, !state)
      outs(%s : !row) -> !row
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %end2 into %o[%i, 0] [1, 5] [1, 1] : !row into tensor<2x5xf32>
    }
  }
  return %end#0, %end#1, %end#2, %kept, %b
    : !row, tensor<5xi64>, tensor<5xi64>, tensor<1xi64>, tensor<2x5xf32>
}

func.func @carry(%f: !line, %r0: !state, %c0: !state, %ds0: !line)
    -> (!state, !line, tensor<2x6xf32>, tensor<2x7xf32>) {
  %e = tensor.empty() : !line
  %s = fpa.prefix_min axis(0) reverse exclusive ins(%f : !line) outs(%e : !line) -> !line
  %a:2 = fpa.pass_carry field(%f, %s, %r0 : !line, !line, !state)
    outs(%c0, %ds0 : !state, !line) -> !state, !line
  %e0 = tensor.empty() : tensor<2x6xf32>
  %e1 = tensor.empty() : tensor<2x7xf32>
  %b:2 = scf.forall (%i) in (2) shared_outs(%o0 = %e0, %o1 = %e1)
      -> (tensor<2x6xf32>, tensor<2x7xf32>) {
    %c:2 = fpa.pass_carry field(%f, %s, %r0 : !line, !line, !state)
      outs(%c0, %ds0 : !state, !line) -> !state, !line
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c#0 into %o0[%i, 0] [1, 6] [1, 1] : !state into tensor<2x6xf32>
      tensor.parallel_insert_slice %c#1 into %o1[%i, 0] [1, 7] [1, 1] : !line into tensor<2x7xf32>
    }
  }
  return %a#0, %a#1, %b#0, %b#1 : !state, !line, tensor<2x6xf32>, tensor<2x7xf32>
}
