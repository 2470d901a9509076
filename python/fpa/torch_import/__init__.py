# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch modules as MLIR: `from_torch` and `compile_module`.

    batch = torch.export.Dim("batch")
    graph = fpa.from_torch(module, (x,), dynamic_shapes={"x": {0: batch}})
    print(graph.mlir)                 # linalg, with fpa.attention
    f = fpa.compile_module(module, (x,))
    f(x)                              # as module(x), compiled for the CPU

`docs/Graphs.md` says which operators there are, and what becomes
fpa.attention.
"""

import torch
from torch.utils import _pytree as pytree

from .. import _program
from .._transform import transform
from ._graph import Importer, UnsupportedOperator
from ._inputs import Inputs, check_examples, to_numpy

__all__ = ["CompiledModule", "Graph", "UnsupportedOperator", "compile_module",
           "from_torch"]


class Graph:
    """A PyTorch module as the text of an MLIR module.

    `mlir` is the text: a function @main whose arguments are `parameters` and
    then the module's inputs. `imported` is the text before attention was
    looked for, `remarks` says why something that resembles attention was left
    as it was.
    """

    def __init__(self, program):
        importer = Importer(program)
        self.imported = importer.run()
        self.mlir, self.remarks = transform(
            self.imported, "builtin.module(fpa-raise-attention,canonicalize)")
        self.parameters = importer.parameters
        self.inputs = importer.inputs
        self.program = program

    def __repr__(self):
        return f"<fpa.torch_import.Graph of {len(self.parameters)} parameters>"


def from_torch(module, args=None, kwargs=None, *, dynamic_shapes=None):
    """Imports a torch.nn.Module, or a torch.export.ExportedProgram.

    A module is exported with a tuple `args` and a dictionary `kwargs` as
    examples, and `dynamic_shapes` as torch.export.export takes them. It is exported as it
    stands: call module.eval() first. Parameters become arguments, so that
    nothing is copied; masks and other small buffers become constants.
    Raises UnsupportedOperator for what cannot be imported.
    """
    if not isinstance(module, torch.export.ExportedProgram):
        if not isinstance(module, torch.nn.Module):
            raise TypeError("expected module to be a torch.nn.Module or a "
                            "torch.export.ExportedProgram, got "
                            f"{type(module).__name__}")
        args, kwargs = check_examples(args, kwargs)
        with torch.no_grad():
            module = torch.export.export(module, args, kwargs,
                                         dynamic_shapes=dynamic_shapes)
    return Graph(module.run_decompositions({}))


class CompiledModule:
    """A compiled module: called with tensors as the module is, it returns what
    the module returns, without gradients.

    Raises TypeError and ValueError, which name the input, for others than it was
    exported for: numbers are those of the export, and so are sizes, but for the
    dynamic ones.
    """

    def __init__(self, graph, options=""):
        self.graph = graph
        self.program = _program.compile(graph.mlir, options=options)
        self._parameters = [to_numpy(t) for t in graph.parameters]
        self._inputs = Inputs(graph.program, graph.inputs,
                              self.program.inputs[len(self._parameters):])
        self._outputs = graph.program.call_spec.out_spec

    def __call__(self, *args, **kwargs):
        results = self.program(*self._parameters,
                               *self._inputs.arrays(args, kwargs))
        results = results if isinstance(results, tuple) else (results,)
        return pytree.tree_unflatten([from_numpy(x) for x in results],
                                     self._outputs)


def from_numpy(x):
    if x.dtype.name == "bfloat16" or x.dtype == "V2":
        return torch.from_numpy(x.view("i2").copy()).view(torch.bfloat16)
    return torch.from_numpy(x.copy())


def compile_module(module, args=None, kwargs=None, *, dynamic_shapes=None,
                   options=""):
    """Imports a module with `from_torch` and compiles it for the CPU. Returns a
    CompiledModule. options: those of fpa-cpu-pipeline."""
    return CompiledModule(
        module if isinstance(module, Graph) else from_torch(
            module, args, kwargs, dynamic_shapes=dynamic_shapes), options)
