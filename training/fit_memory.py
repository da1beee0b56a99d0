"""Fits what the service keeps of a photo: `python3 training/fit_memory.py --model models/dish-mobilenet --photos ../shared/vision`.

The numbers in front of the towers' heads (`inner_layer.py`), each tower's brought to length 1, mean over the views, are projected to
SIZE by a half-whitened PCA: each component is divided by the root of its deviation. Writes `memory.bin`: SIZE scales and SIZE offsets
(float32, little-endian), then SIZE x features int8; component k is `scale[k] * sum(int8[k] * x) - offset[k]`.
"""
import argparse
import io
from pathlib import Path

import numpy
from PIL import Image

from inner_layer import OUTPUT
from model_folder import read_description, sha256, write_description
from photo_sets import by_label, read_set, splits
from recognize import DishModel

FILE = "memory.bin"
SIZE = 128
FEATURES = 1792  # of a tower
LARGEST_BYTE = 127
# Training photos of each label. Every second label is left out, so that figures on those are of foods that the projection never saw;
# ECUSTFD is left out as a whole.
FITTED_ON = {"food101_64": 40, "grocery": 16}


def fitted_labels(photos):
    return sorted(by_label(photos))[::2]


def pictures(folder):
    held = splits(folder)
    for name, count in FITTED_ON.items():
        photos = read_set(folder, name)
        groups, content = by_label(photos), (Path(folder) / f"{name}.bin").read_bytes()
        for label in fitted_labels(photos):
            kept = [p for p in groups[label] if (label, p.source) not in held[name]]
            for photo in kept[:count]:
                yield Image.open(io.BytesIO(content[photo.offset : photo.offset + photo.size])).convert("RGB")


def inner_vectors(pooled, towers):
    """pictures x views x features -> pictures x features."""
    each = pooled.reshape(*pooled.shape[:2], towers, -1)
    return (each / numpy.linalg.norm(each, axis=-1, keepdims=True)).reshape(pooled.shape).mean(1)


def half_whitened(vectors):
    """(SIZE x features, SIZE): the projection, and what to subtract after it."""
    mean = vectors.mean(0)
    _, singular, axes = numpy.linalg.svd(vectors - mean, full_matrices=False)
    deviation = singular[:SIZE] / numpy.sqrt(len(vectors) - 1)
    projection = axes[:SIZE] / numpy.sqrt(deviation)[:, None]
    return projection, projection @ mean


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--model", required=True)
    args.add_argument("--photos", required=True)
    args.add_argument("--threads", type=int, default=1)
    args = args.parse_args()
    folder = Path(args.model)
    model, description = DishModel(folder, args.threads), read_description(folder)
    pooled = model.outputs(pictures(args.photos), OUTPUT)
    towers = pooled.shape[-1] // FEATURES
    projection, offset = half_whitened(inner_vectors(pooled, towers))
    scale = numpy.abs(projection).max(1) / LARGEST_BYTE
    stored = numpy.rint(projection / scale[:, None]).astype(numpy.int8)
    content = scale.astype("<f4").tobytes() + offset.astype("<f4").tobytes() + stored.tobytes()
    (folder / FILE).write_bytes(content)
    description["memory"] = {
        "output": OUTPUT, "towers": towers, "width": pooled.shape[-1], "size": SIZE,
        "projection": {"file": FILE, "sha256": sha256(folder / FILE)},
    }
    write_description(folder, description)
    print(f"{folder / FILE}: {len(content) / 1e6:.1f} MB, fitted on {len(pooled)} photos")


if __name__ == "__main__":
    main()
