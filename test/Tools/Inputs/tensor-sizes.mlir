func.func @cast(%a: tensor<?x?xf32>) -> tensor<4x4xf32> {
  %b = tensor.cast %a : tensor<?x?xf32> to tensor<4x4xf32>
  return %b : tensor<4x4xf32>
}

func.func @cast_key(%q: tensor<1x2x?x8xf32>, %k: tensor<?x?x?x?xf32>) -> tensor<1x2x?x8xf32> {
  %c = tensor.cast %k : tensor<?x?x?x?xf32> to tensor<1x2x?x8xf32>
  %o = fpa.attention ins(%q, %c, %c : tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>)
    outs(%q : tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32>
  return %o : tensor<1x2x?x8xf32>
}

func.func @cast_made(%a: tensor<?xf32>) -> tensor<4xf32> {
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%c5) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %b = tensor.cast %f : tensor<?xf32> to tensor<4xf32>
  return %b : tensor<4xf32>
}

func.func @slice(%a: tensor<?x4xf32>) -> tensor<2x4xf32> {
  %b = tensor.extract_slice %a[3, 0] [2, 4] [1, 1] : tensor<?x4xf32> to tensor<2x4xf32>
  return %b : tensor<2x4xf32>
}

// From the second half of the rows, every other one, a quarter of them.
func.func @strided_slice(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %half = arith.divui %n, %c2 : index
  %quarter = affine.apply affine_map<()[s0] -> (s0 ceildiv 4)>()[%n]
  %b = tensor.extract_slice %a[%half, 0] [%quarter, 4] [%c2, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  return %b : tensor<?x4xf32>
}

// The last three rows, and nothing of another tensor's.
func.func @last_rows(%a: tensor<?x4xf32>) -> (tensor<3x4xf32>, tensor<0x4xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %first = arith.subi %n, %c3 : index
  %b = tensor.extract_slice %a[%first, 0] [3, 4] [1, 1] : tensor<?x4xf32> to tensor<3x4xf32>
  %c = tensor.extract_slice %a[%n, 0] [0, 4] [1, 1] : tensor<?x4xf32> to tensor<0x4xf32>
  return %b, %c : tensor<3x4xf32>, tensor<0x4xf32>
}

func.func @insert(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %c = tensor.insert_slice %a into %b[1, 0] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
  return %c : tensor<?x4xf32>
}

// Wants as many rows as @b has, whatever @a has.
func.func @insert_size(%a: tensor<?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %c = tensor.insert_slice %a into %b[0, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}

func.func @expand(%a: tensor<?x6xf32>) -> tensor<?x4x6xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %a, %c0 : tensor<?x6xf32>
  %m = arith.ceildivui %n, %c4 : index
  %o = tensor.expand_shape %a [[0, 1], [2]] output_shape [%m, 4, 6] : tensor<?x6xf32> into tensor<?x4x6xf32>
  return %o : tensor<?x4x6xf32>
}

// Through a collapse: 4 groups of all elements.
func.func @regroup(%a: tensor<?x?xf32>) -> tensor<4x?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %n = tensor.dim %flat, %c0 : tensor<?xf32>
  %m = arith.divsi %n, %c4 : index
  %o = tensor.expand_shape %flat [[0, 1]] output_shape [4, %m] : tensor<?xf32> into tensor<4x?xf32>
  return %o : tensor<4x?xf32>
}

func.func @reshape(%a: tensor<?xf32>) -> tensor<2x?xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %shape = tensor.from_elements %c2, %c3 : tensor<2xindex>
  %o = tensor.reshape %a(%shape) : (tensor<?xf32>, tensor<2xindex>) -> tensor<2x?xf32>
  return %o : tensor<2x?xf32>
}

// A shape that is an input, of a result of which a size is known.
func.func @reshape_by_input(%a: tensor<?xf32>, %shape: tensor<2xindex>) -> tensor<2x?xf32> {
  %o = tensor.reshape %a(%shape) : (tensor<?xf32>, tensor<2xindex>) -> tensor<2x?xf32>
  return %o : tensor<2x?xf32>
}

// Both sizes of a group are known only when the program runs.
func.func @expand_like(%a: tensor<?x2xf32>, %like: tensor<?x?xf32>) -> tensor<?x?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %like, %c0 : tensor<?x?xf32>
  %n = tensor.dim %like, %c1 : tensor<?x?xf32>
  %o = tensor.expand_shape %a [[0, 1], [2]] output_shape [%m, %n, 2]
    : tensor<?x2xf32> into tensor<?x?x2xf32>
  return %o : tensor<?x?x2xf32>
}

func.func @reshape_by_constant(%a: tensor<?xf32>) -> tensor<?x?xf32> {
  %shape = arith.constant dense<[4000000, 3]> : tensor<2xindex>
  %o = tensor.reshape %a(%shape) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %o : tensor<?x?xf32>
}

// Up to a size of eight.
func.func @pad(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %rest = arith.subi %c8, %n : index
  %o = tensor.pad %a low[0] high[%rest] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %o : tensor<?xf32>
}

func.func @join(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %o = tensor.concat dim(0) %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %o : tensor<?x?xf32>
}

func.func @element(%a: tensor<?xf32>) -> tensor<2xf32> {
  %c3 = arith.constant 3 : index
  %x = tensor.extract %a[%c3] : tensor<?xf32>
  %o = tensor.splat %x : tensor<2xf32>
  return %o : tensor<2xf32>
}

func.func @negative_size(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = arith.subi %n, %c2 : index
  %o = tensor.splat %one[%m] : tensor<?xf32>
  return %o : tensor<?xf32>
}

// A branch that is not taken asks for nothing.
func.func @guarded(%a: tensor<?xf32>) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<1xf32>
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %enough = arith.cmpi sgt, %n, %c2 : index
  %o = scf.if %enough -> tensor<1xf32> {
    %b = tensor.extract_slice %a[2] [1] [1] : tensor<?xf32> to tensor<1xf32>
    scf.yield %b : tensor<1xf32>
  } else {
    scf.yield %zero : tensor<1xf32>
  }
  return %o : tensor<1xf32>
}

// As many rows as the input says, from the row that it says.
func.func @told(%a: tensor<?x2xf32>, %where: tensor<?xi64>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = tensor.extract %where[%c0] : tensor<?xi64>
  %count = tensor.extract %where[%c1] : tensor<?xi64>
  %offset = arith.index_cast %first : i64 to index
  %size = arith.index_cast %count : i64 to index
  %b = tensor.extract_slice %a[%offset, 0] [%size, 2] [1, 1] : tensor<?x2xf32> to tensor<?x2xf32>
  return %b : tensor<?x2xf32>
}

!q = tensor<1x1x?x4xf32>
func.func @packed(%q: !q, %cu: tensor<?xi64>) -> !q {
  %b = tensor.cast %cu : tensor<?xi64> to tensor<2xi64>
  %o = fpa.attention ins(%q, %q, %q : !q, !q, !q)
    cu_seqlens(%b, %b : tensor<2xi64>, tensor<2xi64>) outs(%q : !q) -> !q
  return %o : !q
}
