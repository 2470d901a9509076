//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A plain multi-dimensional array: what goes into compiled code and comes out.

#ifndef FPA_SUPPORT_TENSOR_H
#define FPA_SUPPORT_TENSOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>

namespace mlir::fpa {

enum class ElementKind { F16, BF16, F32, F64, I32, I64, I1, Index };

/// As in MLIR's text: "f16", "bf16", ..., "index".
llvm::StringRef getElementName(ElementKind kind);
std::optional<ElementKind> parseElementKind(llvm::StringRef name);
int64_t getElementBytes(ElementKind kind);
bool isFloat(ElementKind kind);

/// The number of elements, or nothing when their bytes overflow 63 bits or a
/// size is negative.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape,
                                     ElementKind kind);

/// "2x3xf32"; dynamic sizes are "?".
std::string formatShape(llvm::ArrayRef<int64_t> shape, ElementKind kind);

/// Row-major elements. Copies share the elements.
class Tensor {
public:
  Tensor() = default;
  /// Zeros.
  static llvm::Expected<Tensor> create(ElementKind kind,
                                       llvm::ArrayRef<int64_t> shape);
  /// Takes elements at `data` that live as long as `owner`.
  Tensor(ElementKind kind, llvm::ArrayRef<int64_t> shape,
         std::shared_ptr<void> owner, void *data);

  ElementKind getKind() const { return kind; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getNumElements() const { return count; }
  int64_t getNumBytes() const { return count * getElementBytes(kind); }
  char *getData() const { return static_cast<char *>(data); }
  std::string getTypeText() const { return formatShape(shape, kind); }

  /// Element `i` in row-major order as a float64, and back with one rounding
  /// to nearest even.
  double get(int64_t i) const;
  void set(int64_t i, double value);
  int64_t getInt(int64_t i) const;
  void setInt(int64_t i, int64_t value);

  /// The same values in another element type, in new memory.
  llvm::Expected<Tensor> convertTo(ElementKind to) const;

private:
  ElementKind kind = ElementKind::F32;
  llvm::SmallVector<int64_t> shape;
  int64_t count = 0;
  std::shared_ptr<void> owner;
  void *data = nullptr;
};

} // namespace mlir::fpa

#endif // FPA_SUPPORT_TENSOR_H
