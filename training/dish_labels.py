"""The answers of the model: the labels of the photo sets, each tied to a food of the starter catalogue."""
import csv
from dataclasses import dataclass

NOT_FOOD = "not-food"


@dataclass(frozen=True)
class DishLabel:
    index: int
    name: str
    set: str
    food: str  # empty for not-food
    typical: str  # grams of one serving, empty for not-food
    low: str
    high: str


def read_labels(path):
    """The labels in a fixed order (sets by name, labels by name), not-food last."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = sorted(csv.DictReader(file, delimiter="\t"), key=lambda r: (r["set"], r["label"]))
    labels = [
        DishLabel(i, r["label"], r["set"], r["food"], r["typical"], r["low"], r["high"]) for i, r in enumerate(rows)
    ]
    return [*labels, DishLabel(len(labels), NOT_FOOD, "none", "", "", "", "")]


def write_labels(path, labels):
    """Writes `labels.tsv` of the model folder."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, delimiter="\t", lineterminator="\n")
        out.writerow(["index", "label", "set", "food", "typical", "low", "high"])
        out.writerows([d.index, d.name, d.set, d.food, d.typical, d.low, d.high] for d in labels)


def coarse(name):
    """`Fruit/Apple/Golden-Delicious` -> `Fruit/Apple`: the coarse class of a grocery label."""
    return "/".join(name.split("/")[:2])
