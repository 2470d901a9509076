//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_EXECUTIONENGINE_SIGNATURE_H
#define FPA_EXECUTIONENGINE_SIGNATURE_H

#include "fpa/ExecutionEngine/SizeExpression.h"
#include "fpa/Support/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fpa {

/// A ranked tensor type of an entry function; dynamic sizes are
/// ShapedType::kDynamic.
struct TensorSpec {
  ElementKind kind;
  SmallVector<int64_t> shape;
  /// Set for a memref: the function may write to it.
  bool isBuffer = false;

  bool isStatic() const { return !ShapedType::isDynamicShape(shape); }
  std::string getTypeText() const { return formatShape(shape, kind); }
};

struct EntrySignature {
  SmallVector<TensorSpec> inputs, results;
};

/// The function `name` of `module`, with a body, tensors going in and tensors
/// coming out.
llvm::Expected<func::FuncOp> findEntry(ModuleOp module, StringRef name);
/// Where memrefs are taken in place of tensors: as inputs, which the program
/// then may write to, or anywhere, as a program has them that is written
/// further down in the GPU pipeline.
enum class AllowBuffers { Inputs, All };
llvm::Expected<EntrySignature> readSignature(func::FuncOp entry,
                                             AllowBuffers allowed);

/// Whether `inputs` have the number, element types and static sizes that
/// `signature` names.
llvm::Error checkInputs(const EntrySignature &signature,
                        ArrayRef<Tensor> inputs);

/// What the dynamic sizes of an entry's inputs must satisfy, beyond what types
/// can say: `tensor<?x8xf32>` twice need not be the same size, the operands of
/// an attention need. Only sizes that can be traced back to the inputs are
/// known: to their sizes or, where a size or offset is an element, to that.
class ShapeRules {
public:
  static ShapeRules collect(func::FuncOp entry);

  /// The first rule that `inputs` break, as an error.
  llvm::Error check(ArrayRef<Tensor> inputs) const;

  enum class Kind { Equal, MultipleOf, OneOf, AtLeast };
  struct Rule {
    Kind kind;
    /// `size` equals `first`, is a multiple of it, is `first` or `second`, or
    /// is at least `first`.
    SizeExpression size, first, second;
    /// Names `size` and then `first`, as in "value dimension 2".
    std::string what, as;
    std::string op;
  };
  /// Input `input` holds the bounds of packed sequences of total length
  /// `length`.
  struct Bounds {
    int64_t input;
    SizeExpression length;
    std::string what;
  };
  SmallVector<Rule> rules;
  SmallVector<Bounds> bounds;
};

} // namespace mlir::fpa

#endif // FPA_EXECUTIONENGINE_SIGNATURE_H
