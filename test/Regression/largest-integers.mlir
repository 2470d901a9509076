// Numbers next to the largest of 64 bits are numbers like any other.

// RUN: fpa-compile %s --target=nvptx --chip=sm_80 -o %t.pkg
// RUN: fpa-run %s --entry=main --input=7xf32 --target=emulator --seed=1 --compare=reference | FileCheck %s
// RUN: fpa-run %s --entry=main --input=7xf32 --target=cpu --seed=1 --compare=reference | FileCheck %s
// CHECK: output 0: max absolute error 0, max relative error 0,

func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %most = arith.constant 9223372036854775807 : index
  %next = arith.constant 9223372036854775806 : index
  %least = arith.constant -9223372036854775808 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %a = arith.minsi %d, %most : index
  %b = arith.minsi %a, %next : index
  %n = arith.maxsi %b, %least : index
  %m = tensor.empty(%n) : tensor<?xf32>
  %y = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %r = fpa.prefix_min axis(0) ins(%y : tensor<?xf32>) outs(%m : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
