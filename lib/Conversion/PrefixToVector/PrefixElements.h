//===- PrefixElements.h - Elements of a prefix op ---------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CONVERSION_PREFIXTOVECTOR_PREFIXELEMENTS_H
#define FPA_LIB_CONVERSION_PREFIXTOVECTOR_PREFIXELEMENTS_H

#include "fpa/Dialect/Transforms/ScanRules.h"

namespace mlir::fpa {

/// How the elements of one bufferized prefix op are read, carried and written.
///
/// Minima are taken on ordered keys, integers as wide as the element whose
/// signed order is that of the floats, with every NaN below -inf. So a NaN wins
/// without a test at each step, and 16-bit floats need no conversion.
///
/// A width of 0 means scalars, another one vectors of that many elements.
struct PrefixElements {
  PrefixElements(PrefixMinOp op);
  PrefixElements(PrefixSumOp op);

  ScanRules rules;
  bool exclusive;
  std::optional<int64_t> segment;
  /// Memrefs of one shape; `index` may be null.
  Value input, output, index;
  int64_t axis;

  FloatType getFloatType() const;
  MemRefType getInputType() const { return cast<MemRefType>(input.getType()); }
  int64_t getElementBytes() const { return getFloatType().getWidth() / 8; }
  SmallVector<Value> getMemRefs() const;

  /// The carry before the first element.
  ScanState initialCarry(OpBuilder &b, Location loc) const;

  /// A carry of scalars as one of vectors with equal lanes, and back.
  ScanState splat(OpBuilder &b, Location loc, ValueRange carry,
                  int64_t width) const;
  ScanState unsplat(OpBuilder &b, Location loc, ValueRange carry) const;

  /// Floats as elements (for minima ordered keys), and back.
  Value encode(OpBuilder &b, Location loc, Value floats) const;
  Value decode(OpBuilder &b, Location loc, Value element) const;

  /// Whether floats without NaN may be scanned as they are, which takes half
  /// the instructions. Only worth it where the machine has their minimum.
  bool hasFloatScan() const;

  Value loadFloats(OpBuilder &b, Location loc, ValueRange at,
                   int64_t width) const;
  /// A non-temporal store needs an address at the start of a cache line, or at
  /// a multiple of the vector's size.
  void storeFloats(OpBuilder &b, Location loc, Value floats, ValueRange at,
                   int64_t width, bool nontemporal) const;

  /// Writes an element as scanned: its value and, if wanted, its index.
  void store(OpBuilder &b, Location loc, ValueRange element, ValueRange at,
             int64_t width, bool nontemporal) const;
};

} // namespace mlir::fpa

#endif // FPA_LIB_CONVERSION_PREFIXTOVECTOR_PREFIXELEMENTS_H
