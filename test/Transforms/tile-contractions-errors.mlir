// RUN: not fpa-opt %s --fpa-tile-contractions="row-tile=1" 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: not fpa-opt %s --fpa-tile-contractions="column-tile=0" 2>&1 | FileCheck %s --check-prefix=COLUMN
// RUN: not fpa-opt %s --fpa-tile-contractions="depth-tile=-4" 2>&1 | FileCheck %s --check-prefix=DEPTH

// ROW: error: expected row-tile to be at least 2, got 1
// COLUMN: error: expected column-tile to be at least 2, got 0
// DEPTH: error: expected depth-tile to be at least 2, got -4
func.func @main() {
  return
}
