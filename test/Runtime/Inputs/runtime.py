"""Drives the runtime library through its C interface."""

import ctypes
import os
import sys
import threading

lib = ctypes.CDLL(os.path.join(sys.argv[1], "libfpa_runtime.so"))
BODY = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p)
parallel_for = lib.fpa_parallel_for
parallel_for.argtypes = [ctypes.c_int64, BODY, ctypes.c_void_p]
alloc = lib._mlir_memref_to_llvm_alloc
aligned_alloc = lib._mlir_memref_to_llvm_aligned_alloc
free = lib._mlir_memref_to_llvm_free
alloc.argtypes = [ctypes.c_int64]
aligned_alloc.argtypes = [ctypes.c_int64, ctypes.c_int64]
alloc.restype = aligned_alloc.restype = ctypes.c_void_p
free.argtypes = [ctypes.c_void_p]
peak, current = lib.fpa_memory_peak, lib.fpa_memory_current
peak.restype = current.restype = ctypes.c_int64


def indices(count):
    seen = []
    parallel_for(count, BODY(lambda i, _: seen.append(i)), None)
    return sorted(seen)


def threads():
    for n in (1, 2, 5):
        lib.fpa_set_num_threads(n)
        assert lib.fpa_get_num_threads() == n
        for count in (0, 1, 2, 3, 1000):
            assert indices(count) == list(range(count)), (n, count)
    # Two bodies that wait for each other need two threads.
    lib.fpa_set_num_threads(2)
    meet = threading.Barrier(2, timeout=30)
    parallel_for(2, BODY(lambda i, _: meet.wait() and None), None)
    assert meet.n_waiting == 0 and not meet.broken
    # A nested call runs all of its indices, on the thread that makes it.
    places = []

    def outer(i, _):
        me = threading.get_ident()
        mine = []
        parallel_for(7, BODY(lambda j, _: mine.append(threading.get_ident())), None)
        places.append(mine == [me] * 7)

    parallel_for(40, BODY(outer), None)
    assert places == [True] * 40, places
    # The environment's number is the default.
    lib.fpa_set_num_threads(0)
    assert lib.fpa_get_num_threads() == int(os.environ["FPA_NUM_THREADS"])


def fork():
    lib.fpa_set_num_threads(3)
    indices(100)
    child = os.fork()
    if child == 0:
        ok = indices(100) == list(range(100))
        os._exit(0 if ok else 1)
    assert os.waitpid(child, 0)[1] == 0


def memory():
    lib.fpa_memory_reset()
    start = current()
    addresses = [alloc(size) for size in (0, 1, 100, 3 << 20)]
    assert all(a and a % 64 == 0 for a in addresses)
    assert len(set(addresses)) == 4
    big = aligned_alloc(4096, 4096)
    assert big % 4096 == 0
    assert current() - start == 1 + 100 + (3 << 20) + 4096
    for address in addresses + [big, None]:
        free(address)
    assert current() == start
    assert peak() - start == 1 + 100 + (3 << 20) + 4096
    lib.fpa_memory_reset()
    assert peak() == start
    # A kept block serves a slightly smaller request, and is counted as that.
    again = alloc((3 << 20) - 8)
    assert again == addresses[3]
    assert current() - start == (3 << 20) - 8
    free(again)
    lib.fpa_memory_trim()


def poison():
    lib.fpa_set_poison(1)
    for size in (5, 2 << 20, 2 << 20):
        address = alloc(size)
        data = (ctypes.c_ubyte * size).from_address(address)
        assert bytes(data) == b"\xff" * size
        ctypes.memset(address, 0, size)
        free(address)
    lib.fpa_set_poison(0)


def subnormals():
    tiny = 3e-308
    results = []
    for n in (1, 2):
        lib.fpa_set_num_threads(n)
        parallel_for(20, BODY(lambda i, _: results.append(tiny * 0.125)), None)
    # Results are flushed inside of a job only, and inputs never.
    assert results == [0.0] * 40, results
    assert tiny * 0.125 > 0
    kept = []
    subnormal = tiny * 0.125
    parallel_for(2, BODY(lambda i, _: kept.append(min(subnormal, 1.0))), None)
    assert kept == [subnormal] * 2, kept


if sys.argv[2] == "oom":
    alloc(1 << 62)
if sys.argv[2] == "threads":
    print("threads", lib.fpa_get_num_threads())
if sys.argv[2] == "all":
    for test in (threads, fork, memory, poison, subnormals):
        test()
        print(test.__name__, "passed")
