//===- OperandChecks.h - Checks shared by the verifiers ---------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_DIALECT_IR_OPERANDCHECKS_H
#define FPA_LIB_DIALECT_IR_OPERANDCHECKS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace mlir::fpa {

/// Checks the shaped operands of one op against the shapes its description
/// gives. A dimension is known by its name ("Lk"): wherever two operands both
/// have it and know its size, the sizes must be equal. A dynamic size agrees
/// with every other.
class OperandChecks {
public:
  explicit OperandChecks(Operation *op) : op(op) {}

  /// Declares an operand called `name` in messages, of the given dimensions and
  /// of one of `elementTypes`. An absent optional operand (null) is skipped.
  OperandChecks &add(StringRef name, Value value, ArrayRef<StringRef> dims,
                     ArrayRef<Type> elementTypes);

  /// Checks everything declared: containers, then ranks, then element types,
  /// then sizes. Each step relies on the one before.
  LogicalResult verify();

  /// The static size of a dimension as far as any operand knows it.
  int64_t getSize(StringRef dim) const;

  /// Refuses a dimension that is known to be smaller than `least`.
  LogicalResult verifyAtLeast(StringRef dim, int64_t least) const;

  /// State may have rows to spare, never too few: `spare` >= `rows`.
  LogicalResult verifySpare(StringRef rows, StringRef spare) const;

private:
  struct Declared {
    StringRef name;
    Type type;
    SmallVector<StringRef, 4> dims;
    SmallVector<Type, 4> elementTypes;
  };
  /// Where the size of a dimension was first seen.
  struct Known {
    int64_t size;
    StringRef operand;
    int64_t position;
  };

  LogicalResult verifySizes();

  Operation *op;
  SmallVector<Declared, 12> operands;
  llvm::StringMap<Known> sizes;
};

/// Refuses operands that are not ranked tensors or memrefs, or that mix both.
LogicalResult verifyContainers(Operation *op,
                               ArrayRef<std::pair<StringRef, Type>> operands);

/// Refuses an element type outside of `allowed`.
LogicalResult verifyElementType(Operation *op, StringRef name, Type type,
                                ArrayRef<Type> allowed);

/// f16, bf16, f32 and f64.
SmallVector<Type> getFloatTypes(MLIRContext *context);

/// Checks of attributes and operands that several ops have in common.
LogicalResult verifyWindow(Operation *op, std::optional<int64_t> window);
/// [A9], [A13]: so far from the ends of the range of `accumulator` that what is
/// made of them does not leave it.
/// beta is the attribute or, of this type, the operand.
LogicalResult verifySmooth(Operation *op, std::optional<APFloat> smooth,
                           Value beta, Type accumulator);
/// [A15]: at least 0, or if not `exact` above it, and below 1.
LogicalResult verifyPruneEps(Operation *op, std::optional<APFloat> eps,
                             bool exact = true);
LogicalResult verifyScale(Operation *op, std::optional<APFloat> scale,
                          Type accumulator);
LogicalResult verifyNonIncreasing(Operation *op, bool nonIncreasing,
                                  Value field, Value level);
/// The parts of an interval of keys come together.
LogicalResult verifyInterval(Operation *op,
                             ArrayRef<std::pair<StringRef, Value>> parts);
/// Both cumulative lengths or neither.
LogicalResult verifyCumulativeLengths(Operation *op, Value query, Value key);
/// Between `least` and `most` outs; `names` says what they are.
LogicalResult verifyOutCount(Operation *op, size_t count, size_t least,
                             size_t most, StringRef names);

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_IR_OPERANDCHECKS_H
