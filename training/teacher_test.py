"""Guarantees of what a teacher says of the training pictures."""
import csv
import json
import tempfile
import unittest
from pathlib import Path

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

from pictures import Pictures
from shrink import SIDE
from teacher import taught

CLASSES = 3


def write_model(folder):
    """A model whose logits are the mean red, green and blue, times ten."""
    nodes = [
        helper.make_node("GlobalAveragePool", ["pixels"], ["mean"]),
        helper.make_node("Flatten", ["mean"], ["flat"]),
        helper.make_node("Mul", ["flat", "ten"], ["logits"]),
    ]
    pixels = helper.make_tensor_value_info("pixels", TensorProto.FLOAT, ["views", 3, 8, 8])
    logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["views", CLASSES])
    graph = helper.make_graph(nodes, "g", [pixels], [logits], [numpy_helper.from_array(numpy.float32([10]), "ten")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7), folder / "dish.onnx")
    description = {"network": {"file": "dish.onnx", "sha256": "0" * 64},
                   "input": {"name": "pixels", "width": 8, "height": 8, "fit": "squash", "kernel": "cubic", "mean": [0.5] * 3, "std": [0.5] * 3}}
    (folder / "model.json").write_text(json.dumps(description), encoding="utf-8")
    (folder / "labels.tsv").write_text("index\n" + "".join(f"{i}\n" for i in range(CLASSES)), encoding="utf-8")


def write_pictures(folder, colours, splits):
    array = numpy.zeros((len(colours), SIDE, SIDE, 3), numpy.uint8)
    for place, colour in enumerate(colours):
        array[place, :, :, colour] = 255
    numpy.save(folder / "pictures.npy", array)
    with open(folder / "index.tsv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, delimiter="\t")
        out.writerow(["row", "label", "split", "set"])
        out.writerows([place, 0, split, "food101_64"] for place, split in enumerate(splits))


class Taught(unittest.TestCase):
    def test_training_pictures_have_the_models_probabilities_and_others_none(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_model(folder)
            write_pictures(folder, [0, 1, 2], ["train", "val", "train"])
            said = taught(folder, Pictures(folder), threads=1)
            self.assertEqual(said.argmax(1)[[0, 2]].tolist(), [0, 2])
            numpy.testing.assert_allclose(said.sum(1), [1, 0, 1], atol=1e-3)
            numpy.save(next(folder.glob("taught-*.npy")), said * 0)
            self.assertEqual(taught(folder, Pictures(folder), threads=1).sum(), 0, "kept, not asked again")


if __name__ == "__main__":
    unittest.main()
