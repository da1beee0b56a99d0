"""Decodes all photos: `python3 training/prepare.py --photos ../shared/vision --data DATA`.

Writes DATA/pictures.npy, uint8 NHWC RGB of 64 pixels, and DATA/index.tsv, a line for each of them. Pictures for training
other than dishes are there twice, the second time compressed as the dishes are: that must not tell them apart.
"""
import argparse
import csv
import io
from pathlib import Path

import numpy
from PIL import Image

from dish_labels import NOT_FOOD, read_labels
from negatives import barcodes, generated, packaged
from photo_sets import read_set, split_dishes, split_objects, split_runs
from shrink import KEPT_AT, QUALITY, SIDE, shrunk

GENERATED = 240
MOST_PICTURES = 120_000


def decode(folder, photos):
    data = (Path(folder) / f"{photos[0].set}.bin").read_bytes()
    for photo in photos:
        yield Image.open(io.BytesIO(data[photo.offset : photo.offset + photo.size])).convert("RGB")


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--photos", required=True)
    args.add_argument("--data", required=True)
    args.add_argument("--labels", default="tools/starter/photo-labels.tsv")
    args = args.parse_args()
    data = Path(args.data)
    data.mkdir(parents=True, exist_ok=True)
    index_of = {(d.set, d.name): d.index for d in read_labels(args.labels)}
    dishes, photos = read_set(args.photos, "food101_64"), read_set(args.photos, "food101_photos")
    grocery = read_set(args.photos, "grocery")
    ecustfd = [p for p in read_set(args.photos, "ecustfd") if ("ecustfd", p.label) in index_of]
    held = split_dishes(dishes, photos)

    def pictures():
        for kind, group, split in (("food101", dishes, held), ("food101", photos, held), ("grocery", grocery, split_runs(grocery)),
                                   ("ecustfd", ecustfd, split_objects(ecustfd))):
            for p, image in zip(group, decode(args.photos, group)):
                yield image, p.set, kind, index_of[kind, p.label], split.get((p.label, p.source), "train"), p.source
        for source in (packaged(data / "debian"), barcodes(Path(args.photos) / "barcodes"), generated(GENERATED)):
            for image, split, name in source:
                yield image, "negatives", "none", index_of["none", NOT_FOOD], split, name

    pixels, rows = numpy.zeros((MOST_PICTURES, SIDE, SIDE, 3), numpy.uint8), []
    for image, set_name, kind, label, split, source in pictures():
        for quality in (QUALITY, KEPT_AT) if kind != "food101" and split == "train" else (QUALITY,):
            pixels[len(rows)] = shrunk(image, quality)
            rows.append([len(rows), kind, label, split, source, set_name])
    numpy.save(data / "pictures.npy", pixels[: len(rows)])
    with open(data / "index.tsv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, delimiter="\t", lineterminator="\n")
        out.writerow(["row", "kind", "label", "split", "source", "set"])
        out.writerows(rows)
    print(f"{len(rows)} pictures")


if __name__ == "__main__":
    main()
