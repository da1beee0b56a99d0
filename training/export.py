"""Writes the model folder: `python3 training/export.py --run RUN --out models/dish-mobilenet --size 96`.

Normalisation is folded into the filters; numbers are stored in half precision and computed with in single
precision (the runtime widens them once at load), so that nothing but rounding of the weights differs.
"""
import argparse
import hashlib
import json
import re
from pathlib import Path

import numpy
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from dish_labels import read_labels, write_labels
from network import DishNet, fold

SMALLEST_HALVED = 1024  # numbers; shorter arrays stay in single precision


def halve(path):
    """Stores large constants in half precision, each followed by a Cast."""
    model = onnx.load(path)
    graph, casts = model.graph, []
    for constant in list(graph.initializer):
        values = numpy_helper.to_array(constant)
        if constant.data_type != TensorProto.FLOAT or values.size < SMALLEST_HALVED:
            continue
        graph.initializer.remove(constant)
        graph.initializer.append(numpy_helper.from_array(values.astype(numpy.float16), f"{constant.name}_half"))
        casts.append(helper.make_node("Cast", [f"{constant.name}_half"], [constant.name], to=TensorProto.FLOAT))
    for node in reversed(casts):
        graph.node.insert(0, node)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def sha256(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--run", required=True)
    args.add_argument("--out", required=True)
    args.add_argument("--size", type=int, default=96)
    args.add_argument("--version", required=True, help="date of the training, YYYY-MM-DD")
    args.add_argument("--labels", default="src/catalogue/starter/photo-labels.tsv")
    args = args.parse_args()
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    labels = read_labels(args.labels)
    net = DishNet(len(labels))
    net.load_state_dict(torch.load(Path(args.run) / "checkpoint.pt", map_location="cpu")["mean"])
    net.eval()
    fold(net)
    pixels = torch.zeros(2, 3, args.size, args.size)
    torch.onnx.export(net, (pixels,), str(out / "dish.onnx"), input_names=["pixels"], output_names=["logits"],
                      dynamic_axes={"pixels": {0: "views"}, "logits": {0: "views"}}, opset_version=13, dynamo=False)
    halve(out / "dish.onnx")
    write_labels(out / "labels.tsv", labels)
    description = {
        "schemaVersion": 1,
        "name": out.name,
        "version": args.version,
        "network": {"file": "dish.onnx", "sha256": sha256(out / "dish.onnx"), "bytes": (out / "dish.onnx").stat().st_size},
        "labels": {"file": "labels.tsv", "sha256": sha256(out / "labels.tsv")},
        "input": {
            "name": "pixels", "type": "float32", "layout": "nchw", "batch": "any",
            "width": args.size, "height": args.size, "fit": "squash", "kernel": "cubic",
            "colour": "rgb", "mean": [0.5, 0.5, 0.5], "std": [0.5, 0.5, 0.5],
        },
        "output": {"name": "logits", "type": "float32", "classes": len(labels)},
        "views": {"allowed": ["whole", "mirror", "centre", "centre-mirror"], "default": ["whole", "mirror"],
                  "centreShare": 0.8},
        "temperature": 1.0,
        "notFood": {"score": "label", "index": labels[-1].index, "atLeast": 0.5},
        "unsure": {"score": "food-confidence", "below": 0.35},
    }
    write_description(out, description)
    probe = torch.rand(2, 3, args.size, args.size) * 2 - 1
    import onnxruntime

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
