//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/ExecutionEngine/Signature.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

static std::optional<ElementKind> getElementKind(Type type) {
  if (type.isF16())
    return ElementKind::F16;
  if (type.isBF16())
    return ElementKind::BF16;
  if (type.isF32())
    return ElementKind::F32;
  if (type.isF64())
    return ElementKind::F64;
  if (type.isSignlessInteger(1))
    return ElementKind::I1;
  if (type.isSignlessInteger(32))
    return ElementKind::I32;
  if (type.isSignlessInteger(64))
    return ElementKind::I64;
  if (type.isIndex())
    return ElementKind::Index;
  return std::nullopt;
}

static std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

Expected<func::FuncOp> mlir::fpa::findEntry(ModuleOp module, StringRef name) {
  if (auto entry = module.lookupSymbol<func::FuncOp>(name)) {
    if (entry.isExternal())
      return createStringError("entry '" + name +
                               "': expected a function with a body");
    return entry;
  }
  // What a pipeline has been over already, for one.
  if (Operation *other = module.lookupSymbol(name))
    return createStringError("entry '" + name +
                             "': expected a func.func, got '" +
                             other->getName().getStringRef() + "'");
  std::string known;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      known += (known.empty() ? "'" : ", '") + function.getName().str() + "'";
  if (known.empty())
    return createStringError("expected a module with a function '" + name +
                             "', got one without functions that have a body");
  return createStringError("expected an entry function among " + known +
                           ", got '" + name + "'");
}

Expected<EntrySignature> mlir::fpa::readSignature(func::FuncOp entry,
                                                  AllowBuffers allowed) {
  auto read = [&](TypeRange types, StringRef what, bool allowBuffers,
                  SmallVector<TensorSpec> &specs) -> Error {
    for (auto [i, type] : llvm::enumerate(types)) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      auto buffer = dyn_cast<MemRefType>(type);
      bool isRowMajor =
          (tensor && !tensor.getEncoding()) ||
          (allowBuffers && buffer && buffer.getLayout().isIdentity());
      std::optional<ElementKind> kind =
          isRowMajor ? getElementKind(cast<ShapedType>(type).getElementType())
                     : std::nullopt;
      if (!kind && type.isIndex())
        return createStringError(
            "entry '" + entry.getName() + "': expected " + what + " " +
            Twine(i) + " to be a ranked tensor, got the scalar " +
            typeText(type) + ": a tensor<" + typeText(type) +
            "> of no dimensions would do");
      if (!kind)
        return createStringError(
            "entry '" + entry.getName() + "': expected " + what + " " +
            Twine(i) + " to be a ranked tensor" +
            (allowBuffers ? " or a memref without strides or offset" : "") +
            " of f16, bf16, f32, f64, i1, i32, i64 or index, got " +
            typeText(type));
      specs.push_back({*kind,
                       llvm::to_vector(cast<ShapedType>(type).getShape()),
                       /*isBuffer=*/bool(buffer)});
    }
    return Error::success();
  };
  EntrySignature signature;
  if (Error error = read(entry.getArgumentTypes(), "input",
                         /*allowBuffers=*/true, signature.inputs))
    return std::move(error);
  if (Error error = read(entry.getResultTypes(), "output",
                         allowed == AllowBuffers::All, signature.results))
    return std::move(error);
  return signature;
}

Error mlir::fpa::checkInputs(const EntrySignature &signature,
                             ArrayRef<Tensor> inputs) {
  if (inputs.size() != signature.inputs.size())
    return createStringError("expected " + Twine(signature.inputs.size()) +
                             " inputs, got " + Twine(inputs.size()));
  for (auto [i, spec] : llvm::enumerate(signature.inputs)) {
    const Tensor &input = inputs[i];
    bool fits = input.getKind() == spec.kind &&
                input.getShape().size() == spec.shape.size();
    for (size_t d = 0; fits && d < spec.shape.size(); ++d)
      fits = ShapedType::isDynamic(spec.shape[d]) ||
             spec.shape[d] == input.getShape()[d];
    if (!fits)
      return createStringError("input " + Twine(i) + ": expected " +
                               spec.getTypeText() + ", got " +
                               input.getTypeText());
  }
  return Error::success();
}
