//===- Passes.td - Passes on the fpa dialect ---------------*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_TRANSFORMS_PASSES_TD
#define FPA_DIALECT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def Decompose : Pass<"fpa-decompose"> {
  let summary = "replace aggregate fpa ops by plain linalg";
  let description = [{
    Replaces every fpa op that has an AggregatedOpInterface by its
    decomposition. For `fpa.attention` that is the O(L^2) meaning of the op,
    readable and slow. `linalg.softmax` on tensors goes the same way: no other pass
    of the pipelines lowers it.

    With `lone-online` only ops on tiles (`fpa.online_attention`,
    `fpa.online_merge`, `fpa.online_finalize`, `fpa.pass_field`,
    `fpa.backward_tile`, `fpa.backward_finalize`) are replaced, and of those only
    the ones that no `scf.forall` holds: blocks are mapped to a machine inside of
    parallel loops. `linalg.softmax` is replaced wherever it stands, and so is
    `fpa.live_keys`, whose decomposition, around one `fpa.prefix_min`, is its
    lowering.
  }];
  let options = [
    Option<"loneOnline", "lone-online", "bool", "false",
           "only ops on tiles outside of parallel loops">];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect",
                           "math::MathDialect", "scf::SCFDialect",
                           "tensor::TensorDialect"];
}

def RaiseAttention : Pass<"fpa-raise-attention"> {
  let summary = "find attention that is written out, and make it fpa.attention";
  let description = [{
    Looks for `softmax(scale * Q K^T + bias + mask) V` in linalg, arith, math and
    tensor ops on tensors, and replaces it by `fpa.attention`. It compares what
    elements are, not which ops compute them: elementwise ops may be split or
    fused, and there may be transposes, broadcasts, reshapes and slices between
    them.

    - Products: any linalg op that multiplies and adds over one loop
      (`matmul`, `batch_matmul`, `contract`, `generic`). A batch that merges
      batch and heads is taken apart where a reshape says how. Heads that are
      repeated become shared ones.
    - Softmax: `linalg.softmax`, or exponentials over their sum, with or without
      the maximum; the sum may divide weights or output.
    - Scale: numbers on query, key or product, as factors or divisors.
    - Mask: comparisons of row and key, from indices or constant matrices, that
      choose between the logits and -inf (or a number of at most -1e9, or the
      lowest finite one), or between 0 and those, added. The diagonal must be
      `key <= row + keys - rows`, proven; a window may come on top.
    - Bias: a sum of one of rows and one of keys, where the latter is known to
      grow with the key: slopes times keys or distances (ALiBi), differences of
      sums of log gates (FoX).
    - Penalty: `max(0, level_j - m_ij)`, or `softplus(beta z) / beta` with the
      same z, m the minimum of a field over the keys from j + 1 to the row's own,
      written as a reduction under a condition or as `fpa.prefix_min` of the field
      under one.

    Every row must be known to see a key, or rows without keys must be guarded
    (0 where the sum is 0): else the program has NaN, or with finite masks the
    mean of the values, where `fpa.attention` has 0. Infinite fields, of which
    the program may make NaN, get the meaning that they have in `fpa.attention`.
    A remark says why something that has a softmax and a product was left alone.
    See `docs/Graphs.md`.

    ```mlir
    %p = linalg.batch_matmul ins(%q, %kt : …) outs(%zero : …) -> tensor<8x64x64xf32>
    %s = linalg.generic … { … arith.mulf %in, %scale … arith.cmpi sge, %i, %j … arith.select … }
    %w = linalg.softmax dimension(2) ins(%s : …) outs(%e : …) -> tensor<8x64x64xf32>
    %o = linalg.batch_matmul ins(%w, %v : …) outs(%zero : …) -> tensor<8x64x16xf32>
    // becomes
    %o4 = fpa.attention ins(%q4, %k4, %v4 : …) outs(%e4 : …) {scale = 2.500000e-01 : f64} -> tensor<8x1x64x16xf32>
    ```
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "FpaDialect", "linalg::LinalgDialect",
                           "tensor::TensorDialect"];
  let statistics = [
    Statistic<"numRaised", "raised", "attention ops that were found">];
}

def LowerExpandShapes : Pass<"fpa-lower-expand-shapes"> {
  let summary = "turn views with several open sizes in a group into casts";
  let description = [{
    Upstream's `expand-strided-metadata` works out the one open size of a group
    from the source's, and fails where there are two. The op says its sizes, and
    strides follow from them:

    ```mlir
    %y = memref.expand_shape %x [[0, 1], [2]] output_shape [%m, %n, 4]
      : memref<?x4xf32> into memref<?x?x4xf32>
    // becomes
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %x
      : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
    %stride = affine.apply affine_map<()[s0] -> (s0 * 4)>()[%n]
    %y = memref.reinterpret_cast %base
      to offset: [0], sizes: [%m, %n, 4], strides: [%stride, 4, 1]
      : memref<f32> to memref<?x?x4xf32>
    ```
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "memref::MemRefDialect"];
  let statistics = [Statistic<"numViews", "views", "views turned into casts">];
}

def LowerStridedCopies : Pass<"fpa-lower-strided-copies"> {
  let summary = "turn copies between strided memrefs into linalg";
  let description = [{
    Copies of contiguous memrefs become memcpy further down; of any other,
    upstream makes a call of a library function that walks the elements one by
    one. This pass turns those into `linalg.generic`, so that they become loops
    the compiler sees:

    ```mlir
    memref.copy %from, %to : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
    // becomes
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%from : memref<4x8xf32, strided<[16, 1]>>) outs(%to : memref<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    ```
  }];
  let dependentDialects = ["linalg::LinalgDialect"];
  let statistics = [Statistic<"numCopies", "copies", "copies turned into linalg">];
}

def AssignLayouts : Pass<"fpa-assign-layouts"> {
  let summary = "say which thread of a block holds which elements";
  let description = [{
    Attaches `fpa.layouts` to the ops of every tile program, an `scf.forall`
    that reads or writes blocks. Rows of products go to the warps and, with
    their columns, to lanes and registers as the m16n8k16 matrix instructions
    of NVIDIA GPUs have them, so that the result of one product is the left
    operand of the next as it stands. Right operands of products have a layout
    of their own; one that is needed otherwise too, such as a key that is the
    value as well, is read once for each use. Lines of keys, which all warps need alike, are computed on by
    each thread for its own few elements where there is enough to compute;
    `fpa.convert_layout` then hands the results round. In a program without
    products the last dimension of memory runs along lanes.

    ```mlir
    %s = vector.contract {…} %q, %k, %zero {fpa.layouts =
      [#fpa.layout<["l2 l3 l4 r w0 w1 x1", "r l0 l1 x8"]>]} : …
    ```
  }];
  let dependentDialects = ["FpaDialect"];
  let options = [Option<"warps", "warps", "int64_t", "4",
                        "warps of a block, a power of two up to 32">];
}

def PadHeads : Pass<"fpa-pad-heads"> {
  let summary = "fill head sizes up with zeros to a multiple";
  let description = [{
    For machines whose products take certain sizes only. Query, key and value of
    `fpa.attention` on tensors are padded with zeros along their last dimension,
    and the output's surplus is cut off:

    ```mlir
    %o = fpa.attention ins(%q, %k, %v : tensor<1x2x8x20xf16>, …) outs(%init : tensor<1x2x8x20xf16>) -> tensor<1x2x8x20xf16>
    // becomes, with multiple=16
    %q0 = tensor.pad %q … : tensor<1x2x8x20xf16> to tensor<1x2x8x32xf16>
    …
    %o0 = fpa.attention ins(%q0, %k0, %v0 : tensor<1x2x8x32xf16>, …) … {scale = 0.22360679774997896 : f64} -> tensor<1x2x8x32xf16>
    %o = tensor.extract_slice %o0[0, 0, 0, 0] [1, 2, 8, 20] [1, 1, 1, 1] : …
    ```

    Dynamic head sizes stay as they are. `fpa.cached_attention` is treated alike;
    a cache whose head sizes are no multiples is copied whole in every step.
  }];
  let dependentDialects = ["arith::ArithDialect", "tensor::TensorDialect"];
  let options = [Option<"multiple", "multiple", "int64_t", "16",
                        "what head sizes become a multiple of, at least 1">,
                 Option<"most", "most", "int64_t", "0",
                        "the largest head size that is padded, 0 for any">];
}

include "fpa/Dialect/Transforms/TilingPasses.td"

def CopyReturnedSlices : Pass<"fpa-copy-returned-slices"> {
  let summary = "give tensors of their own to results that may be slices or others";
  let description = [{
    A function that returns `tensor.extract_slice`, or something computed in the
    place of one, would return memory with gaps between its rows. On GPUs
    callers know of no strides: such a result is copied. So is one that was
    returned before, maybe in another shape: each result's memory is its own.
  }];
  let dependentDialects = ["bufferization::BufferizationDialect"];
}

def CopyCarriedBuffers : Pass<"fpa-copy-carried-buffers"> {
  let summary = "let loops around kernels carry memrefs in place";
  let description = [{
    An `scf.for` that hands another memref to its next iteration than it was given
    gets one for all of them, allocated before it: the first is copied there
    unless it is one that nobody else uses, and at the end of each iteration the
    next. A host program for a GPU has loops of
    the same instructions each time, which cannot carry a value. Memrefs of open
    sizes stay, since they may grow on the way, and so do loops inside of
    `scf.forall` and `scf.parallel`, which run on the device.

    ```mlir
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %x0) -> memref<4xf32> {
      %y = memref.alloc() : memref<4xf32>
      "step"(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
      scf.yield %y : memref<4xf32>
    }
    // becomes, when folded
    %r = memref.alloc() : memref<4xf32>
    memref.copy %x0, %r : memref<4xf32> to memref<4xf32>
    scf.for %i = %c0 to %n step %c1 {
      %y = memref.alloc() : memref<4xf32>
      "step"(%r, %y) : (memref<4xf32>, memref<4xf32>) -> ()
      memref.copy %y, %r : memref<4xf32> to memref<4xf32>
    }
    ```
  }];
  let dependentDialects = ["memref::MemRefDialect"];
}

def MaterializeConstants : Pass<"fpa-materialize-constants"> {
  let summary = "let kernels make constant tensors";
  let description = [{
    A constant tensor would become memory of the host, which a GPU cannot read.
    Where all elements are the same, elementwise loops take the element itself, and
    what needs a tensor has one filled. Up to a number of elements others are
    picked one by one, in a kernel of their own. A larger constant is refused: an
    argument does instead.

    ```mlir
    %c = arith.constant dense<0.0> : tensor<8xf32>
    // becomes
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %c = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let options = [
    Option<"most", "most", "int64_t", /*default=*/"256",
           "elements that a constant of several values may have">
  ];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect",
                           "tensor::TensorDialect"];
  let statistics = [
    Statistic<"numConstants", "num-constants", "constant tensors made">];
}

def SeparateInits : Pass<"fpa-separate-inits"> {
  let summary = "give each value that a loop or op changes an empty tensor of its own";
  let description = [{
    Common subexpression elimination makes one `tensor.empty` of several, and
    bufferization, for which there is nothing to read in it, lets values that
    a loop carries from there, or inits that an op adds to, share its buffer,
    although each of them is read later:

    ```mlir
    scf.for … iter_args(%a = %empty, %b = %empty) …
    // becomes
    scf.for … iter_args(%a = %empty, %b = %other) …
    ```
  }];
  let dependentDialects = ["tensor::TensorDialect"];
  let statistics = [Statistic<"numSeparated", "inits",
                              "inits with a new empty tensor">];
}

def VectorizeTiles : Pass<"fpa-vectorize-tiles"> {
  let summary = "turn ops on tiles into block-sized vectors";
  let description = [{
    Replaces `fpa.online_attention`, `fpa.online_finalize`, `fpa.pass_field`,
    `fpa.backward_tile`, `fpa.backward_finalize` and the ops that leave keys out
    (`fpa.row_norms`, `fpa.prune_keys`, `fpa.drop_keys`, `fpa.drop_finalize`,
    `fpa.pass_carry`) on tensors by reads of whole blocks, arithmetic on vectors of the size of a block, and
    writes. The initial state, filled tensors, is written as vectors too, so
    that `canonicalize,cse,loop-invariant-subset-hoisting` leaves loops that
    carry vectors only. No target is assumed: the vectors are as large as the
    tiles.

    The number of rows of the state must be static. The number of keys may be
    dynamic where a constant bounds it, as in the last tile of a row: reads are
    then padded, as they are where there are fewer keys than `key-multiple` asks
    for.
  }];
  let dependentDialects = ["FpaDialect", "arith::ArithDialect",
                           "math::MathDialect", "tensor::TensorDialect",
                           "vector::VectorDialect"];
  let options = [
    Option<"productsOnly", "products-only", "bool", "false",
           "leave out softmax and penalty, to measure what they cost">,
    Option<"scaleProducts", "scale-products", "bool", "false",
           "scale products of query and key rather than the query, which then "
           "keeps its narrow type">,
    Option<"branches", "branches", "bool", "false",
           "what is rarely needed takes a branch">,
    Option<"nanMaximum", "nan-maximum", "bool", "false",
           "take the larger of two numbers by one op in which a NaN wins">,
    Option<"keyMultiple", "key-multiple", "int64_t", "1",
           "make the keys of `fpa.online_attention`'s blocks a multiple of this, "
           "at least 1">];
  let statistics = [
    Statistic<"numVectorized", "num-vectorized", "ops that became vectors">];
}

def VectorizePrefix : Pass<"fpa-vectorize-prefix"> {
  let summary = "turn bufferized prefix ops into tile programs";
  let description = [{
    Replaces `fpa.prefix_min` and `fpa.prefix_sum` on memrefs by an `scf.forall`
    over rows and segments whose iterations walk along the axis, one block of
    vectors at a time, and carry what they have passed. Each element is read and
    written once.

    Along the last axis a block is several rows of up to `chunk` elements in
    all, one row where it is that long; along another axis it is `columns`
    neighbours wide. Dimensions behind the axis are one where memory has no gaps
    between them, and none where they have one element. What stands beyond a row's or a segment's end is read as the
    neutral element. f16 and bf16 are scanned in f32.

    ```mlir
    fpa.prefix_min axis(1) reverse ins(%x : memref<8x?xf32>) outs(%y : memref<8x?xf32>)
    // becomes, besides the part of a block at the end of a row,
    scf.forall (%r) in (8) {
      %m = scf.for %k = %c0 to %blocks step %c1 iter_args(%carry = %none) -> (vector<1xf32>) {
        %from = memref.subview %x[%r, %t] [1, 1024] [1, 1] : …
        %v = vector.transfer_read %from[%c0, %c0], %inf {in_bounds = [true, true]} : …, vector<1x1024xf32>
        %s, %total = fpa.vector_scan <min> axis(1) reverse %v, %carry : vector<1x1024xf32>, vector<1xf32>
        vector.transfer_write %s, %to[%c0, %c0] {in_bounds = [true, true]} : vector<1x1024xf32>, …
        scf.yield %total : vector<1xf32>
      }
    }
    ```

    A sum is carried as (sum, rounding error), and added to the sums within a
    block at the end. An index is the place of the last record, an element that
    is the minimum of those up to it, which a second scan carries on.
  }];
  let dependentDialects = ["FpaDialect", "affine::AffineDialect",
                           "arith::ArithDialect", "memref::MemRefDialect",
                           "scf::SCFDialect", "vector::VectorDialect"];
  let options = [
    Option<"chunk", "chunk", "int64_t", "1024",
           "elements of a block, a power of two">,
    Option<"columns", "columns", "int64_t", "64",
           "neighbours that are scanned side by side along an axis that is not "
           "the last, a power of two">,
    Option<"rows", "rows", "int64_t", "4",
           "least rows of a block that is scanned along the last axis, a power "
           "of two, and warps of its kernel; what is more than there are is "
           "masked">];
  let statistics = [
    Statistic<"numVectorized", "num-vectorized", "prefix ops vectorized">];
}

def ParallelizeHost : Pass<"fpa-parallelize-host"> {
  let summary = "put the host's serial work into parallel loops";
  let description = [{
    For hosts that only launch kernels, some of them in loops. What touches memory
    outside of parallel loops without being one - a copy, a store, a plain loop
    without parallel ones in it, a linalg op that only reduces - becomes a linalg
    op (copies) or the body of a parallel loop of one iteration. A plain loop
    around parallel ones stays, and so does one around copies, allocations or
    linalg ops that have parallel dimensions, unless it loads from memory besides.

    ```mlir
    memref.store %x, %m[%c0] : memref<4xf32>
    // becomes
    scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
      memref.store %x, %m[%c0] : memref<4xf32>
    }
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect",
                           "scf::SCFDialect"];
  let statistics = [Statistic<"numWrapped", "num-wrapped", "ops put into a loop">];
}

def FlattenParallel : Pass<"fpa-flatten-parallel"> {
  let summary = "make parallel loops one-dimensional";
  let description = [{
    Turns an outermost scf.parallel of several dimensions into one of one
    dimension, the last of them fastest, so that neighbouring iterations touch
    neighbours in memory:

    ```mlir
    scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c64) step (%c1, %c1) { … }
    // becomes
    scf.parallel (%k) = (%c0) to (%count) step (%c1) {
      %j = arith.remsi %k, %c64 : index
      %i = arith.divsi %k, %c64 : index
      …
    }
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "scf::SCFDialect"];
  let statistics = [
    Statistic<"numFlattened", "num-flattened", "parallel loops flattened">];
}

def MergeKernels : Pass<"fpa-merge-kernels", "ModuleOp"> {
  let summary = "gather all kernels in one gpu.module @kernels";
  let description = [{
    Upstream's outlining makes a `gpu.module` for each kernel. This pass moves
    their kernels into `@kernels`, which is made if there is none (`@kernels_0` and
    so on where something else has that name), under names
    that are unique there, and lets launches call them:

    ```mlir
    gpu.launch_func @main_kernel::@main_kernel blocks in (…) threads in (…) args(…)
    // becomes
    gpu.launch_func @kernels::@main_kernel blocks in (…) threads in (…) args(…)
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
  let statistics = [Statistic<"numKernels", "num-kernels", "kernels moved">];
}

def LowerVectorScan : Pass<"fpa-lower-vector-scan"> {
  let summary = "lower fpa.vector_scan to vector and arith ops";
  let description = [{
    A scan along the leading axis of a vector of rank 2 or more combines its
    rows one after another. A scan of a vector of rank 1 is cut into vectors of
    `lanes` elements; each of them is scanned in log2(lanes) shuffles, and one
    step per vector adds the carry:

    ```mlir
    %s, %t = fpa.vector_scan <min> axis(0) %x, %init : vector<4xf32>, vector<f32>
    ```

    becomes, with `lanes=4` and `init` the scalar in a vector,

    ```mlir
    %a = vector.shuffle %x, %x [0, 0, 1, 2] : vector<4xf32>, vector<4xf32>
    %b = arith.minimumf %a, %x : vector<4xf32>
    %c = vector.shuffle %b, %b [0, 1, 0, 1] : vector<4xf32>, vector<4xf32>
    %d = arith.minimumf %c, %b : vector<4xf32>
    %s = arith.minimumf %init, %d : vector<4xf32>
    ```

    A scan along any other axis is unrolled into scans of the slices.
  }];
  let dependentDialects = ["arith::ArithDialect", "vector::VectorDialect"];
  let options = [
    Option<"lanes", "lanes", "int64_t", "8",
           "vector width in elements of 32 bits; a power of two">
  ];
}

def VerifyLevel : Pass<"fpa-verify-level"> {
  let summary = "refuse what an earlier stage should have lowered";
  let description = [{
    Fails at the first op that does not belong to the level of IR a stage of a
    pipeline begins or ends with, and names it:

    - `buffers`: an op on tensors, or a function that takes or returns them;
    - `kernels`: in a `gpu.module`, an op outside of the llvm and nvvm dialects;
      anywhere, an op of fpa;
    - `llvm`: an op outside of the llvm dialect, beside `builtin.module`; of a
      cast that is left, the op that it is made for.
  }];
  let options = [
    Option<"level", "level", "::mlir::fpa::Level",
           "::mlir::fpa::Level::LLVM", "what the IR should be",
           [{::llvm::cl::values(
             clEnumValN(::mlir::fpa::Level::Buffers, "buffers",
                        "fpa and upstream ops on memrefs"),
             clEnumValN(::mlir::fpa::Level::Kernels, "kernels",
                        "kernels in the nvvm dialect and what launches them"),
             clEnumValN(::mlir::fpa::Level::LLVM, "llvm",
                        "the llvm dialect"))}]>];
}

def UnmaskContractions : Pass<"fpa-unmask-contractions"> {
  let summary = "turn masked products into products of zeros";
  let description = [{
    For machines whose matrix units cannot mask. Replaces a `vector.contract`
    under a mask that depends on its lhs only, weights P times values V, by

    ```
    acc + (mask ? P : 0) * (finite(V) ? V : 0) + decode((mask ? 1 : 0) * code(V))
    ```

    so that a value of V that is not finite reaches the result only through the
    weights that are not masked. `code` is 1, 254 and 255 for +inf, -inf and
    NaN and 0 for numbers, exact in f16 and bf16; the sum of up to 253 of them
    tells which ones there were, and `decode` makes +inf, -inf or NaN of it.
    Both products keep operands of V's own type, extended:

    ```mlir
    %v = arith.extf %narrow : vector<64x32xf16> to vector<64x32xf32>
    %r = vector.mask %spread { vector.contract {…} %p, %v, %acc : … } : … -> vector<16x32xf32>
    // becomes
    %weights = arith.select %mask, %p, %zeros : vector<16x64xi1>, vector<16x64xf32>
    %number = arith.select %finite, %narrow, %zeros16 : vector<64x32xi1>, vector<64x32xf16>
    %numbers = arith.extf %number : vector<64x32xf16> to vector<64x32xf32>
    %sum = vector.contract {…} %weights, %numbers, %acc : … into vector<16x32xf32>
    %ones = arith.select %mask, %one16, %zero16 : vector<16x64xi1>, vector<16x64xf16>
    …
    %counts = vector.contract {…} %ones32, %codes, %zero : … into vector<16x32xf32>
    %r = arith.addf %sum, %decoded : vector<16x32xf32>
    ```

    An infinity keeps its sign where no element of P is below zero by its form
    (an exponential); any other P times an infinity gives NaN. Other masks, and
    sums of 254 products or more, stay as they are.

    With `branch` an `scf.if` computes one product where all of V is finite.
  }];
  let dependentDialects = ["arith::ArithDialect", "math::MathDialect",
                           "scf::SCFDialect", "vector::VectorDialect"];
  let options = [
    Option<"branch", "branch", "bool", "false",
           "test first whether all of V is finite, and patch only if not">];
  let statistics = [
    Statistic<"numUnmasked", "num-unmasked", "products unmasked">];
}

def Differentiate : Pass<"fpa-differentiate", "ModuleOp"> {
  let summary = "make forward and backward of functions with attention";
  let description = [{
    For a function `@f` on tensors adds two functions:

    - `@f_forward` takes the arguments of `@f` and returns its results, followed
      by what else the backward needs;
    - `@f_backward` takes the arguments of `@f`, all that `@f_forward` has
      returned, and the gradient of each result that is a tensor of floats. It
      returns the gradient of each argument that is a tensor of floats, but for
      those that are only the smooth of attention, a number that has none.

    ```mlir
    func.func @f(%x: tensor<?x8xf32>, %w: tensor<8x4xf32>) -> tensor<?x4xf32> {
      …
      %y = linalg.matmul ins(%x, %w : …) outs(%zeros : …) -> tensor<?x4xf32>
      return %y : tensor<?x4xf32>
    }
    // adds
    func.func @f_forward(%x: tensor<?x8xf32>, %w: tensor<8x4xf32>) -> tensor<?x4xf32>
    func.func @f_backward(%x: tensor<?x8xf32>, %w: tensor<8x4xf32>, %y: tensor<?x4xf32>,
        %dy: tensor<?x4xf32>) -> (tensor<?x8xf32>, tensor<8x4xf32>)
    ```

    Saved are values that cost something to compute; sizes, constants and
    reshapes are computed once more. Attention saves its output and lse, never
    anything of size L^2.

    Between an argument and a result may stand `fpa.attention`,
    `fpa.prefix_sum`, reshapes and casts of tensors, elementwise arith and math
    on tensors, and linalg ops whose indexing maps are projected permutations:
    elementwise ops, broadcasts, transposes, and sums, such as products of
    matrices. In a body, float addition, subtraction, multiplication, division,
    negation, widening, narrowing, select, exp, log and log1p can be
    differentiated. Any other op there is refused, however it is connected:
    through a region, memory, a scalar or the bits of a float. So is a call:
    `inline` comes first. What a comparison or a conversion to integers makes
    has the derivative zero. Tensors are ranked and have no encoding.
  }];
  let dependentDialects = ["FpaDialect", "affine::AffineDialect",
                           "arith::ArithDialect", "linalg::LinalgDialect",
                           "math::MathDialect", "tensor::TensorDialect"];
  let options = [
    ListOption<"functions", "functions", "std::string",
               "names of the functions; without any, all that hold attention">];
}

def PromoteToF64 : Pass<"fpa-promote-to-f64", "ModuleOp"> {
  let summary = "compute everything in float64";
  let description = [{
    Replaces every float type of the module narrower than 64 bits by f64, in
    types, constants and attributes, so that the same program runs without
    rounding to speak of. For comparing with the program as it was:

    ```mlir
    %y = math.exp %x : tensor<4xbf16>
    // becomes
    %y = math.exp %x : tensor<4xf64>
    ```

    A program that looks at the bits of a float does not verify afterwards.
  }];
}

#endif // FPA_DIALECT_TRANSFORMS_PASSES_TD
