//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Support/OneLine.h"
#include <cstdint>

namespace {
// A name of usual length and what is said about it stay whole.
constexpr size_t mostBytes = 640, frontBytes = 400, backBytes = 200;

/// The number of bytes of the character that `text` begins with, and its code;
/// 0 bytes where none does.
size_t decode(std::string_view text, uint32_t &code) {
  uint8_t lead = uint8_t(text[0]);
  size_t length = lead < 0x80             ? 1
                  : (lead & 0xE0) == 0xC0 ? 2
                  : (lead & 0xF0) == 0xE0 ? 3
                  : (lead & 0xF8) == 0xF0 ? 4
                                          : 0;
  if (length == 0 || text.size() < length)
    return 0;
  code = length == 1 ? lead : lead & (0x7F >> length);
  for (size_t i = 1; i < length; ++i) {
    uint8_t next = uint8_t(text[i]);
    if ((next & 0xC0) != 0x80)
      return 0;
    code = code << 6 | (next & 0x3F);
  }
  constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  bool isSurrogate = code >= 0xD800 && code < 0xE000;
  return code < least[length] || code > 0x10FFFF || isSurrogate ? 0 : length;
}

/// Codes that are no characters: controls, and marks that turn the direction of
/// what follows or end a line.
bool isControl(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) ||
         (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

bool isContinued(const std::string &text, size_t place) {
  return place < text.size() && (uint8_t(text[place]) & 0xC0) == 0x80;
}
} // namespace

std::string mlir::fpa::toOneLine(std::string_view text) {
  constexpr const char *digits = "0123456789ABCDEF";
  std::string line;
  while (!text.empty()) {
    uint32_t code = 0;
    size_t length = decode(text, code);
    bool isSpace = length && (code == '\n' || code == '\r' || code == '\t');
    if (isSpace) {
      line += ' ';
    } else if (length && !isControl(code)) {
      line += text.substr(0, length);
    } else {
      for (char c : text.substr(0, length ? length : 1)) {
        line += "\\x";
        line += digits[uint8_t(c) >> 4];
        line += digits[uint8_t(c) & 15];
      }
    }
    text.remove_prefix(length ? length : 1);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  if (line.size() <= mostBytes)
    return line;
  size_t front = frontBytes, back = line.size() - backBytes;
  while (isContinued(line, front))
    --front;
  while (isContinued(line, back))
    ++back;
  return line.substr(0, front) + " ... " + line.substr(back);
}
