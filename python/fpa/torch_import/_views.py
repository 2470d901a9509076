# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that move elements: reshapes, transposes, slices, concatenation."""

from ._elementwise import arith, result_of
from ._emit import Tensor, product, same, size
from ._registry import operator


def wrap(dim, rank):
    return int(dim) + rank if dim < 0 else int(dim)


def group_sizes(source, target):
    """Pairs of dimension lists of equal product, as few dimensions as can be."""
    groups, i, j = [], 0, 0
    while i < len(source) or j < len(target):
        a, b = [], []
        if i < len(source):
            a, i = [i], i + 1
        if j < len(target):
            b, j = [j], j + 1
        while not same(product(source[n] for n in a),
                       product(target[n] for n in b)):
            left, right = (product(source[n] for n in a),
                           product(target[n] for n in b))
            grows = _is_multiple(left, right)
            if grows and j < len(target):
                b, j = b + [j], j + 1
            elif i < len(source) and not (grows and j < len(target)):
                a, i = a + [i], i + 1
            elif j < len(target):
                b, j = b + [j], j + 1
            else:
                raise NotImplementedError(
                    f"a reshape from {list(source)} to {list(target)}")
        groups.append((a, b))
    # Unit dimensions without a partner join their neighbour.
    merged = []
    for a, b in groups:
        if merged and (not a or not b):
            merged[-1] = (merged[-1][0] + a, merged[-1][1] + b)
        else:
            merged.append((a, b))
    while len(merged) > 1 and (not merged[0][0] or not merged[0][1]):
        (a, b), (c, d) = merged[0], merged[1]
        merged[:2] = [(a + c, b + d)]
    return merged


def _is_multiple(a, b):
    """Whether size a is a multiple of size b, as far as one can see."""
    if isinstance(a, int) and isinstance(b, int):
        return b != 0 and a % b == 0 and a > b
    quotient = size(a) / size(b) if b != 0 else None
    return quotient is not None and getattr(
        quotient, "as_numer_denom", lambda: (0, 0))()[1] == 1


def reshape(e, t, shape):
    """The elements in another shape."""
    shape = tuple(size(n) for n in shape)
    if len(shape) == t.rank and all(map(same, shape, t.shape)):
        return t
    if 0 in shape:
        return e.empty(shape, t.element)
    if t.rank == 0 or not shape:
        ones = shape if t.rank == 0 else t.shape
        groups = "[]"
        if t.rank == 0:
            sizes = ", ".join(str(n) for n in ones)
            out = Tensor(e.fresh(), shape, t.element)
            e.line(f"{out.name} = tensor.expand_shape {t.name} {groups} "
                   f"output_shape [{sizes}] : {t.type} into {out.type}")
        else:
            out = Tensor(e.fresh(), (), t.element)
            e.line(f"{out.name} = tensor.collapse_shape {t.name} {groups} : "
                   f"{t.type} into {out.type}")
        return out
    groups = group_sizes(t.shape, shape)
    text = "[" + ", ".join(str(a) for a, _ in groups) + "]"
    middle = tuple(product(shape[n] for n in b) for _, b in groups)
    if len(middle) != t.rank:
        out = Tensor(e.fresh(), middle, t.element)
        e.line(f"{out.name} = tensor.collapse_shape {t.name} {text} : "
               f"{t.type} into {out.type}")
        t = out
    if len(middle) != len(shape):
        text = "[" + ", ".join(str(b) for _, b in groups) + "]"
        sizes = ", ".join(str(n) if isinstance(n, int) else e.index(n)
                          for n in shape)
        out = Tensor(e.fresh(), shape, t.element)
        e.line(f"{out.name} = tensor.expand_shape {t.name} {text} "
               f"output_shape [{sizes}] : {t.type} into {out.type}")
        t = out
    return t


def permute(e, t, order):
    order = [wrap(dim, t.rank) for dim in order]
    if order == list(range(t.rank)):
        return t
    init = e.empty([t.shape[dim] for dim in order], t.element)
    name = e.op(f"linalg.transpose ins({t.name} : {t.type}) outs({init.name} : "
                f"{init.type}) permutation = {order}")
    return Tensor(name, init.shape, t.element)


def slice_tensor(e, t, offsets, sizes, dropped=()):
    """Offsets and sizes per dimension; `dropped` ones have size 1."""
    def text(values):
        return ", ".join(str(n) if isinstance(n, int) else e.index(n)
                         for n in values)
    shape = tuple(n for dim, n in enumerate(sizes) if dim not in dropped)
    if 0 in shape:  # it may start behind the end
        return e.empty(shape, t.element)
    out = Tensor(e.fresh(), shape, t.element)
    e.line(f"{out.name} = tensor.extract_slice {t.name}[{text(offsets)}] "
           f"[{text(sizes)}] [{', '.join('1' for _ in sizes)}] : {t.type} to "
           f"{out.type}")
    return out


def broadcast(e, t, shape):
    shape = tuple(size(n) for n in shape)
    if len(shape) == t.rank and all(map(same, shape, t.shape)):
        return t
    return e.elementwise(shape, t.element, [t], lambda x: x)


@operator("aten.view.default", "aten.reshape.default",
          "aten._unsafe_view.default", "aten.flatten.using_ints",
          "aten.unflatten.int", "aten.unsqueeze.default",
          "aten.squeeze.default", "aten.squeeze.dim", "aten.squeeze.dims",
          "aten.view_as.default", "aten._reshape_alias.default")
def view(e, node, a, *args, **kwargs):
    return reshape(e, a, result_of(node)[0])


@operator("aten.transpose.int")
def transpose(e, node, a, first, second):
    order = list(range(a.rank))
    first, second = wrap(first, a.rank), wrap(second, a.rank)
    order[first], order[second] = order[second], order[first]
    return permute(e, a, order)


@operator("aten.t.default")
def transpose_matrix(e, node, a):
    return permute(e, a, list(range(a.rank))[::-1])


@operator("aten.permute.default", "aten.movedim.int")
def permute_dims(e, node, a, order, *more):
    if more:
        raise NotImplementedError("movedim")
    return permute(e, a, order)


@operator("aten.expand.default", "aten.expand_as.default",
          "aten.broadcast_to.default")
def expand(e, node, a, *args, **kwargs):
    return broadcast(e, a, result_of(node)[0])


@operator("aten.repeat_interleave.self_int")
def repeat_interleave(e, node, a, repeats, dim=None, output_size=None):
    if dim is None:
        a, dim = reshape(e, a, (product(a.shape),)), 0
    dim = wrap(dim, a.rank)
    wide = a.shape[:dim + 1] + (1,) + a.shape[dim + 1:]
    full = a.shape[:dim + 1] + (size(repeats),) + a.shape[dim + 1:]
    return reshape(e, broadcast(e, reshape(e, a, wide), full),
                   result_of(node)[0])


@operator("aten.repeat.default", "aten.tile.default")
def repeat(e, node, a, repeats):
    """Copies of the whole, one behind the other in each dimension: copies in a
    dimension of their own, before it."""
    shape = result_of(node)[0]
    old = [1] * (len(shape) - len(a.shape)) + list(a.shape)
    counts = [1] * (len(shape) - len(repeats)) + [size(n) for n in repeats]
    apart = tuple(n for length in old for n in (1, length))
    copies = tuple(n for pair in zip(counts, old) for n in pair)
    return reshape(e, broadcast(e, reshape(e, a, apart), copies), shape)


def clip(position, length):
    """A Python slice's end as an offset from 0. Sizes of unknown value are
    taken as lengths are: not negative, and within the dimension."""
    if isinstance(position, int) and isinstance(length, int):
        position = position + length if position < 0 else position
        return max(0, min(position, length))
    if isinstance(position, int):
        return position + length if position < 0 else min(position, 2 ** 62)
    return position


@operator("aten.slice.Tensor")
def slice_dim(e, node, a, dim=0, start=None, end=None, step=1):
    shape, _ = result_of(node)
    dim = wrap(dim, a.rank)
    if step != 1:
        return strided(e, node, a, dim, start or 0, step)
    if all(map(same, shape, a.shape)):
        return a
    offsets = [0] * a.rank
    offsets[dim] = clip(size(start or 0), a.shape[dim])
    return slice_tensor(e, a, offsets, list(shape))


def strided(e, node, a, dim, start, step):
    shape, element = result_of(node)
    if 0 in shape:
        return e.empty(shape, element)
    offset = clip(size(start), a.shape[dim])

    def text(values):
        return ", ".join(str(n) if isinstance(n, int) else e.index(n)
                         for n in values)
    offsets = [offset if n == dim else 0 for n in range(a.rank)]
    steps = [step if n == dim else 1 for n in range(a.rank)]
    out = Tensor(e.fresh(), shape, element)
    e.line(f"{out.name} = tensor.extract_slice {a.name}[{text(offsets)}] "
           f"[{text(shape)}] [{text(steps)}] : {a.type} to {out.type}")
    return out


@operator("aten.narrow.default")
def narrow(e, node, a, dim, start, length):
    offsets = [0] * a.rank
    offsets[wrap(dim, a.rank)] = clip(size(start), a.shape[wrap(dim, a.rank)])
    return slice_tensor(e, a, offsets, list(result_of(node)[0]))


def select_at(e, a, dim, position):
    dim = wrap(dim, a.rank)
    position = size(position)
    if isinstance(position, int) and position < 0:
        position = position + a.shape[dim]
    offsets = [position if n == dim else 0 for n in range(a.rank)]
    sizes = [1 if n == dim else s for n, s in enumerate(a.shape)]
    return slice_tensor(e, a, offsets, sizes, dropped=(dim,))


@operator("aten.select.int")
def select(e, node, a, dim, index):
    return select_at(e, a, dim, index)


@operator("aten.unbind.int")
def unbind(e, node, a, dim=0):
    return [select_at(e, a, dim, n) for n in range(a.shape[wrap(dim, a.rank)])]


@operator("aten.split.Tensor", "aten.split_with_sizes.default",
          "aten.chunk.default", "aten.split.sizes",
          "aten.split_with_sizes.default")
def split(e, node, a, pieces, dim=0):
    dim = wrap(dim, a.rank)
    offset, out = 0, []
    for value in node.meta["val"]:
        sizes = [size(n) for n in value.shape]
        offsets = [offset if n == dim else 0 for n in range(a.rank)]
        out.append(slice_tensor(e, a, offsets, sizes))
        offset = size(offset + sizes[dim])
    return out


@operator("aten.cat.default")
def concatenate(e, node, tensors, dim=0):
    return join(e, tensors, dim, *result_of(node))


def join(e, tensors, dim, shape, element):
    dim = wrap(dim, len(shape))
    out, offset = e.empty(shape, element), 0
    for t in tensors:
        if t.rank == 1 and t.shape == (0,) and len(shape) != 1:
            continue  # PyTorch lets an empty list stand for any shape
        t = e.cast(t, element)
        offsets = ", ".join(
            (str(offset) if isinstance(offset, int) else e.index(offset))
            if n == dim else "0" for n in range(len(shape)))
        sizes = ", ".join(str(n) if isinstance(n, int) else e.index(n)
                          for n in t.shape)
        ones = ", ".join("1" for _ in shape)
        name = e.op(f"tensor.insert_slice {t.name} into {out.name}[{offsets}] "
                    f"[{sizes}] [{ones}] : {t.type} into {out.type}")
        out = Tensor(name, out.shape, element)
        offset = size(offset + t.shape[dim])
    return out


@operator("aten.stack.default")
def stack(e, node, tensors, dim=0):
    dim = wrap(dim, tensors[0].rank + 1)
    parts = [reshape(e, t, t.shape[:dim] + (1,) + t.shape[dim:])
             for t in tensors]
    return concatenate(e, node, parts, dim)


@operator("aten.flip.default")
def flip(e, node, a, dims):
    dims = {wrap(dim, a.rank) for dim in dims}
    out = e.empty(a.shape, a.element)

    def body(_):
        at = []
        for dim in range(a.rank):
            i = e.op(f"linalg.index {dim} : index")
            if dim in dims:
                last = e.op(f"arith.subi {e.index(a.shape[dim])}, "
                            f"{e.constant(1, 'index')} : index")
                i = e.op(f"arith.subi {last}, {i} : index")
            at.append(i)
        return e.op(f"tensor.extract {a.name}[{', '.join(at)}] : {a.type}")
    return e.generic(a.rank, [], out, range(a.rank), body)


def check_places(e, node, index, source, table, dim, from_end=False):
    """Ends the call where an index is outside of the table's dimension. Those
    below 0 count from its end, or are outside, too. source: the index's node."""
    length = table.shape[dim]
    if e.known.is_within(source, -length if from_end else 0, length):
        return
    inside = e.fill((), "i1", True)

    def body(place, holds):
        place = e.convert(place, index.element, "i64")
        end = e.op(f"arith.index_cast {e.index(length)} : index to i64")
        first = e.constant(0, "i64")
        if from_end:
            first = arith(e, "sub", "i64", first, end)
        for compare, bound in (("sge", first), ("slt", end)):
            own = e.op(f"arith.cmpi {compare}, {place}, {bound} : i64")
            holds = e.op(f"arith.andi {holds}, {own} : i1")
        return holds
    loops = range(index.rank)
    inside = e.generic(index.rank, [(index, loops)], inside, [], body,
                       reduced=loops)
    holds = e.op(f"tensor.extract {inside.name}[] : {inside.type}")
    end = length if isinstance(length, int) else "the size"
    e.line(f'cf.assert {holds}, "expected indices of {node.target} from '
           f"{f'-{end}' if from_end else 0} and below {end} in dimension {dim}, "
           'got one outside"')


def gather_rows(e, node, table, index, source, dim=0):
    """result[.., i, ..] = table[.., index[i], ..]: the indices' shape in the
    place of the dimension."""
    check_places(e, node, index, source, table, dim)
    shape, element = result_of(node)
    out = e.empty(shape, element)
    inner = [dim + n for n in range(index.rank)]

    def body(place, _):
        place = e.op(f"arith.index_cast {place} : {index.element} to index")
        at = []
        for n in range(table.rank):
            if n == dim:
                at.append(place)
                continue
            loop = n if n < dim else n + index.rank - 1
            at.append(e.op(f"linalg.index {loop} : index"))
        return e.op(
            f"tensor.extract {table.name}[{', '.join(at)}] : {table.type}")
    return e.generic(len(shape), [(index, inner)], out, range(len(shape)), body)


@operator("aten.embedding.default")
def embedding(e, node, table, index, *ignored, **more):
    return gather_rows(e, node, table, index, node.args[1])


@operator("aten.index_select.default")
def index_select(e, node, a, dim, index):
    return gather_rows(e, node, a, index, node.args[2], wrap(dim, a.rank))


@operator("aten.index.Tensor")
def index_tensor(e, node, a, indices):
    """Indices of some dimensions, which are broadcast together."""
    given = [n for n, index in enumerate(indices) if index is not None]
    if given != list(range(given[0], given[-1] + 1)) or any(
            indices[n].element not in ("i64", "i32") for n in given):
        raise NotImplementedError("indices that are masks or have gaps")
    shape, element = result_of(node)
    for n in given:
        check_places(e, node, indices[n], node.args[1][n], a, n, from_end=True)
    rank = max(indices[n].rank for n in given)
    first, out = given[0], e.empty(shape, element)
    inputs = []
    for n in given:
        t = indices[n]
        inputs.append((t, [
            None if s == 1 and shape[first + rank - t.rank + d] != 1
            else first + rank - t.rank + d for d, s in enumerate(t.shape)]))

    def body(*x):
        at = []
        for n in range(a.rank):
            if n in given:
                place = x[given.index(n)]
                kind = indices[n].element
                zero = e.constant(0, kind)
                length = e.op(f"arith.index_cast {e.index(a.shape[n])} : "
                              f"index to {kind}")
                less = e.op(f"arith.cmpi slt, {place}, {zero} : {kind}")
                wrapped = e.op(f"arith.addi {place}, {length} : {kind}")
                place = e.op(f"arith.select {less}, {wrapped}, {place} : {kind}")
                at.append(e.op(f"arith.index_cast {place} : {kind} to index"))
            else:
                loop = n if n < first else n - len(given) + rank
                at.append(e.op(f"linalg.index {loop} : index"))
        return e.op(f"tensor.extract {a.name}[{', '.join(at)}] : {a.type}")
    return e.generic(len(shape), inputs, out, range(len(shape)), body)
