"""Opens a package with the loader that lies beside it, as the check does."""

import os
import sys

folder, name = sys.argv[1:]
sys.path.insert(0, folder)

import gpu_check  # noqa: E402

package = gpu_check.import_loader(folder).Package(os.path.join(folder, name))
print(package.chip, *(f"{entry} {len(types['inputs'])} inputs"
                      for entry, types in sorted(package.entries.items())))
