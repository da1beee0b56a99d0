"""Keeps filters of one pixel, of which most of a tower consists, in six bits a number.

Rounding each number to the nearest loses a point. Here numbers are rounded one input after the other, and those of the inputs
not yet rounded make up for what was lost, so that what the layer gives on real pictures changes least (Frantar et al. 2022, GPTQ).
"""
import numpy
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

BITS = 6
HALF = 2 ** (BITS - 1)  # whole numbers from -HALF to HALF - 1
PACKED = 4  # so many numbers are packed into three bytes
# So many steps the widest number of an output may be: what lies beyond HALF is cut off; what does not reach it was rounded before.
WIDEST = range(HALF - 8, HALF + 20)
DAMPING = 0.01  # of the mean strength of an input
PICTURES_AT_ONCE = 64


@torch.no_grad()
def round_filters(net, pixels):
    """Rounds the filters of `net`, whose normalisation is folded, for what they see of `pixels`.

    Returns {name of the parameter: steps, one for each output}: each number is a whole multiple of its output's step.
    """
    steps = {}
    for name, layer, strength in filters(net, pixels):
        step = best_steps(layer.weight.flatten(1).double())
        rounded = rounded_in_turn(layer.weight.flatten(1).double(), strength.double(), step)
        layer.weight.copy_(rounded.reshape(layer.weight.shape))
        steps[f"{name}.weight"] = step[:, 0].float().numpy()
    return steps


def filters(net, pixels):
    """[(name, layer, strength I x I: mean products of its inputs)] of each filter of one pixel."""
    layers = [(n, m) for n, m in net.named_modules() if isinstance(m, nn.Conv2d) and m.kernel_size == (1, 1)]
    sums = {}

    def add(layer, inputs, _output):
        x = inputs[0].transpose(0, 1).flatten(1)
        sums[layer] = sums.get(layer, 0) + x @ x.T / x.shape[1]

    handles = [layer.register_forward_hook(add) for _, layer in layers]
    for some in pixels.split(PICTURES_AT_ONCE):
        net(some)
    for handle in handles:
        handle.remove()
    return [(name, layer, sums[layer]) for name, layer in layers]


def nearest(values, step):
    return (values / step).round().clamp(-HALF, HALF - 1) * step


def best_steps(weight):
    """O x I -> O x 1: the step with which the nearest multiples are closest to the numbers of an output."""
    widest = weight.abs().amax(1, keepdim=True).clamp_min(1e-12)
    steps = torch.stack([widest / count for count in WIDEST])
    errors = torch.stack([(nearest(weight, step) - weight).square().sum(1, keepdim=True) for step in steps])
    return steps.gather(0, errors.argmin(0, keepdim=True))[0]


def rounded_in_turn(weight, strength, step):
    """O x I -> the same in multiples of `step`. The strongest inputs come first, while there are others to make up for them."""
    inputs = len(strength)
    strength = strength + torch.eye(inputs, dtype=strength.dtype) * strength.diagonal().mean() * DAMPING
    order = strength.diagonal().argsort(descending=True)
    inverse = torch.cholesky_inverse(torch.linalg.cholesky(strength[order][:, order]))
    share = torch.linalg.cholesky(inverse, upper=True)
    left, result = weight[:, order].clone(), torch.zeros_like(weight)
    for i in range(inputs):
        result[:, i] = nearest(left[:, i : i + 1], step)[:, 0]
        lost = (left[:, i] - result[:, i]) / share[i, i]
        left[:, i + 1 :] -= lost[:, None] * share[i : i + 1, i + 1 :]
    return result[:, order.argsort()]


def packed(numbers):
    """Whole numbers from -HALF to HALF - 1, a multiple of four -> uint8 3 x N/4.

    Each byte has a whole number in its upper six bits and two bits of a fourth one below.
    """
    a, b, c, d = (numbers.reshape(PACKED, -1) + HALF).astype(numpy.uint8)
    return numpy.stack([a * 4 + d % 4, b * 4 + d // 4 % 4, c * 4 + d // 16])


def widening(name, shape):
    """(nodes, constants) that make the filters `name` from `NAME_packed` and `NAME_step`; the runtime runs them once at load."""
    constants = {"quarter": [0.25], "four": [4.0], "weights": [[1.0, 4.0, 16.0]], "half": [float(HALF)]}
    chain = [
        ("Cast", ["packed"], "wide", {"to": TensorProto.FLOAT}),
        ("Mul", ["wide", "quarter"], "shifted", {}),
        ("Floor", ["shifted"], "three", {}),
        ("Mul", ["three", "four"], "upper", {}),
        ("Sub", ["wide", "upper"], "lower", {}),
        ("MatMul", ["weights", "lower"], "fourth", {}),
        ("Concat", ["three", "fourth"], "all", {"axis": 0}),
        ("Sub", ["all", "half"], "whole", {}),
        ("Reshape", ["whole", "shape"], "filters", {}),
        ("Mul", ["filters", "step"], "", {}),
    ]

    def part(each):
        return f"{name}_{each}" if each else name

    nodes = [helper.make_node(kind, [part(i) for i in inputs], [part(output)], **more) for kind, inputs, output, more in chain]
    arrays = {key: numpy.array(value, numpy.float32) for key, value in constants.items()}
    arrays["shape"] = numpy.array(shape, numpy.int64)
    return nodes, [numpy_helper.from_array(array, part(key)) for key, array in arrays.items()]
