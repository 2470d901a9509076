// One step of the backward, as block vectors in a parallel loop and as linalg by
// itself, each against the linalg in float64. State has a row to spare.
// RUN: fpa-run %s --entry=inner --tolerance=1e-5
// RUN: fpa-run %s --entry=edge --tolerance=1e-5
// RUN: fpa-run %s --entry=parts_inner --tolerance=1e-5
// RUN: fpa-run %s --entry=parts_edge --tolerance=1e-5
// RUN: fpa-run %s --entry=finalize --tolerance=1e-3

!rows = tensor<5x8xf32>
!wide = tensor<5x4xf32>
!row = tensor<5xf32>
!keys = tensor<7x8xf32>
!values = tensor<7x4xf32>
!line = tensor<7xf32>
!sums = tensor<6x8xf32>
!state = tensor<6xf32>
!kept = tensor<9x8xf32>
!keptv = tensor<9x4xf32>
!keptl = tensor<9xf32>

func.func @inner(%q: !rows, %k: !keys, %v: !values, %o: !wide, %do: !wide, %x: !row, %dlse: !row,
    %f: !line, %l: !line, %r0: !state, %dq0: !sums, %dk0: !keys, %dv0: !values, %c0: !state,
    %dl0: !line, %ds0: !line, %df0: !line)
    -> (!rows, !keys, !values, !row, !line, !line, !line, !row,
        !rows, !keys, !values, !row, !line, !line, !line, !row) {
  // P is below 1: lse is that of more keys than these.
  %three = arith.constant dense<3.0> : !row
  %abs = math.absf %x : !row
  %lse = arith.addf %abs, %three : !row
  %e = tensor.empty() : !line
  %s = fpa.prefix_min axis(0) reverse exclusive ins(%f : !line) outs(%e : !line) -> !line
  %ar = fpa.pass_field field(%f : !line) suffix(%s : !line)
    outs(%r0 : !state) -> !state
  %d0 = tensor.empty() : !state
  %delta = fpa.backward_delta ins(%o, %do : !wide, !wide) lse_gradient(%dlse : !row)
    outs(%d0 : !state) -> !state
  %a:7 = fpa.backward_tile ins(%q, %k, %v : !rows, !keys, !values)
    gradient(%do : !wide) saved(%lse, %delta : !row, !state)
    field(%f, %r0 : !line, !state) level(%l : !line) suffix(%s : !line)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : !sums, !keys, !values, !state, !line, !line, !line)
    {scale = 0.25 : f64}
    -> !sums, !keys, !values, !state, !line, !line, !line
  %e0 = tensor.empty() : tensor<2x6x8xf32>
  %e1 = tensor.empty() : tensor<2x7x8xf32>
  %e2 = tensor.empty() : tensor<2x7x4xf32>
  %e3 = tensor.empty() : tensor<2x6xf32>
  %e4 = tensor.empty() : tensor<2x7xf32>
  %e5 = tensor.empty() : tensor<2x7xf32>
  %e6 = tensor.empty() : tensor<2x7xf32>
  %e7 = tensor.empty() : tensor<2x6xf32>
  %b:8 = scf.forall (%i) in (2) shared_outs(%o0 = %e0, %o1 = %e1, %o2 = %e2, %o3 = %e3, %o4 = %e4, %o5 = %e5, %o6 = %e6, %o7 = %e7)
    -> (tensor<2x6x8xf32>, tensor<2x7x8xf32>, tensor<2x7x4xf32>, tensor<2x6xf32>,
        tensor<2x7xf32>, tensor<2x7xf32>, tensor<2x7xf32>, tensor<2x6xf32>) {
    %tr = fpa.pass_field field(%f : !line) suffix(%s : !line)
      outs(%r0 : !state) -> !state
    %td = fpa.backward_delta ins(%o, %do : !wide, !wide) lse_gradient(%dlse : !row)
      outs(%d0 : !state) -> !state
    %t:7 = fpa.backward_tile ins(%q, %k, %v : !rows, !keys, !values)
      gradient(%do : !wide) saved(%lse, %td : !row, !state)
      field(%f, %r0 : !line, !state) level(%l : !line) suffix(%s : !line)
      outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : !sums, !keys, !values, !state, !line, !line, !line)
      {scale = 0.25 : f64}
      -> !sums, !keys, !values, !state, !line, !line, !line
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t#0 into %o0[%i, 0, 0] [1, 6, 8] [1, 1, 1]
        : tensor<6x8xf32> into tensor<2x6x8xf32>
      tensor.parallel_insert_slice %t#1 into %o1[%i, 0, 0] [1, 7, 8] [1, 1, 1]
        : tensor<7x8xf32> into tensor<2x7x8xf32>
      tensor.parallel_insert_slice %t#2 into %o2[%i, 0, 0] [1, 7, 4] [1, 1, 1]
        : tensor<7x4xf32> into tensor<2x7x4xf32>
      tensor.parallel_insert_slice %t#3 into %o3[%i, 0] [1, 6] [1, 1]
        : tensor<6xf32> into tensor<2x6xf32>
      tensor.parallel_insert_slice %t#4 into %o4[%i, 0] [1, 7] [1, 1]
        : tensor<7xf32> into tensor<2x7xf32>
      tensor.parallel_insert_slice %t#5 into %o5[%i, 0] [1, 7] [1, 1]
        : tensor<7xf32> into tensor<2x7xf32>
      tensor.parallel_insert_slice %t#6 into %o6[%i, 0] [1, 7] [1, 1]
        : tensor<7xf32> into tensor<2x7xf32>
      tensor.parallel_insert_slice %tr into %o7[%i, 0] [1, 6] [1, 1]
        : tensor<6xf32> into tensor<2x6xf32>
    }
  }
  %x0 = tensor.extract_slice %a#0[0, 0] [5, 8] [1, 1] : !sums to !rows
  %x3 = tensor.extract_slice %a#3[0] [5] [1] : !state to !row
  %x7 = tensor.extract_slice %ar[0] [5] [1] : !state to !row
  %y0 = tensor.extract_slice %b#0[1, 0, 0] [1, 5, 8] [1, 1, 1] : tensor<2x6x8xf32> to tensor<5x8xf32>
  %y1 = tensor.extract_slice %b#1[1, 0, 0] [1, 7, 8] [1, 1, 1] : tensor<2x7x8xf32> to tensor<7x8xf32>
  %y2 = tensor.extract_slice %b#2[1, 0, 0] [1, 7, 4] [1, 1, 1] : tensor<2x7x4xf32> to tensor<7x4xf32>
  %y3 = tensor.extract_slice %b#3[1, 0] [1, 5] [1, 1] : tensor<2x6xf32> to tensor<5xf32>
  %y4 = tensor.extract_slice %b#4[1, 0] [1, 7] [1, 1] : tensor<2x7xf32> to tensor<7xf32>
  %y5 = tensor.extract_slice %b#5[1, 0] [1, 7] [1, 1] : tensor<2x7xf32> to tensor<7xf32>
  %y6 = tensor.extract_slice %b#6[1, 0] [1, 7] [1, 1] : tensor<2x7xf32> to tensor<7xf32>
  %y7 = tensor.extract_slice %b#7[1, 0] [1, 5] [1, 1] : tensor<2x6xf32> to tensor<5xf32>
  return %x0, %a#1, %a#2, %x3, %a#4, %a#5, %a#6, %x7,
    %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7
    : !rows, !keys, !values, !row, !line, !line, !line, !row,
      !rows, !keys, !values, !row, !line, !line, !line, !row
}

func.func @edge(%q: !rows, %k: !keys, %v: !values, %o: !wide, %do: !wide, %x: !row, %dlse: !row,
    %f: !line, %r0: !state, %dq0: !sums, %dk0: !keys, %dv0: !values, %c0: !state,
    %dl0: !line, %ds0: !line, %df0: !line)
    -> (!rows, !keys, !values, !row, !line, !line, !line, !row,
        !rows, !keys, !values, !row, !line, !line, !line, !row) {
  // P is below 1: lse is that of more keys than these.
  %three = arith.constant dense<3.0> : !row
  %abs = math.absf %x : !row
  %lse = arith.addf %abs, %three : !row
  // The first and the last row see no key of the tile.
  %at = arith.constant 3 : index
  %first = arith.constant dense<[0, 3, 4, 5, 12]> : tensor<5xi64>
  %last = arith.constant dense<[2, 5, 9, 20, 20]> : tensor<5xi64>
  %ar = fpa.pass_field field(%f : !line) interval(%last at %at : tensor<5xi64>)
    outs(%r0 : !state) -> !state
  %d0 = tensor.empty() : !state
  %delta = fpa.backward_delta ins(%o, %do : !wide, !wide) lse_gradient(%dlse : !row)
    outs(%d0 : !state) -> !state
  %a:7 = fpa.backward_tile ins(%q, %k, %v : !rows, !keys, !values)
    gradient(%do : !wide) saved(%lse, %delta : !row, !state)
    field(%f, %r0 : !line, !state) interval(%first, %last at %at : tensor<5xi64>, tensor<5xi64>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : !sums, !keys, !values, !state, !line, !line, !line)
    {scale = 0.25 : f64, smooth = 2.0 : f64}
    -> !sums, !keys, !values, !state, !line, !line, !line
  %e0 = tensor.empty() : tensor<2x6x8xf32>
  %e1 = tensor.empty() : tensor<2x7x8xf32>
  %e2 = tensor.empty() : tensor<2x7x4xf32>
  %e3 = tensor.empty() : tensor<2x6xf32>
  %e4 = tensor.empty() : tensor<2x7xf32>
  %e5 = tensor.empty() : tensor<2x7xf32>
  %e6 = tensor.empty() : tensor<2x7xf32>
  %e7 = tensor.empty() : tensor<2x6xf32>
  %b:8 = scf.forall (%i) in (2) shared_outs(%o0 = %e0, %o1 = %e1, %o2 = %e2, %o3 = %e3, %o4 = %e4, %o5 = %e5, %o6 = %e6, %o7 = %e7)
    -> (tensor<2x6x8xf32>, tensor<2x7x8xf32>, tensor<2x7x4xf32>, tensor<2x6xf32>,
        tensor<2x7xf32>, tensor<2x7xf32>, tensor<2x7xf32>, tensor<2x6xf32>) {
    %tr = fpa.pass_field field(%f : !line) interval(%last at %at : tensor<5xi64>)
      outs(%r0 : !state) -> !state
    %td = fpa.backward_delta ins(%o, %do : !wide, !wide) lse_gradient(%dlse : !row)
      outs(%d0 : !state) -> !state
    %t:7 = fpa.backward_tile ins(%q, %k, %v : !rows, !keys, !values)
      gradient(%do : !wide) saved(%lse, %td : !row, !state)
      field(%f, %r0 : !line, !state) interval(%first, %last at %at : tensor<5xi64>, tensor<5xi64>)
      outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : !sums, !keys, !values, !state, !line, !line, !line)
      {scale = 0.25 : f64, smooth = 2.0 : f64}
      -> !sums, !keys, !values, !state, !line, !line, !line
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t#0 into %o0[%i, 0, 0] [1, 6, 8] [1, 1, 1]
        : tensor<6x8xf32> into tensor<2x6x8xf32>
      tensor.parallel_insert_slice %t#1 into %o1[%i, 0, 0] [1, 7, 8] [1, 1, 1]
        : tensor<7x8xf32> into tensor<2x7x8xf32>
      tensor.parallel_insert_slice %t#2 into %o2[%i, 0, 0] [1, 7, 4] [1, 1, 1]
        : tensor<7x4xf32> into tensor<2x7x4xf32>
      tensor.parallel_insert_slice %t#3 into %o3[%i, 0] [1, 6] [1, 1]
        : tensor<6xf32> into tensor<2x6xf32>
      tensor.parallel_insert_slice %t#4 into %o4[%i, 0] [1, 7] [1, 1]
        : tensor<7xf32> into tensor<2x7xf32>
      tensor.parallel_insert_slice %t#5 into %o5[%i, 0] [1, 7] [1, 1]
        : tensor<7xf32> into tensor<2x7xf32>
      tensor.parallel_insert_slice %t#6 into %o6[%i, 0] [1, 7] [1, 1]
        : tensor<7xf32> into tensor<2x7xf32>
      tensor.parallel_insert_slice %tr into %o7[%i, 0] [1, 6] [1, 1]
        : tensor<6xf32> into tensor<2x6xf32>
    }
  }
  %x0 = tensor.extract_slice %a#0[0, 0] [5, 8] [1, 1] : !sums to !rows
  %x3 = tensor.extract_slice %a#3[0] [5] [1] : !state to !row
  %x7 = tensor.extract_slice %ar[0] [5] [1] : !state to !row
  %y0 = tensor.extract_slice %b#0[1, 0, 0] [1, 5, 8] [1, 1, 1] : tensor<2x6x8xf32> to tensor<5x8xf32>
  %y1 = tensor.extract_slice %b#1[1, 0, 0] [1, 7, 8] [1, 1, 1] : tensor<2x7x8xf32> to tensor<7x8xf32>
  %y2 = tensor.extract_slice %b#2[1, 0, 0] [1, 7, 4] [1, 1, 1] : tensor<2x7x4xf32> to tensor<7x4xf32>
  %y3 = tensor.extract_slice %b#3[1, 0] [1, 5] [1, 1] : tensor<2x6xf32> to tensor<5xf32>
  %y4 = tensor.extract_slice %b#4[1, 0] [1, 7] [1, 1] : tensor<2x7xf32> to tensor<7xf32>
  %y5 = tensor.extract_slice %b#5[1, 0] [1, 7] [1, 1] : tensor<2x7xf32> to tensor<7xf32>
  %y6 = tensor.extract_slice %b#6[1, 0] [1, 7] [1, 1] : tensor<2x7xf32> to tensor<7xf32>
  %y7 = tensor.extract_slice %b#7[1, 0] [1, 5] [1, 1] : tensor<2x6xf32> to tensor<5xf32>
  return %x0, %a#1, %a#2, %x3, %a#4, %a#5, %a#6, %x7,
    %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7
    : !rows, !keys, !values, !row, !line, !line, !line, !row,
      !rows, !keys, !values, !row, !line, !line, !line, !row
}

// One part at a time, without a gradient of lse. The sums of keys have two to
// spare, and minima are no more than what is passed besides.
func.func @parts_inner(%q: !rows, %k: !keys, %v: !values, %o: !wide, %do: !wide, %x: !row,
    %f: !line, %l: !line, %r0: !state, %dq0: !sums, %dk0: !kept, %dv0: !keptv, %c0: !state,
    %dl0: !keptl, %ds0: !line, %dt0: !keptl, %df0: !line)
    -> (!rows, !keys, !values, !row, !line, !line, !line, !line, !row,
        !rows, !keys, !values, !row, !line, !line, !line, !line, !row) {
  // P is below 1: lse is that of more keys than these.
  %three = arith.constant dense<3.0> : !row
  %abs = math.absf %x : !row
  %lse = arith.addf %abs, %three : !row
  %p = arith.constant 0.25 : f32
  %d0 = tensor.empty() : !state
  %e = tensor.empty() : !line
  %s = fpa.prefix_min axis(0) reverse exclusive ins(%f : !line) outs(%e : !line) -> !line
  %ar:2 = fpa.pass_field field(%f : !line) suffix(%s : !line)
    outs(%r0, %d0 : !state, !state) -> !state, !state
  %ad = fpa.backward_delta ins(%o, %do : !wide, !wide) outs(%d0 : !state) -> !state
  %aq:4 = fpa.backward_tile part <queries> ins(%q, %k, %v : !rows, !keys, !values)
    gradient(%do : !wide) saved(%lse, %ad : !row, !state)
    field(%f, %r0 : !line, !state) passed(%p : f32) level(%l : !line) suffix(%s : !line)
    outs(%dq0, %c0, %ds0, %df0 : !sums, !state, !line, !line)
    {scale = 0.25 : f64} -> !sums, !state, !line, !line
  %ak:4 = fpa.backward_tile part <keys> ins(%q, %k, %v : !rows, !keys, !values)
    gradient(%do : !wide) saved(%lse, %ad : !row, !state)
    field(%f, %r0 : !line, !state) passed(%p : f32) level(%l : !line) suffix(%s : !line)
    outs(%dk0, %dv0, %dl0, %dt0 : !kept, !keptv, !keptl, !keptl)
    {scale = 0.25 : f64} -> !kept, !keptv, !keptl, !keptl
  %e0 = tensor.empty() : tensor<2x6x8xf32>
  %e1 = tensor.empty() : tensor<2x9x8xf32>
  %e2 = tensor.empty() : tensor<2x9x4xf32>
  %e3 = tensor.empty() : tensor<2x6xf32>
  %e4 = tensor.empty() : tensor<2x9xf32>
  %e5 = tensor.empty() : tensor<2x7xf32>
  %e6 = tensor.empty() : tensor<2x9xf32>
  %e7 = tensor.empty() : tensor<2x7xf32>
  %e8 = tensor.empty() : tensor<2x6xf32>
  %b:9 = scf.forall (%i) in (2)
    shared_outs(%o0 = %e0, %o1 = %e1, %o2 = %e2, %o3 = %e3, %o4 = %e4, %o5 = %e5, %o6 = %e6, %o7 = %e7, %o8 = %e8)
    -> (tensor<2x6x8xf32>, tensor<2x9x8xf32>, tensor<2x9x4xf32>, tensor<2x6xf32>, tensor<2x9xf32>,
        tensor<2x7xf32>, tensor<2x9xf32>, tensor<2x7xf32>, tensor<2x6xf32>) {
    %tr:2 = fpa.pass_field field(%f : !line) suffix(%s : !line)
      outs(%r0, %d0 : !state, !state) -> !state, !state
    %td = fpa.backward_delta ins(%o, %do : !wide, !wide) outs(%d0 : !state) -> !state
    %tq:4 = fpa.backward_tile part <queries> ins(%q, %k, %v : !rows, !keys, !values)
      gradient(%do : !wide) saved(%lse, %td : !row, !state)
      field(%f, %r0 : !line, !state) passed(%p : f32) level(%l : !line) suffix(%s : !line)
      outs(%dq0, %c0, %ds0, %df0 : !sums, !state, !line, !line)
      {scale = 0.25 : f64} -> !sums, !state, !line, !line
    %tk:4 = fpa.backward_tile part <keys> ins(%q, %k, %v : !rows, !keys, !values)
      gradient(%do : !wide) saved(%lse, %td : !row, !state)
      field(%f, %r0 : !line, !state) passed(%p : f32) level(%l : !line) suffix(%s : !line)
      outs(%dk0, %dv0, %dl0, %dt0 : !kept, !keptv, !keptl, !keptl)
      {scale = 0.25 : f64} -> !kept, !keptv, !keptl, !keptl
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %tq#0 into %o0[%i, 0, 0] [1, 6, 8] [1, 1, 1]
        : tensor<6x8xf32> into tensor<2x6x8xf32>
      tensor.parallel_insert_slice %tk#0 into %o1[%i, 0, 0] [1, 9, 8] [1, 1, 1]
        : tensor<9x8xf32> into tensor<2x9x8xf32>
      tensor.parallel_insert_slice %tk#1 into %o2[%i, 0, 0] [1, 9, 4] [1, 1, 1]
        : tensor<9x4xf32> into tensor<2x9x4xf32>
      tensor.parallel_insert_slice %tq#1 into %o3[%i, 0] [1, 6] [1, 1]
        : tensor<6xf32> into tensor<2x6xf32>
      tensor.parallel_insert_slice %tk#2 into %o4[%i, 0] [1, 9] [1, 1]
        : tensor<9xf32> into tensor<2x9xf32>
      tensor.parallel_insert_slice %tq#2 into %o5[%i, 0] [1, 7] [1, 1]
        : tensor<7xf32> into tensor<2x7xf32>
      tensor.parallel_insert_slice %tk#3 into %o6[%i, 0] [1, 9] [1, 1]
        : tensor<9xf32> into tensor<2x9xf32>
      tensor.parallel_insert_slice %tq#3 into %o7[%i, 0] [1, 7] [1, 1]
        : tensor<7xf32> into tensor<2x7xf32>
      tensor.parallel_insert_slice %tr#1 into %o8[%i, 0] [1, 6] [1, 1]
        : tensor<6xf32> into tensor<2x6xf32>
    }
  }
  %x0 = tensor.extract_slice %aq#0[0, 0] [5, 8] [1, 1] : tensor<6x8xf32> to tensor<5x8xf32>
  %x1 = tensor.extract_slice %ak#0[0, 0] [7, 8] [1, 1] : tensor<9x8xf32> to tensor<7x8xf32>
  %x2 = tensor.extract_slice %ak#1[0, 0] [7, 4] [1, 1] : tensor<9x4xf32> to tensor<7x4xf32>
  %x3 = tensor.extract_slice %aq#1[0] [5] [1] : tensor<6xf32> to tensor<5xf32>
  %x4 = tensor.extract_slice %ak#2[0] [7] [1] : tensor<9xf32> to tensor<7xf32>
  %x5 = tensor.extract_slice %aq#2[0] [7] [1] : tensor<7xf32> to tensor<7xf32>
  %x6 = tensor.extract_slice %ak#3[0] [7] [1] : tensor<9xf32> to tensor<7xf32>
  %x7 = tensor.extract_slice %aq#3[0] [7] [1] : tensor<7xf32> to tensor<7xf32>
  %x8 = tensor.extract_slice %ar#1[0] [5] [1] : tensor<6xf32> to tensor<5xf32>
  %y0 = tensor.extract_slice %b#0[1, 0, 0] [1, 5, 8] [1, 1, 1] : tensor<2x6x8xf32> to tensor<5x8xf32>
  %y1 = tensor.extract_slice %b#1[1, 0, 0] [1, 7, 8] [1, 1, 1] : tensor<2x9x8xf32> to tensor<7x8xf32>
  %y2 = tensor.extract_slice %b#2[1, 0, 0] [1, 7, 4] [1, 1, 1] : tensor<2x9x4xf32> to tensor<7x4xf32>
  %y3 = tensor.extract_slice %b#3[1, 0] [1, 5] [1, 1] : tensor<2x6xf32> to tensor<5xf32>
  %y4 = tensor.extract_slice %b#4[1, 0] [1, 7] [1, 1] : tensor<2x9xf32> to tensor<7xf32>
  %y5 = tensor.extract_slice %b#5[1, 0] [1, 7] [1, 1] : tensor<2x7xf32> to tensor<7xf32>
  %y6 = tensor.extract_slice %b#6[1, 0] [1, 7] [1, 1] : tensor<2x9xf32> to tensor<7xf32>
  %y7 = tensor.extract_slice %b#7[1, 0] [1, 7] [1, 1] : tensor<2x7xf32> to tensor<7xf32>
  %y8 = tensor.extract_slice %b#8[1, 0] [1, 5] [1, 1] : tensor<2x6xf32> to tensor<5xf32>
  return %x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8,
    %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %y8
    : !rows, !keys, !values, !row, !line, !line, !line, !line, !row,
      !rows, !keys, !values, !row, !line, !line, !line, !line, !row
}

func.func @parts_edge(%q: !rows, %k: !keys, %v: !values, %o: !wide, %do: !wide, %x: !row,
    %f: !line, %r0: !state, %dq0: !sums, %dk0: !kept, %dv0: !keptv, %c0: !state,
    %dl0: !keptl, %ds0: !line, %dt0: !keptl, %df0: !line)
    -> (!rows, !keys, !values, !row, !line, !line, !line, !line, !row,
        !rows, !keys, !values, !row, !line, !line, !line, !line, !row) {
  // P is below 1: lse is that of more keys than these.
  %three = arith.constant dense<3.0> : !row
  %abs = math.absf %x : !row
  %lse = arith.addf %abs, %three : !row
  %p = arith.constant 0.25 : f32
  %d0 = tensor.empty() : !state
  // The first and the last row see no key of the tile.
  %at = arith.constant 3 : index
  %first = arith.constant dense<[0, 3, 4, 5, 12]> : tensor<5xi64>
  %last = arith.constant dense<[2, 5, 9, 20, 20]> : tensor<5xi64>
  %ar:2 = fpa.pass_field field(%f : !line) interval(%last at %at : tensor<5xi64>)
    outs(%r0, %d0 : !state, !state) -> !state, !state
  %ad = fpa.backward_delta ins(%o, %do : !wide, !wide) outs(%d0 : !state) -> !state
  %aq:4 = fpa.backward_tile part <queries> ins(%q, %k, %v : !rows, !keys, !values)
    gradient(%do : !wide) saved(%lse, %ad : !row, !state)
    field(%f, %r0 : !line, !state) passed(%p : f32) interval(%first, %last at %at : tensor<5xi64>, tensor<5xi64>)
    outs(%dq0, %c0, %ds0, %df0 : !sums, !state, !line, !line)
    {scale = 0.25 : f64, smooth = 2.0 : f64} -> !sums, !state, !line, !line
  %ak:4 = fpa.backward_tile part <keys> ins(%q, %k, %v : !rows, !keys, !values)
    gradient(%do : !wide) saved(%lse, %ad : !row, !state)
    field(%f, %r0 : !line, !state) passed(%p : f32) interval(%first, %last at %at : tensor<5xi64>, tensor<5xi64>)
    outs(%dk0, %dv0, %dl0, %dt0 : !kept, !keptv, !keptl, !keptl)
    {scale = 0.25 : f64, smooth = 2.0 : f64} -> !kept, !keptv, !keptl, !keptl
  %e0 = tensor.empty() : tensor<2x6x8xf32>
  %e1 = tensor.empty() : tensor<2x9x8xf32>
  %e2 = tensor.empty() : tensor<2x9x4xf32>
  %e3 = tensor.empty() : tensor<2x6xf32>
  %e4 = tensor.empty() : tensor<2x9xf32>
  %e5 = tensor.empty() : tensor<2x7xf32>
  %e6 = tensor.empty() : tensor<2x9xf32>
  %e7 = tensor.empty() : tensor<2x7xf32>
  %e8 = tensor.empty() : tensor<2x6xf32>
  %b:9 = scf.forall (%i) in (2)
    shared_outs(%o0 = %e0, %o1 = %e1, %o2 = %e2, %o3 = %e3, %o4 = %e4, %o5 = %e5, %o6 = %e6, %o7 = %e7, %o8 = %e8)
    -> (tensor<2x6x8xf32>, tensor<2x9x8xf32>, tensor<2x9x4xf32>, tensor<2x6xf32>, tensor<2x9xf32>,
        tensor<2x7xf32>, tensor<2x9xf32>, tensor<2x7xf32>, tensor<2x6xf32>) {
    %tr:2 = fpa.pass_field field(%f : !line) interval(%last at %at : tensor<5xi64>)
      outs(%r0, %d0 : !state, !state) -> !state, !state
    %td = fpa.backward_delta ins(%o, %do : !wide, !wide) outs(%d0 : !state) -> !state
    %tq:4 = fpa.backward_tile part <queries> ins(%q, %k, %v : !rows, !keys, !values)
      gradient(%do : !wide) saved(%lse, %td : !row, !state)
      field(%f, %r0 : !line, !state) passed(%p : f32) interval(%first, %last at %at : tensor<5xi64>, tensor<5xi64>)
      outs(%dq0, %c0, %ds0, %df0 : !sums, !state, !line, !line)
      {scale = 0.25 : f64, smooth = 2.0 : f64} -> !sums, !state, !line, !line
    %tk:4 = fpa.backward_tile part <keys> ins(%q, %k, %v : !rows, !keys, !values)
      gradient(%do : !wide) saved(%lse, %td : !row, !state)
      field(%f, %r0 : !line, !state) passed(%p : f32) interval(%first, %last at %at : tensor<5xi64>, tensor<5xi64>)
      outs(%dk0, %dv0, %dl0, %dt0 : !kept, !keptv, !keptl, !keptl)
      {scale = 0.25 : f64, smooth = 2.0 : f64} -> !kept, !keptv, !keptl, !keptl
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %tq#0 into %o0[%i, 0, 0] [1, 6, 8] [1, 1, 1]
        : tensor<6x8xf32> into tensor<2x6x8xf32>
      tensor.parallel_insert_slice %tk#0 into %o1[%i, 0, 0] [1, 9, 8] [1, 1, 1]
        : tensor<9x8xf32> into tensor<2x9x8xf32>
      tensor.parallel_insert_slice %tk#1 into %o2[%i, 0, 0] [1, 9, 4] [1, 1, 1]
        : tensor<9x4xf32> into tensor<2x9x4xf32>
      tensor.parallel_insert_slice %tq#1 into %o3[%i, 0] [1, 6] [1, 1]
        : tensor<6xf32> into tensor<2x6xf32>
      tensor.parallel_insert_slice %tk#2 into %o4[%i, 0] [1, 9] [1, 1]
        : tensor<9xf32> into tensor<2x9xf32>
      tensor.parallel_insert_slice %tq#2 into %o5[%i, 0] [1, 7] [1, 1]
        : tensor<7xf32> into tensor<2x7xf32>
      tensor.parallel_insert_slice %tk#3 into %o6[%i, 0] [1, 9] [1, 1]
        : tensor<9xf32> into tensor<2x9xf32>
      tensor.parallel_insert_slice %tq#3 into %o7[%i, 0] [1, 7] [1, 1]
        : tensor<7xf32> into tensor<2x7xf32>
      tensor.parallel_insert_slice %tr#1 into %o8[%i, 0] [1, 6] [1, 1]
        : tensor<6xf32> into tensor<2x6xf32>
    }
  }
  %x0 = tensor.extract_slice %aq#0[0, 0] [5, 8] [1, 1] : tensor<6x8xf32> to tensor<5x8xf32>
  %x1 = tensor.extract_slice %ak#0[0, 0] [7, 8] [1, 1] : tensor<9x8xf32> to tensor<7x8xf32>
  %x2 = tensor.extract_slice %ak#1[0, 0] [7, 4] [1, 1] : tensor<9x4xf32> to tensor<7x4xf32>
  %x3 = tensor.extract_slice %aq#1[0] [5] [1] : tensor<6xf32> to tensor<5xf32>
  %x4 = tensor.extract_slice %ak#2[0] [7] [1] : tensor<9xf32> to tensor<7xf32>
  %x5 = tensor.extract_slice %aq#2[0] [7] [1] : tensor<7xf32> to tensor<7xf32>
  %x6 = tensor.extract_slice %ak#3[0] [7] [1] : tensor<9xf32> to tensor<7xf32>
  %x7 = tensor.extract_slice %aq#3[0] [7] [1] : tensor<7xf32> to tensor<7xf32>
  %x8 = tensor.extract_slice %ar#1[0] [5] [1] : tensor<6xf32> to tensor<5xf32>
  %y0 = tensor.extract_slice %b#0[1, 0, 0] [1, 5, 8] [1, 1, 1] : tensor<2x6x8xf32> to tensor<5x8xf32>
  %y1 = tensor.extract_slice %b#1[1, 0, 0] [1, 7, 8] [1, 1, 1] : tensor<2x9x8xf32> to tensor<7x8xf32>
  %y2 = tensor.extract_slice %b#2[1, 0, 0] [1, 7, 4] [1, 1, 1] : tensor<2x9x4xf32> to tensor<7x4xf32>
  %y3 = tensor.extract_slice %b#3[1, 0] [1, 5] [1, 1] : tensor<2x6xf32> to tensor<5xf32>
  %y4 = tensor.extract_slice %b#4[1, 0] [1, 7] [1, 1] : tensor<2x9xf32> to tensor<7xf32>
  %y5 = tensor.extract_slice %b#5[1, 0] [1, 7] [1, 1] : tensor<2x7xf32> to tensor<7xf32>
  %y6 = tensor.extract_slice %b#6[1, 0] [1, 7] [1, 1] : tensor<2x9xf32> to tensor<7xf32>
  %y7 = tensor.extract_slice %b#7[1, 0] [1, 7] [1, 1] : tensor<2x7xf32> to tensor<7xf32>
  %y8 = tensor.extract_slice %b#8[1, 0] [1, 5] [1, 1] : tensor<2x6xf32> to tensor<5xf32>
  return %x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8,
    %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %y8
    : !rows, !keys, !values, !row, !line, !line, !line, !line, !row,
      !rows, !keys, !values, !row, !line, !line, !line, !line, !row
}

func.func @finalize(%a: !sums) -> (tensor<5x8xf16>, tensor<2x5x8xf16>) {
  %e = tensor.empty() : tensor<5x8xf16>
  %x = fpa.backward_finalize ins(%a : !sums) outs(%e : tensor<5x8xf16>) {scale = 0.25 : f64}
    -> tensor<5x8xf16>
  %e2 = tensor.empty() : tensor<2x5x8xf16>
  %b = scf.forall (%i) in (2) shared_outs(%o = %e2) -> (tensor<2x5x8xf16>) {
    %y = fpa.backward_finalize ins(%a : !sums) outs(%e : tensor<5x8xf16>) {scale = 0.25 : f64}
      -> tensor<5x8xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i, 0, 0] [1, 5, 8] [1, 1, 1]
        : tensor<5x8xf16> into tensor<2x5x8xf16>
    }
  }
  return %x, %b : tensor<5x8xf16>, tensor<2x5x8xf16>
}
