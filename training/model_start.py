"""Reads a model folder that `export.py` wrote, so that training goes on from it on another machine."""
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper


def read_model(folder):
    """For each tower ([(weight OIHW, offset O)] of the convolutions from input to output, (weight, offset) of the head)."""
    graph = onnx.load(Path(folder) / "dish.onnx").graph
    arrays = {each.name: torch.from_numpy(numpy_helper.to_array(each).astype("float32")) for each in graph.initializer}
    for node in graph.node:
        if node.op_type == "Cast" and node.input[0] in arrays:
            arrays[node.output[0]] = arrays[node.input[0]]
        if node.op_type == "Mul" and all(name in arrays for name in node.input):
            arrays[node.output[0]] = arrays[node.input[0]] * arrays[node.input[1]]
    pairs = {}
    for kind in ("Conv", "Gemm"):
        # Once each, however many looks the network takes.
        named = {n.input[1]: n.input[2] for n in graph.node if n.op_type == kind}
        pairs[kind] = [(arrays[weight], arrays[offset]) for weight, offset in named.items()]
    each = len(pairs["Conv"]) // len(pairs["Gemm"])
    return [(pairs["Conv"][place * each : (place + 1) * each], head) for place, head in enumerate(pairs["Gemm"])]
