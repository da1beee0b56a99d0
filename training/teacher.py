"""What a model folder says of the training photos: which dishes look alike, and which photos are labelled wrongly."""
import time

import numpy
from PIL import Image

from recognize import DishModel, softmax

PHOTOS_AT_ONCE = 5000


def taught(folder, pictures, threads):
    """float16, pictures x labels: the model's probabilities for each whole training picture; other rows are zero.

    Takes some minutes on a CPU, once: they are kept beside the pictures.
    """
    model = DishModel(folder, threads)
    kept = pictures.folder / f"taught-{model.description['network']['sha256'][:16]}.npy"
    if not kept.exists():
        numpy.save(kept, probabilities(model, pictures))
    return numpy.load(kept, mmap_mode="r")


def probabilities(model, pictures):
    rows, began = pictures.rows("train"), time.time()
    result = numpy.zeros((len(pictures.array), len(model.labels)), numpy.float16)
    for start in range(0, len(rows), PHOTOS_AT_ONCE):
        some = rows[start : start + PHOTOS_AT_ONCE]
        images = (Image.fromarray(pictures.array[row]) for row in some)
        result[some] = softmax(model.logits(images, ["whole"])[:, 0])
        print(f"taught {start + len(some)} of {len(rows)}, {time.time() - began:.0f} s", flush=True)
    return result
