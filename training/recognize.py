"""A model folder at work, as docs/dish-model.md describes it: pictures to probabilities, with ONNX Runtime."""
import csv
import json
from pathlib import Path

import numpy
import onnxruntime
from PIL import Image

from shrink import area_mean, compressed, middle

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
        kernel, shrink = KERNELS[rules["kernel"]], rules.get("shrink")
        if name.startswith("centre"):
            rest = (1 - self.description["views"]["centreShare"]) / 2
            image = image.crop([round(side * part) for part in (rest, 1 - rest) for side in image.size])
        if rules["fit"] == "cover":
            image = middle(image, rules["width"] / rules["height"])
        if shrink and image.width > shrink["width"] and image.height > shrink["height"]:
            size = shrink["width"], shrink["height"]
            by = shrink.get("kernel", rules["kernel"])
            image = compressed(area_mean(image, *size) if by == "area" else image.resize(size, KERNELS[by]), shrink["webp"])
        small = image.resize((rules["width"], rules["height"]), kernel)
        x = numpy.asarray(small, numpy.float32) / 255
        x = ((x - rules["mean"]) / rules["std"]).astype(numpy.float32).transpose(2, 0, 1)
        return x[:, :, ::-1] if name.endswith("mirror") else x

    def logits(self, images, views=None):
        """pictures x views x labels; `images` is any iterable of RGB pictures."""
        return self.outputs(images, self.description["output"]["name"], views)

    def outputs(self, images, output, views=None):
        """One output of the network: pictures x views x its length."""
        views = views or self.description["views"]["default"]
        answers = []
        for image in images:
            x = numpy.stack([self.view(image, name) for name in views])
            answers.append(self.session.run([output], {self.description["input"]["name"]: x})[0])
        return numpy.stack(answers)

    def probabilities(self, logits):
        """Mean over views of the calibrated softmax: pictures x labels."""
        p = softmax(logits / self.description["temperature"]).mean(1)
        sets = numpy.array([label["set"] for label in self.labels])[p.argmax(1)]
        for name, temperature in self.description.get("temperatures", {}).items():
            p[sets == name] = softmax(logits[sets == name] / temperature).mean(1)
        return p
