"""Decodes all photos once: `python3 training/prepare.py --photos ../shared/vision --data DATA`.

Writes DATA/small.npy (64 px), DATA/large.npy (96 px), both uint8 NHWC RGB, and DATA/index.tsv.
"""
import argparse
import csv
import io
from pathlib import Path

import numpy
from PIL import Image

from dish_labels import NOT_FOOD, read_labels
from negatives import barcodes, generated, packaged, squash
from photo_sets import read_set, split_dishes, split_objects, split_runs

SMALL, LARGE = 64, 96
GENERATED = 240


def decode(folder, photos, size):
    data = (Path(folder) / f"{photos[0].set}.bin").read_bytes()
    for photo in photos:
        image = Image.open(io.BytesIO(data[photo.offset : photo.offset + photo.size])).convert("RGB")
        yield squash(image, size) if image.size != (size, size) else numpy.asarray(image)


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--photos", required=True)
    args.add_argument("--data", required=True)
    args.add_argument("--labels", default="src/catalogue/starter/photo-labels.tsv")
    args = args.parse_args()
    data = Path(args.data)
    data.mkdir(parents=True, exist_ok=True)
    index_of = {(d.set, d.name): d.index for d in read_labels(args.labels)}
    dishes, photos = read_set(args.photos, "food101_64"), read_set(args.photos, "food101_photos")
    grocery = read_set(args.photos, "grocery")
    ecustfd = [p for p in read_set(args.photos, "ecustfd") if ("ecustfd", p.label) in index_of]
    held = split_dishes(dishes, photos)
    rows = []

    def store(name, array, items):
        for place, (pixels, set_name, kind, label, split, source) in enumerate(items):
            array[place] = pixels
            rows.append([name, place, kind, label, split, source, set_name])
        return place + 1

    small = numpy.lib.format.open_memmap(data / "small.npy", "w+", numpy.uint8, (len(dishes), SMALL, SMALL, 3))
    store("small", small, (
        (x, "food101_64", "food101", index_of["food101", p.label], held.get((p.label, p.source), "train"), p.source)
        for p, x in zip(dishes, decode(args.photos, dishes, SMALL))))

    def large_items():
        for kind, group, split in (("food101", photos, held), ("grocery", grocery, split_runs(grocery)),
                                   ("ecustfd", ecustfd, split_objects(ecustfd))):
            for p, x in zip(group, decode(args.photos, group, LARGE)):
                yield x, p.set, kind, index_of[kind, p.label], split.get((p.label, p.source), "train"), p.source
        for source in (packaged(data / "debian", LARGE), barcodes(Path(args.photos) / "barcodes", LARGE),
                       generated(GENERATED, LARGE)):
            for x, split, name in source:
                yield x, "negatives", "none", index_of["none", NOT_FOOD], split, name

    large = numpy.zeros((20_000, LARGE, LARGE, 3), numpy.uint8)
    count = store("large", large, large_items())
    numpy.save(data / "large.npy", large[:count])
    with open(data / "index.tsv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, delimiter="\t", lineterminator="\n")
        out.writerow(["array", "row", "kind", "label", "split", "source", "set"])
        out.writerows(rows)
    print(f"{len(dishes)} small and {count} large pictures")


if __name__ == "__main__":
    main()
