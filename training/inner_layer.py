"""Lets a network answer what its towers saw, beside what they say: the numbers in front of their heads.

    python3 training/inner_layer.py --model models/dish-mobilenet

Adds one output to the ONNX file of a model folder and changes no weight; a second call changes nothing. `fit_memory.py` then fits what
the service makes of these numbers.
"""
import argparse
from pathlib import Path

import onnx
from onnx import TensorProto, helper

from model_folder import read_description, sha256, write_description

OUTPUT = "pooled"


def add_inner_output(path):
    """Puts what goes into the heads of the towers out as `pooled`, one tower after the other: views x features."""
    model = onnx.load(path)
    graph = model.graph
    if any(output.name == OUTPUT for output in graph.output):
        return
    heads = [node for node in graph.node if node.op_type == "Gemm"]
    graph.node.append(helper.make_node("Concat", [head.input[0] for head in heads], [OUTPUT], axis=1))
    graph.output.append(helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["views", "features"]))
    onnx.checker.check_model(model)
    onnx.save(model, path)


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--model", required=True)
    folder = Path(args.parse_args().model)
    description = read_description(folder)
    path = folder / description["network"]["file"]
    add_inner_output(path)
    description["network"] |= {"sha256": sha256(path), "bytes": path.stat().st_size}
    write_description(folder, description)


if __name__ == "__main__":
    main()
