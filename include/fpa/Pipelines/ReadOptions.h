//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Options of pipelines as text. MLIR's own reader prints what it does not like
// to standard error and tells the caller nothing.

#ifndef FPA_PIPELINES_READOPTIONS_H
#define FPA_PIPELINES_READOPTIONS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace mlir::fpa {

struct CPUPipelineOptions;
struct GPUPipelineOptions;

using OptionsByName = llvm::DenseMap<llvm::StringRef, llvm::cl::Option *>;

/// Sets the options that `text` names, "a=1 b=2": integers, words, strings and
/// flags; the value of a string may be in quotes. Fails, naming option and
/// value, without a word on standard error.
llvm::Error readOptions(const OptionsByName &options, llvm::StringRef text);

/// The same, and fails where an option has no meaning.
llvm::Error readOptions(CPUPipelineOptions &options, llvm::StringRef text);
llvm::Error readOptions(GPUPipelineOptions &options, llvm::StringRef text);

/// The same for who makes code for `chip` and has options of its own for it, the
/// format and the toolkit: fails where `text` names another chip, or one of the
/// others.
llvm::Error readOptions(GPUPipelineOptions &options, llvm::StringRef text,
                        llvm::StringRef chip);

} // namespace mlir::fpa

#endif // FPA_PIPELINES_READOPTIONS_H
