"""A tile program in which every axis is reduced somewhere, as in the backward,
against NumPy: five products, sums along and across lanes, masks, edges."""

import itertools
import sys

import numpy as np

from compiled import Module

TYPES = {"f32": np.float32, "f16": np.float16, "f64": np.float64}


class Program:
    def __init__(self, rows, keys, head, value, element="f32", masked=False,
                 inside=True, kind="add"):
        self.rows, self.keys, self.head, self.value = rows, keys, head, value
        self.element, self.masked, self.inside = element, masked, inside
        self.acc = "f64" if element == "f64" else "f32"
        self.kind = kind

    def block(self, *shape, element=None):
        sizes = "".join(f"{s}x" for s in shape)
        return f"vector<{sizes}{element or self.acc}>"

    def place(self, name, at, shape, element):
        """Where a transfer goes, its bounds, and the type of the memory."""
        index = ", ".join([at] + ["%c0"] * (len(shape) - 1))
        bounds = ", ".join(["true" if self.inside else "false"] +
                           ["true"] * (len(shape) - 1))
        dims = "x".join(["?", *map(str, shape[1:])])
        return (f"%{name}[{index}]", f"{{in_bounds = [{bounds}]}}",
                f"memref<{dims}x{element}>")

    def read(self, name, at, *shape, element=None):
        element = element or self.acc
        zero = "%zero_e" if element != self.acc else "%zero"
        source, bounds, memory = self.place(name, at, shape, element)
        return (f"vector.transfer_read {source}, {zero} {bounds} : {memory}, "
                f"{self.block(*shape, element=element)}")

    def write(self, data, name, at, *shape):
        target, bounds, memory = self.place(name, at, shape, self.acc)
        return (f"vector.transfer_write {data}, {target} {bounds} : "
                f"{self.block(*shape)}, {memory}")

    def wide(self, name, at, *shape):
        """Reads `name` as %{name}v in the accumulator's type."""
        text = self.read(name, at, *shape, element=self.element)
        if self.element == self.acc:
            return f"%{name}v = {text}"
        return (f"%{name}n = {text}\n      %{name}v = arith.extf %{name}n : "
                f"{self.block(*shape, element=self.element)} to "
                f"{self.block(*shape)}")

    def product(self, result, spec, lhs, rhs, acc, masked=False):
        operands, out = spec.split("->")
        left, right = operands.split(",")
        sizes = dict(i=self.rows, j=self.keys, d=self.head, e=self.value)
        dims = [*out, *(x for x in left if x not in out)]
        kinds = ", ".join('"parallel"' if x in out else '"reduction"'
                          for x in dims)
        maps = ", ".join(
            f"affine_map<({', '.join(dims)}) -> ({', '.join(x)})>"
            for x in (left, right, out))
        shape = lambda axes: self.block(*(sizes[x] for x in axes))
        text = (f"vector.contract {{indexing_maps = [{maps}], iterator_types = "
                f"[{kinds}], kind = #vector.kind<add>}} {lhs}, {rhs}, {acc} : "
                f"{shape(left)}, {shape(right)} into {shape(out)}")
        if not masked:
            return f"{result} = {text}"
        order = [x for x in dims if x not in "ij"] + ["i", "j"]
        spread = self.block(*(sizes[x] for x in order), element="i1")
        space = self.block(*(sizes[x] for x in dims), element="i1")
        permutation = [order.index(x) for x in dims]
        name = result[1:]
        return (f"%b_{name} = vector.broadcast %visible : "
                f"{self.block(self.rows, self.keys, element='i1')} to {spread}\n"
                f"      %m_{name} = vector.transpose %b_{name}, {permutation} : "
                f"{spread} to {space}\n"
                f"      {result} = vector.mask %m_{name} {{ {text} }} : {space} "
                f"-> {shape(out)}")

    def text(self):
        m, n, d, e = self.rows, self.keys, self.head, self.value
        acc, block = self.acc, self.block(self.rows, self.keys)
        line = self.block(m)
        mask, dp_masked, ds = "", "", "%ds0"
        if self.masked:
            ints = self.block(m, n, element="index")
            mask = f"""
      %iota = vector.step : vector<{n}xindex>
      %base = vector.broadcast %it : index to vector<{n}xindex>
      %key = arith.addi %iota, %base : vector<{n}xindex>
      %keys = vector.broadcast %key : vector<{n}xindex> to {ints}
      %ends0 = vector.broadcast %last : {self.block(m, element='index')} to {self.block(n, m, element='index')}
      %endsb = vector.transpose %ends0, [1, 0] : {self.block(n, m, element='index')} to {ints}
      %visible = arith.cmpi sle, %keys, %endsb : {ints}"""
            ds = "%dsm"
            dp_masked = f"""
      %dsm = arith.select %visible, %ds0, %none : {self.block(m, n, element='i1')}, {block}
      %pm = arith.select %visible, %p, %none : {self.block(m, n, element='i1')}, {block}"""
        p = "%pm" if self.masked else "%p"
        along = lambda name: (
            f"%{name}0 = vector.broadcast %{name}v : {line} to {self.block(n, m)}\n"
            f"      %{name}b = vector.transpose %{name}0, [1, 0] : {self.block(n, m)} to {block}")
        element_zero = ("" if self.element == acc else
                        f"%zero_e = arith.constant 0.0 : {self.element}")
        return f"""
func.func @backward(%q: memref<?x{d}x{self.element}>, %k: memref<?x{d}x{self.element}>,
    %v: memref<?x{e}x{self.element}>, %g: memref<?x{e}x{self.element}>, %lse: memref<?x{acc}>,
    %delta: memref<?x{acc}>, %ends: memref<?xindex>, %dq: memref<?x{d}x{acc}>, %dk: memref<?x{d}x{acc}>,
    %dv: memref<?x{e}x{acc}>, %row: memref<?x{acc}>, %col: memref<?x{acc}>, %n: index, %repeat: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cn = arith.constant {n} : index
  %zero = arith.constant 0.0 : {acc}
  {element_zero}
  %none = arith.constant dense<0.0> : {block}
  %noq = arith.constant dense<0.0> : {self.block(m, d)}
  %nol = arith.constant dense<0.0> : {line}
  %half = arith.constant dense<0.5> : {self.block(m, d)}
  scf.forall (%again) in (%repeat) {{
    {self.wide('q', '%c0', m, d)}
    {self.wide('g', '%c0', m, e)}
    %qs = arith.mulf %qv, %half : {self.block(m, d)}
    %lsev = {self.read('lse', '%c0', m)}
    %deltav = {self.read('delta', '%c0', m)}
    %last = vector.transfer_read %ends[%c0], %c0 {{in_bounds = [{'true' if self.inside else 'false'}]}} : memref<?xindex>, {self.block(m, element='index')}
    %sums:2 = scf.for %it = %c0 to %n step %cn iter_args(%dqa = %noq, %rowa = %nol) -> ({self.block(m, d)}, {line}) {{
      {self.wide('k', '%it', n, d)}
      {self.wide('v', '%it', n, e)}
      {mask}
      {self.product('%s', 'id,jd->ij', '%qs', '%kv', '%none')}
      {along('lse')}
      %t = arith.subf %s, %lseb : {block}
      %p = math.exp2 %t : {block}
      {self.product('%dp', 'ie,je->ij', '%gv', '%vv', '%none')}
      {along('delta')}
      %du = arith.subf %dp, %deltab : {block}
      %ds0 = arith.mulf %p, %du : {block}
      {dp_masked}
      {self.product('%dqn', 'ij,jd->id', ds, '%kv', '%dqa', self.masked)}
      %positive = arith.cmpf ogt, {ds}, %none : {block}
      %hit = arith.select %positive, {ds}, %none : {self.block(m, n, element='i1')}, {block}
      %rown = vector.multi_reduction <add>, %hit, %rowa [1] : {block} to {line}
      %cola = {self.read('col', '%it', n)}
      %coln = vector.multi_reduction <{self.kind}>, %hit, %cola [0] : {block} to {self.block(n)}
      {self.write('%coln', 'col', '%it', n)}
      %dva = {self.read('dv', '%it', n, e)}
      {self.product('%dvn', 'ij,ie->je', p, '%gv', '%dva', self.masked)}
      {self.write('%dvn', 'dv', '%it', n, e)}
      %dka = {self.read('dk', '%it', n, d)}
      {self.product('%dkn', 'ij,id->jd', ds, '%qs', '%dka', self.masked)}
      {self.write('%dkn', 'dk', '%it', n, d)}
      scf.yield %dqn, %rown : {self.block(m, d)}, {line}
    }}
    {self.write('%sums#0', 'dq', '%c0', m, d)}
    {self.write('%sums#1', 'row', '%c0', m)}
  }}
  return
}}
"""

    def reference(self, q, k, v, g, lse, delta, last, col):
        q, k, v, g = (x.astype(np.float64) for x in (q, k, v, g))
        q = q * 0.5
        visible = (np.arange(len(k))[None] <= last[:, None]) | (not self.masked)
        with np.errstate(invalid="ignore", over="ignore"):
            p = np.exp2(q @ k.T - lse[:, None])
            ds = p * (g @ v.T - delta[:, None])
        p, ds = (np.where(visible, x, 0) for x in (p, ds))
        hit = np.where(ds > 0, ds, 0)

        def masked_product(weights, values, mask):
            terms = np.where(mask[:, :, None],
                             weights[:, :, None] * values[None], 0)
            return terms.sum(axis=1)

        combine = {"add": lambda: col + hit.sum(axis=0),
                   "maxnumf": lambda: np.maximum(col, hit.max(axis=0)),
                   "minimumf": lambda: np.minimum(col, hit.min(axis=0))}
        with np.errstate(invalid="ignore"):
            return (masked_product(ds, k, visible),
                    masked_product(ds.T, q, visible.T),
                    masked_product(p.T, g, visible.T), hit.sum(axis=1),
                    combine[self.kind]())


def check(program, options, rng, nan=False, unmask=False):
    module = Module(program.text(), [
        *["--fpa-unmask-contractions", "--canonicalize"] * unmask,
        "--loop-invariant-code-motion",
        f"--convert-fpa-tile-to-cpu={options}", "--fpa-expand-math",
        "--convert-math-to-llvm"])
    m, n = program.rows, 3 * program.keys
    if not program.inside:
        m, n = m - 1, n - 2
    element, acc = TYPES[program.element], TYPES[program.acc]
    new = lambda t, *shape: rng.standard_normal(shape).astype(t)
    q, k = new(element, m, program.head), new(element, n, program.head)
    v, g = new(element, n, program.value), new(element, m, program.value)
    lse, delta = new(acc, m) + 4, new(acc, m)
    last = rng.integers(-1, n, m)
    if nan:
        # Row 1 sees nothing: its values must not reach any gradient.
        last[1] = -1
        q[1], g[1] = np.nan, np.inf
    dk, dv = new(acc, n, program.head), new(acc, n, program.value)
    dq, row, col = new(acc, m, program.head), new(acc, m), new(acc, n)
    want = program.reference(q, k, v, g, lse, delta, last, col)
    want = (want[0], dk + want[1], dv + want[2], want[3], want[4])
    module.call("backward", q, k, v, g, lse, delta, last, dq, dk, dv, row, col, n,
                1)
    for name, got, ought in zip(("dq", "dk", "dv", "row", "col"),
                                (dq, dk, dv, row, col), want):
        bound = (1e-12 if acc is np.float64 else 2e-5) * np.abs(ought).max()
        if not np.abs(got - ought).max() <= bound:
            raise SystemExit(f"{vars(program)} {options}: {name} is off by "
                             f"{np.abs(got - ought).max()}")


def main(machines):
    rng = np.random.default_rng(11)
    programs = [Program(48, 64, 64, 64), Program(96, 32, 16, 24),
                Program(16, 32, 63, 33, "f16"), Program(32, 16, 5, 1),
                Program(48, 16, 40, 80, masked=True, inside=False),
                Program(16, 8, 12, 20, "f64"), Program(4, 8, 3, 2, "f16"),
                Program(24, 20, 72, 17, "f16", masked=True, inside=False),
                Program(48, 32, 16, 24, masked=True)]
    for program, options in itertools.product(programs, machines):
        check(program, options, rng)
        if program.masked:
            check(program, options, rng, nan=True)
        if program.masked and options == machines[0]:
            check(program, options, rng, nan=True, unmask=True)
    for kind, machine in itertools.product(("maxnumf", "minimumf"), machines):
        check(Program(96, 16, 8, 8, kind=kind), machine, rng)
    print("products of a backward step: ok")


if __name__ == "__main__":
    main(sys.argv[1:] or ["lanes=16 registers=32", "lanes=8 registers=16",
                          "lanes=4 registers=16"])
