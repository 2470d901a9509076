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

/// The numbers of the memrefs among an entry's inputs that it may write to.
SmallVector<int64_t> findWrittenInputs(func::FuncOp entry);

/// Whether `inputs` have the number, element types and static sizes that
/// `signature` names.
llvm::Error checkInputs(const EntrySignature &signature,
                        ArrayRef<Tensor> inputs);

/// What the dynamic sizes of an entry's inputs must satisfy, beyond what types
/// can say: `tensor<?x8xf32>` twice need not be the same size, the operands of
/// an attention need. They are about sizes that can be traced back to the
/// inputs: to their sizes or, where a size or offset is an element, to that.
class ShapeRules {
public:
  static ShapeRules collect(func::FuncOp entry);
  /// Also finds the rules that can only be judged while the function runs: of
  /// other sizes, and of ops that it may not reach.
  struct LateRule;
  static ShapeRules collect(func::FuncOp entry,
                            SmallVectorImpl<LateRule> &late);

  /// The first rule that `inputs` break, as an error. A rule about elements
  /// holds where an input has no data.
  llvm::Error check(ArrayRef<Tensor> inputs) const;
  /// The inputs whose elements a rule is about.
  SmallVector<int64_t> findReadInputs() const;

  enum class Kind { Equal, MultipleOf, OneOf, AtLeast };
  struct Rule {
    Kind kind;
    /// `size` equals `first`, is a multiple of it, is `first` or `second`, or
    /// is at least `first`.
    SizeExpression size, first, second;
    /// Names `size` and then `first`, as in "value dimension 2".
    std::string what, as;
    std::string op;

    bool holds(int64_t size, int64_t first, int64_t second) const;
    /// What is expected where the sizes are these, else nothing.
    std::string findBroken(int64_t size, int64_t first, int64_t second) const;
    /// What is expected where `first` and `second` are these, as text.
    std::string getExpected(const Twine &first, const Twine &second) const;
    /// One line about a size that is not what was expected.
    std::string describe(const Twine &expected, const Twine &size) const;
  };
  /// Input `input` holds the bounds of packed sequences of total length
  /// `length`.
  struct Bounds {
    int64_t input;
    SizeExpression length;
    std::string what;
  };
  /// Input `input` is beta of a smooth penalty.
  struct Smooth {
    int64_t input;
    /// Of logits of f64, else f32.
    bool isF64;
  };
  SmallVector<Rule> rules;
  SmallVector<Bounds> bounds;
  SmallVector<Smooth> smooth;
};

struct ShapeRules::LateRule {
  Rule rule;
  Operation *op;
};

/// Puts each check in front of the op that it is about. Where rule number i is
/// broken, the function calls fpa_check_failed with `first` + i.
void insertSizeChecks(func::FuncOp entry, ArrayRef<ShapeRules::LateRule> late,
                      int64_t first);

/// Puts a check in front of each `fpa.update_cache` that a head's tokens have
/// room, unless the op has a place where it says that they had none. Appends
/// the rules.
void insertRoomChecks(func::FuncOp entry,
                      SmallVectorImpl<ShapeRules::Rule> &rules);

/// A smooth penalty whose beta the program computes.
struct SmoothCheck {
  std::string op;
  /// Of logits of f64, else f32.
  bool isF64;

  /// What is wrong with this beta, as an error.
  llvm::Error judge(double beta) const;
};

/// Puts a check in front of each op whose beta the function computes. Where
/// check number i fails, the function calls fpa_check_failed with `first` + i
/// and the bits of beta, as of f64.
SmallVector<SmoothCheck> insertSmoothChecks(func::FuncOp entry, int64_t first);

} // namespace mlir::fpa

#endif // FPA_EXECUTIONENGINE_SIGNATURE_H
