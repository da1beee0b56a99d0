"""Trains the dish classifier, one tower for each START:
`python3 training/train.py --data DATA --run RUN --start nsfwjs-4.2.1.tgz --threads 2 --teacher models/dish-mobilenet --minutes 118`.

The towers see the same pictures at the same time, each on threads of its own, and learn besides the labels from each other's
guesses and from those of a teacher. Learning rate and picture size follow the time used, so that a run ends when it should on
any machine. The same command goes on from RUN/checkpoint.pt after an interruption.
"""
import argparse
import math
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F

from dish_labels import read_labels
from model_start import read_model
from network import SEEN, DishNet, Towers, soften_colour, start_from
from npm_start import read_start
from pictures import Pictures, batches, mix
from teacher import taught
from tower import Tower

CHECKPOINT_EVERY_S = 180
EVALUATE_EVERY_S = 600
LOG_EVERY_STEPS = 50
WARM_UP = 0.03
LABEL_SMOOTHING = 0.1
# The weight of the other towers' guesses rises from nothing to this between these shares of the time.
TRUST, TRUST_RISES = 0.5, (0.05, 0.2)
TAUGHT = 0.4  # share of a teacher's probabilities in what is learnt; the rest is the label
# So many batches have parts of pictures exchanged, until some share of the time; then only pictures as they are.
MIXED = 0.5
# Until this share of the time, smallest part of a picture that is shown. Whole pictures are what is asked about.
LEAST_AREAS = [(0.5, 0.35), (1.01, 0.5)]


@dataclass(frozen=True)
class Schedule:
    """What changes when, in shares of the time."""

    sizes: list  # [(until, side in pixels)]
    frozen: list  # [(since, so many of the first layers stay as they are)]. They cost most and change least
    mixed_until: float


NEW = Schedule([(0.22, 72), (0.48, 96), (0.75, 120), (1.01, 144)], [(0.12, 5), (0.65, 8)], 0.88)
GOES_ON = Schedule([(0.6, 120), (1.01, 144)], [(0.0, 5), (0.6, 8)], 0.85)


def rate(progress):
    """Learning rate as a share of its peak: linear rise, then half a cosine to zero."""
    if progress < WARM_UP:
        return 0.05 + 0.95 * progress / WARM_UP
    return 0.5 * (1 + math.cos(math.pi * min(1, (progress - WARM_UP) / (1 - WARM_UP))))


def trust(progress):
    first, last = TRUST_RISES
    return TRUST * min(1, max(0, (progress - first) / (last - first)))


def at(progress, steps):
    """The value of the step, [(until, value)], that the share of the time is in."""
    return next(value for until, value in steps if progress < until)


def frozen_count(progress, steps):
    return max([0, *(count for since, count in steps if progress >= since)])


def learnt(labels, classes, teacher):
    """N x classes: the labels, smoothed, and what the teacher says, if there is one."""
    own = F.one_hot(labels, classes).float() * (1 - LABEL_SMOOTHING) + LABEL_SMOOTHING / classes
    return own if teacher is None else own.lerp(teacher, TAUGHT)


@torch.no_grad()
def accuracy(net, pictures, set_name, device):
    """(top-1, top-5) on the validation photos of a set."""
    rows, labels = pictures.select(set_name, "val")
    hits, top = 0, 0
    for start in range(0, len(rows), 128):
        x = F.interpolate(pictures.pixels(rows[start : start + 128]), (SEEN, SEEN), mode="bilinear", antialias=True)
        with torch.autocast(device, torch.bfloat16):
            z = net(x.to(device, memory_format=torch.channels_last)).float().cpu()
        order = z.topk(5).indices == torch.from_numpy(labels[start : start + 128])[:, None]
        hits, top = hits + order[:, 0].sum().item(), top + order.any(1).sum().item()
    return hits / len(rows), top / len(rows)


def started(start, classes, pixels):
    """A network that goes on from a package of npm or a tower of a model folder: FOLDER is its first, FOLDER:1 the second."""
    net = DishNet(classes)
    folder, _, place = start.partition(":")
    if Path(folder).is_dir():
        start_from(net, *read_model(folder)[int(place or 0)], pixels)
    else:
        start_from(net, read_start(start), None, pixels)
    return net


def save(path, state):
    """Written beside and moved over, so that a kill never leaves half a checkpoint."""
    torch.save(state, f"{path}.part")
    Path(f"{path}.part").rename(path)


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--data", required=True)
    args.add_argument("--run", required=True)
    args.add_argument("--start", required=True, nargs="+", help="for each tower: a package of npm or a folder of a model to start from")
    args.add_argument("--teacher", help="folder of a model to learn from besides the labels")
    args.add_argument("--threads", type=int, default=1, help="for each tower; its batches are learnt in as many parts")
    args.add_argument("--minutes", type=float, default=120)
    args.add_argument("--rate", type=float, default=0.05)
    args.add_argument("--labels", default="src/catalogue/starter/photo-labels.tsv")
    args = args.parse_args()
    torch.set_num_threads(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    run = Path(args.run)
    run.mkdir(parents=True, exist_ok=True)
    pictures = Pictures(args.data)
    teacher = taught(args.teacher, pictures) if args.teacher else None
    schedule = GOES_ON if all(Path(start.partition(":")[0]).is_dir() for start in args.start) else NEW
    rows, _ = pictures.select("food101_64", "train")
    some = soften_colour(F.interpolate(pictures.pixels(rows[:: len(rows) // 256]), (schedule.sizes[0][1],) * 2, mode="bilinear"))
    classes = len(read_labels(args.labels))
    towers = [Tower(started(start, classes, some), args.rate, device, args.threads) for start in args.start]
    spent, seen, seed = 0.0, 0, 1
    checkpoint = run / "checkpoint.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint, map_location=device)
        spent, seen, seed = state["spent"], state["seen"], state["seed"] + 1
        for tower, own in zip(towers, state["towers"], strict=True):
            tower.restore(own)
    total = args.minutes * 60
    began, saved, judged, losses, since = time.time() - spent, spent, spent, [], (spent, seen)
    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    source = batches(pictures, lambda: (at(spent / total, schedule.sizes), at(spent / total, LEAST_AREAS)), seed, device)

    def prepared(progress):
        x, y, rows = next(source)
        wanted = learnt(y, classes, torch.from_numpy(teacher[rows].astype("float32")).to(device) if args.teacher else None)
        x, others, own = mix(x, MIXED if progress < schedule.mixed_until else 0)
        return soften_colour(x.contiguous(memory_format=torch.channels_last)), wanted[others].lerp(wanted, own)

    with ThreadPoolExecutor(len(towers) + 1, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        coming = pool.submit(prepared, 0)
        while spent < total and not stopped:
            progress = spent / total
            for tower in towers:
                tower.freeze(frozen_count(progress, schedule.frozen))
            x, targets = coming.result()
            coming = pool.submit(prepared, progress)
            answers = list(pool.map(lambda tower: tower.answer(x), towers))

            def learn(place):
                guesses = [z for i, z in enumerate(answers) if i != place]
                return towers[place].learn(targets, guesses, trust(progress), args.rate * rate(progress))

            losses.append(list(pool.map(learn, range(len(towers)))))
            seen, spent = seen + len(x), time.time() - began
            if len(losses) == LOG_EVERY_STEPS:
                means = " ".join(f"{sum(each) / len(each):.3f}" for each in zip(*losses))
                print(f"{spent / 60:.1f} min seen {seen} side {x.shape[-1]} loss {means} "
                      f"rate {args.rate * rate(progress):.4f} {(seen - since[1]) / (spent - since[0]):.0f}/s", flush=True)
                losses, since = [], (spent, seen)
            if spent - saved > CHECKPOINT_EVERY_S or spent >= total or stopped:
                save(checkpoint, {"towers": [tower.state() for tower in towers], "spent": spent, "seen": seen, "seed": seed})
                saved = spent
            if spent - judged > EVALUATE_EVERY_S or spent >= total:
                nets = {"all": Towers([tower.mean for tower in towers])} | {f"{i}": Towers([t.mean]) for i, t in enumerate(towers)}
                for name, net in nets.items():
                    figures = {s: accuracy(net, pictures, s, device) for s in ("food101_64", "food101_photos", "grocery")}
                    print(f"validation {name} " + ", ".join(f"{k} {a:.3f}/{b:.3f}" for k, (a, b) in figures.items()), flush=True)
                judged = spent


if __name__ == "__main__":
    main()
