"""A model folder at work, as docs/dish-model.md describes it: pictures to probabilities, with ONNX Runtime."""
import csv
import json
from pathlib import Path

import numpy
import onnxruntime
from PIL import Image

KERNELS = {"cubic": Image.BICUBIC, "linear": Image.BILINEAR, "lanczos3": Image.LANCZOS}


def softmax(z):
    e = numpy.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


class DishModel:
    def __init__(self, folder, threads=1):
        folder = Path(folder)
        self.description = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        with open(folder / "labels.tsv", encoding="utf-8", newline="") as file:
            self.labels = list(csv.DictReader(file, delimiter="\t"))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(str(folder / self.description["network"]["file"]), options)

    def view(self, image, name):
        """One view of an RGB picture as C x H x W."""
        rules = self.description["input"]
        box = None
        if name.startswith("centre"):
            rest = (1 - self.description["views"]["centreShare"]) / 2
            box = (image.width * rest, image.height * rest, image.width * (1 - rest), image.height * (1 - rest))
        small = image.resize((rules["width"], rules["height"]), KERNELS[rules["kernel"]], box)
        x = numpy.asarray(small, numpy.float32) / 255
        x = ((x - rules["mean"]) / rules["std"]).astype(numpy.float32).transpose(2, 0, 1)
        return x[:, :, ::-1] if name.endswith("mirror") else x

    def logits(self, images, views=None):
        """pictures x views x labels; `images` is any iterable of RGB pictures."""
        views = views or self.description["views"]["default"]
        answers = []
        for image in images:
            x = numpy.stack([self.view(image, name) for name in views])
            answers.append(self.session.run(None, {self.description["input"]["name"]: x})[0])
        return numpy.stack(answers)

    def probabilities(self, logits):
        """Mean over views of the calibrated softmax: pictures x labels."""
        p = softmax(logits / self.description["temperature"]).mean(1)
        sets = numpy.array([label["set"] for label in self.labels])[p.argmax(1)]
        for name, temperature in self.description.get("temperatures", {}).items():
            p[sets == name] = softmax(logits[sets == name] / temperature).mean(1)
        return p
