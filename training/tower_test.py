"""Guarantees of a tower that learns a batch in parts."""
import unittest

import torch

from network import DishNet
from tower import EARLIER_SHARE, Tower, final_weights

CLASSES, RATE = 4, 0.05


class Parts(unittest.TestCase):
    def test_all_parts_have_the_same_weights_after_a_step(self):
        tower, before = self.tower_after_a_step(frozen=0)
        for part in tower.parts[1:]:
            for own, other in zip(tower.net.parameters(), part.net.parameters(), strict=True):
                self.assertTrue(torch.equal(own, other))
        self.assertFalse(torch.equal(before, tower.net.head.weight))

    def test_frozen_layers_stay_as_they_are_in_all_parts(self):
        tower, _ = self.tower_after_a_step(frozen=3)
        first = tower.net.layers[0][0].weight.clone()
        self.step(tower)
        for part in tower.parts:
            self.assertTrue(torch.equal(part.net.layers[0][0].weight, first))

    def test_answers_come_in_the_order_of_the_batch(self):
        torch.manual_seed(1)
        tower = Tower(DishNet(CLASSES, dropout=0), RATE, "cpu", threads=2)
        torch.nn.init.normal_(tower.net.head.weight)
        tower.spread()
        tower.net.eval(), tower.parts[1].net.eval()
        x = torch.rand(4, 3, 48, 48) * 2 - 1
        with torch.no_grad():
            one_by_one = torch.cat([tower.parts[0].answer(each[None]) for each in x])
        self.assertLess((tower.answer(x) - one_by_one).abs().max(), 0.05)

    def test_the_final_weights_are_averaged_with_the_first_that_were_kept(self):
        tower, _ = self.tower_after_a_step(frozen=0)
        end = tower.mean.head.weight.clone()
        torch.testing.assert_close(final_weights(tower.state())["head.weight"], end)
        tower.keep_earlier()
        resumed = Tower(DishNet(CLASSES), RATE, "cpu")
        resumed.restore(tower.state())
        self.step(resumed)
        resumed.keep_earlier()
        expected = end * EARLIER_SHARE + resumed.mean.head.weight * (1 - EARLIER_SHARE)
        torch.testing.assert_close(final_weights(resumed.state())["head.weight"], expected)

    def tower_after_a_step(self, frozen):
        torch.manual_seed(1)
        tower = Tower(DishNet(CLASSES), RATE, "cpu", threads=2)
        before = tower.net.head.weight.clone()
        tower.freeze(frozen)
        self.step(tower)
        return tower, before

    def step(self, tower):
        tower.answer(torch.rand(4, 3, 48, 48) * 2 - 1)
        tower.learn(torch.eye(CLASSES), [], 0, RATE)


if __name__ == "__main__":
    unittest.main()
