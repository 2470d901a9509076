//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Tools/FillTensor.h"
#include "fpa/Tools/CommandLine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

Expected<TensorSpec> mlir::fpa::parseShape(StringRef text) {
  TensorSpec spec;
  StringRef rest = text;
  for (;;) {
    auto [head, tail] = rest.split('x');
    int64_t size;
    if (head.empty() ||
        !llvm::all_of(head, [](char c) { return llvm::isDigit(c); }) ||
        head.getAsInteger(10, size))
      break;
    spec.shape.push_back(size);
    rest = tail;
  }
  std::optional<ElementKind> kind = parseElementKind(rest);
  if (!kind)
    return createStringError("expected @FILE.npy or a shape such as 2x3xf32, "
                             "got '" +
                             text + "'");
  spec.kind = *kind;
  if (!countElements(spec.shape, spec.kind))
    return createStringError("the shape '" + text + "' is too large");
  return spec;
}

namespace {
/// SplitMix64: the same numbers on every machine, from any seed.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t bits() {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  double uniform() { return double(bits() >> 11) * 0x1p-53; }
  /// By Box and Muller's transform.
  double normal() {
    constexpr double twoPi = 6.283185307179586;
    double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(twoPi * uniform());
  }

private:
  uint64_t state;
};

enum class FillKind { Normal, Uniform, Walk, Ramp };
} // namespace

static void fillRandom(Tensor &tensor, FillKind pattern, uint64_t seed) {
  Random random(seed);
  bool floats = isFloat(tensor.getKind());
  bool bits = tensor.getKind() == ElementKind::I1;
  ArrayRef<int64_t> shape = tensor.getShape();
  int64_t line = shape.empty() ? 1 : shape.back();
  double sum = 0;
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
    if (pattern == FillKind::Ramp) {
      tensor.set(i, double(i));
      continue;
    }
    double value = !floats ? double(random.bits() % (bits ? 2 : 10))
                   : pattern == FillKind::Uniform ? 2 * random.uniform() - 1
                                                  : random.normal();
    if (pattern == FillKind::Walk) {
      sum = i % line == 0 ? value : sum + value;
      value = sum;
    }
    tensor.set(i, value);
  }
}

static Error fillList(Tensor &tensor, StringRef list) {
  SmallVector<StringRef> parts;
  list.split(parts, ',');
  if (parts.size() != 1 && int64_t(parts.size()) != tensor.getNumElements())
    return createStringError("expected 1 or " + Twine(tensor.getNumElements()) +
                             " numbers, got " + Twine(parts.size()));
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
    StringRef part = parts.size() == 1 ? parts[0] : parts[i];
    if (isFloat(tensor.getKind())) {
      Expected<double> value = parseNumber(part);
      if (!value)
        return value.takeError();
      tensor.set(i, *value);
    } else {
      Expected<int64_t> value = parseInteger(part, INT64_MIN);
      if (!value)
        return value.takeError();
      tensor.setInt(i, *value);
    }
  }
  return Error::success();
}

Error mlir::fpa::fillTensor(Tensor &tensor, StringRef generator,
                            uint64_t seed) {
  auto pattern = llvm::StringSwitch<std::optional<FillKind>>(generator)
                     .Case("normal", FillKind::Normal)
                     .Case("uniform", FillKind::Uniform)
                     .Case("walk", FillKind::Walk)
                     .Case("ramp", FillKind::Ramp)
                     .Default(std::nullopt);
  if (pattern) {
    fillRandom(tensor, *pattern, seed);
    return Error::success();
  }
  StringRef list = llvm::StringSwitch<StringRef>(generator)
                       .Case("zeros", "0")
                       .Case("ones", "1")
                       .Default(generator);
  double first;
  if (list.split(',').first.getAsDouble(first))
    return createStringError("expected normal, uniform, walk, ramp, zeros, "
                             "ones, inf, nan or numbers, got '" +
                             generator + "'");
  return fillList(tensor, list);
}

void mlir::fpa::printElements(const Tensor &tensor) {
  llvm::raw_ostream &os = llvm::outs();
  int64_t line = tensor.getShape().empty() ? 1 : tensor.getShape().back();
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
    if (isFloat(tensor.getKind()))
      os << llvm::format("%.6g", tensor.get(i));
    else
      os << tensor.getInt(i);
    os << ((i + 1) % line == 0 ? "\n" : " ");
  }
}
