//===- OneLine.h - Text of others in messages -------------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Messages quote names and values out of files. What these hold must neither
// move a terminal's cursor nor fill its screen. No LLVM is needed here.

#ifndef FPA_SUPPORT_ONELINE_H
#define FPA_SUPPORT_ONELINE_H

#include <string>
#include <string_view>

namespace mlir::fpa {

/// `text` as one line of valid UTF-8: line ends and tabs become spaces, control
/// characters and stray bytes \xNN. Of a long text the middle is left out.
std::string toOneLine(std::string_view text);

} // namespace mlir::fpa

#endif // FPA_SUPPORT_ONELINE_H
