"""Pictures as small as the photos of dishes for training are, and kept by the same codec.

Those photos exist only as the middle square of the original, scaled to 64 pixels and compressed by WebP. A network that learns
from them is worse and less sure on what has not been through that, although people hardly see the difference; so every picture
goes through it, in training and in use.
"""
import io

import numpy
from PIL import Image

SIDE, QUALITY, EFFORT = 64, 90, 6
KEPT_AT = 50  # the quality of WebP at which the photos of dishes for training exist


def middle(image, shape=1.0):
    """The largest part in the middle whose width is `shape` times its height."""
    width, height = min(image.width, round(image.height * shape)), min(image.height, round(image.width / shape))
    left, top = (image.width - width) // 2, (image.height - height) // 2
    return image.crop((left, top, left + width, top + height))


def compressed(image, quality):
    kept = io.BytesIO()
    image.save(kept, "WEBP", quality=quality, method=EFFORT)
    return Image.open(kept).convert("RGB")


def shrunk(image, quality=QUALITY):
    """Any RGB picture as SIDE x SIDE x 3; one that is no larger is only scaled."""
    small = middle(image).resize((SIDE, SIDE), Image.BICUBIC)
    return numpy.asarray(compressed(small, quality) if min(image.size) > SIDE else small)
