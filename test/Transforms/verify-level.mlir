// RUN: fpa-opt %s --fpa-verify-level=level=buffers -split-input-file -verify-diagnostics

func.func @buffers(%x: memref<4xf32>) {
  fpa.prefix_min axis(0) ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// -----

func.func @operand(%n: index) -> index {
  %x = tensor.empty(%n) : tensor<?xf32> // expected-error {{'tensor.empty' op expected memrefs at this stage, got tensors: bufferization comes before it}}
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  return %d : index
}

// -----

// expected-error @below {{'func.func' op expected memrefs at this stage, got tensors}}
func.func private @declaration(tensor<4xf32>)
