"""Pictures without food, from packages of Debian that are unpacked beside the data and never committed.

    mkdir -p DATA/debian && cd DATA/debian
    apt-get download tuxpaint-stamps-default opencv-doc minetest-data mate-backgrounds \
        plasma-workspace-wallpapers python-skimage-doc gnome-backgrounds lxqt-themes lincity-ng-data
    for f in *.deb; do dpkg -x "$f" "${f%%_*}"; done
"""
import random
import re
from pathlib import Path

import numpy
from PIL import Image

from shrink import QUALITY, SIDE, compressed

# Whole packages are kept out, so that the figures are about pictures of another origin.
SPLITS = {
    "tuxpaint-stamps-default": ("train", 1),
    "opencv-doc": ("train", 1),
    "minetest-data": ("train", 1),
    "mate-backgrounds": ("train", 14),
    "plasma-workspace-wallpapers": ("train", 14),
    "python-skimage-doc": ("val", 1),
    "gnome-backgrounds": ("val", 6),
    "lxqt-themes": ("test", 6),
    "lincity-ng-data": ("test", 1),
}
FOOD = re.compile(r"food|fruit|vegetable|apple|orange|cake|pizza|bread|farming|candy|egg|meat|fish|basil", re.I)
LARGEST_PIXELS = 80_000_000
LIMIT_PER_PACKAGE = 700


def flatten(image, rng):
    """RGB; transparent pictures on a random plain colour."""
    if image.mode in ("RGBA", "LA", "P"):
        image = image.convert("RGBA")
        ground = Image.new("RGBA", image.size, tuple(rng.randrange(256) for _ in range(3)) + (255,))
        image = Image.alpha_composite(ground, image)
    return image.convert("RGB")


def crops(image, count, rng):
    """The whole picture, then random parts of it of 20 to 60 % of its width."""
    yield image
    for _ in range(count - 1):
        width = int(image.width * rng.uniform(0.2, 0.6))
        height = min(image.height, int(width * rng.uniform(0.6, 1.2)))
        left, top = rng.randrange(image.width - width + 1), rng.randrange(image.height - height + 1)
        yield image.crop((left, top, left + width, top + height))


def packaged(folder):
    """Yields (RGB picture, split, source) of every usable picture below the unpacked packages."""
    for package, (split, count) in SPLITS.items():
        rng = random.Random(package)
        files = [f for f in sorted(Path(folder, package).rglob("*")) if f.suffix.lower() in (".jpg", ".jpeg", ".png", ".webp")]
        files = [f for f in files if f.is_file() and not f.is_symlink() and not FOOD.search(str(f.relative_to(folder)))]
        rng.shuffle(files)
        for file in files[:LIMIT_PER_PACKAGE]:
            try:
                with Image.open(file) as opened:
                    if opened.width * opened.height > LARGEST_PIXELS or min(opened.size) < 16:
                        continue
                    opened.draft("RGB", (1600, 1200))
                    image = flatten(opened, rng)
            except OSError:
                continue
            for part in crops(image, count, rng):
                yield part, split, f"{package}/{file.name}"


def barcodes(folder):
    """Photos of barcodes; every third folder of them is kept out."""
    for place, group in enumerate(sorted(p for p in Path(folder).iterdir() if p.is_dir())):
        for file in sorted(f for f in group.iterdir() if f.suffix in (".png", ".jpg", ".gif", ".webp")):
            with Image.open(file) as opened:
                yield opened.convert("RGB"), ("train", "train", "test")[place % 3], f"barcodes/{group.name}"


def generated(count):
    """Plain colours, gradients, noise and stripes."""
    rng = numpy.random.default_rng(7)
    ramp = numpy.linspace(0, 1, SIDE)
    for i in range(count):
        first, second = rng.integers(0, 256, (2, 3))
        angle, waves = rng.uniform(0, numpy.pi), rng.uniform(1, 12)
        field = ramp[None, :] * numpy.cos(angle) + ramp[:, None] * numpy.sin(angle)
        weight = (field, numpy.sin(field * waves * 6.3) > 0, rng.random((SIDE, SIDE)), numpy.zeros((SIDE, SIDE)))[i % 4]
        picture = first + (second - first) * numpy.asarray(weight, float)[:, :, None] + rng.normal(0, 4, (SIDE, SIDE, 3))
        kept = compressed(Image.fromarray(picture.clip(0, 255).astype(numpy.uint8)), QUALITY)
        yield kept, ("train", "train", "val", "test")[i // 4 % 4], "generated"

