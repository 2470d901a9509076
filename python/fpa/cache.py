# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled kernels on disk, so that the next process need not compile them again.

    fpa.cache.path()     # the folder, or None where there is none
    fpa.cache.size()     # bytes of the kernels in it
    fpa.cache.clear()    # removes them, and those in this process's memory

The folder is $FPA_CACHE_DIR, else fpa in $XDG_CACHE_HOME or ~/.cache. An empty
FPA_CACHE_DIR turns the cache off. What is in the folder is run, so one that others
may write to is not used. FPA_CACHE_BYTES bounds it, 256 MiB without it: the kernels
that were not used for longest go first.

A kernel is found by its MLIR text, entry and options, by the CPU's features and by
the compiler that made it. Processes may share the folder; a file that is damaged is
made again.
"""

import ctypes
import functools
import hashlib
import os
import stat
import threading

from ._library import lib

_MAGIC = b"fpa kernel 1\n"
_SUFFIX = ".fpa-kernel"
_NEW = ".fpa-new"
_DEFAULT_BYTES = 256 << 20


def path():
    """The folder, whether it is there yet or not; None where the cache is off."""
    folder = os.environ.get("FPA_CACHE_DIR")
    if folder is None:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join("~", ".cache")
        folder = os.path.join(base, "fpa")
    # An empty home would make it a folder of the root.
    if folder.startswith("~") and os.environ.get("HOME") != "":
        folder = os.path.expanduser(folder)
    # Without a home "~" stays; a relative folder would be another in each
    # working directory.
    return os.path.abspath(folder) if folder and folder[0] != "~" else None


def size():
    """Bytes of the kernels in the folder."""
    return sum(status.st_size for _, status in _kernels(path()))


def clear():
    """Removes the kernels in the folder and forgets those in memory. Raises
    OSError where one cannot be removed."""
    from ._program import cached
    cached.cache_clear()
    for file, _ in _kernels(path()):
        try:
            os.unlink(file)
        except FileNotFoundError:
            pass  # another process was first


def find(*words):
    """Object code for these words (text, entry, options), or None."""
    file = _file(words)
    try:
        # What is no file, a pipe or a device, might never end.
        if not stat.S_ISREG(os.stat(file).st_mode):
            return None
        with open(file, "rb") as stream:
            data = stream.read()
        os.utime(file)  # used just now
    except (OSError, TypeError):
        return None
    head = len(_MAGIC) + hashlib.sha256().digest_size
    code = data[head:]
    if data[:head] != _MAGIC + hashlib.sha256(code).digest():
        return None
    return code


def store(handle, *words):
    """Writes a program's object code, if it can be written."""
    folder, length = path(), ctypes.c_size_t()
    code = lib.fpaProgramObject(handle, length)
    if not code or folder is None:
        return
    code = ctypes.string_at(code, length.value)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        file = _file(words)
        if file is None:
            return
        temporary = f"{file}.{os.getpid()}-{threading.get_ident()}{_NEW}"
        try:
            with open(temporary, "wb") as stream:
                stream.write(_MAGIC + hashlib.sha256(code).digest() + code)
            os.replace(temporary, file)
        except BaseException:
            _remove(temporary)
            raise
        _shrink(folder)
    except OSError:
        pass  # a full or read-only disk costs time, not results


def _file(words):
    """Where the kernel for these words is; None where nothing may be kept."""
    folder = path()
    try:
        if folder is None or not _is_ours(os.stat(folder)):
            return None
    except OSError:
        return None
    digest = hashlib.sha256(_compiler())
    for word in words:
        data = word.encode(errors="surrogatepass")
        digest.update(b"%d " % len(data) + data)
    return os.path.join(folder, digest.hexdigest() + _SUFFIX)


def _is_ours(status):
    return (status.st_uid == os.getuid()
            and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


@functools.lru_cache(maxsize=1)
def _compiler():
    """What tells this compiler and machine from others."""
    with open(lib._name, "rb") as stream:
        code = hashlib.sha256(stream.read()).digest()
    return code + lib.fpaCompilerId()


def _kernels(folder):
    """(file, status) of each, and of what an interrupted process left."""
    try:
        entries = list(os.scandir(folder)) if folder else []
    except OSError:
        return
    for entry in entries:
        if entry.name.endswith((_SUFFIX, _NEW)):
            try:
                yield entry.path, entry.stat(follow_symlinks=False)
            except OSError:
                pass  # another process was faster


def _shrink(folder):
    """Removes the kernels used longest ago while they take too much."""
    try:
        limit = int(os.environ.get("FPA_CACHE_BYTES", _DEFAULT_BYTES))
    except ValueError:
        limit = _DEFAULT_BYTES
    kernels = sorted(_kernels(folder), key=lambda k: k[1].st_mtime)
    total = sum(status.st_size for _, status in kernels)
    for file, status in kernels:
        if total <= limit:
            break
        _remove(file)
        total -= status.st_size


def _remove(file):
    try:
        os.unlink(file)
    except OSError:
        pass
