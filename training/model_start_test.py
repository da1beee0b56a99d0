"""Guarantee that training goes on from what was exported."""
import unittest
from pathlib import Path

import numpy
import onnxruntime
import torch

from model_start import read_model
from network import DishNet, start_from

MODEL = Path(__file__).parent.parent / "models" / "dish-mobilenet"


class ModelStart(unittest.TestCase):
    def test_the_network_answers_as_the_exported_one_does(self):
        convolutions, (weight, offset) = read_model(MODEL)
        net = DishNet(len(offset))
        start_from(net, convolutions, torch.rand(64, 3, 96, 96) * 2 - 1, (weight, offset))
        pixels = torch.rand(4, 3, 96, 96) * 2 - 1
        session = onnxruntime.InferenceSession(str(MODEL / "dish.onnx"))
        exported = session.run(None, {"pixels": pixels.numpy()})[0]
        with torch.no_grad():
            ours = net.eval()(pixels).numpy()
        self.assertLess(numpy.abs(ours - exported).max(), 0.05)


if __name__ == "__main__":
    unittest.main()
