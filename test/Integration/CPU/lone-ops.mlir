// Ops of the inner levels that a program itself holds, outside of any parallel
// loop, also run.
// RUN: fpa-run %s --entry=online --input=5x8xf32 --input=7x8xf32 --input=7xf32:walk --tolerance=1e-5
// RUN: fpa-run %s --entry=scan --tolerance=0

func.func @online(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %f: tensor<?xf32>) -> (tensor<?x8xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %q, %c0 : tensor<?x8xf32>
  %rows = tensor.empty(%n) : tensor<?xf32>
  %block = tensor.empty(%n) : tensor<?x8xf32>
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0x7F800000 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %a = linalg.fill ins(%zero : f32) outs(%block : tensor<?x8xf32>) -> tensor<?x8xf32>
  %m = linalg.fill ins(%minus_inf : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.fill ins(%zero : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.fill ins(%inf : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %t:4 = fpa.online_attention ins(%q, %k, %k : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>)
    field(%f : tensor<?xf32>)
    outs(%a, %m, %s, %r : tensor<?x8xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {scale = 0.5 : f64}
    -> tensor<?x8xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  %o, %lse = fpa.online_finalize ins(%t#0, %t#1, %t#2 : tensor<?x8xf32>, tensor<?xf32>, tensor<?xf32>)
    outs(%block, %rows : tensor<?x8xf32>, tensor<?xf32>) -> tensor<?x8xf32>, tensor<?xf32>
  return %o, %lse : tensor<?x8xf32>, tensor<?xf32>
}

func.func @scan(%x: tensor<37xf32>) -> tensor<37xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant dense<0x7F800000> : vector<f32>
  %v = vector.transfer_read %x[%c0], %zero : tensor<37xf32>, vector<37xf32>
  %s, %t = fpa.vector_scan <min> axis(0) %v, %inf : vector<37xf32>, vector<f32>
  %e = tensor.empty() : tensor<37xf32>
  %w = vector.transfer_write %s, %e[%c0] : vector<37xf32>, tensor<37xf32>
  return %w : tensor<37xf32>
}
