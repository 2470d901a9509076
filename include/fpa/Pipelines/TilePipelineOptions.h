//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_PIPELINES_TILEPIPELINEOPTIONS_H
#define FPA_PIPELINES_TILEPIPELINEOPTIONS_H

#include "mlir/Pass/PassOptions.h"

namespace mlir::fpa {

/// What one may choose about tiles in the pipeline of any target.
template <typename Options>
struct TilePipelineOptions : public PassPipelineOptions<Options> {
  template <typename T> using Option = mlir::detail::PassOptions::Option<T>;

  /// What each target says about its tiles.
  TilePipelineOptions(StringRef query, StringRef key, StringRef edge)
      : queryTile(*this, "query-tile", llvm::cl::desc(query),
                  llvm::cl::init(0)),
        keyTile(*this, "key-tile", llvm::cl::desc(key), llvm::cl::init(0)),
        edgeTile(*this, "edge-tile", llvm::cl::desc(edge), llvm::cl::init(0)),
        productsOnly(
            *this, "products-only",
            llvm::cl::desc("Leave out softmax and penalty, to measure their "
                           "cost"),
            llvm::cl::init(false)) {}

  /// For readOptions.
  const llvm::DenseMap<StringRef, llvm::cl::Option *> &byName() const {
    return this->OptionsMap;
  }

  Option<int64_t> queryTile, keyTile, edgeTile;
  Option<bool> productsOnly;
};

} // namespace mlir::fpa

#endif // FPA_PIPELINES_TILEPIPELINEOPTIONS_H
