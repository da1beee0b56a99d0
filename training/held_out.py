"""The photos kept out of training, as pictures at their own size."""
import io
from pathlib import Path

import numpy
from PIL import Image

from dish_labels import NOT_FOOD
from photo_sets import read_set, splits
from pictures import Pictures

KINDS = {"food101_64": "food101", "food101_photos": "food101", "grocery": "grocery", "ecustfd": "ecustfd"}


def held_out(folder, data, set_name, split, labels):
    """(pictures, label indices) of one set; `labels` are the lines of the model's labels.tsv."""
    index_of = {(d["set"], d["label"]): int(d["index"]) for d in labels}
    if set_name == "negatives":
        pictures = Pictures(data)
        rows, _ = pictures.select("negatives", split)
        return ([Image.fromarray(pictures.array[r]) for r in rows],
                numpy.full(len(rows), index_of["none", NOT_FOOD]))
    kept, kind = splits(folder)[set_name], KINDS[set_name]
    photos = [p for p in read_set(folder, set_name)
              if kept.get((p.label, p.source)) == split and (kind, p.label) in index_of]
    bytes_ = (Path(folder) / f"{set_name}.bin").read_bytes()
    pictures = [Image.open(io.BytesIO(bytes_[p.offset : p.offset + p.size])).convert("RGB") for p in photos]
    return pictures, numpy.array([index_of[kind, p.label] for p in photos])
