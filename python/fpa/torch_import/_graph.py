# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From an exported PyTorch program to the text of an MLIR module."""

import operator as python_operator
import re

import sympy
import torch

from . import _creation, _custom, _elementwise, _products, _reductions, _views
from ._creation import constant_tensor
from ._elementwise import element_of
from ._emit import ELEMENTS, Emitter, Tensor, linear_in, size, tensor_type
from ._known import Known
from ._registry import OPERATORS


class UnsupportedOperator(NotImplementedError):
    """An operator of the graph that has no importer. The message names it and
    the line of the model that it comes from."""


class Importer:
    """Imports one torch.export.ExportedProgram."""

    def __init__(self, program):
        self.program = program
        self.emitter = Emitter()
        self.values = {}
        self.known = self.emitter.known = Known()
        self.arguments = []  # SSA name and type
        self.parameters = []  # tensors that are passed in front of the inputs
        self.inputs = []  # node name and value of what the user passes

    def run(self):
        """The module's text."""
        for node in self.program.graph.nodes:
            if node.op == "placeholder":
                self._placeholder(node)
        self._name_sizes()
        for node in self.program.graph.nodes:
            if node.op == "call_function":
                self._call(node)
            elif node.op == "output":
                results = self._results(node)
        e = self.emitter
        arguments = ", ".join(f"{name}: {kind}" for name, kind in self.arguments)
        kinds = ", ".join(t.type for t in results)
        names = ", ".join(t.name for t in results)
        body = e.constant_lines() + e.lines
        return "\n".join(
            [f"func.func @main({arguments}) -> ({kinds}) {{"] + body +
            [f"  return {names} : {kinds}", "}", ""])

    def _placeholder(self, node):
        spec = self._spec(node.name)
        kind = spec.kind.name
        if kind == "USER_INPUT":
            value = node.meta.get("val")
            self.inputs.append((node.name, value))
            if isinstance(value, torch.Tensor):
                self.values[node] = self._argument(node.name, value)
            else:
                self.values[node] = value  # a number that export has fixed
            return
        if kind not in ("PARAMETER", "BUFFER", "CONSTANT_TENSOR"):
            raise UnsupportedOperator(
                f"expected parameters, buffers and tensors as inputs of the "
                f"graph, got {kind.lower()} {node.name}")
        if kind == "PARAMETER":
            tensor = self.program.state_dict[spec.target]
        elif spec.target in self.program.state_dict:
            tensor = self.program.state_dict[spec.target]
        else:
            tensor = self.program.constants[spec.target]
        if kind != "PARAMETER":
            constant = constant_tensor(self.emitter, tensor)
            if constant is not None:
                self.values[node] = constant
                self.known.add(node, tensor)
                return
        self.parameters.append(tensor.detach())
        self.values[node] = self._argument(node.name, tensor)

    def _spec(self, name):
        for spec in self.program.graph_signature.input_specs:
            if getattr(spec.arg, "name", None) == name:
                return spec
        raise AssertionError(f"no input of the graph is named {name}")

    def _argument(self, name, value):
        """A tensor argument; its sizes of unknown value get names."""
        if value.dtype not in ELEMENTS:
            raise UnsupportedOperator(
                f"expected {name} to be a tensor of elements that can be imported, "
                f"got {value.dtype}")
        shape = tuple(size(n) for n in value.shape)
        t = Tensor("%" + re.sub(r"\W", "_", name), shape,
                   element_of(value.dtype))
        self.arguments.append((t.name, t.type))
        e = self.emitter
        for dim, n in enumerate(shape):
            if isinstance(n, sympy.Symbol) and n not in e.symbols:
                e.symbols[n] = e.op(f"tensor.dim {t.name}, "
                                    f"{e.constant(dim, 'index')} : {t.type}")
        return t

    def _name_sizes(self):
        """Symbols that no input has as a size come from sizes that are a multiple
        of one and a number."""
        e = self.emitter
        for t in self.values.values():
            for dim, n in enumerate(t.shape if isinstance(t, Tensor) else ()):
                symbol, factor, rest = linear_in(n) or (None, 0, 0)
                if symbol is None or symbol in e.symbols:
                    continue
                i = e.op(f"tensor.dim {t.name}, {e.constant(dim, 'index')} : "
                         f"{t.type}")
                i = e.op(f"arith.subi {i}, {e.constant(rest, 'index')} : index")
                e.symbols[symbol] = e.op(
                    f"arith.floordivsi {i}, {e.constant(factor, 'index')} : index")

    def _call(self, node):
        value = node.meta.get("val")
        if isinstance(value, (torch.SymInt, int, bool, torch.SymBool)):
            self.values[node] = value
            return
        if node.target is python_operator.getitem:
            self.values[node] = self.values[node.args[0]][node.args[1]]
            return
        name = str(node.target)
        if "assert" in name or "sym_constrain" in name or value is None:
            return
        importer = OPERATORS.get(name)
        if importer is None:
            raise UnsupportedOperator(
                f"expected an operator that can be imported, got {name}"
                f"{where(node)}")
        file, line, _ = place_of(node) or ("", 0, "")
        file = file.replace("\\", "\\\\").replace('"', '\\"')
        self.emitter.location = f' loc("{file}":{line}:1)' if file else ""
        self.known.evaluate(node)
        simple = self.known.simplify(self.emitter, node, self.values)
        if simple is not None:
            self.values[node] = simple
            return
        resolve = lambda x: torch.fx.node.map_arg(x, lambda n: self.values[n])
        try:
            self.values[node] = importer(self.emitter, node,
                                         *resolve(node.args),
                                         **resolve(node.kwargs))
        except NotImplementedError as error:
            raise UnsupportedOperator(
                f"expected a form of {name} that can be imported, got {error}"
                f"{where(node)}") from None

    def _results(self, node):
        results = []
        for number, (spec, value) in enumerate(zip(
                self.program.graph_signature.output_specs, node.args[0])):
            if spec.kind.name != "USER_OUTPUT":
                raise UnsupportedOperator(
                    f"expected a module that changes nothing, got a graph that "
                    f"writes to {spec.target}")
            result = self.values.get(value)
            if not isinstance(result, Tensor):
                raise UnsupportedOperator(
                    f"expected tensors as outputs of the graph, got {value} "
                    f"as output {number}")
            results.append(result)
        return results


def place_of(node):
    """File, line and source of the model's line that a node comes from."""
    places = re.findall(r'File "(.*?)", line (\d+), in \S+\n\s*(.*)',
                        node.stack_trace or "")
    own = [p for p in places if "/torch/" not in p[0]] or places
    return own[-1] if own else None


def where(node):
    place = place_of(node)
    return f", at {place[0]}:{place[1]}: {place[2].strip()}" if place else ""
