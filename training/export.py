"""Writes the model folder:
`python3 training/export.py --data DATA --towers RUN… --out models/dish-mobilenet --version YYYY-MM-DD`.

Normalisation is folded into the filters; numbers are stored in 6, 8 or 16 bits and computed with in single precision
(the runtime widens them once at load), so that nothing but rounding of the weights differs.
"""
import argparse
from pathlib import Path

import numpy
import onnx
import onnxruntime
import torch
import torch.nn.functional as F
from onnx import TensorProto, helper, numpy_helper

from dish_labels import read_labels, write_labels
from few_bits import packed, round_filters, widening
from inner_layer import add_inner_output, add_region_output
from model_folder import sha256, write_description
from model_start import is_tower, read_tower
from network import INPUT, DishNet, Enlarged, Towers, fold, set_folded
from pictures import Pictures
from shrink import QUALITY, SIDE
from tower import final_weights

SMALLEST_STORED_SHORT = 1024  # numbers; shorter arrays stay in single precision
LARGEST_BYTE = 127
# Training photos of each set that filters are rounded for.
ROUNDED_FOR = {"food101_64": 256, "grocery": 48, "ecustfd": 16, "negatives": 32}


def shorten(path, steps):
    """Stores filters of one pixel (most of all numbers) in 6 bits, the heads in 8 bits with a scale for each output, other
    large constants in half precision; each is followed by what widens it. `steps` is {name: step of each output}."""
    model = onnx.load(path)
    graph, nodes = model.graph, []
    for constant in list(graph.initializer):
        values = numpy_helper.to_array(constant)
        if constant.data_type != TensorProto.FLOAT or values.size < SMALLEST_STORED_SHORT:
            continue
        graph.initializer.remove(constant)
        if constant.name in steps:
            more = in_six_bits(constant.name, values, steps[constant.name])
        elif values.ndim == 2:
            more = in_eight_bits(constant.name, values)
        else:
            more = in_half_precision(constant.name, values)
        nodes.extend(more[0])
        graph.initializer.extend(more[1])
    for node in reversed(nodes):
        graph.node.insert(0, node)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def in_six_bits(name, values, step):
    step = step[:, None, None, None]
    nodes, constants = widening(name, values.shape)
    kept = packed(numpy.rint(values / step).astype(int))
    return nodes, [*constants, numpy_helper.from_array(kept, f"{name}_packed"), numpy_helper.from_array(step, f"{name}_step")]


def in_eight_bits(name, values):
    scale = numpy.abs(values).max(1, keepdims=True).clip(1e-12) / LARGEST_BYTE
    kept = numpy.rint(values / scale).astype(numpy.int8)
    nodes = [
        helper.make_node("Cast", [f"{name}_byte"], [f"{name}_wide"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [f"{name}_wide", f"{name}_scale"], [name]),
    ]
    return nodes, [numpy_helper.from_array(kept, f"{name}_byte"), numpy_helper.from_array(scale, f"{name}_scale")]


def in_half_precision(name, values):
    nodes = [helper.make_node("Cast", [f"{name}_half"], [name], to=TensorProto.FLOAT)]
    return nodes, [numpy_helper.from_array(values.astype(numpy.float16), f"{name}_half")]


def folded(name, classes):
    """The towers of a run, or one of a model folder, with their normalisation folded."""
    if is_tower(name):
        tower = DishNet(classes).eval()
        fold(tower)
        set_folded(tower, *read_tower(name))
        return [tower]
    towers = []
    for state in torch.load(Path(name) / "checkpoint.pt", map_location="cpu")["towers"]:
        tower = DishNet(classes).eval()
        tower.load_state_dict(final_weights(state))
        fold(tower)
        towers.append(tower)
    return towers


def some_photos(data):
    """N x 3 x INPUT x INPUT training photos: what filters are rounded for."""
    pictures = Pictures(data)
    rows = [row for name, count in ROUNDED_FOR.items() for row in spread(pictures.select(name, "train")[0], count)]
    return F.interpolate(pictures.pixels(rows), (INPUT, INPUT), mode="bilinear")


def spread(rows, count):
    return rows[numpy.linspace(0, len(rows) - 1, count).astype(int)]


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--data", required=True)
    args.add_argument("--towers", required=True, nargs="+", help="folders of runs, or FOLDER or FOLDER:1 of a model; all answer together")
    args.add_argument("--out", required=True)
    args.add_argument("--shares", type=float, nargs="*", help="of the towers in the answer, 1 together; all alike unless given")
    args.add_argument("--version", required=True, help="date of the training, YYYY-MM-DD")
    args.add_argument("--labels", default="tools/starter/photo-labels.tsv")
    args = args.parse_args()
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    labels = read_labels(args.labels)
    net = Enlarged(Towers([tower for name in args.towers for tower in folded(name, len(labels))], args.shares)).eval()
    steps = round_filters(net, some_photos(args.data))
    pixels = torch.zeros(2, 3, INPUT, INPUT)
    torch.onnx.export(net, (pixels,), str(out / "dish.onnx"), input_names=["pixels"], output_names=["logits"],
                      dynamic_axes={"pixels": {0: "views"}, "logits": {0: "views"}}, opset_version=13, dynamo=False)
    shorten(out / "dish.onnx", steps)
    add_inner_output(out / "dish.onnx")
    add_region_output(out / "dish.onnx")
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
            "shrink": {"width": SIDE, "height": SIDE, "kernel": "area", "webp": QUALITY},
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


if __name__ == "__main__":
    main()
