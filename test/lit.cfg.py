"""How lit finds and runs the tests of fpa."""

import os
import shutil
import subprocess

import lit.formats

config.name = "fpa"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["lib", "Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.fpa_build_root, "test")

bin_dir = os.path.join(config.fpa_build_root, "bin")
config.environment["PATH"] = os.pathsep.join(
    [bin_dir, config.llvm_tools_dir, os.environ.get("PATH", "")])

def without_privileges():
    """What runs a program that may not read everything, but this folder; None
    if nothing does. Root stays root, so that a tree in root's home will do, and
    gives up what root may do beyond the rights that files have."""
    if os.geteuid() != 0:
        return ""
    setpriv = shutil.which("setpriv")
    command = [setpriv, "--bounding-set=-all", "--inh-caps=-all"]
    read = ["cat", os.path.abspath(__file__)]
    runs = setpriv and subprocess.run(
        command + read, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL).returncode == 0
    return " ".join(command) if runs else None


unprivileged = without_privileges()
if unprivileged is not None:
    config.available_features.add("unprivileged")
config.environment["FPA_CACHE_DIR"] = os.path.join(
    config.test_exec_root, "kernel-cache")
config.environment["PYTHONPATH"] = os.path.join(config.fpa_build_root, "python")
config.substitutions += [
    ("%unprivileged", unprivileged or ""),
    ("%cc", config.c_compiler),
    ("%python", config.python_executable),
    ("%fpa_src_root", config.fpa_source_root),
    ("%fpa_build_root", config.fpa_build_root),
    ("%fpa_lib_dir", os.path.join(config.fpa_build_root, "lib")),
    ("%llvm_lib_dir", config.llvm_library_dir),
    ("%llvm_include_dir", config.llvm_include_dir),
    ("%mock_cuda_dir",
     os.path.join(config.fpa_build_root, "test", "lib", "mock-cuda")),
]

# The CUDA toolkit's assembler is used where it is.
cuda_folders = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"),
                "/usr/local/cuda"]
if any(f and os.access(os.path.join(f, "bin", "ptxas"), os.X_OK)
       for f in cuda_folders):
    config.available_features.add("ptxas")
for variable in ("CUDA_HOME", "CUDA_PATH"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]
