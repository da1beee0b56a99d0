"""Trains the dish classifier, one tower for each START:
`python3 training/train.py --data DATA --run RUN --start nsfwjs-4.2.1.tgz --threads 2 --teacher models/dish-mobilenet --minutes 118`.

The towers see the same pictures at the same time, each on threads of its own, and learn besides the labels from each other's
guesses and from those of a teacher. Learning rate and picture size follow the time used, so that a run ends when it should on
any machine. The same command goes on from RUN/checkpoint.pt after an interruption.
"""
import argparse
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch
import torch.nn.functional as F

from dish_labels import read_labels
from model_start import is_tower, read_tower
from network import SEEN, DishNet, Towers, soften_colour, start_from
from npm_start import read_start
from pictures import Pictures, batches, mix
from schedule import EARLIER_AT, FROM_MODEL, FROM_PACKAGE, least_area, rate, trust
from teacher import taught
from tower import Tower

CHECKPOINT_EVERY_S = 180
EVALUATE_EVERY_S = 600
LOG_EVERY_STEPS = 50
LABEL_SMOOTHING = 0.1
TAUGHT = 0.4  # share of a teacher's probabilities in what is learnt; the rest is the label


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
    """A network that goes on from a package of npm or a tower of a model folder."""
    net = DishNet(classes)
    weights, head = read_tower(start) if is_tower(start) else (read_start(start), None)
    start_from(net, weights, head, pixels)
    return net


def save(path, state):
    """Written beside and moved over, so that a kill never leaves half a checkpoint."""
    torch.save(state, f"{path}.part")
    Path(f"{path}.part").rename(path)


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--data", required=True)
    args.add_argument("--run", required=True)
    args.add_argument("--start", required=True, nargs="+", help="for each tower: a package of npm, or FOLDER or FOLDER:1 for the first or second tower of a model")
    args.add_argument("--teacher", help="folder of a model to learn from besides the labels")
    args.add_argument("--threads", type=int, default=1, help="for each tower; its batches are learnt in as many parts")
    args.add_argument("--minutes", type=float, default=120)
    args.add_argument("--rate", type=float, default=0.05)
    args.add_argument("--labels", default="tools/starter/photo-labels.tsv")
    args = args.parse_args()
    torch.set_num_threads(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    run = Path(args.run)
    run.mkdir(parents=True, exist_ok=True)
    pictures = Pictures(args.data)
    teacher = taught(args.teacher, pictures, len(args.start) * args.threads) if args.teacher else None
    schedule = FROM_MODEL if all(is_tower(start) for start in args.start) else FROM_PACKAGE
    rows, _ = pictures.select("food101_64", "train")
    some = soften_colour(F.interpolate(pictures.pixels(rows[:: len(rows) // 256]), (schedule.side(0),) * 2, mode="bilinear"))
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
    source = batches(pictures, lambda: (schedule.side(spent / total), least_area(spent / total)), seed, device)

    def prepared(progress):
        x, y, rows = next(source)
        wanted = learnt(y, classes, torch.from_numpy(teacher[rows].astype("float32")).to(device) if args.teacher else None)
        x, others, own = mix(x, schedule.mixed(progress))
        return soften_colour(x.contiguous(memory_format=torch.channels_last)), wanted[others].lerp(wanted, own)

    with ThreadPoolExecutor(len(towers) + 1, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        coming = pool.submit(prepared, 0)
        while spent < total and not stopped:
            progress = spent / total
            for tower in towers:
                tower.freeze(schedule.frozen_layers(progress))
                if progress >= EARLIER_AT:
                    tower.keep_earlier()
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
