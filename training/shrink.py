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


def covered(size, inputs):
    """size x inputs: the share that each input has in each of `size` equal parts of their row."""
    edges = numpy.arange(size + 1) * inputs / size
    start, end = numpy.maximum(edges[:-1, None], numpy.arange(inputs)), numpy.minimum(edges[1:, None], numpy.arange(inputs) + 1)
    return numpy.maximum(end - start, 0) * size / inputs


def area_mean(image, width, height):
    """Scaled down so that each pixel is the mean of the area that it covers, parts of pixels by their share."""
    x = numpy.asarray(image, numpy.float64)
    rows, columns = covered(height, image.height), covered(width, image.width)
    return Image.fromarray(numpy.rint(numpy.einsum("ay,yxc,bx->abc", rows, x, columns, optimize=True)).astype(numpy.uint8))


def compressed(image, quality):
    kept = io.BytesIO()
    image.save(kept, "WEBP", quality=quality, method=EFFORT)
    return Image.open(kept).convert("RGB")


def shrunk(image, quality=QUALITY):
    """Any RGB picture as SIDE x SIDE x 3; one that is no larger is only scaled."""
    square = middle(image)
    if square.width <= SIDE:
        return numpy.asarray(square.resize((SIDE, SIDE), Image.BICUBIC))
    return numpy.asarray(compressed(area_mean(square, SIDE, SIDE), quality))
