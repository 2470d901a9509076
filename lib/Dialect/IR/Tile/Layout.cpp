//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Dialect/IR/Tile/Layout.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fpa;

static unsigned countRegisterBits(const DimLayout &dim) {
  return llvm::count_if(
      dim.bits, [](LayoutBit bit) { return bit.holder == Holder::Register; });
}

int64_t DimLayout::getRegisters() const {
  return outer << countRegisterBits(*this);
}

int64_t DimLayout::getRegisterOffset(int64_t reg) const {
  int64_t offset = 0;
  for (auto [position, bit] : llvm::enumerate(bits)) {
    if (bit.holder != Holder::Register)
      continue;
    offset |= (reg & 1) << position;
    reg >>= 1;
  }
  return offset + (reg << bits.size());
}

std::pair<int64_t, int64_t> DimLayout::locate(int64_t index) const {
  int64_t reg = (index >> bits.size()) << countRegisterBits(*this), lane = 0;
  unsigned next = 0;
  for (auto [position, bit] : llvm::enumerate(bits)) {
    int64_t value = (index >> position) & 1;
    if (bit.holder == Holder::Register)
      reg |= value << next++;
    else if (bit.holder == Holder::Lane)
      lane |= value << bit.index;
  }
  return {reg, lane};
}

bool DimLayout::uses(Holder holder) const {
  return llvm::any_of(bits,
                      [&](LayoutBit bit) { return bit.holder == holder; });
}

std::string DimLayout::str() const {
  std::string text;
  for (LayoutBit bit : bits) {
    if (bit.holder == Holder::Register)
      text += "r ";
    else
      text += (bit.holder == Holder::Lane ? "l" : "w") +
              std::to_string(bit.index) + " ";
  }
  return text + "x" + std::to_string(outer);
}

FailureOr<DimLayout> DimLayout::parse(StringRef text) {
  DimLayout dim;
  SmallVector<StringRef> tokens;
  text.split(tokens, ' ');
  for (StringRef token : ArrayRef(tokens).drop_back()) {
    unsigned index = 0;
    if (token == "r")
      dim.bits.push_back({Holder::Register});
    else if (token.consume_front("l") && !token.getAsInteger(10, index) &&
             index < 5)
      dim.bits.push_back({Holder::Lane, index});
    else if (token.consume_front("w") && !token.getAsInteger(10, index) &&
             index < 5)
      dim.bits.push_back({Holder::Warp, index});
    else
      return failure();
  }
  StringRef last = tokens.back();
  if (!last.consume_front("x") || last.getAsInteger(10, dim.outer) ||
      dim.outer < 1)
    return failure();
  return dim;
}

SmallVector<int64_t> Layout::getRegisterShape() const {
  return llvm::map_to_vector(
      dims, [](const DimLayout &dim) { return dim.getRegisters(); });
}

bool Layout::uses(Holder holder) const {
  return llvm::any_of(dims,
                      [&](const DimLayout &dim) { return dim.uses(holder); });
}

static SmallVector<StringAttr> getTexts(ArrayRef<DimLayout> dims,
                                        MLIRContext *context) {
  return llvm::map_to_vector(dims, [&](const DimLayout &dim) {
    return StringAttr::get(context, dim.str());
  });
}

LayoutAttr Layout::toAttr(MLIRContext *context) const {
  return LayoutAttr::get(context, getTexts(dims, context));
}

LayoutAttr Layout::toAttr(Operation *op) const {
  MLIRContext *context = op->getContext();
  SmallVector<StringAttr> texts = getTexts(dims, context);
  if (failed(LayoutAttr::verify([&] { return op->emitOpError(); }, texts)))
    return {};
  return LayoutAttr::get(context, texts);
}

Layout Layout::fromAttr(LayoutAttr attr) {
  Layout layout;
  for (StringAttr text : attr.getDims())
    layout.dims.push_back(*DimLayout::parse(text.getValue()));
  return layout;
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<StringAttr> dims) {
  SmallVector<LayoutBit> seen;
  for (auto [index, text] : llvm::enumerate(dims)) {
    FailureOr<DimLayout> dim = DimLayout::parse(text.getValue());
    if (failed(dim))
      return emitError() << "expected dimension " << index
                         << " of the layout as \"r l0 w0 x1\", got " << text;
    for (LayoutBit bit : dim->bits) {
      if (bit.holder == Holder::Register)
        continue;
      if (llvm::is_contained(seen, bit))
        return emitError() << "expected every lane and warp bit at most once "
                              "in the layout, got it twice in dimension "
                           << index << ", " << text;
      seen.push_back(bit);
    }
  }
  return success();
}

std::optional<Layout> mlir::fpa::getLayout(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result) {
    auto argument = cast<BlockArgument>(value);
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument == loop.getInductionVar())
      return std::nullopt;
    result = loop.getTiedLoopResult(argument);
  }
  auto layouts = result.getOwner()->getAttrOfType<ArrayAttr>(layoutsAttrName);
  if (!layouts || result.getResultNumber() >= layouts.size())
    return std::nullopt;
  auto layout = dyn_cast<LayoutAttr>(layouts[result.getResultNumber()]);
  if (!layout)
    return std::nullopt;
  return Layout::fromAttr(layout);
}
