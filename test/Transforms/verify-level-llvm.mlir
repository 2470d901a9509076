// RUN: fpa-opt %s --fpa-verify-level -split-input-file -verify-diagnostics

llvm.func @lowered(%x: i64) -> i64 {
  %y = llvm.add %x, %x : i64
  llvm.return %y : i64
}

// -----

func.func @fpa_op(%x: memref<4xf32>) {
  // expected-error @below {{'fpa.prefix_min' op expected the llvm dialect only after the last stage: the stages before it lower the rest}}
  fpa.prefix_min axis(0) ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// -----

// expected-error @below {{'func.func' op expected the llvm dialect only after the last stage}}
func.func @function() {
  return
}

// -----

// What stands behind a cast is named, not the cast.
llvm.func @user(%x: !llvm.ptr) {
  %m = builtin.unrealized_conversion_cast %x : !llvm.ptr to memref<f32>
  // expected-error @below {{'memref.load' op expected the llvm dialect only after the last stage}}
  %y = memref.load %m[] : memref<f32>
  llvm.return
}

// -----

llvm.func @producer() -> !llvm.ptr {
  // expected-error @below {{'memref.alloc' op expected the llvm dialect only after the last stage}}
  %m = memref.alloc() : memref<f32>
  %p = builtin.unrealized_conversion_cast %m : memref<f32> to !llvm.ptr
  llvm.return %p : !llvm.ptr
}

// -----

llvm.func @both(%x: i64) -> i32 {
  // expected-error @below {{'builtin.unrealized_conversion_cast' op expected the llvm dialect only after the last stage}}
  %y = builtin.unrealized_conversion_cast %x : i64 to i32
  llvm.return %y : i32
}

// -----

// Neither of fpa nor behind a cast.
llvm.func @other() {
  // expected-error @below {{'gpu.barrier' op expected the llvm dialect only after the last stage}}
  gpu.barrier
  llvm.return
}
