"""Trains the dish classifier: `python3 training/train.py --data DATA --run RUN --start nsfwjs-4.2.1.tgz --minutes 90`.

The learning rate and the picture size follow the time used, so that a run ends when it should on any machine.
The same command goes on from RUN/checkpoint.pt after an interruption.
"""
import argparse
import copy
import math
import signal
import time
from pathlib import Path

import torch
import torch.nn.functional as F

from dish_labels import read_labels
from model_start import read_model
from network import DishNet, fold, start_from
from npm_start import read_start
from pictures import CRISP, CRISP_SHARE, Pictures, batches, mix

CHECKPOINT_EVERY_S = 180
EVALUATE_EVERY_S = 600
LOG_EVERY_STEPS = 50
WARM_UP = 0.03
AVERAGE_DECAY = 0.998
WEIGHT_DECAY = 1e-4
CLIP_NORM = 5.0
LABEL_SMOOTHING = 0.1
# From this share of the time on, so many of the first layers stay as they are. They cost most and change least.
FROZEN = [(0.0, 0), (0.15, 5), (0.5, 8)]
# So many batches have parts of pictures exchanged, until this share of the time; then only pictures as they are.
MIXED, MIXED_UNTIL = 0.5, 0.85
SIZES = [(0.15, 72), (0.5, 80), (1.01, 96)]  # until this share of the time, side in pixels


def rate(progress):
    """Learning rate as a share of its peak: linear rise, then half a cosine to zero."""
    if progress < WARM_UP:
        return 0.05 + 0.95 * progress / WARM_UP
    return 0.5 * (1 + math.cos(math.pi * min(1, (progress - WARM_UP) / (1 - WARM_UP))))


def side(progress):
    return next(size for until, size in SIZES if progress < until)


def least_area(progress):
    """Smallest part of a picture that is shown: larger towards the end, as whole pictures are what is asked about."""
    return 0.35 if progress < SIZES[1][0] else 0.5


def parameter_groups(net):
    """Weight decay for filters and the head's matrix only, not for scales and shifts."""
    matrices = [p for p in net.parameters() if p.ndim > 1]
    vectors = [p for p in net.parameters() if p.ndim <= 1]
    return [{"params": matrices, "weight_decay": WEIGHT_DECAY}, {"params": vectors, "weight_decay": 0}]


@torch.no_grad()
def average(mean, net, step):
    decay = min(AVERAGE_DECAY, (1 + step) / (10 + step))
    for a, b in zip(mean.state_dict().values(), net.state_dict().values()):
        if a.dtype.is_floating_point:
            a.lerp_(b, 1 - decay)
        else:
            a.copy_(b)


@torch.no_grad()
def accuracy(net, pictures, set_name, size, device, classes=None):
    """(top-1, top-5) on the validation photos of a set."""
    array, rows, labels = pictures.select(set_name, "val")
    hits, top = 0, 0
    for start in range(0, len(rows), 128):
        x = F.interpolate(pictures.pixels(array, rows[start : start + 128]), (size, size), mode="bilinear")
        with torch.autocast(device, torch.bfloat16):
            z = net(x.to(device, memory_format=torch.channels_last)).float().cpu()
        order = z[:, :classes].topk(5).indices == torch.from_numpy(labels[start : start + 128])[:, None]
        hits, top = hits + order[:, 0].sum().item(), top + order.any(1).sum().item()
    return hits / len(rows), top / len(rows)


def among(z, y, labels):
    """Loss of telling y apart from the other `labels` alone.

    Full-size photos exist of ten dishes only. Were they to be told from all labels, the network would learn that
    whatever is crisp is one of the ten; so they teach the differences between these, and nothing about the others.
    """
    return F.cross_entropy(z[:, labels], torch.searchsorted(labels, y), label_smoothing=LABEL_SMOOTHING)


def freeze(net, count):
    """Leaves the first layers as they are; returns a faster copy of them."""
    fixed = net.layers[:count].eval().requires_grad_(False)
    copied = copy.deepcopy(fixed)
    fold(copied)
    return copied


def frozen_count(progress):
    return max(count for since, count in FROZEN if progress >= since)


def save(path, state):
    """Written beside and moved over, so that a kill never leaves half a checkpoint."""
    torch.save(state, f"{path}.part")
    Path(f"{path}.part").rename(path)


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--data", required=True)
    args.add_argument("--run", required=True)
    args.add_argument("--start", help="package of npm or folder of a model with the weights to start from; without it from scratch")
    args.add_argument("--tune", help="a checkpoint to go on from as in the second half of a run")
    args.add_argument("--minutes", type=float, default=90)
    args.add_argument("--rate", type=float, default=0.05)
    args.add_argument("--threads", type=int, default=2)
    args.add_argument("--labels", default="src/catalogue/starter/photo-labels.tsv")
    args = args.parse_args()
    torch.set_num_threads(args.threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    run = Path(args.run)
    run.mkdir(parents=True, exist_ok=True)
    pictures = Pictures(args.data)
    net = DishNet(len(read_labels(args.labels)))
    spent, step, seen, seed = 0.0, 0, 0, 1
    checkpoint = run / "checkpoint.pt"
    state = torch.load(checkpoint, map_location="cpu") if checkpoint.exists() else None
    if state:
        net.load_state_dict(state["net"])
        spent, step, seen, seed = state["spent"], state["step"], state["seen"], state["seed"] + 1
    elif args.tune:
        net.load_state_dict(torch.load(args.tune, map_location="cpu")["mean"])
    elif args.start:
        array, rows, _ = pictures.select("food101_64", "train")
        first = F.interpolate(pictures.pixels(array, rows[:: len(rows) // 256]), (96, 96), mode="bilinear")
        if Path(args.start).is_dir():
            convolutions, head = read_model(args.start)
            start_from(net, convolutions, first, head)
        else:
            start_from(net, read_start(args.start), first)
    net = net.to(device, memory_format=torch.channels_last).train()
    mean = copy.deepcopy(net).requires_grad_(False).eval()
    optimizer = torch.optim.SGD(parameter_groups(net), lr=args.rate, momentum=0.9, nesterov=True)
    if state:
        mean.load_state_dict(state["mean"])
        optimizer.load_state_dict(state["optimizer"])
    total = args.minutes * 60
    began, saved, judged, losses, since = time.time() - spent, spent, spent, [], (spent, seen)
    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    frozen = net.layers[:0]

    def phase():
        return (1 + spent / total) / 2 if args.tune else spent / total

    crisp_labels = torch.from_numpy(pictures.select(CRISP, "train")[2]).unique().to(device)
    source = batches(pictures, lambda: (side(phase()), least_area(phase())), seed)
    while spent < total and not stopped:
        if frozen_count(phase()) > len(frozen):
            frozen = freeze(net, frozen_count(phase()))
        x, y = next(source)
        for group in optimizer.param_groups:
            group["lr"] = args.rate * rate(spent / total)
        main = len(y) - CRISP_SHARE
        mixed, others, own = mix(x[:main], MIXED if phase() < MIXED_UNTIL else 0)
        x = torch.cat([mixed, x[main:]]).to(device, memory_format=torch.channels_last)
        y, others = y.to(device), others.to(device)
        with torch.autocast(device, torch.bfloat16):
            z = net.behind(frozen(x), len(frozen)).float()
        loss = own * F.cross_entropy(z[:main], y[:main], label_smoothing=LABEL_SMOOTHING)
        if own < 1:
            loss = loss + (1 - own) * F.cross_entropy(z[:main], y[:main][others], label_smoothing=LABEL_SMOOTHING)
        loss = (main * loss + CRISP_SHARE * among(z[main:], y[main:], crisp_labels)) / len(y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), CLIP_NORM)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        step, seen, spent = step + 1, seen + len(y), time.time() - began
        average(mean, net, step)
        losses.append(loss.item())
        if step % LOG_EVERY_STEPS == 0:
            speed = (seen - since[1]) / (spent - since[0])
            print(f"{spent / 60:.1f} min step {step} seen {seen} side {x.shape[-1]} loss {sum(losses) / len(losses):.3f} "
                  f"rate {optimizer.param_groups[0]['lr']:.4f} {speed:.0f}/s", flush=True)
            losses, since = [], (spent, seen)
        if spent - saved > CHECKPOINT_EVERY_S or spent >= total or stopped:
            save(checkpoint, {"net": net.state_dict(), "mean": mean.state_dict(), "optimizer": optimizer.state_dict(),
                              "spent": spent, "step": step, "seen": seen, "seed": seed})
            saved = spent
        if spent - judged > EVALUATE_EVERY_S or spent >= total:
            figures = {name: accuracy(mean, pictures, name, 96, device) for name in ("food101_64", "food101_photos", "grocery")}
            print("validation " + ", ".join(f"{k} {a:.3f}/{b:.3f}" for k, (a, b) in figures.items()), flush=True)
            judged = spent


if __name__ == "__main__":
    main()
