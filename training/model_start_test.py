"""Guarantee that training goes on from what was exported."""
import unittest
from pathlib import Path

import numpy
import onnxruntime
import torch

from model_start import read_model
from network import INPUT, DishNet, Enlarged, Towers, soften_colour, start_from

MODEL = Path(__file__).parent.parent / "models" / "dish-mobilenet"


class ModelStart(unittest.TestCase):
    def test_the_network_answers_as_the_exported_one_does(self):
        towers = read_model(MODEL)
        pixels = torch.rand(64, 3, INPUT, INPUT) * 2 - 1
        nets = [DishNet(len(head[1])) for _, head in towers]
        for net, (convolutions, head) in zip(nets, towers):
            start_from(net, convolutions, head, soften_colour(pixels))
        net = Enlarged(Towers(nets))
        session = onnxruntime.InferenceSession(str(MODEL / "dish.onnx"))
        exported = session.run(None, {"pixels": pixels.numpy()})[0]
        with torch.no_grad():
            ours = net.eval()(pixels).numpy()
        self.assertLess(numpy.abs(ours - exported).max(), 0.001)


if __name__ == "__main__":
    unittest.main()
