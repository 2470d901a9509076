//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OwnTiles.h"
#include "fpa/Dialect/IR/Tile/Layout.h"

using namespace mlir;
using namespace mlir::fpa;

void mlir::fpa::readOwnSize(DictionaryAttr tiles, StringRef name,
                            int64_t &size) {
  if (!tiles)
    return;
  if (auto own = tiles.getAs<IntegerAttr>(name))
    size = own.getInt();
}

void mlir::fpa::setMachine(DictionaryAttr tiles,
                           ArrayRef<scf::ForallOp> loops) {
  if (!tiles)
    return;
  for (scf::ForallOp loop : loops) {
    if (auto warps = tiles.getAs<IntegerAttr>("warps"))
      loop->setAttr(warpsAttrName, warps);
    if (auto stages = tiles.getAs<IntegerAttr>("stages"))
      loop->setAttr(stagesAttrName, stages);
  }
}
