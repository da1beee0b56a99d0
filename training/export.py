"""Writes the model folder: `python3 training/export.py --run RUN --out models/dish-mobilenet --version YYYY-MM-DD`.

Normalisation is folded into the filters; numbers are stored in 8 or 16 bits and computed with in single precision
(the runtime widens them once at load), so that nothing but rounding of the weights differs.
"""
import argparse
import hashlib
import json
import re
from pathlib import Path

import numpy
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

from dish_labels import read_labels, write_labels
from network import INPUT, DishNet, Enlarged, Towers, fold
from shrink import QUALITY, SIDE

SMALLEST_STORED_SHORT = 1024  # numbers; shorter arrays stay in single precision
LARGEST_BYTE = 127


def shorten(path):
    """Stores filters of one pixel (most of all numbers) in 8 bits with a scale for each output, other large constants in
    half precision; each is followed by what widens it."""
    model = onnx.load(path)
    graph, widening = model.graph, []
    for constant in list(graph.initializer):
        values = numpy_helper.to_array(constant)
        if constant.data_type != TensorProto.FLOAT or values.size < SMALLEST_STORED_SHORT:
            continue
        name = constant.name
        graph.initializer.remove(constant)
        if values.ndim == 4 and values.shape[2:] == (1, 1):
            scale = numpy.abs(values).max((1, 2, 3), keepdims=True).clip(1e-12) / LARGEST_BYTE
            graph.initializer.append(numpy_helper.from_array(numpy.rint(values / scale).astype(numpy.int8), f"{name}_byte"))
            graph.initializer.append(numpy_helper.from_array(scale, f"{name}_scale"))
            widening.append(helper.make_node("Cast", [f"{name}_byte"], [f"{name}_wide"], to=TensorProto.FLOAT))
            widening.append(helper.make_node("Mul", [f"{name}_wide", f"{name}_scale"], [name]))
        else:
            graph.initializer.append(numpy_helper.from_array(values.astype(numpy.float16), f"{name}_half"))
            widening.append(helper.make_node("Cast", [f"{name}_half"], [name], to=TensorProto.FLOAT))
    for node in reversed(widening):
        graph.node.insert(0, node)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def sha256(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--run", required=True)
    args.add_argument("--out", required=True)
    args.add_argument("--shares", type=float, nargs="*", help="of the towers in the answer, 1 together; all alike unless given")
    args.add_argument("--version", required=True, help="date of the training, YYYY-MM-DD")
    args.add_argument("--labels", default="src/catalogue/starter/photo-labels.tsv")
    args = args.parse_args()
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    labels = read_labels(args.labels)
    states = torch.load(Path(args.run) / "checkpoint.pt", map_location="cpu")["towers"]
    towers = [DishNet(len(labels)).eval() for _ in states]
    for tower, state in zip(towers, states):
        tower.load_state_dict(state["mean"])
        fold(tower)
    net = Enlarged(Towers(towers, args.shares)).eval()
    pixels = torch.zeros(2, 3, INPUT, INPUT)
    torch.onnx.export(net, (pixels,), str(out / "dish.onnx"), input_names=["pixels"], output_names=["logits"],
                      dynamic_axes={"pixels": {0: "views"}, "logits": {0: "views"}}, opset_version=13, dynamo=False)
    shorten(out / "dish.onnx")
    write_labels(out / "labels.tsv", labels)
    description = {
        "schemaVersion": 1,
        "name": out.name,
        "version": args.version,
        "network": {"file": "dish.onnx", "sha256": sha256(out / "dish.onnx"), "bytes": (out / "dish.onnx").stat().st_size},
        "labels": {"file": "labels.tsv", "sha256": sha256(out / "labels.tsv")},
        "input": {
            "name": "pixels", "type": "float32", "layout": "nchw", "batch": "any",
            "width": INPUT, "height": INPUT, "fit": "cover", "kernel": "cubic",
            "shrink": {"width": SIDE, "height": SIDE, "webp": QUALITY},
            "colour": "rgb", "mean": [0.5, 0.5, 0.5], "std": [0.5, 0.5, 0.5],
        },
        "output": {"name": "logits", "type": "float32", "classes": len(labels)},
        "views": {"allowed": ["whole", "mirror", "centre", "centre-mirror"], "default": ["whole", "mirror"],
                  "centreShare": 0.8},
        "temperature": 1.0, "temperatures": {},
        "notFood": {"score": "label", "index": labels[-1].index, "atLeast": 0.5},
        "unsure": {"score": "food-confidence", "below": 0.35},
    }
    write_description(out, description)
    probe = torch.rand(2, 3, INPUT, INPUT) * 2 - 1
    answer = onnxruntime.InferenceSession(str(out / "dish.onnx")).run(None, {"pixels": probe.numpy()})[0]
    difference = float(numpy.abs(answer - net(probe).detach().numpy()).max())
    print(f"{out}: {description['network']['bytes'] / 1e6:.1f} MB, largest difference of a logit {difference:.4f}")


def write_description(folder, description):
    """Writes `model.json` as the project's formatter has it: lists of plain values on one line."""
    text = json.dumps(description, indent=2, ensure_ascii=False)
    text = re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda m: "[" + re.sub(r"\s*\n\s*", " ", m.group(1)) + "]", text)
    Path(folder, "model.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
