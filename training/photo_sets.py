"""The photo sets and which of their photos are kept out of training.

A set is `NAME.bin`, concatenated WebP images, and `NAME.tsv` with the columns label, source_id, offset, bytes.
"""
import csv
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

HELD_OUT_PER_DISH = 20
HELD_OUT_SHARE = 0.12


@dataclass(frozen=True)
class Photo:
    set: str  # file name of the set
    label: str
    source: str
    offset: int
    size: int


def read_set(folder, name):
    """All photos of one set, in file order."""
    with open(Path(folder) / f"{name}.tsv", encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [Photo(name, r["label"], r["source_id"], int(r["offset"]), int(r["bytes"])) for r in rows]


def by_label(photos):
    groups = {}
    for photo in photos:
        groups.setdefault(photo.label, []).append(photo)
    return groups


def hashed(text):
    return hashlib.sha256(text.encode()).hexdigest()


def split_dishes(small, large):
    """{(label, source): "test" | "val"} for Food-101: 20 + 20 photos a dish.

    Photos that exist at full size come first, so that the dishes of the full-size set are tested at both sizes
    on the same photos; one photo never lies on both sides of the split.
    """
    full_size = {(p.label, p.source) for p in large}
    held = {}
    for label, photos in by_label(small).items():
        order = sorted(photos, key=lambda p: ((label, p.source) not in full_size, hashed(p.source)))
        for rank, photo in enumerate(order[: 2 * HELD_OUT_PER_DISH]):
            held[label, photo.source] = "test" if rank < HELD_OUT_PER_DISH else "val"
    return held


def split_runs(photos):
    """Held-out photos of a set whose neighbours show the same shelf: whole runs from the end of each label."""
    held = {}
    for label, group in by_label(photos).items():
        order = sorted(group, key=lambda p: int(re.search(r"(\d+)$", p.source).group(1)))
        count = max(2, round(HELD_OUT_SHARE * len(order)))
        for photo in order[-count:]:
            held[label, photo.source] = "test"
        for photo in order[-2 * count : -count]:
            held[label, photo.source] = "val"
    return held


def split_objects(photos):
    """Held-out photos of a set with many views of one object: whole objects (`apple001`) stay together."""
    held = {}
    for label, group in by_label(photos).items():
        objects = {}
        for photo in group:
            objects.setdefault(re.match(r"[a-z]+\d+", photo.source).group(0), []).append(photo)
        order = sorted(objects, key=hashed)
        count = max(1, round(HELD_OUT_SHARE * len(order)))
        for rank, name in enumerate(order[: 2 * count]):
            for photo in objects[name]:
                held[label, photo.source] = "test" if rank < count else "val"
    return held


def splits(folder):
    """{set: {(label, source): "test" | "val"}}"""
    dishes = split_dishes(read_set(folder, "food101_64"), read_set(folder, "food101_photos"))
    return {"food101_64": dishes, "food101_photos": dishes, "grocery": split_runs(read_set(folder, "grocery")),
            "ecustfd": split_objects(read_set(folder, "ecustfd"))}
