"""Figures of a model folder on the photos kept out of training:
`python3 training/evaluate.py --model models/dish-mobilenet --photos ../shared/vision --data DATA`.
"""
import argparse
import time

import numpy
from PIL import Image

from dish_labels import coarse
from held_out import held_out
from recognize import DishModel

BINS = 15


def food_matrix(labels):
    """labels x foods: 1 where the label means the food; not-food has a column without any label."""
    foods = sorted({d["food"] for d in labels if d["food"]})
    matrix = numpy.zeros((len(labels), len(foods)))
    for place, label in enumerate(labels):
        if label["food"]:
            matrix[place, foods.index(label["food"])] = 1
    return matrix


def top(p, wanted, columns):
    """(top-1, top-5) with only `columns` as possible answers."""
    order = numpy.array(columns)[numpy.argsort(-p[:, columns], 1)[:, :5]] == wanted[:, None]
    return order[:, 0].mean(), order.any(1).mean()


def calibration_error(confidence, right):
    """Expected calibration error: mean distance of confidence and accuracy over 15 equal bins, weighted by size."""
    place = numpy.minimum((confidence * BINS).astype(int), BINS - 1)
    return sum(abs(confidence[place == b].sum() - right[place == b].sum()) for b in range(BINS)) / len(right)


def calibration_floor(confidence):
    """The mean calibration error that a perfectly calibrated model with these confidences would show on as many photos."""
    rng = numpy.random.default_rng(0)
    return numpy.mean([calibration_error(confidence, rng.random(len(confidence)) < confidence) for _ in range(200)])


def auroc(high, low):
    """Share of pairs in which the first score is above the second."""
    order = numpy.sort(low)
    return ((numpy.searchsorted(order, high, "left") + numpy.searchsorted(order, high, "right")) / 2 / len(low)).mean()


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--model", required=True)
    args.add_argument("--photos", required=True)
    args.add_argument("--data", required=True)
    args.add_argument("--split", default="test", choices=("test", "val"))
    args.add_argument("--views", nargs="*")
    args.add_argument("--classes", help="write the accuracy of each label to this file")
    args = args.parse_args()
    model = DishModel(args.model, threads=2)
    not_food = model.description["notFood"]["index"]
    dishes = [int(d["index"]) for d in model.labels if d["set"] == "food101"]
    every = [int(d["index"]) for d in model.labels if d["food"]]
    foods, lines, food_scores = food_matrix(model.labels), [], {}
    for name in ("food101_64", "food101_photos", "grocery", "ecustfd", "negatives"):
        pictures, wanted = held_out(args.photos, args.data, name, args.split, model.labels)
        p = model.probabilities(model.logits(pictures, args.views))
        food_scores[name] = 1 - p[:, not_food]
        if name == "negatives":
            break
        own = [int(d["index"]) for d in model.labels if d["set"] == model.labels[wanted[0]]["set"]]
        confidence = p @ foods / (1 - p[:, [not_food]])
        right = confidence.argmax(1) == foods[wanted].argmax(1)
        print(f"{name}, {len(p)} photos: own labels {percent(top(p, wanted, own))}, all labels {percent(top(p, wanted, every))}, "
              f"foods {100 * right.mean():.1f}, calibration error {calibration_error(confidence.max(1), right):.3f} "
              f"(of a perfect one {calibration_floor(confidence.max(1)):.3f})")
        if name.startswith("food101"):
            q = p[:, dishes] / p[:, dishes].sum(1, keepdims=True)
            print(f"  101 dishes alone: calibration error {calibration_error(q.max(1), p[:, dishes].argmax(1) == wanted - dishes[0]):.3f}")
        if name == "grocery":
            names = [coarse(d["label"]) for d in model.labels]
            groups = sorted({names[i] for i in own})
            sums = numpy.stack([p[:, [i for i in own if names[i] == g]].sum(1) for g in groups], 1)
            print(f"  {len(groups)} coarse classes {100 * (sums.argmax(1) == [groups.index(names[i]) for i in wanted]).mean():.1f}")
        best = numpy.array(own)[p[:, own].argmax(1)]
        for index in sorted(set(wanted)):
            mine = wanted == index
            wrong = best[mine & (best != index)]
            often = model.labels[numpy.bincount(wrong).argmax()]["label"] if len(wrong) else ""
            lines.append(f"{name}\t{model.labels[index]['label']}\t{mine.sum()}\t{(best[mine] == index).mean():.2f}\t{often}")
    food = numpy.concatenate([food_scores[n] for n in food_scores if n != "negatives"])
    other, limit = food_scores["negatives"], 1 - model.description["notFood"]["atLeast"]
    print(f"food against not food: AUROC {auroc(food, other):.3f} on {len(other)} other pictures; "
          f"called not food: {100 * (food <= limit).mean():.1f} % of food, {100 * (other <= limit).mean():.1f} % of the others")
    single = DishModel(args.model, threads=1)
    picture, times = Image.new("RGB", (512, 384), (120, 90, 60)), []
    for _ in range(60):
        began = time.perf_counter()
        single.logits([picture], args.views)
        times.append(time.perf_counter() - began)
    print(f"inference of all views, one thread, scaling included: median {1000 * sorted(times)[30]:.1f} ms")
    if args.classes:
        with open(args.classes, "w", encoding="utf-8") as file:
            file.write("set\tlabel\tphotos\taccuracy\tmost often taken for\n" + "\n".join(lines) + "\n")


def percent(pair):
    return f"{100 * pair[0]:.1f} / {100 * pair[1]:.1f} %"


if __name__ == "__main__":
    main()
