"""Reads a model folder that `export.py` wrote, so that training goes on from it on another machine."""
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper


def read_model(folder):
    """([(weight OIHW, offset O)] of the convolutions from input to output, (weight, offset) of the head)."""
    graph = onnx.load(Path(folder) / "dish.onnx").graph
    arrays = {each.name: torch.from_numpy(numpy_helper.to_array(each).astype("float32")) for each in graph.initializer}
    for node in graph.node:
        if node.op_type == "Cast" and node.input[0] in arrays:
            arrays[node.output[0]] = arrays[node.input[0]]
    pairs = {kind: [(arrays[n.input[1]], arrays[n.input[2]]) for n in graph.node if n.op_type == kind] for kind in ("Conv", "Gemm")}
    (head,) = pairs["Gemm"]
    return pairs["Conv"], head
