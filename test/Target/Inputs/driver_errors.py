"""Lets each call of the mock driver fail in turn and prints what fpa-run says."""

import os
import subprocess
import sys

CALLS = """cuInit cuDeviceGetCount cuDeviceGet cuDeviceGetName
cuDeviceGetAttribute cuDevicePrimaryCtxRetain cuCtxSetCurrent cuModuleLoadDataEx
cuModuleGetFunction cuFuncGetAttribute cuMemAlloc cuMemcpyHtoDAsync
cuLaunchKernel cuStreamSynchronize cuMemcpyDtoHAsync cuEventCreate cuEventRecord
cuEventSynchronize cuEventElapsedTime""".split()

for call in CALLS:
    command = ["fpa-run", sys.argv[1], "--target=cuda", "--input=3x4xf32",
               "--input=3x4xf32"] + ["--bench=1"] * call.startswith("cuEvent")
    done = subprocess.run(command, env=dict(os.environ, FPA_MOCK_FAIL=call),
                          capture_output=True, text=True, check=False)
    lines = done.stderr.splitlines()
    assert done.returncode == 1 and len(lines) == 1, (call, done)
    print(f"{call}: {lines[0].removeprefix('fpa-run: error: ')}")
