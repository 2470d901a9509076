//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Support/Tensor.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace llvm;
using namespace mlir::fpa;

StringRef mlir::fpa::getElementName(ElementKind kind) {
  switch (kind) {
  case ElementKind::F16:
    return "f16";
  case ElementKind::BF16:
    return "bf16";
  case ElementKind::F32:
    return "f32";
  case ElementKind::F64:
    return "f64";
  case ElementKind::I32:
    return "i32";
  case ElementKind::I64:
    return "i64";
  case ElementKind::I1:
    return "i1";
  case ElementKind::Index:
    return "index";
  }
  llvm_unreachable("unknown element kind");
}

std::optional<ElementKind> mlir::fpa::parseElementKind(StringRef name) {
  return StringSwitch<std::optional<ElementKind>>(name)
      .Case("f16", ElementKind::F16)
      .Case("bf16", ElementKind::BF16)
      .Case("f32", ElementKind::F32)
      .Case("f64", ElementKind::F64)
      .Case("i32", ElementKind::I32)
      .Case("i64", ElementKind::I64)
      .Case("i1", ElementKind::I1)
      .Case("index", ElementKind::Index)
      .Default(std::nullopt);
}

int64_t mlir::fpa::getElementBytes(ElementKind kind) {
  switch (kind) {
  case ElementKind::I1:
    return 1;
  case ElementKind::F16:
  case ElementKind::BF16:
    return 2;
  case ElementKind::F32:
  case ElementKind::I32:
    return 4;
  default:
    return 8;
  }
}

bool mlir::fpa::isFloat(ElementKind kind) {
  return kind == ElementKind::F16 || kind == ElementKind::BF16 ||
         kind == ElementKind::F32 || kind == ElementKind::F64;
}

std::optional<int64_t> mlir::fpa::countElements(ArrayRef<int64_t> shape,
                                                ElementKind kind) {
  int64_t bytes = getElementBytes(kind);
  bool empty = is_contained(shape, 0);
  for (int64_t size : shape)
    if (size < 0 || (!empty && MulOverflow(bytes, size, bytes)))
      return std::nullopt;
  return empty ? 0 : bytes / getElementBytes(kind);
}

std::string mlir::fpa::formatShape(ArrayRef<int64_t> shape, ElementKind kind) {
  std::string text;
  for (int64_t size : shape)
    text += (size < 0 ? "?" : std::to_string(size)) + "x";
  return text + getElementName(kind).str();
}

/// The system may promise more memory than it has and end the program later.
static size_t getPhysicalMemory() {
  return size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGESIZE));
}

Expected<Tensor> Tensor::create(ElementKind kind, ArrayRef<int64_t> shape) {
  std::optional<int64_t> count = countElements(shape, kind);
  constexpr size_t alignment = 64;
  void *memory = nullptr;
  size_t bytes =
      count ? alignTo(*count * getElementBytes(kind) + 1, alignment) : 0;
  if (!count || bytes > getPhysicalMemory() ||
      posix_memalign(&memory, alignment, bytes) != 0)
    return createStringError("no memory for a tensor of " +
                             formatShape(shape, kind));
  std::memset(memory, 0, bytes);
  return Tensor(kind, shape, std::shared_ptr<void>(memory, std::free), memory);
}

Tensor::Tensor(ElementKind kind, ArrayRef<int64_t> shape,
               std::shared_ptr<void> owner, void *data)
    : kind(kind), shape(shape), count(*countElements(shape, kind)),
      owner(std::move(owner)), data(data) {}

template <typename T> static T load(const char *data, int64_t i) {
  T value;
  std::memcpy(&value, data + i * int64_t(sizeof(T)), sizeof(T));
  return value;
}

template <typename T> static void store(char *data, int64_t i, T value) {
  std::memcpy(data + i * int64_t(sizeof(T)), &value, sizeof(T));
}

static const fltSemantics &getSemantics(ElementKind kind) {
  return kind == ElementKind::F16 ? APFloat::IEEEhalf() : APFloat::BFloat();
}

double Tensor::get(int64_t i) const {
  switch (kind) {
  case ElementKind::F16:
  case ElementKind::BF16:
    return APFloat(getSemantics(kind), APInt(16, load<uint16_t>(getData(), i)))
        .convertToDouble();
  case ElementKind::F32:
    return load<float>(getData(), i);
  case ElementKind::F64:
    return load<double>(getData(), i);
  default:
    return double(getInt(i));
  }
}

void Tensor::set(int64_t i, double value) {
  switch (kind) {
  case ElementKind::F16:
  case ElementKind::BF16: {
    APFloat rounded(value);
    bool losesInfo;
    rounded.convert(getSemantics(kind), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    store(getData(), i, uint16_t(rounded.bitcastToAPInt().getZExtValue()));
    return;
  }
  case ElementKind::F32:
    return store(getData(), i, float(value));
  case ElementKind::F64:
    return store(getData(), i, value);
  default:
    return setInt(i, int64_t(value));
  }
}

int64_t Tensor::getInt(int64_t i) const {
  switch (kind) {
  case ElementKind::I1:
    return load<uint8_t>(getData(), i) != 0;
  case ElementKind::I32:
    return load<int32_t>(getData(), i);
  case ElementKind::I64:
  case ElementKind::Index:
    return load<int64_t>(getData(), i);
  default:
    return int64_t(get(i));
  }
}

void Tensor::setInt(int64_t i, int64_t value) {
  switch (kind) {
  case ElementKind::I1:
    return store(getData(), i, uint8_t(value != 0));
  case ElementKind::I32:
    return store(getData(), i, int32_t(value));
  case ElementKind::I64:
  case ElementKind::Index:
    return store(getData(), i, value);
  default:
    return set(i, double(value));
  }
}

Expected<Tensor> Tensor::convertTo(ElementKind to) const {
  Expected<Tensor> result = create(to, shape);
  if (!result)
    return result;
  bool integers = !isFloat(kind) && !isFloat(to);
  for (int64_t i = 0; i < count; ++i) {
    if (integers)
      result->setInt(i, getInt(i));
    else
      result->set(i, get(i));
  }
  return result;
}
