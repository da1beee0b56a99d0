"""Guarantees of how filters are rounded and packed."""
import unittest

import numpy
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from few_bits import HALF, best_steps, nearest, packed, round_filters, rounded_in_turn, widening
from network import DishNet, fold


class Packing(unittest.TestCase):
    def test_the_runtime_widens_what_was_packed(self):
        numbers = numpy.random.default_rng(1).integers(-HALF, HALF, (6, 8, 1, 1))
        numbers[0, :2, 0, 0] = -HALF, HALF - 1
        step = numpy.linspace(0.5, 3, 6, dtype=numpy.float32)[:, None, None, None]
        nodes, constants = widening("w", numbers.shape)
        constants += [numpy_helper.from_array(packed(numbers), "w_packed"), numpy_helper.from_array(step, "w_step")]
        graph = helper.make_graph(nodes, "g", [], [helper.make_tensor_value_info("w", TensorProto.FLOAT, None)], constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)
        widened = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {})[0]
        numpy.testing.assert_array_equal(widened, (numbers * step).astype(numpy.float32))
        self.assertEqual(packed(numbers).nbytes, numbers.size * 3 // 4)


class Rounding(unittest.TestCase):
    def test_what_a_layer_gives_changes_less_than_by_rounding_each_number(self):
        torch.manual_seed(1)
        inputs = torch.randn(2000, 4, dtype=torch.double) @ torch.randn(4, 24, dtype=torch.double)
        inputs += 0.1 * torch.randn_like(inputs)
        weight = torch.randn(16, 24, dtype=torch.double)
        step = best_steps(weight)

        def error(rounded):
            return ((rounded - weight) @ inputs.T).square().mean().item()

        in_turn = rounded_in_turn(weight, inputs.T @ inputs / len(inputs), step)
        self.assertLess(error(in_turn), 0.5 * error(nearest(weight, step)))
        numpy.testing.assert_allclose((in_turn / step).round() * step, in_turn)

    def test_what_was_rounded_before_stays_as_it_is(self):
        torch.manual_seed(1)
        weight = torch.randint(-HALF, HALF, (16, 24)).double() * torch.linspace(0.1, 2, 16).double()[:, None]
        strength = torch.eye(24, dtype=torch.double)
        torch.testing.assert_close(rounded_in_turn(weight, strength, best_steps(weight)), weight)

    def test_every_filter_of_one_pixel_is_left_in_whole_steps(self):
        torch.manual_seed(1)
        tower = DishNet(5).eval()
        fold(tower)
        steps = round_filters(tower, torch.rand(2, 3, 48, 48) * 2 - 1)
        filters = {f"{n}.weight": m for n, m in tower.named_modules() if isinstance(m, nn.Conv2d) and m.kernel_size == (1, 1)}
        self.assertEqual(set(steps), set(filters))
        for name, layer in filters.items():
            whole = layer.weight / torch.from_numpy(steps[name])[:, None, None, None]
            self.assertLess((whole - whole.round()).abs().max(), 1e-3)
            self.assertTrue(whole.min() > -HALF - 0.5 and whole.max() < HALF - 0.5)


if __name__ == "__main__":
    unittest.main()
