//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"
#include "fpa/Support/Npy.h"
#include "fpa/Tools/FillTensor.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

static Expected<Tensor> makeInput(const TensorSpec &type, StringRef text,
                                  uint64_t seed) {
  if (text.consume_front("@")) {
    Expected<Tensor> tensor = readNpy(text);
    // .npy files know no index type.
    if (tensor && tensor->getKind() == ElementKind::I64 &&
        type.kind == ElementKind::Index)
      return tensor->convertTo(ElementKind::Index);
    return tensor;
  }
  auto [shape, generator] = text.split(':');
  TensorSpec spec = type;
  if (!shape.empty()) {
    Expected<TensorSpec> parsed = parseShape(shape);
    if (!parsed)
      return parsed.takeError();
    spec = *parsed;
  } else if (!type.isStatic()) {
    return createStringError("expected @FILE.npy or a shape for " +
                             type.getTypeText() + ", got none");
  }
  // Before any memory is asked for.
  bool fits = spec.kind == type.kind && spec.shape.size() == type.shape.size();
  for (size_t d = 0; fits && d < spec.shape.size(); ++d)
    fits =
        ShapedType::isDynamic(type.shape[d]) || type.shape[d] == spec.shape[d];
  if (!fits)
    return createStringError("expected " + type.getTypeText() + ", got " +
                             spec.getTypeText());
  Expected<Tensor> tensor = Tensor::create(spec.kind, spec.shape);
  if (!tensor)
    return tensor;
  if (Error error =
          fillTensor(*tensor, generator.empty() ? "normal" : generator, seed))
    return std::move(error);
  return tensor;
}

Expected<SmallVector<Tensor>>
mlir::fpa::makeInputs(const EntrySignature &signature,
                      ArrayRef<std::string> texts, int64_t seed) {
  if (texts.size() > signature.inputs.size())
    return createStringError("expected at most " +
                             Twine(signature.inputs.size()) + " inputs, got " +
                             Twine(texts.size()));
  SmallVector<Tensor> inputs;
  for (auto [i, type] : llvm::enumerate(signature.inputs)) {
    Expected<Tensor> input =
        makeInput(type, i < texts.size() ? StringRef(texts[i]) : "",
                  uint64_t(seed) * 1000003 + i);
    if (!input)
      return createStringError("input " + Twine(i) + ": " +
                               toString(input.takeError()));
    inputs.push_back(std::move(*input));
  }
  return inputs;
}
