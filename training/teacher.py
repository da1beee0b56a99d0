"""What a model folder says of the training photos: which dishes look alike, and which photos are labelled wrongly."""
import json
import time
from pathlib import Path

import numpy
import onnxruntime
import torch.nn.functional as F

from recognize import softmax

PHOTOS_AT_ONCE = 64


def taught(folder, pictures):
    """float16, pictures x labels: the model's probabilities for each whole training picture; other rows are zero.

    Takes some minutes on a CPU, once: they are kept beside the pictures.
    """
    description = json.loads(Path(folder, "model.json").read_text(encoding="utf-8"))
    kept = pictures.folder / f"taught-{description['network']['sha256'][:16]}.npy"
    if not kept.exists():
        numpy.save(kept, probabilities(Path(folder), description, pictures))
    return numpy.load(kept, mmap_mode="r")


def probabilities(folder, description, pictures):
    session = onnxruntime.InferenceSession(str(folder / description["network"]["file"]))
    rules, rows = description["input"], pictures.rows("train")
    result, began = numpy.zeros((len(pictures.array), description["output"]["classes"]), numpy.float16), time.time()
    for start in range(0, len(rows), PHOTOS_AT_ONCE):
        some = rows[start : start + PHOTOS_AT_ONCE]
        x = F.interpolate(pictures.pixels(some), (rules["height"], rules["width"]), mode="bilinear")
        result[some] = softmax(session.run(None, {rules["name"]: x.numpy()})[0])
        if start // PHOTOS_AT_ONCE % 100 == 0:
            print(f"taught {start} of {len(rows)}, {time.time() - began:.0f} s", flush=True)
    return result
