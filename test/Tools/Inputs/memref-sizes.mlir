func.func @scan(%x: memref<?xf32>, %y: memref<?xf32>) {
  fpa.prefix_min axis(0) ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

func.func @copy(%x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.copy ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

func.func @plain_copy(%x: memref<?xf32>, %y: memref<?xf32>) {
  memref.copy %x, %y : memref<?xf32> to memref<?xf32>
  return
}

// The first half of %x, through an allocation and a view.
func.func @half(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %h = arith.divsi %n, %c2 : index
  %t = memref.alloc(%h) : memref<?xf32>
  %v = memref.subview %x[0] [%h] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  linalg.copy ins(%v : memref<?xf32, strided<[1]>>) outs(%t : memref<?xf32>)
  linalg.copy ins(%t : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

func.func @at_eight(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c8 = arith.constant 8 : index
  %e = memref.load %x[%c8] : memref<?xf32>
  memref.store %e, %y[%c8] : memref<?xf32>
  return
}

func.func @fixed(%x: memref<?xf32>) {
  %y = memref.cast %x : memref<?xf32> to memref<8xf32>
  linalg.exp ins(%y : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

func.func @attention(%q: memref<1x2x?x16xf32>, %f: memref<1x2x?xf32>, %o: memref<1x2x?x16xf32>) {
  fpa.attention ins(%q, %q, %q : memref<1x2x?x16xf32>, memref<1x2x?x16xf32>, memref<1x2x?x16xf32>)
    field(%f : memref<1x2x?xf32>) outs(%o : memref<1x2x?x16xf32>)
  return
}

// %n of them, as far as a memref that is only read says so.
func.func @count(%lengths: memref<2xi64>, %q: memref<1x2x8x16xf32>, %o: memref<1x2x8x16xf32>) {
  fpa.attention ins(%q, %q, %q : memref<1x2x8x16xf32>, memref<1x2x8x16xf32>, memref<1x2x8x16xf32>)
    cu_seqlens(%lengths, %lengths : memref<2xi64>, memref<2xi64>) outs(%o : memref<1x2x8x16xf32>)
  return
}
