"""Takes the networks that read labels out of the package that they are published in.

    pip download --no-deps rapidocr==3.10.0
    pip install onnx==1.23.2 numpy==2.4.6
    python3 training/take_text_reader.py rapidocr-3.10.0-py3-none-any.whl models/label-text

Writes the detector, the reader, the letters that the reader's output stands for, and the licences. The reader keeps the
outputs of European letters alone: most of its 18,710 outputs are Chinese letters, which took a quarter of its time.
"""

import hashlib
import re
import sys
import zipfile
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

MODELS = {
    "detector.onnx": (
        "PP-OCRv6_det_small.onnx",
        "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
    ),
    "reader.onnx": (
        "PP-OCRv6_rec_small.onnx",
        "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
    ),
}
LICENCES = {"LICENSE": "LICENSE", "MODEL_LICENSES.md": "SOURCES.md"}
EUROPEAN = re.compile(r"[ -~\u00c0-\u017f°µ½¼¾‰·•–’]")
# The last layer: weights and biases by output.
LAST_LAYER = ("linear_8.w_0", "linear_8.b_0")


def with_european_letters(network: bytes) -> tuple[bytes, list[str]]:
    """The reader with the outputs of European letters, and these letters."""
    model = onnx.load_from_string(network)
    [metadata] = [entry.value for entry in model.metadata_props if entry.key == "character"]
    letters = metadata.split("\n")
    kept = [index for index, letter in enumerate(letters) if EUROPEAN.fullmatch(letter)]
    # Output 0 is the blank, the last one the space.
    outputs = [0, *(index + 1 for index in kept), len(letters) + 1]
    for weights in model.graph.initializer:
        if weights.name in LAST_LAYER:
            values = np.ascontiguousarray(numpy_helper.to_array(weights)[..., outputs])
            weights.CopyFrom(numpy_helper.from_array(values, weights.name))
    model.graph.output[0].type.tensor_type.shape.dim[2].dim_value = len(outputs)
    # Shapes between the layers are computed again when the network is loaded.
    del model.graph.value_info[:]
    del model.metadata_props[:]
    onnx.checker.check_model(model)
    return model.SerializeToString(deterministic=True), [letters[index] for index in kept]


def main() -> None:
    wheel, folder = zipfile.ZipFile(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (source, sha256) in MODELS.items():
        network = wheel.read(f"rapidocr/models/{source}")
        if hashlib.sha256(network).hexdigest() != sha256:
            sys.exit(f"{source} is another file than expected")
        if name == "reader.onnx":
            network, letters = with_european_letters(network)
            (folder / "letters.txt").write_text("\n".join(letters) + "\n")
        (folder / name).write_bytes(network)
    for path in wheel.namelist():
        for source, name in LICENCES.items():
            if path.endswith(f"/licenses/{source}"):
                (folder / name).write_bytes(wheel.read(path))


if __name__ == "__main__":
    main()
