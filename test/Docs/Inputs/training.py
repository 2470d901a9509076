"""Runs the Python blocks of the page on training and says what they left."""

import re
import sys

try:
    import torch
except ImportError:
    print("skipped: PyTorch is not installed")
    sys.exit()

blocks = re.findall(r"^```python\n(.*?)^```", open(sys.argv[1]).read(),
                    re.M | re.S)
names = {}
for block in blocks:
    exec(block, names)
losses = names["losses"]
fell = sum(losses[-5:]) < 0.7 * sum(losses[:5])
print(f"{len(blocks)} blocks, the loss {'fell' if fell else 'stayed'}, packed as "
      f"alone: {torch.allclose(names['packed'][:, 5:], names['alone'], atol=1e-5)}"
      f", gradients: {bool((names['field'].grad != 0).any())}")
if not fell:
    print(losses)
