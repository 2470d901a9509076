"""Opens a package with the loader that lies beside it, as the check does."""

import os
import sys

folder, name = sys.argv[1:]
sys.path.insert(0, folder)

from gpu_loader import Package  # noqa: E402

description = Package(folder, os.path.join(folder, name)).description
entries = description["entries"]
print(description["chip"], *(f"{entry} {len(entries[entry]['inputs'])} inputs"
                             for entry in sorted(entries)))
