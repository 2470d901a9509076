# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Importing the package and fpa.package, and what they say when they cannot."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import fpa


def run(code, folder):
    """What a new Python that finds packages in `folder` says."""
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": folder})
    return ended.returncode, (ended.stdout + ended.stderr).strip()


BUILT = os.path.dirname(os.path.dirname(os.path.abspath(fpa.__file__)))


class Import(unittest.TestCase):

    def test_package_is_there_when_asked_for(self):
        code = ("import sys, fpa; assert 'fpa.package' not in sys.modules; "
                "print(fpa.package.Package.__name__, 'package' in dir(fpa))")
        self.assertEqual(run(code, BUILT), (0, "Package True"))
        with self.assertRaisesRegex(AttributeError, "no attribute 'nothing'"):
            fpa.nothing

    def test_version_is_that_of_the_wheel(self):
        project = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                               "..", "..", "pyproject.toml")
        with open(project) as file:
            self.assertIn(f'\nversion = "{fpa.__version__}"\n', file.read())

    def test_sources_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(os.path.join(BUILT, "fpa"),
                            os.path.join(folder, "fpa"),
                            ignore=shutil.ignore_patterns("*.so"))
            status, text = run("import fpa", folder)
            self.assertEqual(status, 1)
            self.assertRegex(text.splitlines()[-1],
                             "ImportError: expected fpa's C library, found no "
                             "'.*libfpa.so': set PYTHONPATH to build/python")
            shutil.copy(os.path.join(folder, "fpa", "package.py"), folder)
            status, text = run("import package", folder)
            self.assertEqual(status, 1)
            self.assertRegex(text.splitlines()[-1],
                             "ImportError: expected the loader of packages, "
                             "found no '.*libfpa_loader.so': copy it there")


class Path(unittest.TestCase):

    def test_null_characters(self):
        for path in ("a.pkg\0x", b"a.pkg\0x"):
            with self.assertRaisesRegex(
                    ValueError, "expected a path without null characters, got "):
                fpa.package.Package(path)

    def test_no_file(self):
        with self.assertRaisesRegex(fpa.package.PackageError, "/none.pkg"):
            fpa.package.Package("/none.pkg")


if __name__ == "__main__":
    unittest.main()
