"""Names the test photos, for whoever measures without these scripts:
`python3 training/list_held_out.py --photos ../shared/vision --out training/test-photos.tsv`.
"""
import argparse
import csv

from held_out import KINDS
from photo_sets import read_set, splits


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--photos", required=True)
    args.add_argument("--out", required=True)
    args = args.parse_args()
    with open(args.out, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, delimiter="\t", lineterminator="\n")
        out.writerow(["set", "label", "source_id"])
        held = splits(args.photos)
        for name in KINDS:
            out.writerows([name, p.label, p.source] for p in read_set(args.photos, name)
                          if held[name].get((p.label, p.source)) == "test")


if __name__ == "__main__":
    main()
