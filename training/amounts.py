"""How often the ranges of amounts hold what the objects of ECUSTFD weigh:
`python3 training/amounts.py --model models/dish-mobilenet --photos ../shared/vision` (needs `xlrd`).

The factor is how far a range reaches from the typical amount at least, both ways. It was chosen on the objects of one half, the other half and
the foods of the mixed plates are reported beside it.
"""
import argparse
import csv
import hashlib
from pathlib import Path

import xlrd

FACTORS = 1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 2
MIXED = "mix"


def is_tuned_on(food, name):
    return hashlib.sha256(f"{food} {name}".encode()).digest()[0] % 2 == 0


def objects_of(book):
    """(food, object, grams), and whether it lies on a plate with another."""
    for sheet in book.sheets():
        for row in range(1, sheet.nrows):
            name, food, _, grams = sheet.row_values(row)
            yield food, name, grams, sheet.name == MIXED


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--model", required=True)
    args.add_argument("--photos", required=True)
    args = args.parse_args()
    with open(Path(args.model, "labels.tsv"), encoding="utf-8", newline="") as file:
        ranges = {row["label"]: [float(row[key]) for key in ("low", "typical", "high")]
                  for row in csv.DictReader(file, delimiter="\t") if row["set"] == "ecustfd"}
    groups = {"tuned on": [], "kept": [], "of mixed plates": []}
    for food, name, grams, is_mixed in objects_of(xlrd.open_workbook(Path(args.photos, "ecustfd_density.xls"))):
        if food in ranges:
            group = "of mixed plates" if is_mixed else "tuned on" if is_tuned_on(food, name) else "kept"
            groups[group].append((ranges[food], grams))
    for factor in FACTORS:
        held = {name: sum(min(low, typical / factor) <= grams <= max(high, typical * factor)
                          for (low, typical, high), grams in each) for name, each in groups.items()}
        print(f"factor {factor}: " + ", ".join(f"{100 * held[name] / len(each):.1f} % of {len(each)} {name}"
                                               for name, each in groups.items()))


if __name__ == "__main__":
    main()
