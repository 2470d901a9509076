//===- Passes.td - Conversions out of the fpa dialect ------*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_CONVERSION_PASSES_TD
#define FPA_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertFpaToLLVM : Pass<"convert-fpa-to-llvm", "ModuleOp"> {
  let summary = "lower fpa.parallel_call to a call of the runtime library";
  let description = [{
    Packs the arguments of `fpa.parallel_call` into a struct on the stack and
    calls `fpa_parallel_for` of the runtime library with a trampoline that
    unpacks them:

    ```mlir
    fpa.parallel_call @body(%n) args(%x : i64)
    // becomes
    llvm.store %packed, %slot : !llvm.struct<(i64)>, !llvm.ptr
    %f = func.constant @fpa_trampoline_body : (index, !llvm.ptr) -> ()
    call @fpa_parallel_for(%n, %f, %slot) : (index, !llvm.ptr, !llvm.ptr) -> ()
    ```

    Functions and calls stay in the func dialect: it runs before or together
    with upstream's func-to-llvm conversion.
  }];
  let dependentDialects = ["LLVM::LLVMDialect", "func::FuncDialect"];
}

def ChooseGPUTiles : Pass<"fpa-choose-gpu-tiles"> {
  let summary = "choose the tile sizes of attention for a GPU";
  let description = [{
    Attaches `fpa.tiles` to every `fpa.attention` and `fpa.cached_attention`:
    query rows, keys of a full and of a masked tile, warps of a block, and copies
    of a tile in flight; of a cache also how many keys a block walks. A
    model of the chip's shared memory and registers makes the choice for the
    op's element type and head sizes; what an option gives is kept, and refused
    where the model says that it does not fit.

    ```mlir
    %o = fpa.attention ins(%q, %k, %v : …) … {fpa.tiles =
      {query = 64, key = 64, edge = 64, warps = 4, stages = 2}} -> …
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_80\"",
           "sm_80, sm_86, sm_89, sm_90, sm_100 or sm_120">,
    Option<"queryTile", "query-tile", "int64_t", "0",
           "query rows of a block, 0 to choose">,
    Option<"keyTile", "key-tile", "int64_t", "0",
           "keys of an unmasked tile, 0 to choose">,
    Option<"edgeTile", "edge-tile", "int64_t", "0",
           "keys of a masked tile, 0 to choose">,
    Option<"warps", "warps", "int64_t", "0", "warps of a block, 0 to choose">,
    Option<"stages", "stages", "int64_t", "0",
           "copies of a tile in flight, 0 to choose">];
}

def ConvertFpaTileToGPU : Pass<"convert-fpa-tile-to-gpu", "ModuleOp"> {
  let summary = "turn tile programs with layouts into GPU kernels";
  let description = [{
    Makes a kernel of every scf.forall whose blocks have layouts
    (`fpa-assign-layouts`) and launches it: one block of threads an iteration.
    Vectors shrink to what one thread holds; most ops stay what they are on
    those. Products of f16 and bf16 become `nvvm.mma.sync`, f32 is multiplied
    element by element. Reductions and scans go on across lanes by shuffles.
    Blocks of memory are copied to shared memory asynchronously, in a loop
    `stages` - 1 iterations ahead, and read from there by matrix loads.

    ```mlir
    %s = vector.contract {…} %q, %k, %zero {fpa.layouts = […]} : … into vector<64x64xf32>
    // becomes, in gpu.func @main_0, for 4 warps
    %b = nvgpu.ldmatrix %shared[%slot, %row, %column] {numTiles = 4 : i32, transpose = false} : …
    %c = nvvm.mma.sync A[…] B[…] C[…] {shape = #nvvm.shape<m = 16, n = 8, k = 16>} : …
    …  : vector<2x16xf32>
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "gpu::GPUDialect",
                           "LLVM::LLVMDialect", "math::MathDialect",
                           "memref::MemRefDialect", "nvgpu::NVGPUDialect",
                           "NVVM::NVVMDialect", "scf::SCFDialect",
                           "vector::VectorDialect"];
  let options = [
    Option<"stages", "stages", "int64_t", "2",
           "copies of what a loop reads, 1 to 8, where the parallel loop does "
           "not say (fpa.stages)">,
    Option<"sharedLimit", "shared-limit", "int64_t", "0",
           "bytes of shared memory that a block may have, 0 for any">];
}

def PrepareForNVVM : Pass<"fpa-prepare-for-nvvm"> {
  let summary = "rewrite what the conversion to NVVM does not know";
  let description = [{
    exp2 and log2 of f32 become the instructions `ex2.approx.ftz` and
    `lg2.approx.ftz`, with no library of device functions. ex2 is off by at most
    2 units in the last place, lg2 by 2^-22 between 0.5 and 2 and relatively
    so elsewhere. In f32 and f64 sqrt (rounded to nearest), floor, ceil, round and
    roundeven become instructions too, and in all types abs and copysign arithmetic
    on bits. `fpa-expand-gpu-math` makes other functions of these.
    Broadcasts, transposes and such of vectors of several dimensions become element moves, which cost nothing in registers. Ops on
    tensors and on scalable vectors stay as they are.

    ```mlir
    %y = math.exp2 %x : f32
    // becomes
    %y = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%x) : (f32) -> f32
    ```
  }];
  let dependentDialects = ["LLVM::LLVMDialect", "vector::VectorDialect"];
}

def ExpandGPUMath : Pass<"fpa-expand-gpu-math"> {
  let summary = "expand functions that GPUs have no instructions for";
  let description = [{
    Takes the functions of the math dialect, and `arith.remf`, to arithmetic and
    to those that `fpa-prepare-for-nvvm` makes instructions. Functions of f16 and
    bf16 are computed in f32 and rounded once. Of f32, with errors in units in the
    last place:

    - exp2, log2, sqrt, abs, copysign, fma and what rounds to integers stay as they
      are; rsqrt is 1 / sqrt, off by at most 1.5;
    - exp, expm1, log, log1p, tanh, erf and erfc take upstream's approximations
      in f32, off by at most 4. A subnormal result may be 0, log takes a
      subnormal number for the least normal one, and erf(-0) is +0;
    - all others are computed in f64 and rounded once: sin, cos and tan of any
      number, sinh, cosh, asin, acos, atan, atan2, asinh, acosh, atanh, cbrt,
      log10, powf, fpowi, off by at most 0.501, and remf, which is exact.

    Of f64 there are exp, exp2, log, log2 and log10, off by at most 4, and what
    stays as it is. Any other is refused.

    ```mlir
    %y = math.sqrt %x : f16
    // becomes
    %wide = arith.extf %x : f16 to f32
    %root = math.sqrt %wide : f32
    %y = arith.truncf %root : f32 to f16
    ```

    Ops on tensors and on scalable vectors stay as they are.
  }];
  let dependentDialects = ["arith::ArithDialect", "math::MathDialect",
                           "vector::VectorDialect"];
}

def ConvertFpaTileToCPU : Pass<"convert-fpa-tile-to-cpu"> {
  let summary = "map block vectors to loops over register tiles";
  let description = [{
    Takes the tile program inside every scf.forall on memrefs, whose values are
    vectors of whole blocks, and walks them with loops over tiles that fit into
    vector registers. Blocks that outlive a loop nest get scratch memory on the
    stack.

    Axes are found first: dimensions that some op walks together are one axis.
    The axis that nothing reduces over runs along lanes, so no reduction crosses
    them. Ops that walk the same axes share a nest: a matrix product, what
    follows it element by element, and its row reductions are one nest, and a
    block is overwritten in place where nobody needs its old value. What a product
    with few rows reads only once is prefetched where loads alone would not keep
    memory busy.

    ```mlir
    %s = vector.contract {…} %q, %k, %zero : … into vector<48x256xf32>
    // becomes, for 16 lanes and 32 registers
    scf.for %j = %c0 to %c256 step %c8 {
      %acc:24 = scf.for %d = %c0 to %c64 step %c1 iter_args(…) {
        …  vector.load %qt[%d, %c0], memref.load %k[%j, %d], 24 x vector.fma
      }
      …  24 x vector.store %s[%j, %c0]
    }
    ```
  }];
  let options = [
    Option<"lanes", "lanes", "int64_t", "8",
           "f32 elements of a vector register, a power of two">,
    Option<"registers", "registers", "int64_t", "16",
           "number of vector registers, at least 4">
  ];
  let statistics = [
    Statistic<"numMapped", "num-mapped", "parallel loops mapped">
  ];
  let dependentDialects = ["arith::ArithDialect", "memref::MemRefDialect",
                           "scf::SCFDialect", "vector::VectorDialect"];
}

def OutlineParallel : Pass<"fpa-outline-parallel", "ModuleOp"> {
  let summary = "outline parallel loops into functions called on all threads";
  let description = [{
    Replaces every outermost scf.forall without results by a private function
    of the loop's body and an `fpa.parallel_call` of it; the loops of a forall
    of several dimensions become one, the last dimension fastest. An
    scf.forall inside another one becomes plain loops.

    ```mlir
    scf.forall (%i, %j) in (%n, 4) { … }
    // becomes
    %count = arith.muli %n, %c4 : index
    fpa.parallel_call @main_parallel_0(%count) args(…)
    ```
  }];
  let statistics = [
    Statistic<"numOutlined", "num-outlined", "parallel loops outlined">
  ];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "fpa::FpaDialect", "func::FuncDialect",
                           "scf::SCFDialect"];
}

def ExpandMath : Pass<"fpa-expand-math"> {
  let summary = "expand exp2, log2, bf16 conversions and rounding divisions";
  let description = [{
    `2^x = 2^n * 2^f` with n the nearest integer and f in [-1/2, 1/2], 2^f by a
    polynomial of degree 5 with a relative error of 1.7e-7 in f32 arithmetic;
    `2^0` is exactly 1, so that scaling by it changes nothing. Below -127 the result is 0, so results that would be
    subnormal become 0; from 127.5 on it is +inf; a NaN stays one. An op
    with the attribute `fpa.nonpositive` is not guarded against large operands.
    f16 and bf16
    are left to `arith.extf`, f64 to the mathematical library. log2 of f32 takes
    upstream's approximation, and so do conversions of bf16 and divisions that
    round up or down. Ops on tensors and on scalable vectors stay as they are.
  }];
  let dependentDialects = ["arith::ArithDialect", "math::MathDialect",
                           "vector::VectorDialect"];
}

def ConvertFpaPrefixToVector : Pass<"convert-fpa-prefix-to-vector"> {
  let summary = "lower bufferized prefix ops to loops over vectors";
  let description = [{
    Lowers `fpa.prefix_min` and `fpa.prefix_sum` on memrefs. Rows (the places
    of all other axes) become an `scf.forall` in pieces of some ten thousand
    elements, unless the op stands inside of one already.

    - A scan along a contiguous last axis goes over vectors: each is scanned in
      log2(lanes) shuffles, four at a time, and one step per vector adds the
      carry. Outputs of at least `nontemporal-bytes` are written past the
      caches, with prefetches ahead of the loads, after single steps up to the
      next cache line.
    - A scan along another axis goes over vectors of neighbours of the last
      axis, if that is contiguous.
    - Any other layout goes element by element.

    A minimum is taken on ordered keys, integers whose signed order is that of
    the floats with NaN below -inf; so a NaN wins without a test at each step.
    Along the lanes of f32 and f64 a turn of the loop tests all of its vectors
    for NaN at once, and takes float minima if there is none. The sign of a zero
    and the payload of a NaN are not kept.

    A sum is carried as (sum, rounding error): its error is that of the sums
    within four vectors plus one rounding of the result, whatever the length.

    ```mlir
    fpa.prefix_min axis(0) ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
    ```

    becomes (the loop over single vectors and the elements left over are not
    shown, nor are three of the four vectors)

    ```mlir
    %end = scf.for %t = %c0 to %whole step %c32 iter_args(%carry = %inf) -> (vector<8xf32>) {
      %v = vector.load %x[%t] : memref<?xf32>, vector<8xf32>
      %nan = ...    // any NaN in the vectors or the carry
      %next = scf.if %nan -> (vector<8xf32>) {
        ...         // the same on ordered keys
      } else {
        %a = vector.shuffle %v, %v [0, 0, 1, 2, 3, 4, 5, 6] : vector<8xf32>, vector<8xf32>
        %b = arith.minimumf %a, %v fastmath<nnan,nsz> : vector<8xf32>
        ...         // steps of 2 and 4
        %last = vector.shuffle %d, %d [7, 7, 7, 7, 7, 7, 7, 7] : vector<8xf32>, vector<8xf32>
        %m = arith.minimumf %carry, %d fastmath<nnan,nsz> : vector<8xf32>
        vector.store %m, %y[%t] : memref<?xf32>, vector<8xf32>
        %n = arith.minimumf %carry, %last fastmath<nnan,nsz> : vector<8xf32>
        scf.yield %n : vector<8xf32>
      }
      scf.yield %next : vector<8xf32>
    }
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect",
                           "memref::MemRefDialect", "scf::SCFDialect",
                           "vector::VectorDialect"];
  let options = [
    Option<"lanes", "lanes", "int64_t", "8",
           "vector width in elements of 32 bits; a power of two, at most 16">,
    Option<"nontemporalBytes", "nontemporal-bytes", "int64_t", "16777216",
           "least size of an output, in bytes, that is written past the "
           "caches; -1 for never">
  ];
  let statistics = [
    Statistic<"numLowered", "num-lowered", "number of prefix ops lowered">
  ];
}

def ConvertFpaCacheToSCF : Pass<"convert-fpa-cache-to-scf"> {
  let summary = "lower bufferized fpa.update_cache to loops";
  let description = [{
    A parallel loop over batch and key head. Each iteration writes the new tokens
    behind the head's keys, finds the minima of the new keys from the right, and
    lowers those of the others, 64 at a time: where none of these changes, nothing
    is written. Only where that puts a key above the threshold it walks the keys
    once more, from the first such key on: what stays moves to the left, row by
    row, and of what goes the sums are kept.

    ```mlir
    fpa.update_cache ins(%k, %v : memref<1x2x1x64xf32>, memref<1x2x1x64xf32>)
      field(%f : memref<1x2x1xf32>) outs(%ck, %cv, %cl, %cm, %n : …) {evict_above = 8.0 : f64}
    // becomes
    scf.forall (%b, %h) in (1, 2) {
      %held = memref.load %n[%b, %h] : memref<1x2xi64>
      …
      %dies = scf.for %j = %c0 to %end … -> (index)  // the first key to go
      %kept = scf.for %j = %dies to %end … -> (index) {
        scf.if %stays { … }  // row %j to row %kept
      }
      memref.store %left, %n[%b, %h] : memref<1x2xi64>
    }
    ```

    With `parallel`, for GPUs, there are several parallel loops, one after the
    other, in none of which an iteration reads what another one writes: over
    elements of the new rows, over keys, whose minima are lowered and the dead
    ones marked, over columns, along each of which one thread moves what lives,
    and over heads, for level, minimum and count.

    Counts and lengths are not trusted: they are clamped, so that no access is out
    of bounds.
  }];
  let options = [
    Option<"parallel", "parallel", "bool", "false",
           "a loop for many threads for each kind of work">];
  let dependentDialects = ["arith::ArithDialect", "math::MathDialect",
                           "memref::MemRefDialect", "scf::SCFDialect",
                           "vector::VectorDialect"];
}

def ConvertFpaKeyIntervalsToSCF : Pass<"convert-fpa-key-intervals-to-scf"> {
  let summary = "lower bufferized fpa.key_intervals to loops";
  let description = [{
    Writes the first and the last key of every query row. Lengths are not
    trusted: cumulative lengths are clamped to never fall and to stay inside of
    the axis, so no write is out of bounds, and rows that belong to no sequence
    get an empty interval. Both outputs never fall along the rows.

    ```mlir
    fpa.key_intervals key_length(%lk)
      outs(%first, %last : memref<?xi64>, memref<?xi64>) {window = 64 : i64}
    ```

    becomes

    ```mlir
    scf.for %i = %c0 to %lq step %c1 {
      %row = arith.index_cast %i : index to i64
      %seen = arith.addi %row, %shift : i64       // shift = Lk - Lq
      %end = arith.maxsi %seen, %minus1 : i64
      %w = arith.subi %end, %c63 : i64
      %start = arith.maxsi %w, %c0_i64 : i64
      memref.store %start, %first[%i] : memref<?xi64>
      memref.store %end, %last[%i] : memref<?xi64>
    }
    ```

    With `parallel` the outer loop is an `scf.parallel` over the rows, in which
    each row of packed sequences looks for its own.
  }];
  let dependentDialects = ["arith::ArithDialect", "memref::MemRefDialect",
                           "scf::SCFDialect"];
  let options = [
    Option<"parallel", "parallel", "bool", "false",
           "one parallel loop over the rows, for machines with many threads">];
}

def ConvertFpaPrefixBackwardToSCF
    : Pass<"convert-fpa-prefix-backward-to-scf"> {
  let summary = "lower bufferized fpa.prefix_min_backward to loops";
  let description = [{
    Clears each line along the axis and adds its gradients in order. Lines are
    independent of each other: they become an `scf.forall`, unless the op stands
    inside of one already.

    ```mlir
    fpa.prefix_min_backward axis(0) ins(%at, %dm : memref<?xi64>, memref<?xf32>)
      outs(%dx : memref<?xf32>)
    ```

    becomes

    ```mlir
    scf.for %t = %c0 to %n step %c1 {
      memref.store %zero, %dx[%t] : memref<?xf32>
    }
    scf.for %u = %c0 to %n step %c1 {
      %place = memref.load %at[%u] : memref<?xi64>
      %t = arith.index_cast %place : i64 to index
      %inside = arith.cmpi ult, %t, %n : index
      scf.if %inside {
        %before = memref.load %dx[%t] : memref<?xf32>
        %gradient = memref.load %dm[%u] : memref<?xf32>
        %sum = arith.addf %before, %gradient : f32
        memref.store %sum, %dx[%t] : memref<?xf32>
      }
    }
    ```

    With `parallel` the loop over lines is an `scf.parallel`.
  }];
  let dependentDialects = ["arith::ArithDialect", "memref::MemRefDialect",
                           "scf::SCFDialect"];
  let options = [
    Option<"parallel", "parallel", "bool", "false",
           "an scf.parallel over the lines, for machines with many threads">];
}

def ConvertFpaToReference : Pass<"convert-fpa-to-reference", "ModuleOp"> {
  let summary = "compute fpa ops by calls of the float64 reference";
  let description = [{
    Replaces `fpa.attention`, `fpa.attention_backward`, `fpa.prefix_min`,
    `fpa.prefix_min_backward`, `fpa.prefix_sum` and `fpa.key_intervals` on f64
    tensors by calls of functions that compute the definition by plain loops,
    independently of every other lowering. The gradients take the saved output
    and lse as they are. The
    functions are those of lib/Reference; `fpa-run --compare=reference` makes
    them known to the compiled code.

    ```mlir
    %r = fpa.prefix_sum axis(0) ins(%x : tensor<4xf64>) outs(%i : tensor<4xf64>)
      -> tensor<4xf64>
    // becomes
    %x0 = bufferization.to_buffer %x read_only : tensor<4xf64> to memref<4xf64, strided<[?], offset: ?>>
    %x1 = memref.cast %x0 : memref<4xf64, strided<[?], offset: ?>> to memref<*xf64>
    %r0 = memref.alloc() : memref<4xf64>
    %r1 = memref.cast %r0 : memref<4xf64> to memref<*xf64>
    call @fpa_reference_prefix_sum(%x1, %r1, %present, %axis, %segment)
      : (memref<*xf64>, memref<*xf64>, i64, i64, i64) -> ()
    %r = bufferization.to_tensor %r0 restrict : memref<4xf64> to tensor<4xf64>
    ```
  }];
  let dependentDialects = [
    "arith::ArithDialect", "bufferization::BufferizationDialect",
    "func::FuncDialect", "linalg::LinalgDialect", "memref::MemRefDialect",
    "tensor::TensorDialect"];
}

def SerializeGPU : Pass<"fpa-serialize-gpu", "ModuleOp"> {
  let summary = "turn kernels at the level of nvvm into PTX or machine code";
  let description = [{
    Every `gpu.module` becomes a `gpu.binary` of the same name, with its code for
    one chip. Machine code needs the CUDA toolkit's ptxas, which is looked for in
    `toolkit`, or else in CUDA_HOME, CUDA_PATH, PATH and /usr/local/cuda; what it
    says of registers, spills and memory of each kernel goes into the object's
    properties.

    ```mlir
    gpu.module @kernels {
      llvm.func @nothing() attributes {nvvm.kernel} { llvm.return }
    }
    // becomes
    gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_80">,
                                     assembly = "...">]
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"",
           "the chip: sm_80, sm_86, sm_89, sm_90, sm_100 or sm_120">,
    Option<"format", "format", "std::string", /*default=*/"\"isa\"",
           "isa (PTX) or cubin (machine code)">,
    Option<"toolkit", "toolkit", "std::string", /*default=*/"\"\"",
           "folder of the CUDA toolkit">];
  let dependentDialects = ["gpu::GPUDialect", "NVVM::NVVMDialect"];
}

#endif // FPA_CONVERSION_PASSES_TD
