//===- Layout.h - Block vectors spread over the threads of a GPU -*- C++-*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_TILE_LAYOUT_H
#define FPA_DIALECT_IR_TILE_LAYOUT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"

namespace mlir::fpa {

class LayoutAttr;

/// Who holds a bit of an element's index.
enum class Holder { Register, Lane, Warp };

struct LayoutBit {
  Holder holder;
  /// Which bit of the lane or the warp; unused for registers.
  unsigned index = 0;
  bool operator==(const LayoutBit &other) const {
    return holder == other.holder && index == other.index;
  }
};

/// One dimension of a layout: the holders of the low bits of the index, and how
/// many times that repeats in further registers.
struct DimLayout {
  SmallVector<LayoutBit> bits;
  int64_t outer = 1;

  int64_t getSize() const { return outer << bits.size(); }
  /// How many elements along this dimension one thread holds.
  int64_t getRegisters() const;
  /// The index of a thread's `reg`-th element, less the thread's own part.
  int64_t getRegisterOffset(int64_t reg) const;
  /// The register and the lane that hold element `index`; every warp bit is 0.
  std::pair<int64_t, int64_t> locate(int64_t index) const;
  bool uses(Holder holder) const;
  bool operator==(const DimLayout &other) const {
    return bits == other.bits && outer == other.outer;
  }

  /// "l2 l3 l4 r w0 w1 x1"
  std::string str() const;
  static FailureOr<DimLayout> parse(StringRef text);
};

struct Layout {
  SmallVector<DimLayout> dims;

  /// The shape of what one thread holds.
  SmallVector<int64_t> getRegisterShape() const;
  bool uses(Holder holder) const;
  LayoutAttr toAttr(MLIRContext *context) const;
  /// The same; null, with an error, where two dimensions share a lane or warp.
  LayoutAttr toAttr(Operation *op) const;
  static Layout fromAttr(LayoutAttr attr);
};

/// The name of the attribute that holds the layouts of an op's results.
inline constexpr StringLiteral layoutsAttrName = "fpa.layouts";

/// The name of the attribute of a parallel loop that says over how many warps
/// its layouts spread.
inline constexpr StringLiteral warpsAttrName = "fpa.warps";
/// And how many copies of what its loops read are in flight.
inline constexpr StringLiteral stagesAttrName = "fpa.stages";

/// The layout of `value` as attached to its op, or that of the loop result for
/// what a loop carries; none for scalars and where nothing is attached.
std::optional<Layout> getLayout(Value value);

} // namespace mlir::fpa

#endif // FPA_DIALECT_IR_TILE_LAYOUT_H
