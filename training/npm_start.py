"""Reads the convolutions of the MobileNetV2 1.4 in the npm package nsfwjs (MIT): `npm pack nsfwjs@4.2.1`.

The package holds a TensorFlow.js graph model as JavaScript: `model.min.js` lists names, shapes and the scale of
the 8-bit numbers, `group1-shard*.min.js` hold the numbers in base64.
"""
import base64
import re
import tarfile

import numpy
import torch

FOLDER = "package/dist/models/mobilenet_v2_mid/"
ENTRY = re.compile(r'name:"([^"]+)",shape:\[([\de,]*)\],dtype:"float32",quantization:\{min:([^,]+),scale:([^,]+),dtype:"uint8"\}')


def read_arrays(package):
    """{name: float array} of all weights in the package."""
    with tarfile.open(package) as archive:
        def text(name):
            return archive.extractfile(FOLDER + name).read().decode()

        shards = ("group1-shard1of2.min.js", "group1-shard2of2.min.js")
        data = b"".join(base64.b64decode(re.search(r'exports="([A-Za-z0-9+/=]+)"', text(s)).group(1)) for s in shards)
        manifest = text("model.min.js")
    arrays, offset = {}, 0
    for name, sides, least, step in ENTRY.findall(manifest):
        shape = [int(float(n)) for n in sides.split(",") if n]
        count = int(numpy.prod(shape, dtype=int))
        numbers = numpy.frombuffer(data, numpy.uint8, count, offset).reshape(shape)
        arrays[name] = numbers.astype(numpy.float32) * float(step) + float(least)
        offset += count
    if offset != len(data):
        raise ValueError(f"{package}: weights of {offset} bytes listed, {len(data)} found")
    return arrays


def read_start(package):
    """[(weight OIHW, offset O)] of the 52 convolutions, from input to output."""
    arrays = {name.split("MobilenetV2/")[-1]: value for name, value in read_arrays(package).items()}

    def pair(kind, name):
        weight = torch.from_numpy(arrays[f"{name}_weights"])
        order = (2, 3, 0, 1) if kind == "depthwise" else (3, 2, 0, 1)
        return weight.permute(*order).contiguous(), torch.from_numpy(arrays[f"{name}_bn_offset"])

    result = [pair("full", "Conv/Conv2D")]
    for place in range(17):
        block = "expanded_conv" + (f"_{place}" if place else "")
        if place:
            result.append(pair("full", f"{block}/expand/Conv2D"))
        result.append(pair("depthwise", f"{block}/depthwise/depthwise"))
        result.append(pair("full", f"{block}/project/Conv2D"))
    return [*result, pair("full", "Conv_1/Conv2D")]
