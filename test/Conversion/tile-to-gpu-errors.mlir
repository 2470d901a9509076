// RUN: fpa-opt %s --convert-fpa-tile-to-gpu --split-input-file --verify-diagnostics

func.func @no_layouts(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  // expected-error @below {{expected layouts (fpa-assign-layouts), got none}}
  scf.forall (%b) in (1) {
    %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    vector.transfer_write %v, %y[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  }
  return
}

// -----

func.func @steps(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  // expected-error @below {{expected a loop from 0 in steps of 1 on memrefs}}
  scf.forall (%b) = (0) to (8) step (2) {
    %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true], fpa.layouts = [#fpa.layout<["r l0 l1 l2 l3 l4 x1"]>]} : memref<64xf32>, vector<64xf32>
    vector.transfer_write %v, %y[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  } {fpa.warps = 1 : i64}
  return
}

// -----

func.func @unknown(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%b) in (1) {
    %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true], fpa.layouts = [#fpa.layout<["r l0 l1 l2 l3 l4 x1"]>]} : memref<64xf32>, vector<64xf32>
    // expected-error @below {{cannot be distributed to threads}}
    %w = vector.shuffle %v, %v [0, 1] {fpa.layouts = [#fpa.layout<["r x1"]>]} : vector<64xf32>, vector<64xf32>
    vector.transfer_write %v, %y[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  } {fpa.warps = 1 : i64}
  return
}
