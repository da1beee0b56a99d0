"""Lets a network answer what its towers saw, beside what they say.

    python3 training/inner_layer.py --model models/dish-mobilenet

Adds two outputs to the ONNX file of a model folder and changes no weight; a second call changes nothing. `pooled` are the numbers in front
of the towers' heads, of which `fit_memory.py` fits what the service keeps. `regions` are the logits at each place of the last map, whose
mean over all places is `logits`: what the service finds several foods on a photo by.
"""
import argparse
from pathlib import Path

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

from model_folder import read_description, sha256, write_description

OUTPUT = "pooled"
REGIONS = "regions"


def has_output(graph, name):
    return any(output.name == name for output in graph.output)


def heads_of(graph):
    return [node for node in graph.node if node.op_type == "Gemm"]


def add_inner_output(path):
    """Puts what goes into the heads of the towers out as `pooled`, one tower after the other: views x features."""
    model = onnx.load(path)
    graph = model.graph
    if has_output(graph, OUTPUT):
        return
    graph.node.append(helper.make_node("Concat", [head.input[0] for head in heads_of(graph)], [OUTPUT], axis=1))
    graph.output.append(helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["views", "features"]))
    onnx.checker.check_model(model)
    onnx.save(model, path)


def add_region_output(path):
    """Puts the heads' answers at each place of the towers' last maps out as `regions`: views x labels x rows x columns."""
    model = onnx.load(path)
    graph = model.graph
    if has_output(graph, REGIONS):
        return
    means = {node.output[0]: node for node in graph.node if node.op_type == "ReduceMean"}
    axes = numpy_helper.from_array(numpy.array([2, 3], numpy.int64), f"{REGIONS}_axes")
    graph.initializer.append(axes)
    towers = []
    for index, head in enumerate(heads_of(graph)):
        # A head counts in the answer by a factor.
        (share,) = [node for node in graph.node if node.op_type == "Mul" and head.output[0] in node.input]
        (factor,) = [name for name in share.input if name != head.output[0]]
        inner, weight, bias = head.input
        name = f"{REGIONS}_{index}"
        graph.node.extend([
            helper.make_node("Unsqueeze", [weight, axes.name], [f"{name}_weight"]),
            helper.make_node("Conv", [means[inner].input[0], f"{name}_weight", bias], [f"{name}_places"]),
            helper.make_node("Mul", [f"{name}_places", factor], [name]),
        ])
        towers.append(name)
    graph.node.append(helper.make_node("Sum", towers, [REGIONS]))
    graph.output.append(helper.make_tensor_value_info(REGIONS, TensorProto.FLOAT, ["views", "labels", "rows", "columns"]))
    onnx.checker.check_model(model)
    onnx.save(model, path)


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--model", required=True)
    folder = Path(args.parse_args().model)
    description = read_description(folder)
    path = folder / description["network"]["file"]
    add_inner_output(path)
    add_region_output(path)
    description["network"] |= {"sha256": sha256(path), "bytes": path.stat().st_size}
    write_description(folder, description)


if __name__ == "__main__":
    main()
