"""Takes the networks that read labels out of the package that they are published in.

    pip download --no-deps rapidocr==3.10.0
    python3 training/take_text_reader.py rapidocr-3.10.0-py3-none-any.whl models/label-text

Writes the detector, the reader, the letters that the reader's output stands for, and the licences.
"""

import hashlib
import sys
import zipfile
from pathlib import Path

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
# In ONNX, an entry of the metadata is a message with a key (field 1) and a value (field 2).
LETTERS_KEY = b"\n\tcharacter\x12"


def letters_of(network: bytes) -> str:
    """The letters in the metadata of the network, one a line."""
    at = network.rindex(LETTERS_KEY) + len(LETTERS_KEY)
    length = shift = 0
    while True:
        byte = network[at]
        at += 1
        length |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
    return network[at : at + length].decode()


def main() -> None:
    wheel, folder = zipfile.ZipFile(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (source, sha256) in MODELS.items():
        network = wheel.read(f"rapidocr/models/{source}")
        if hashlib.sha256(network).hexdigest() != sha256:
            sys.exit(f"{source} is another file than expected")
        (folder / name).write_bytes(network)
        if name == "reader.onnx":
            (folder / "letters.txt").write_text(letters_of(network) + "\n")
    for path in wheel.namelist():
        for source, name in LICENCES.items():
            if path.endswith(f"/licenses/{source}"):
                (folder / name).write_bytes(wheel.read(path))


if __name__ == "__main__":
    main()
