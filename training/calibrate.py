"""Fits temperatures and thresholds on the validation photos and writes them into `model.json`:
`python3 training/calibrate.py --model models/dish-mobilenet --photos ../shared/vision --data DATA`.
"""
import argparse
from pathlib import Path

import numpy

from evaluate import food_matrix
from model_folder import write_description
from held_out import held_out
from recognize import DishModel, softmax

SETS = ("food101_64", "food101_photos", "grocery", "ecustfd")
TEMPERATURES = numpy.geomspace(0.3, 3, 80)
FOOD_KEPT = 0.98  # share of food photos that must not be called not-food
LEAST_PHOTOS = 100  # of a set that gets a temperature of its own
SURE_RIGHT = 0.5  # below the confidence at which an answer is right this often, it is unsure


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--model", required=True)
    args.add_argument("--photos", required=True)
    args.add_argument("--data", required=True)
    args = args.parse_args()
    model = DishModel(args.model, threads=2)
    logits, labels = [], []
    for name in SETS:
        pictures, wanted = held_out(args.photos, args.data, name, "val", model.labels)
        logits.append(model.logits(pictures))
        labels.append(wanted)
    counts = [len(x) for x in labels]
    weights = numpy.concatenate([numpy.full(n, 1 / n) for n in counts])  # each set counts alike
    logits, labels = numpy.concatenate(logits), numpy.concatenate(labels)
    foods = food_matrix(model.labels)
    right_food = foods[labels].argmax(1)
    not_food = model.description["notFood"]["index"]

    def confidences(p):
        return p @ foods / (1 - p[:, [not_food]] + 1e-9)

    def fit(chosen):
        """The temperature at which the confidence of the first answer says best whether it is right: its log loss is least."""

        def loss(temperature):
            p = confidences(softmax(logits[chosen] / temperature).mean(1))
            sure = p.max(1).clip(1e-6, 1 - 1e-6)
            right = p.argmax(1) == right_food[chosen]
            return -(weights[chosen] * numpy.log(numpy.where(right, sure, 1 - sure))).sum()

        return round(float(min(TEMPERATURES, key=loss)), 3)

    model.description["temperature"] = fit(numpy.full(len(labels), True))
    model.description["temperatures"] = {}
    sets = numpy.array([label["set"] for label in model.labels])[model.probabilities(logits).argmax(1)]
    model.description["temperatures"] = {str(name): fit(sets == name) for name in numpy.unique(sets) if (sets == name).sum() >= LEAST_PHOTOS}
    p = model.probabilities(logits)
    threshold = float(numpy.quantile(p[:, not_food], FOOD_KEPT))
    model.description["notFood"]["atLeast"] = round(min(0.9, max(0.1, threshold)), 3)
    confidence, right = confidences(p).max(1), confidences(p).argmax(1) == right_food
    steps = [t for t in numpy.arange(0.1, 0.8, 0.02) if right[(confidence >= t) & (confidence < t + 0.1)].mean() >= SURE_RIGHT]
    model.description["unsure"]["below"] = round(float(steps[0]) if steps else 0.5, 2)
    write_description(Path(args.model), model.description)
    print({k: model.description[k] for k in ("temperature", "temperatures", "notFood", "unsure")})


if __name__ == "__main__":
    main()
