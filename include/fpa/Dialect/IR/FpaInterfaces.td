//===- FpaInterfaces.td - Op interfaces of the fpa dialect -*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_FPAINTERFACES_TD
#define FPA_DIALECT_IR_FPAINTERFACES_TD

include "mlir/IR/OpBase.td"

/// A method that the op has from its operands and attributes.
class Fpa_Accessor<string type, string name>
    : InterfaceMethod<"", type, name>;

def AttentionOpInterface : OpInterface<"AttentionOpInterface"> {
  let description = [{
    What attention and its backward have in common: the operands and options
    that fix the logits of every query row and key.
  }];
  let cppNamespace = "::mlir::fpa";
  let methods = [
    Fpa_Accessor<"::mlir::Value", "getQuery">,
    Fpa_Accessor<"::mlir::Value", "getKey">,
    Fpa_Accessor<"::mlir::Value", "getValue">,
    Fpa_Accessor<"::mlir::Value", "getField">,
    Fpa_Accessor<"::mlir::Value", "getLevel">,
    Fpa_Accessor<"::mlir::Value", "getCuSeqlensQ">,
    Fpa_Accessor<"::mlir::Value", "getCuSeqlensK">,
    Fpa_Accessor<"::std::optional<::llvm::APFloat>", "getScale">,
    Fpa_Accessor<"::std::optional<int64_t>", "getWindow">,
    Fpa_Accessor<"::std::optional<::llvm::APFloat>", "getSmooth">,
    Fpa_Accessor<"::mlir::Value", "getBeta">,
    Fpa_Accessor<"::std::optional<::llvm::APFloat>", "getPruneEps">,
  ];
  let extraSharedClassDeclaration = [{
    ::mlir::ShapedType getQueryType() {
      return ::llvm::cast<::mlir::ShapedType>($_op.getQuery().getType());
    }
    ::mlir::ShapedType getKeyType() {
      return ::llvm::cast<::mlir::ShapedType>($_op.getKey().getType());
    }
    ::mlir::ShapedType getValueType() {
      return ::llvm::cast<::mlir::ShapedType>($_op.getValue().getType());
    }
    /// The level operand, or the field where the two are tied.
    ::mlir::Value getLevelOrField() {
      ::mlir::Value level = $_op.getLevel();
      return level ? level : ::mlir::Value($_op.getField());
    }
    /// Whether the penalty is the smooth one, of a beta that is an attribute or an
    /// operand.
    bool isSmooth() { return $_op.getSmooth().has_value() || $_op.getBeta(); }
    bool isPacked() { return bool($_op.getCuSeqlensQ()); }
    /// The static head size D, known from query or key.
    int64_t getHeadSize() {
      int64_t size = getQueryType().getDimSize(3);
      return ::mlir::ShapedType::isDynamic(size) ? getKeyType().getDimSize(3)
                                                 : size;
    }
    /// The scale of the logits; 1 / sqrt(D) unless given.
    double getScaleValue() {
      if (::std::optional<::llvm::APFloat> scale = $_op.getScale())
        return scale->convertToDouble();
      return 1.0 / ::std::sqrt(double(getHeadSize()));
    }
    /// f64 when the query is f64, else f32: the type of sums, field and lse.
    ::mlir::FloatType getAccumulatorType() {
      if (getQueryType().getElementType().isF64())
        return ::mlir::Float64Type::get($_op->getContext());
      return ::mlir::Float32Type::get($_op->getContext());
    }
  }];
}

#endif // FPA_DIALECT_IR_FPAINTERFACES_TD
