import numpy as np

import fpa

cumulate = fpa.compile("""
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c = arith.addf %a, %b : tensor<?xf32>
  return %c : tensor<?xf32>
}""")
print(cumulate(np.float32([1, 2, 3]), np.float32([0, 1, 3])))

q = np.random.default_rng(0).normal(size=(1, 2, 5, 4)).astype(np.float32)
field = np.float32([[[2, 1, 3, 0, 2]]])
k, v = q[:, :1], q[:, 1:]
o = fpa.attention(q, k, v, field)
want, _ = fpa.reference.attention(q, k, v, field)
print(o.shape, o.dtype, bool(np.abs(o - want).max() < 1e-5))
