// RUN: fpa-opt %s --fpa-assign-layouts -verify-diagnostics

// Two axes that are both summed over want the lanes.
func.func @both(%x: memref<32xf32>, %y: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<32xf32>
  scf.forall (%w) in (2) {
    %a = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
    %b = vector.transfer_read %y[%c0], %zero {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
    // expected-error@+1 {{expected every lane and warp bit at most once in the layout}}
    %c = vector.broadcast %a : vector<32xf32> to vector<32x32xf32>
    %d = vector.broadcast %b : vector<32xf32> to vector<32x32xf32>
    %e = vector.transpose %d, [1, 0] : vector<32x32xf32> to vector<32x32xf32>
    %f = arith.addf %c, %e : vector<32x32xf32>
    %r = vector.multi_reduction <add>, %f, %none [0] : vector<32x32xf32> to vector<32xf32>
    %s = vector.multi_reduction <add>, %f, %none [1] : vector<32x32xf32> to vector<32xf32>
    vector.transfer_write %r, %x[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
  }
  return
}
