//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Support/Npy.h"
#include "fpa/Support/InputFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>

using namespace llvm;
using namespace mlir::fpa;

static constexpr StringLiteral kMagic("\x93NUMPY");

namespace {
/// What the Python dictionary in front of the data says.
struct NpyHeader {
  std::string descr;
  bool fortranOrder = false;
  SmallVector<int64_t> shape;
};

/// Reads that dictionary. Every member returns false on the first thing that
/// does not belong there.
class HeaderParser {
public:
  HeaderParser(StringRef text, NpyHeader &header)
      : rest(text), header(header) {}

  bool parse() {
    bool seen[3] = {false, false, false};
    if (!eat("{"))
      return false;
    while (!eat("}")) {
      std::string key;
      if (!quoted(key) || !eat(":"))
        return false;
      int which = StringSwitch<int>(key)
                      .Case("descr", 0)
                      .Case("fortran_order", 1)
                      .Case("shape", 2)
                      .Default(-1);
      if (which < 0 || seen[which] || !value(which))
        return false;
      seen[which] = true;
      if (!eat(",") && !rest.ltrim().starts_with("}"))
        return false;
    }
    return seen[0] && seen[1] && seen[2] && rest.trim().empty();
  }

private:
  bool eat(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  bool value(int which) {
    if (which == 0)
      return quoted(header.descr);
    if (which == 2)
      return shape();
    header.fortranOrder = eat("True");
    return header.fortranOrder || eat("False");
  }

  bool quoted(std::string &text) {
    StringRef quote = eat("'") ? "'" : eat("\"") ? "\"" : "";
    size_t end = quote.empty() ? StringRef::npos : rest.find(quote);
    if (end == StringRef::npos)
      return false;
    text = rest.take_front(end).str();
    rest = rest.drop_front(end + 1);
    return true;
  }

  bool shape() {
    if (!eat("("))
      return false;
    while (!eat(")")) {
      int64_t size;
      rest = rest.ltrim();
      if (rest.consumeInteger(10, size) || size < 0)
        return false;
      header.shape.push_back(size);
      if (!eat(",") && !rest.ltrim().starts_with(")"))
        return false;
    }
    return true;
  }

  StringRef rest;
  NpyHeader &header;
};
} // namespace

static std::optional<ElementKind> parseDescr(StringRef descr) {
  return StringSwitch<std::optional<ElementKind>>(descr)
      .Case("<f2", ElementKind::F16)
      .Cases({"<V2", "|V2"}, ElementKind::BF16)
      .Case("<f4", ElementKind::F32)
      .Case("<f8", ElementKind::F64)
      .Case("<i4", ElementKind::I32)
      .Case("<i8", ElementKind::I64)
      .Cases({"|b1", "<b1"}, ElementKind::I1)
      .Default(std::nullopt);
}

static StringRef getDescr(ElementKind kind) {
  switch (kind) {
  case ElementKind::F16:
    return "<f2";
  case ElementKind::BF16:
    return "<V2";
  case ElementKind::F32:
    return "<f4";
  case ElementKind::F64:
    return "<f8";
  case ElementKind::I32:
    return "<i4";
  case ElementKind::I1:
    return "|b1";
  case ElementKind::I64:
  case ElementKind::Index:
    return "<i8";
  }
  llvm_unreachable("unknown element kind");
}

/// Copies column-major elements into row-major order.
static void copyFortranOrder(const char *from, Tensor &to) {
  int64_t bytes = getElementBytes(to.getKind());
  ArrayRef<int64_t> shape = to.getShape();
  SmallVector<int64_t> strides(shape.size(), 1), index(shape.size(), 0);
  for (size_t d = 1; d < shape.size(); ++d)
    strides[d] = strides[d - 1] * shape[d - 1];
  for (int64_t i = 0, e = to.getNumElements(); i < e; ++i) {
    int64_t source = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      source += index[d] * strides[d];
    std::memcpy(to.getData() + i * bytes, from + source * bytes, bytes);
    for (size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];)
      index[d] = 0;
  }
}

static Expected<Tensor> parseNpy(StringRef file) {
  StringRef rest = file;
  if (!rest.consume_front(kMagic) || rest.size() < 4)
    return createStringError("expected a .npy file");
  int major = uint8_t(rest[0]);
  if (major < 1 || major > 3)
    return createStringError("expected .npy version 1, 2 or 3, got " +
                             Twine(major));
  rest = rest.drop_front(2);
  size_t lengthBytes = major == 1 ? 2 : 4;
  if (rest.size() < lengthBytes)
    return createStringError("truncated .npy header");
  size_t length = major == 1 ? support::endian::read16le(rest.data())
                             : support::endian::read32le(rest.data());
  rest = rest.drop_front(lengthBytes);
  if (rest.size() < length)
    return createStringError("truncated .npy header");
  NpyHeader header;
  if (!HeaderParser(rest.take_front(length), header).parse())
    return createStringError("malformed .npy header");
  rest = rest.drop_front(length);

  std::optional<ElementKind> kind = parseDescr(header.descr);
  if (!kind)
    return createStringError(
        "expected elements of type <f2, <f4, <f8, <i4, <i8, |b1 or <V2 "
        "(bf16), got '" +
        header.descr + "'");
  std::optional<int64_t> count = countElements(header.shape, *kind);
  if (!count)
    return createStringError("the shape in the .npy header is too large");
  int64_t bytes = *count * getElementBytes(*kind);
  if (uint64_t(bytes) != rest.size())
    return createStringError(
        "expected " + Twine(bytes) + " bytes of data for " +
        formatShape(header.shape, *kind) + ", got " + Twine(rest.size()));
  Expected<Tensor> tensor = Tensor::create(*kind, header.shape);
  if (!tensor)
    return tensor;
  if (header.fortranOrder)
    copyFortranOrder(rest.data(), *tensor);
  else if (bytes)
    std::memcpy(tensor->getData(), rest.data(), bytes);
  return tensor;
}

Expected<Tensor> mlir::fpa::readNpy(StringRef path) {
  Expected<std::unique_ptr<MemoryBuffer>> buffer = readDataFile(path);
  if (!buffer)
    return buffer.takeError();
  Expected<Tensor> tensor = parseNpy((*buffer)->getBuffer());
  if (!tensor)
    return createStringError("'" + path + "': " + toString(tensor.takeError()));
  return tensor;
}

Error mlir::fpa::addNpy(OutputFiles &files, StringRef path,
                        const Tensor &tensor) {
  std::string header = ("{'descr': '" + getDescr(tensor.getKind()) +
                        "', 'fortran_order': False, 'shape': (")
                           .str();
  for (int64_t size : tensor.getShape())
    header += std::to_string(size) + ", ";
  // Python writes (3,) for one size and (3, 4) for two.
  if (tensor.getShape().size() > 1)
    header.resize(header.size() - 2);
  else if (tensor.getShape().size() == 1)
    header.pop_back();
  header += "), }";

  bool isShort = header.size() < 60000;
  size_t front = kMagic.size() + 2 + (isShort ? 2 : 4);
  header.resize(alignTo(front + header.size() + 1, 64) - front - 1, ' ');
  header += '\n';
  std::string prefix = kMagic.str() + char(isShort ? 1 : 2) + '\0';
  for (int i = 0; i < (isShort ? 2 : 4); ++i)
    prefix += char(header.size() >> (8 * i));
  return files.add(path,
                   {prefix, header,
                    StringRef(tensor.getData(), size_t(tensor.getNumBytes()))});
}
