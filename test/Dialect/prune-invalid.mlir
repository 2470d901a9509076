// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// Ops that leave keys out: everything that they refuse.
// The tags are the rules of docs/Spec.md.

// [R1]
func.func @f(%q: tensor<48x64xf32>, %n: tensor<48xf32>) {
  // expected-error@+1 {{expected 1 out (norm), got 2}}
  %x:2 = fpa.row_norms ins(%q : tensor<48x64xf32>) outs(%n, %n : tensor<48xf32>, tensor<48xf32>)
    {factor = 1.0 : f64} -> tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [R2]
func.func @f(%q: tensor<48x64xf16>, %n: tensor<48xf16>) {
  // expected-error@+1 {{expected norm of element type 'f32', got 'f16'}}
  %x = fpa.row_norms ins(%q : tensor<48x64xf16>) outs(%n : tensor<48xf16>)
    {factor = 1.0 : f64} -> tensor<48xf16>
  return
}

// -----

// [R2]
func.func @f(%q: tensor<49x64xf32>, %n: tensor<48xf32>) {
  // expected-error@+1 {{expected norm dimension 0 (S)}}
  %x = fpa.row_norms ins(%q : tensor<49x64xf32>) outs(%n : tensor<48xf32>)
    {factor = 1.0 : f64} -> tensor<48xf32>
  return
}

// -----

// [R2]
func.func @f(%q: tensor<48x?xf32>, %n: tensor<48xf32>) {
  // expected-error@+1 {{expected source dimension 1 (D) to be static, got ?}}
  %x = fpa.row_norms ins(%q : tensor<48x?xf32>) outs(%n : tensor<48xf32>)
    {factor = 1.0 : f64} -> tensor<48xf32>
  return
}

// -----

// [R2]
func.func @f(%q: tensor<48x64xf32>, %n: tensor<48xf32>) {
  // expected-error@+1 {{expected factor to be finite, got}}
  %x = fpa.row_norms ins(%q : tensor<48x64xf32>) outs(%n : tensor<48xf32>)
    {factor = 0x7FF0000000000000 : f64} -> tensor<48xf32>
  return
}

// -----

// [R3]
func.func @f(%x: tensor<48xf32>, %a: f32, %n: index) {
  // expected-error@+1 {{expected either maximum or lse, got neither}}
  %y = fpa.prune_keys rows(%x, %x : tensor<48xf32>, tensor<48xf32>) 
    keys(%a, %a, %a of %n : f32) {eps = 0.5 : f64, head_size = 64 : i64}
  return
}

// -----

// [R3]
func.func @f(%x: tensor<48xf32>, %a: f32, %n: index) {
  // expected-error@+1 {{expected either maximum or lse, got both}}
  %y = fpa.prune_keys rows(%x, %x : tensor<48xf32>, tensor<48xf32>) maximum(%x : tensor<48xf32>) lse(%x : tensor<48xf32>)
    keys(%a, %a, %a of %n : f32) {eps = 0.5 : f64, head_size = 64 : i64}
  return
}

// -----

// [R4]
func.func @f(%x: tensor<48xf32>, %r: tensor<47xf32>, %a: f32, %n: index) {
  // expected-error@+1 {{expected reach dimension 0 (S) of size 48}}
  %y = fpa.prune_keys rows(%r, %x : tensor<47xf32>, tensor<48xf32>) maximum(%x : tensor<48xf32>)
    keys(%a, %a, %a of %n : f32) {eps = 0.5 : f64, head_size = 64 : i64}
  return
}

// -----

// [R4]
func.func @f(%x: tensor<48xf32>, %l: tensor<49xf32>, %a: f32, %n: index) {
  // expected-error@+1 {{expected minimum dimension 0 (S)}}
  %y = fpa.prune_keys rows(%x, %x : tensor<48xf32>, tensor<48xf32>) lse(%l : tensor<49xf32>)
    keys(%a, %a, %a of %n : f32) {eps = 0.5 : f64, head_size = 64 : i64}
  return
}

// -----

// [R4]
func.func @f(%x: tensor<48xf32>, %a: f32, %n: index) {
  // expected-error@+1 {{expected reach of type 'f32', got 'tensor<48xf32>'}}
  %y = fpa.prune_keys rows(%x, %a : tensor<48xf32>, f32) lse(%a : f32)
    keys(%a, %a, %a of %n : f32) {eps = 0.5 : f64, head_size = 64 : i64}
  return
}

// -----

// [R4]
func.func @f(%x: tensor<48xf32>, %a: f32, %n: index) {
  // expected-error@+1 {{expected lse of rows as minimum is of 'tensor<48xf32>', got 'f32'}}
  %y = fpa.prune_keys rows(%x, %x : tensor<48xf32>, tensor<48xf32>) lse(%a : f32)
    keys(%a, %a, %a of %n : f32) {eps = 0.5 : f64, head_size = 64 : i64}
  return
}

// -----

// [R4]
func.func @f(%a: f16, %n: index) {
  // expected-error@+1 {{expected minimum of type f32 or f64, got 'f16'}}
  %y = fpa.prune_keys rows(%a, %a : f16, f16) lse(%a : f16)
    keys(%a, %a, %a of %n : f16) {eps = 0.5 : f64, head_size = 64 : i64}
  return
}

// -----

// [R5]
func.func @f(%x: tensor<48xf32>, %a: f64, %n: index) {
  // expected-error@+1 {{expected numbers of keys of type 'f32', got 'f64'}}
  %y = fpa.prune_keys rows(%x, %x : tensor<48xf32>, tensor<48xf32>) maximum(%x : tensor<48xf32>)
    keys(%a, %a, %a of %n : f64) {eps = 0.5 : f64, head_size = 64 : i64}
  return
}

// -----

// [R6]
func.func @f(%x: tensor<48xf32>, %a: f32, %n: index) {
  // expected-error@+1 {{expected eps to be above 0 and below 1, got 0}}
  %y = fpa.prune_keys rows(%x, %x : tensor<48xf32>, tensor<48xf32>) maximum(%x : tensor<48xf32>)
    keys(%a, %a, %a of %n : f32) {eps = 0.0 : f64, head_size = 64 : i64}
  return
}

// -----

// [R6]
func.func @f(%x: tensor<48xf32>, %a: f32, %n: index) {
  // expected-error@+1 {{expected eps to be above 0 and below 1, got nan}}
  %y = fpa.prune_keys rows(%x, %x : tensor<48xf32>, tensor<48xf32>) maximum(%x : tensor<48xf32>)
    keys(%a, %a, %a of %n : f32) {eps = 0x7FF8000000000000 : f64, head_size = 64 : i64}
  return
}

// -----

// [R7]
func.func @f(%x: tensor<48xf32>, %a: f32, %n: index) {
  // expected-error@+1 {{expected head_size to be at least 0, got -1}}
  %y = fpa.prune_keys rows(%x, %x : tensor<48xf32>, tensor<48xf32>) maximum(%x : tensor<48xf32>)
    keys(%a, %a, %a of %n : f32) {eps = 0.5 : f64, head_size = -1 : i64}
  return
}

// -----

// [R8]
func.func @f(%x: tensor<48xf32>, %a: f32, %n: index) {
  // expected-error@+1 {{expected 2 outs (dropped, reference), got 1}}
  %y = fpa.drop_keys rows(%x, %x : tensor<48xf32>, tensor<48xf32>) maximum(%x : tensor<48xf32>)
    keys(%a, %a, %a of %n : f32) outs(%x : tensor<48xf32>) {head_size = 64 : i64} -> tensor<48xf32>
  return
}

// -----

// [R8]
func.func @f(%x: tensor<48xf32>, %a: f32, %n: index, %d: tensor<47xf32>) {
  // expected-error@+1 {{expected dropped dimension 0 (S) of size 48}}
  %y:2 = fpa.drop_keys rows(%x, %x : tensor<48xf32>, tensor<48xf32>) maximum(%x : tensor<48xf32>)
    keys(%a, %a, %a of %n : f32) outs(%d, %x : tensor<47xf32>, tensor<48xf32>) {head_size = 64 : i64}
    -> tensor<47xf32>, tensor<48xf32>
  return
}

// -----

// [R9]
func.func @f(%x: tensor<48xf32>) {
  // expected-error@+1 {{expected 1 or 3 outs (dropped, skipped, ended), got 2}}
  %y:2 = fpa.drop_finalize
    ins(%x, %x, %x, %x : tensor<48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    outs(%x, %x : tensor<48xf32>, tensor<48xf32>) -> tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [R9]
func.func @f(%x: tensor<48xf32>, %i: tensor<48xi64>) {
  // expected-error@+1 {{expected 1 outs without keys, got 3}}
  %y:3 = fpa.drop_finalize
    ins(%x, %x, %x, %x : tensor<48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    outs(%x, %i, %i : tensor<48xf32>, tensor<48xi64>, tensor<48xi64>) -> tensor<48xf32>, tensor<48xi64>, tensor<48xi64>
  return
}

// -----

// [R10]
func.func @f(%x: tensor<48xf32>, %i: tensor<48xi64>, %j: tensor<48xf32>, %n: index) {
  // expected-error@+1 {{expected ended of element type 'i64', got 'f32'}}
  %y:3 = fpa.drop_finalize
    ins(%x, %x, %x, %x : tensor<48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    keys(%i, %n, %n : tensor<48xi64>)
    outs(%x, %i, %j : tensor<48xf32>, tensor<48xi64>, tensor<48xf32>) -> tensor<48xf32>, tensor<48xi64>, tensor<48xf32>
  return
}

// -----

// [R10]
func.func @f(%x: tensor<48xf32>, %o: tensor<49xf32>) {
  // expected-error@+1 {{expected sum dimension 0 (S)}}
  %y = fpa.drop_finalize
    ins(%x, %x, %x, %x : tensor<48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    outs(%o : tensor<49xf32>) -> tensor<49xf32>
  return
}

// -----

// [R11]
func.func @f(%x: tensor<48xf32>, %f: tensor<256xf32>) {
  // expected-error@+1 {{expected 2 outs (carry, suffix gradient), got 1}}
  %y = fpa.pass_carry field(%f, %f, %x : tensor<256xf32>, tensor<256xf32>, tensor<48xf32>)
    outs(%x : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [R11]
func.func @f(%x: tensor<48xf32>, %f: tensor<256xf32>, %g: tensor<255xf32>) {
  // expected-error@+1 {{expected suffix gradient dimension 0 (N) of size 256}}
  %y:2 = fpa.pass_carry field(%f, %f, %x : tensor<256xf32>, tensor<256xf32>, tensor<48xf32>)
    outs(%x, %g : tensor<48xf32>, tensor<255xf32>) -> tensor<48xf32>, tensor<255xf32>
  return
}

// -----

// [R11]
func.func @f(%x: tensor<48xf32>, %f: tensor<256xf32>, %a: f64) {
  // expected-error@+1 {{expected passed of type 'f32', got 'f64'}}
  %y:2 = fpa.pass_carry field(%f, %f, %x : tensor<256xf32>, tensor<256xf32>, tensor<48xf32>)
    passed(%a : f64) outs(%x, %f : tensor<48xf32>, tensor<256xf32>)
    -> tensor<48xf32>, tensor<256xf32>
  return
}

// -----

// [R12]
func.func @f(%q: tensor<48x64xf32>, %n: tensor<48xf32>) {
  // expected-error@+1 {{expected type of operand #1 ('tensor<48xf32>') to match type of corresponding result ('tensor<?xf32>')}}
  %x = fpa.row_norms ins(%q : tensor<48x64xf32>) outs(%n : tensor<48xf32>)
    {factor = 1.0 : f64} -> tensor<?xf32>
  return
}

// -----

// [R13]
func.func @f(%l: tensor<48xf32>, %a: f32) {
  // expected-error@+1 {{expected 1 out (mean), got 2}}
  %x:2 = fpa.mean_level ins(%l : tensor<48xf32>) least(%a : f32)
    outs(%l, %l : tensor<48xf32>, tensor<48xf32>) -> tensor<48xf32>, tensor<48xf32>
  return
}

// -----

// [R13]
func.func @f(%l: tensor<48xf16>, %a: f16) {
  // expected-error@+1 {{expected level of element type 'f32' or 'f64', got 'f16'}}
  %x = fpa.mean_level ins(%l : tensor<48xf16>) least(%a : f16)
    outs(%l : tensor<48xf16>) -> tensor<48xf16>
  return
}

// -----

// [R13]
func.func @f(%l: tensor<48xf32>, %a: f32, %o: tensor<47xf32>) {
  // expected-error@+1 {{expected mean dimension 0 (S) of size at least 48, got 47}}
  %x = fpa.mean_level ins(%l : tensor<48xf32>) least(%a : f32)
    outs(%o : tensor<47xf32>) -> tensor<47xf32>
  return
}

// -----

// [R13]
func.func @f(%l: tensor<48xf32>, %a: f64) {
  // expected-error@+1 {{expected least of type 'f32', got 'f64'}}
  %x = fpa.mean_level ins(%l : tensor<48xf32>) least(%a : f64)
    outs(%l : tensor<48xf32>) -> tensor<48xf32>
  return
}

// -----

// [R9]
func.func @f(%x: tensor<48xf32>, %i: tensor<48xi64>, %n: index) {
  // expected-error@+1 {{expected sum where dropped is given, got none}}
  %y:3 = "fpa.drop_finalize"(%x, %x, %x, %i, %n, %n, %x, %i, %i)
    {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1, 1, 3>}
    : (tensor<48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xi64>, index, index, tensor<48xf32>, tensor<48xi64>, tensor<48xi64>)
    -> (tensor<48xf32>, tensor<48xi64>, tensor<48xi64>)
  return
}

// -----

// [R9]
func.func @f(%x: tensor<48xf32>, %i: tensor<48xi64>, %n: index) {
  // expected-error@+1 {{expected end where first is given, got none}}
  %y:2 = "fpa.drop_finalize"(%i, %n, %i, %i)
    {operandSegmentSizes = array<i32: 0, 0, 0, 0, 1, 1, 0, 2>, rows = 48 : i64}
    : (tensor<48xi64>, index, tensor<48xi64>, tensor<48xi64>) -> (tensor<48xi64>, tensor<48xi64>)
  return
}

// -----

// [R14]
func.func @f(%x: tensor<48xf32>, %i: tensor<48xi64>, %n: index) {
  // expected-error@+1 {{expected 2 outs (skipped, ended), got 1}}
  %y = fpa.drop_finalize keys(%i, %n, %n : tensor<48xi64>)
    outs(%i : tensor<48xi64>) {rows = 48 : i64} -> tensor<48xi64>
  return
}

// -----

// [R14]
func.func @f(%x: tensor<48xf32>, %i: tensor<48xi64>, %n: index) {
  // expected-error@+1 {{expected keys where no sum is given, got none}}
  %y:2 = fpa.drop_finalize
    outs(%i, %i : tensor<48xi64>, tensor<48xi64>) {rows = 48 : i64} -> tensor<48xi64>, tensor<48xi64>
  return
}

// -----

// [R14]
func.func @f(%x: tensor<48xf32>, %i: tensor<48xi64>, %n: index) {
  // expected-error@+1 {{expected rows where no sum is given, got none}}
  %y:2 = fpa.drop_finalize keys(%i, %n, %n : tensor<48xi64>)
    outs(%i, %i : tensor<48xi64>, tensor<48xi64>) -> tensor<48xi64>, tensor<48xi64>
  return
}

// -----

// [R14]
func.func @f(%x: tensor<48xf32>, %i: tensor<48xi64>, %n: index) {
  // expected-error@+1 {{expected rows of at least 48, got 47}}
  %y:2 = fpa.drop_finalize keys(%i, %n, %n : tensor<48xi64>)
    outs(%i, %i : tensor<48xi64>, tensor<48xi64>) {rows = 47 : i64} -> tensor<48xi64>, tensor<48xi64>
  return
}

// -----

// [R14]
func.func @f(%x: tensor<48xf32>, %i: tensor<48xi64>, %n: index) {
  // expected-error@+1 {{expected skipped of element type 'i64', got 'f32'}}
  %y:2 = fpa.drop_finalize keys(%i, %n, %n : tensor<48xi64>)
    outs(%x, %i : tensor<48xf32>, tensor<48xi64>) {rows = 48 : i64} -> tensor<48xf32>, tensor<48xi64>
  return
}

// -----

// [R14]
func.func @f(%x: tensor<48xf32>, %i: tensor<48xi64>, %n: index) {
  // expected-error@+1 {{expected no rows where sum is given, got 48}}
  %y = fpa.drop_finalize
    ins(%x, %x, %x, %x : tensor<48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
    outs(%x : tensor<48xf32>) {rows = 48 : i64} -> tensor<48xf32>
  return
}
