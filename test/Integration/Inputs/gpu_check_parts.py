"""The choice of packages, and the reference of the check on a GPU against the
oracle of the numeric suite where PyTorch is there."""

import sys

import numpy as np

sys.path.insert(0, sys.argv[1])

import gpu_check  # noqa: E402
import gpu_reference  # noqa: E402


def check_choice():
    found = {80: {}, 90: {}, 100: {}}
    for capability, want in [(80, 80), (86, 80), (90, 90), (103, 100),
                             (120, 100)]:
        got = gpu_check.choose_chip(found, capability)
        if got != want:
            raise SystemExit(f"sm_{capability}: expected {want}, got {got}")
    try:
        gpu_check.choose_chip({90: {}}, 86)
    except gpu_check.NotRun as error:
        if str(error) != ("expected packages for sm_86 or an older chip, "
                          "found sm_90"):
            raise
        return
    raise SystemExit("packages newer than the GPU were taken")


def naive(q, k, v, field, i):
    logits = [q[i] @ k[j] / np.sqrt(q.shape[1]) -
              max(0, field[j] - min(field[j + 1:i + 1], default=np.inf))
              for j in range(i + 1)]
    weights = np.exp(np.array(logits) - max(logits))
    return weights / weights.sum() @ v[:i + 1]


def check_reference():
    try:
        import torch
    except ImportError:
        print("skipped: the reference, no PyTorch")
        return
    torch.manual_seed(0)
    q, k, v = (torch.randn(2, 3, 50, 16, dtype=torch.float16)
               for _ in range(3))
    field = ((torch.randn(2, 3, 50) - 0.2) * 0.3).cumsum(-1)
    rows = torch.tensor([0, 1, 7, 33, 49])
    output = torch.zeros_like(q)
    for b in range(2):
        for h in range(3):
            for i in range(50):
                output[b, h, i] = torch.from_numpy(
                    naive(*(x[b, h].double().numpy() for x in (q, k, v)),
                          field[b, h].double().numpy(), i))
    arguments = (torch, output, q, k, v, field, rows, 2.0 ** -11)
    error = gpu_reference.worst_error(*arguments)
    output[1, 2, 33, 3] += 0.05
    spoilt = gpu_reference.worst_error(*arguments)
    if not (0 < error < 1.01 and spoilt > 2.05):
        raise SystemExit(f"expected errors below 1 and above 2, got {error} "
                         f"and {spoilt}")


class Events:
    """Stands for the events of a device: each is a millisecond later."""
    now = 0

    def __init__(self, enable_timing):
        assert enable_timing

    def record(self):
        Events.now += 1
        self.at = Events.now

    def elapsed_time(self, end):
        return end.at - self.at


class Computed:
    """Stands for a package: computes with the reference."""

    def __init__(self, torch, spoil=0):
        self.torch, self.spoil = torch, spoil

    def run(self, entry, inputs, results):
        q, k, v = inputs[:3]
        name, _, backward = entry.partition("_")
        field = inputs[3] if name == "attention" else None
        if backward:
            assert len(inputs) == len(results) + 3
            leaves = [x.double().requires_grad_() for x in inputs[:len(results)]]
            output, _ = gpu_reference.attention_rows(
                self.torch, *(leaves if field is not None else leaves + [None]),
                None)
            gradients = self.torch.autograd.grad(output, leaves,
                                                 inputs[-1].double())
            for result, gradient in zip(results, gradients):
                result[...] = gradient.to(result.dtype)
            results[0][0, 0, 0, 0] += self.spoil
            return
        results[0][...] = gpu_reference.attention_rows(
            self.torch, q, k, v, field, None)[0].to(q.dtype)
        results[1][...] = 0

    def time(self, entry, sets, warm_ups, repetitions):
        name, _, backward = entry.partition("_")
        inputs = 4 if name == "attention" else 3
        assert len(sets[0][0]) == (inputs + 3 if backward else inputs)
        each = 2.0 if name == "attention" else 1.0
        return [3 * each if backward else each] * repetitions


def check_measuring():
    """The whole of a case, without a device."""
    try:
        import torch
    except ImportError:
        return
    gpu_check.DEVICE = "cpu"
    gpu_check.TOKENS, gpu_check.WIDTH = 256, 64
    gpu_check.BYTES_OF_ALL_SETS = 1 << 20
    torch.cuda.synchronize = lambda: None
    torch.cuda.Event = Events
    row = gpu_check.measure(torch, Computed(torch), "bf16", 32, 128,
                            torch.Generator("cpu").manual_seed(1))
    want = {"type": "bf16", "head": 32, "length": 128, "batch": 2, "heads": 2,
            "fpa": 2.0, "causal": 1.0, "attention backward": 6.0,
            "causal backward": 3.0}
    if {name: row[name] for name in want} != want or not 0 < row["error"] <= 1:
        raise SystemExit(f"expected {want}, got {row}")
    if not 0 < row["gradient error"] <= 1:
        raise SystemExit(f"expected an error of gradients below 1, got {row}")
    wrong = gpu_check.check_gradients(
        torch, Computed(torch, spoil=1), "bf16", (1, 2, 40, 32),
        torch.Generator("cpu").manual_seed(1))
    if not wrong > gpu_check.MOST_OF_GRADIENTS:
        raise SystemExit(f"expected a wrong gradient to be found, got {wrong}")
    # The CPU has one of the back ends at least, and no cuDNN.
    if row["flash"] != 1 or row["cudnn"] is not None:
        raise SystemExit(f"expected a time of flash attention, got {row}")


check_choice()
check_reference()
check_measuring()
print("parts of the check: ok")
