"""Names the test photos, and those that numbers may be tuned on, for whoever measures without these scripts:
`python3 training/list_held_out.py --photos ../shared/vision --out training/test-photos.tsv`, and the same with
`--split val --out training/validation-photos.tsv`.

Which photos of dishes are kept out depends on which exist at full size, and that set has grown since the network was trained: a new list of test
photos belongs to a new network. For tuning there are therefore no small photos of dishes that exist at full size, and of full-size ones only
those that do not exist at 64 pixels.
"""
import argparse
import csv

from photo_sets import read_set, splits

LARGE, SMALL = "food101_photos", "food101_64"
SETS = SMALL, LARGE, "grocery", "ecustfd"
# Full-size photos for tuning, by dish.
MOST_LARGE = 30


def is_listed(photo, held, split, small, large):
    """`held` is the split of the photo's set, `small` and `large` the dishes and sources of both sizes."""
    if split == "val" and photo.set == LARGE:
        return (photo.label, photo.source) not in small
    if split == "val" and photo.set == SMALL and photo.label in {label for label, _ in large}:
        return False
    return held.get((photo.label, photo.source)) == split


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--photos", required=True)
    args.add_argument("--out", required=True)
    args.add_argument("--split", choices=["test", "val"], default="test")
    args = args.parse_args()
    small, large = ({(p.label, p.source) for p in read_set(args.photos, name)} for name in (SMALL, LARGE))
    held = splits(args.photos)
    with open(args.out, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, delimiter="\t", lineterminator="\n")
        out.writerow(["set", "label", "source_id"])
        for name in SETS:
            taken = {}
            for p in read_set(args.photos, name):
                if not is_listed(p, held[name], args.split, small, large):
                    continue
                taken[p.label] = taken.get(p.label, 0) + 1
                if args.split == "test" or name != LARGE or taken[p.label] <= MOST_LARGE:
                    out.writerow([name, p.label, p.source])


if __name__ == "__main__":
    main()
