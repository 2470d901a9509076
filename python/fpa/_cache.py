# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.KVCache: decoding with a cache that drops dead keys."""

import math

import numpy as np

from . import _arrays
from ._attention import attention
from ._attention_call import check_options, narrower
from ._cache_memory import DeviceMemory, HostMemory
from ._cache_operands import kind_of, on_host
from ._cache_program import step_text, update_text
from ._device import DeviceArray, to_device
from ._library import NotCopied
from ._program import cached, check_target

_MOST = 2**40
# Steps of up to this many tokens have a program of their own.
_FEW_TOKENS = 8


class KVCache(NotCopied):
    """Keys and values of the past, of which those that have died are dropped.

        cache = fpa.KVCache(batch, kv_heads, head_dim, evict_above=12.0)
        o = cache.prefill(q, k, v, field)      # the prompt
        o = cache.step(q, k, v, field)         # then token by token, or several

    A key's penalty never falls as tokens come. Once it is above `evict_above`,
    in units of logits, the key weighs less than exp(-evict_above) times what it
    would weigh without one, for good, and the cache drops it at the end of the
    step. What is left moves together in place, head by head, and pages behind it
    go back to the system.

    - batch, kv_heads, head_dim, v_head_dim: sizes B, HK, D and Dv (by default D).
    - capacity: the most keys that a head may hold, those of a step included.
      Memory is taken as it is needed; on a GPU each head has that of the fullest,
      and half as much in reserve.
    - dtype: of q, k and v: float16, bfloat16, float32 or float64, as a name or
      as NumPy's or PyTorch's type.
    - evict_above: at least 0; infinity, the default, drops nothing.
    - scale: of the products; 1 / sqrt(D) by default.
    - target: "cpu", the default, "cuda", the first GPU ("cuda:1" is the second),
      or "emulator", GPU kernels run and checked on the CPU; GPUs not for float64.
      The cache stays in the GPU's memory.

    Calls take NumPy arrays, or what gives those by __dlpack__, or PyTorch's
    tensors, and return the same kind, tensors without gradients. None is copied
    that is row-major, but for a GPU's cache, which copies arguments in the CPU's
    memory there and its results back. It takes what is on its GPU as it is, and
    leaves results there: fpa.DeviceArrays and other libraries' arrays with
    __cuda_array_interface__, row-major, field and level in the type of lse, give
    DeviceArrays, and tensors, any strides, tensors. The host sees a count for each
    head, and for error_bound of each row its norm, of arrays their elements.

    Raises TypeError and ValueError as fpa.attention does; the cache then is what
    it was.
    """

    def __init__(self, batch, kv_heads, head_dim, v_head_dim=None, *,
                 capacity=65536, dtype="float32", evict_above=math.inf,
                 scale=None, target=None):
        sizes = [_arrays.integer(name, size, 1, _MOST) for name, size in (
            ("batch", batch), ("kv_heads", kv_heads), ("head_dim", head_dim),
            ("v_head_dim", head_dim if v_head_dim is None else v_head_dim),
            ("capacity", capacity))]
        self.batch, self.kv_heads, self.head_dim, self.v_head_dim, \
            self.capacity = sizes
        self._element = _element(dtype)
        self._wide = "f64" if self._element == "f64" else "f32"
        self.target = _target(target, self._element)
        self.evict_above = _threshold(evict_above)
        scale = check_options(scale, None, None, self._wide)["scale"]
        self.scale = 1 / math.sqrt(self.head_dim) if scale is None else scale
        heads = (self.batch, self.kv_heads)
        element, wide = map(_arrays.numpy_dtype, (self._element, self._wide))
        columns = [((self.head_dim,), element), ((self.v_head_dim,), element),
                   ((), wide), ((), wide)]
        if self.target == "cpu":
            self._memory = HostMemory(heads, self.capacity, columns)
        else:
            self._memory = DeviceMemory(self.target, heads, self.capacity,
                                        columns)
        self._bounds = None

    @property
    def _count(self):
        return self._memory.count

    @property
    def _dropped(self):
        """Of what was dropped: sum of exp(-penalty), largest norm of a key,
        largest magnitude in a value, [B, HK, 3]."""
        return self._memory.dropped

    @property
    def live(self):
        """How many keys each head holds, [B, HK]."""
        return self._count.copy()

    @property
    def nbytes(self):
        """The bytes that the cache holds; on a CPU in whole pages."""
        return self._memory.nbytes

    @property
    def error_bound(self):
        """For each row of the last output, [B, HQ, T], how far an element of it
        may be from that of attention over all keys, because of what had been
        dropped before. Rounding comes on top. None before the first call."""
        return None if self._bounds is None else self._bounds[1].copy()

    @property
    def dropped_mass(self):
        """For each row of the last output, [B, HQ, T], the most that the dropped
        keys could have had of its weights, which add up to 1."""
        return None if self._bounds is None else self._bounds[0].copy()

    def dropped_mass_bound(self, query_norm, key_norm):
        """The most that keys dropped so far can have of the weights of any later
        row, [B, HK], where its query has a norm of at most `query_norm` and its
        own key one of at most `key_norm`."""
        query_norm, key_norm = (
            _norm(name, x) for name, x in (("query_norm", query_norm),
                                           ("key_norm", key_norm)))
        return _share(self._log_mass(query_norm),
                      -abs(self.scale) * query_norm * key_norm)

    def clear(self):
        """Forgets all keys, and gives their memory back."""
        self._memory.clear()
        self._bounds = None

    def prefill(self, q, k, v, field, level=None, *, lengths=None,
                return_lse=False):
        """Attention over a prompt, as fpa.attention computes it. What lives of
        its keys is the cache from then on, which has to be empty before.

        Shapes are those of `step`. With `lengths`, sequence b is the first
        lengths[b] tokens; the rows behind give 0 and -inf.
        """
        if self._count.any():
            raise ValueError("expected an empty cache to prefill, got one with "
                             f"{int(self._count.max())} keys in a head")
        kind = kind_of(q, self.target)
        arrays, counts = self._check(kind, q, k, v, field, level, lengths)
        q = arrays[0]
        if self.target != "cpu":
            arrays = [x if isinstance(x, DeviceArray)
                      else to_device(x, self.target) for x in arrays]
        out, lse = map(kind.found, attention(
            *arrays[:4], level if level is None else arrays[4],
            scale=self.scale, return_lse=True, target=self.target))
        if lengths is not None:
            absent = np.broadcast_to(
                np.arange(q.shape[2]) >= counts[:, None, None], lse.shape)
            _fill(out, absent, 0)
            _fill(lse, absent, -np.inf)
        before = self._dropped.copy()
        text = update_text(self._types(arrays[1], None, level, lengths),
                           self.evict_above)
        self._run(text, arrays[1:], counts)
        return self._finish(kind, q, out, lse, before, return_lse)

    def step(self, q, k, v, field, level=None, *, lengths=None,
             return_lse=False):
        """Attention of T new tokens over the cache and, causally, themselves,
        which then join the cache.

        q [B, HQ, T, D], k [B, HK, T, D], v [B, HK, T, Dv], of the cache's dtype;
        HQ a multiple of HK. field, level [B, HK, T], float32 (float64 for a
        float64 cache), level None means tied. With `lengths`, integers [B],
        sequence b has only the first lengths[b] tokens; the rows behind give 0
        and -inf. T of 1 to 8 compile a program each, larger ones share one.

        Returns the output [B, HQ, T, Dv], with return_lse also the log-sum-exp
        [B, HQ, T].
        """
        kind = kind_of(q, self.target)
        arrays, counts = self._check(kind, q, k, v, field, level, lengths)
        q, k = arrays[:2]
        before = self._dropped.copy()
        text = step_text(self._types(k, q, level, lengths), self.scale,
                         self.evict_above)
        out, lse = map(kind.found, self._run(text, arrays, counts))
        return self._finish(kind, q, out, lse, before, return_lse)

    def _run(self, text, arrays, counts):
        """Runs a program, which puts `counts` new tokens behind the keys."""
        memory = self._memory.arguments(self._count + counts[:, None])
        results = cached(text, target=self.target)(*arrays, *memory)
        return self._memory.update(*(results or ()))

    def _types(self, k, q, level, lengths):
        tokens = k.shape[2] if k.shape[2] <= _FEW_TOKENS else None
        return dict(element=self._element, wide=self._wide,
                    heads=q.shape[1] if q is not None else None,
                    kv_heads=self.kv_heads,
                    tokens=tokens if q is not None else None,
                    head_dim=self.head_dim, v_head_dim=self.v_head_dim,
                    level=level is not None, lengths=lengths is not None)

    def _check(self, kind, q, k, v, field, level, lengths):
        """The arrays of a call, and the number of new tokens of each sequence.
        Refuses what does not fit, before anything is changed."""
        q, k, v, field, level = (kind.shown(name, x) for name, x in (
            ("q", q), ("k", k), ("v", v), ("field", field), ("level", level)))
        arrays = []
        sizes = dict(B=self.batch, HK=self.kv_heads, D=self.head_dim,
                     Dv=self.v_head_dim)
        for name, x, dims in (("q", q, "B HQ T D"), ("k", k, "B HK T D"),
                              ("v", v, "B HK T Dv")):
            kind.check(name, x, (self._element,))
            _check_shape(name, x, dims, sizes)
            arrays.append(kind.taken(x))
        if sizes["HQ"] % self.kv_heads or not sizes["HQ"]:
            raise ValueError(f"expected q's heads to be a multiple of the "
                             f"cache's {self.kv_heads}, got {sizes['HQ']}")
        for name, x in (("field", field), ("level", level)):
            if x is None and name == "level":
                continue
            kind.check(name, x, narrower(self._wide))
            _check_shape(name, x, "B HK T", sizes)
            arrays.append(kind.taken(x, self._wide))
        tokens = sizes["T"]
        if tokens < 1:
            raise ValueError("expected at least 1 new token, got 0")
        counts = np.full(self.batch, tokens)
        if lengths is not None:
            counts = _check_lengths(lengths, self.batch, tokens)
            arrays.append(counts)
        most = int((self._count.max(axis=1) + counts).max())
        if most > self.capacity:
            raise ValueError(f"expected at most {self.capacity} keys in a head, "
                             f"the capacity, got {most} with the new ones")
        return arrays, counts

    def _finish(self, kind, q, out, lse, before, return_lse):
        group = q.shape[1] // self.kv_heads
        mass = self._log_mass(kind.norms(q),
                              np.repeat(before, group, axis=1)[:, :, None])
        # What the lse may be off by.
        rest = on_host(lse)
        slack = 1e-4 * np.maximum(1.0, np.abs(np.where(np.isfinite(rest), rest,
                                                       0.0)))
        share = _share(mass, rest - slack)
        share[rest == -np.inf] = 0.0
        values = np.repeat(before[..., 2], group, axis=1)[..., None]
        with np.errstate(invalid="ignore"):
            error = np.where(share == 0, 0.0,
                             share * (values + kind.largest(out)))
        self._bounds = share, error
        self._memory.release()
        out = kind.given(out)
        return (out, kind.given(lse)) if return_lse else out

    def _log_mass(self, query_norm, dropped=None):
        """The logarithm of the most that the dropped keys can add to the sum of
        exponentials of a row."""
        dropped = self._dropped if dropped is None else dropped
        with np.errstate(divide="ignore", invalid="ignore"):
            logits = abs(self.scale) * query_norm * (1 + 1e-6) * dropped[..., 1]
            mass = np.log(dropped[..., 0]) + logits
        return np.where(dropped[..., 0] == 0, -np.inf,
                        np.where(np.isnan(mass), np.inf, mass))


def _share(log_mass, log_rest):
    """mass / (mass + rest)."""
    with np.errstate(over="ignore", invalid="ignore"):
        share = 1 / (1 + np.exp(log_rest - log_mass))
    share = np.where(log_mass == -np.inf, 0.0, share)
    return np.where(np.isnan(share), 1.0, share)


def _element(dtype):
    """MLIR's name of the element type of a cache."""
    if dtype is None:  # float64 to NumPy
        raise TypeError("expected dtype to be float16, bfloat16, float32 or "
                        "float64, got None")
    # PyTorch's types are named as NumPy's.
    name = str(dtype).removeprefix("torch.")
    if name == "bfloat16":
        return "bf16"
    try:
        element = _arrays.float_name(np.dtype(
            dtype if name == str(dtype) else name))
    except TypeError:
        element = None
    if element is None:
        raise TypeError(f"expected dtype to be float16, bfloat16, float32 or "
                        f"float64, got {dtype!r}")
    return element


def _target(name, element):
    target = check_target(name)
    if target != "cpu" and element == "f64":
        raise ValueError(f"expected dtype to be float16, bfloat16 or float32 "
                         f"for target '{target}', got float64")
    return target


def _threshold(value):
    number = _arrays.number_of("evict_above", value)
    if not number >= 0:
        raise ValueError(f"expected evict_above to be at least 0, got {number}")
    return number


def _norm(name, value):
    number = _arrays.finite(name, value)
    if number < 0:
        raise ValueError(f"expected {name} to be at least 0, got {number}")
    return number


def _check_shape(name, x, dims, sizes):
    """Refuses x unless its sizes are those known by name; learns the others."""
    _arrays.has_rank(name, x, dims)
    for dim, size in zip(dims.split(), x.shape):
        if sizes.setdefault(dim, size) != size:
            wanted = ", ".join(f"{d} = {sizes[d]}" if d in sizes else d
                               for d in dims.split())
            raise ValueError(f"expected {name} of shape [{wanted}], "
                             f"got shape {list(x.shape)}")


def _fill(x, where, value):
    """Puts a value to some rows of an array, which may be on a device."""
    elements = on_host(x)
    # Of two bytes of no type there is only 0.
    elements[where] = np.zeros((), x.dtype) if value == 0 else value
    if elements is not x:
        x.set(elements)


def _check_lengths(lengths, batch, tokens):
    counts = lengths.numpy(force=True) if _arrays.is_tensor(lengths) \
        else np.asarray(lengths)
    if counts.dtype.kind not in "iu":
        raise TypeError(f"expected lengths to be integers, "
                        f"got {_arrays.describe(lengths)}")
    if counts.shape != (batch,):
        raise ValueError(f"expected lengths of shape [{batch}], "
                         f"got shape {list(counts.shape)}")
    if counts.min() < 0 or counts.max() > tokens:
        raise ValueError(f"expected lengths in [0, {tokens}], "
                         f"got {counts[:8].tolist()}")
    return counts.astype(np.int64)
