"""Decoded pictures, batches of them in fixed shares, and their random variation."""
import csv
import math
from pathlib import Path

import numpy
import torch
import torch.nn.functional as F

# Pictures of each kind in one batch. Small sets are seen more often than their size, so that each is learnt.
SHARES = {"food101_64": 110, "grocery": 8, "ecustfd": 4, "negatives": 6}


class Pictures:
    """Pixels and labels as `prepare.py` wrote them."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.array = numpy.load(self.folder / "pictures.npy", mmap_mode="r")
        with open(self.folder / "index.tsv", encoding="utf-8", newline="") as file:
            self.lines = [(r["set"], r["split"], int(r["row"]), int(r["label"])) for r in csv.DictReader(file, delimiter="\t")]

    def select(self, set_name, split):
        """(rows, labels) of one set and split."""
        found = [line for line in self.lines if line[:2] == (set_name, split)]
        return numpy.array([line[2] for line in found]), numpy.array([line[3] for line in found])

    def rows(self, split):
        """Rows of one split, of all sets."""
        return numpy.array([line[2] for line in self.lines if line[1] == split])

    def pixels(self, rows):
        """N x 3 x 64 x 64 in [-1, 1]."""
        chosen = torch.from_numpy(self.array[rows])
        return chosen.permute(0, 3, 1, 2).float().div_(127.5).sub_(1)


def endless(rows, labels, count, rng, balanced):
    """Yields (rows, labels) of `count` pictures: every picture once before any twice, or labels equally often."""
    groups = [numpy.flatnonzero(labels == c) for c in numpy.unique(labels)]
    queue = numpy.empty(0, int)
    while True:
        while len(queue) < count:
            if balanced:
                more = numpy.array([rng.choice(groups[g]) for g in rng.permutation(len(groups))])
            else:
                more = rng.permutation(len(rows))
            queue = numpy.concatenate([queue, more])
        chosen, queue = queue[:count], queue[count:]
        yield rows[chosen], labels[chosen]


def batches(pictures, manner, seed, device):
    """Endless (pixels, labels, rows) on `device`; `manner()` gives (side in pixels, least area shown) at that moment."""
    rng = numpy.random.default_rng(seed)
    torch.manual_seed(seed)
    sources = []
    for name, count in SHARES.items():
        rows, labels = pictures.select(name, "train")
        sources.append(endless(rows, labels, count, rng, name in ("grocery", "ecustfd")))
    while True:
        manner_of_batch, pixels, targets, places = manner(), [], [], []
        for source in sources:
            rows, labels = next(source)
            pixels.append(vary(sharpened(pictures.pixels(rows).to(device)), *manner_of_batch))
            targets.append(torch.from_numpy(labels).to(device))
            places.append(rows)
        order = torch.randperm(sum(SHARES.values()))  # so that each part of a batch has some of every set
        yield torch.cat(pixels)[order], torch.cat(targets)[order], numpy.concatenate(places)[order]


def sharpened(x):
    """Random sharpness: what a set looks like must not tell its labels."""
    soft = F.avg_pool2d(x, 3, 1, 1, count_include_pad=False)
    return x + uniform(x, -0.3, 1.5)[:, None, None, None] * (x - soft)


def uniform(x, low, high):
    """One number for each picture of `x`."""
    return torch.empty(len(x), device=x.device).uniform_(low, high)


def vary(x, side, least):
    """A random part of each picture (at least `least` of its area), turned, mirrored and coloured at random."""
    n = len(x)
    area, aspect = uniform(x, least, 1), uniform(x, math.log(0.75), math.log(4 / 3)).exp()
    width, height = (area * aspect).sqrt().clamp(max=1), (area / aspect).sqrt().clamp(max=1)
    turn = uniform(x, -0.26, 0.26) * (uniform(x, 0, 1) < 0.5)
    mirror = torch.where(uniform(x, 0, 1) < 0.5, -1.0, 1.0)
    left, top = uniform(x, -1, 1) * (1 - width), uniform(x, -1, 1) * (1 - height)
    theta = torch.stack([
        torch.stack([width * mirror * turn.cos(), -height * turn.sin(), left], 1),
        torch.stack([width * mirror * turn.sin(), height * turn.cos(), top], 1),
    ], 1)
    x = F.grid_sample(x, F.affine_grid(theta, [n, 3, side, side], align_corners=False),
                      padding_mode="reflection", align_corners=False)
    light, contrast, colour = (uniform(x, 0.7, 1.3)[:, None, None, None] for _ in range(3))
    x = (x + 1) * light - 1
    middle = x.mean((1, 2, 3), keepdim=True)
    x = (x - middle) * contrast + middle
    grey = x.mean(1, keepdim=True)
    return ((x - grey) * colour + grey).clamp_(-1, 1)


def mix(x, share):
    """Pastes a rectangle of one other picture of the batch into each picture of it.

    Returns (pixels, the other pictures' places in the batch, share of each picture that is its own). With
    probability 1 - `share` the batch stays as it is. Yun et al. 2019 (CutMix), one rectangle for a batch.
    """
    n, side = len(x), x.shape[-1]
    others = torch.randperm(n, device=x.device)
    if torch.rand(()) >= share:
        return x, others, 1.0
    edge = int(side * torch.rand(()).sqrt())
    top, left = (int(torch.randint(0, side - edge + 1, ())) for _ in range(2))
    mixed = x.clone()
    mixed[:, :, top : top + edge, left : left + edge] = x[others, :, top : top + edge, left : left + edge]
    return mixed, others, 1 - (edge / side) ** 2
