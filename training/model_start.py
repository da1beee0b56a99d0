"""Reads a model folder that `export.py` wrote, so that training goes on from it on another machine."""
from pathlib import Path

import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

ERRORS_ONLY = 3


def read_tower(name):
    """One of `read_model`: FOLDER is its first tower, FOLDER:1 its second."""
    folder, _, place = name.partition(":")
    return read_model(folder)[int(place or 0)]


def is_tower(name):
    return Path(name.partition(":")[0], "dish.onnx").is_file()


def read_model(folder):
    """For each tower ([(weight OIHW, offset O)] of the convolutions from input to output, (weight, offset) of the head)."""
    model = onnx.load(Path(folder) / "dish.onnx")
    graph = model.graph
    pairs = {}
    for kind in ("Conv", "Gemm"):
        # Once each, however many looks the network takes.
        pairs[kind] = list({n.input[1]: n.input[2] for n in graph.node if n.op_type == kind}.items())
    arrays = constants(model, {name for pair in pairs["Conv"] + pairs["Gemm"] for name in pair})
    convolutions, heads = ([(arrays[weight], arrays[offset]) for weight, offset in pairs[kind]] for kind in ("Conv", "Gemm"))
    each = len(convolutions) // len(heads)
    return [(convolutions[place * each : (place + 1) * each], head) for place, head in enumerate(heads)]


def constants(model, names):
    """{name: array} of what does not depend on what comes in, as the runtime works it out at load."""
    graph = model.graph
    known, nodes = {each.name for each in graph.initializer}, []
    for node in graph.node:
        if node.input and known.issuperset(node.input):
            known.update(node.output)
            nodes.append(node)
    arrays = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    worked_out = sorted(names - arrays.keys())
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in worked_out]
    part = helper.make_graph(nodes, "constants", [], outputs, graph.initializer)
    part = helper.make_model(part, opset_imports=model.opset_import, ir_version=model.ir_version)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = ERRORS_ONLY  # not a line for each constant that only the rest of the network uses
    session = onnxruntime.InferenceSession(part.SerializeToString(), options)
    arrays |= dict(zip(worked_out, session.run(worked_out, {}), strict=True))
    return {name: torch.from_numpy(arrays[name].astype("float32")) for name in names}
