// RUN: fpa-opt %s --fpa-raise-attention --split-input-file -verify-diagnostics | FileCheck %s

// What looks like causal attention and is not stays as it is, and a remark says
// what is different.

// CHECK-NOT: fpa.attention

// No mask.

#s = affine_map<(i, j) -> (i, j)>
func.func @all_keys(%q: tensor<8x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %s0 = tensor.empty() : tensor<8x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<8x8xf32>) -> tensor<8x8xf32>
  %f = tensor.empty() : tensor<8x8xf32>
  %sc = linalg.fill ins(%scale : f32) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %p, %sc : tensor<8x8xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o0 = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{not raised to fpa.attention: it has no causal mask}}
  %o = linalg.matmul ins(%w, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// The row's own key is hidden.

#s = affine_map<(i, j) -> (i, j)>
func.func @own_key_hidden(%q: tensor<8x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %s0 = tensor.empty() : tensor<8x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#s, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.mulf %in, %scale : f32
    %seen = arith.cmpi sgt, %i, %j : index
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o0 = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{not raised to fpa.attention: its mask has another diagonal than key <= row + keys - rows}}
  %o = linalg.matmul ins(%w, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// Top-left alignment with more keys than rows.

#s = affine_map<(i, j) -> (i, j)>
func.func @top_left(%q: tensor<4x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %s0 = tensor.empty() : tensor<4x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<4x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = linalg.generic {indexing_maps = [#s, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<4x8xf32>) outs(%s0 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.mulf %in, %scale : f32
    %seen = arith.cmpi sge, %i, %j : index
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<4x8xf32>) outs(%s0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %o0 = tensor.empty() : tensor<4x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-remark @below {{not raised to fpa.attention: its mask has another diagonal than key <= row + keys - rows}}
  %o = linalg.matmul ins(%w, %v : tensor<4x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %o : tensor<4x4xf32>
}

// -----

// Later keys.

#s = affine_map<(i, j) -> (i, j)>
func.func @later_keys(%q: tensor<8x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %s0 = tensor.empty() : tensor<8x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#s, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.mulf %in, %scale : f32
    %seen = arith.cmpi sle, %i, %j : index
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o0 = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{not raised to fpa.attention: it has no causal mask}}
  %o = linalg.matmul ins(%w, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// Every second key.

#s = affine_map<(i, j) -> (i, j)>
func.func @every_second(%q: tensor<8x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %s0 = tensor.empty() : tensor<8x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#s, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %one = arith.constant 1 : index
    %odd = arith.andi %j, %one : index
    %seen = arith.cmpi eq, %odd, %one : index
    %y = arith.select %seen, %in, %none : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o0 = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{not raised to fpa.attention: its mask is not a comparison of row and key}}
  %o = linalg.matmul ins(%w, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// A number that logits may come near to is no mask.

#s = affine_map<(i, j) -> (i, j)>
func.func @small_number(%q: tensor<8x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %few = arith.constant -10000.0 : f32
  %s0 = tensor.empty() : tensor<8x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#s, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.mulf %in, %scale : f32
    %seen = arith.cmpi sge, %i, %j : index
    %y = arith.select %seen, %x, %few : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o0 = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{not raised to fpa.attention: its logits are no product of queries and keys}}
  %o = linalg.matmul ins(%w, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// The softmax of columns.

#s = affine_map<(i, j) -> (i, j)>
func.func @columns(%q: tensor<8x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %s0 = tensor.empty() : tensor<8x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#s, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.mulf %in, %scale : f32
    %seen = arith.cmpi sge, %i, %j : index
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %w = linalg.softmax dimension(0) ins(%s : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o0 = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{not raised to fpa.attention: the softmax does not run along the keys}}
  %o = linalg.matmul ins(%w, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// Rows that see no key are NaN here and would be 0.

#s = affine_map<(i, j) -> (i, j)>
func.func @empty_rows(%q: tensor<8x16xf32>, %kt: tensor<16x4xf32>, %v: tensor<4x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %four = arith.constant 4 : index
  %s0 = tensor.empty() : tensor<8x4xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x4xf32>) outs(%sz : tensor<8x4xf32>) -> tensor<8x4xf32>
  %s = linalg.generic {indexing_maps = [#s, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x4xf32>) outs(%s0 : tensor<8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.mulf %in, %scale : f32
    %k = arith.addi %j, %four : index
    %b = arith.addf %x, %zero : f32
    %seen = arith.cmpi sge, %i, %k : index
    %y = arith.select %seen, %b, %none : f32
    linalg.yield %y : f32
  } -> tensor<8x4xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<8x4xf32>) outs(%s0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %o0 = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{not raised to fpa.attention: its rows may see no key, which gives NaN or a mean of values there and 0 in fpa.attention}}
  %o = linalg.matmul ins(%w, %v : tensor<8x4xf32>, tensor<4x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// Nothing says that there are as many keys as rows.

#s = affine_map<(i, j) -> (i, j)>
func.func @unknown_lengths(%q: tensor<?x16xf32>, %kt: tensor<16x?xf32>, %v: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %lq = tensor.dim %q, %c0 : tensor<?x16xf32>
  %lk = tensor.dim %v, %c0 : tensor<?x4xf32>
  %s0 = tensor.empty(%lq, %lk) : tensor<?x?xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<?x16xf32>, tensor<16x?xf32>) outs(%sz : tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = linalg.generic {indexing_maps = [#s, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<?x?xf32>) outs(%s0 : tensor<?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.mulf %in, %scale : f32
    %seen = arith.cmpi sge, %i, %j : index
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> tensor<?x?xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<?x?xf32>) outs(%s0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %o0 = tensor.empty(%lq) : tensor<?x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<?x4xf32>) -> tensor<?x4xf32>
  // expected-remark @below {{not raised to fpa.attention: its rows and keys are not known to be of one number}}
  %o = linalg.matmul ins(%w, %v : tensor<?x?xf32>, tensor<?x4xf32>) outs(%oz : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %o : tensor<?x4xf32>
}

// -----

// A bias of any numbers.

#s = affine_map<(i, j) -> (i, j)>
func.func @any_bias(%q: tensor<8x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>, %bias: tensor<8x8xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %s0 = tensor.empty() : tensor<8x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : tensor<8x8xf32>, tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %any: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.mulf %in, %scale : f32
    %b = arith.addf %x, %any : f32
    %seen = arith.cmpi sge, %i, %j : index
    %y = arith.select %seen, %b, %none : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o0 = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{not raised to fpa.attention: it has a bias that is no sum of one of rows and one of keys}}
  %o = linalg.matmul ins(%w, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// A bias of keys that may be anything: only one that grows with the key is a
// field that never rises.

#s = affine_map<(i, j) -> (i, j)>
func.func @key_bias(%q: tensor<8x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>, %bias: tensor<8xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %s0 = tensor.empty() : tensor<8x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#s, affine_map<(i, j) -> (j)>, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : tensor<8x8xf32>, tensor<8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %any: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.mulf %in, %scale : f32
    %b = arith.addf %x, %any : f32
    %seen = arith.cmpi sge, %i, %j : index
    %y = arith.select %seen, %b, %none : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o0 = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{not raised to fpa.attention: its bias is not known to grow with the key, as a slope times the key or a negated sum of log gates does}}
  %o = linalg.matmul ins(%w, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// A scale for each row.

#s = affine_map<(i, j) -> (i, j)>
func.func @row_scale(%q: tensor<8x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>, %scales: tensor<8xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %s0 = tensor.empty() : tensor<8x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#s, affine_map<(i, j) -> (i)>, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p, %scales : tensor<8x8xf32>, tensor<8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %any: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.mulf %in, %scale : f32
    %b = arith.mulf %x, %any : f32
    %seen = arith.cmpi sge, %i, %j : index
    %y = arith.select %seen, %b, %none : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o0 = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{not raised to fpa.attention: its scale is not one number}}
  %o = linalg.matmul ins(%w, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// The weights are a result too.

#s = affine_map<(i, j) -> (i, j)>
func.func @weights_returned(%q: tensor<8x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %s0 = tensor.empty() : tensor<8x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#s, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.mulf %in, %scale : f32
    %seen = arith.cmpi sge, %i, %j : index
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o0 = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{not raised to fpa.attention: its logits or weights are used elsewhere}}
  %o = linalg.matmul ins(%w, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %w : tensor<8x4xf32>, tensor<8x8xf32>
}

// -----

// Dropout.

#s = affine_map<(i, j) -> (i, j)>
func.func @dropout(%q: tensor<8x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>, %kept: tensor<8x8xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %s0 = tensor.empty() : tensor<8x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#s, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.mulf %in, %scale : f32
    %seen = arith.cmpi sge, %i, %j : index
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %wd = arith.mulf %w, %kept : tensor<8x8xf32>
  %o0 = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{not raised to fpa.attention: its weights are changed between softmax and product}}
  %o = linalg.matmul ins(%wd, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// A softmax and a product with something that is not a product: no attention, but
// no softmax of products either.

#s = affine_map<(i, j) -> (i, j)>
func.func @no_product(%q: tensor<8x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %s0 = tensor.empty() : tensor<8x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p2 = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%p : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p, %p2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %more: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.mulf %in, %scale : f32
    %b = arith.addf %x, %more : f32
    %seen = arith.cmpi sge, %i, %j : index
    %y = arith.select %seen, %b, %none : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o0 = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{not raised to fpa.attention: it has a bias that is no sum of one of rows and one of keys}}
  %o = linalg.matmul ins(%w, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// No softmax, no remark.

func.func @products(%q: tensor<8x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = tensor.empty() : tensor<8x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o0 = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}
