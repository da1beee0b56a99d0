"""Guarantees of what stands around the towers, and of what they learn from each other."""
import unittest

import torch

from network import COLOURS, INPUT, LUMA, SEEN, Enlarged, Towers, soften_colour
from tower import agreement

SIDE = 96


def brightness(x):
    return sum(share * x[:, place] for place, share in enumerate(LUMA))


def stripes(side, width):
    """Red and what is as bright as the grey between, in turn."""
    x = torch.zeros(1, 3, side, side)
    red = torch.arange(side) // width % 2 == 0
    x[:, 0, red] = 0.5
    x[:, 2, red] = -0.5 * LUMA[0] / LUMA[2]
    return x


class SoftenColour(unittest.TestCase):
    def test_brightness_stays_as_it_is(self):
        x = torch.rand(2, 3, SIDE, SIDE) * 2 - 1
        self.assertLess((brightness(soften_colour(x)) - brightness(x)).abs().max(), 1e-5)

    def test_colour_that_changes_slowly_stays_as_it_is(self):
        x = torch.tensor([0.3, -0.5, 0.9])[None, :, None, None].expand(1, 3, SIDE, SIDE)
        self.assertLess((soften_colour(x) - x).abs().max(), 1e-6)

    def test_colour_of_single_pixels_goes(self):
        for side in (SIDE, SEEN):
            red = soften_colour(stripes(side, 1))[0, 0]
            self.assertLess(red.max() - red.min(), 0.05)

    def test_as_many_colours_are_left_whatever_the_side(self):
        for side in (SIDE, SEEN):
            red = soften_colour(stripes(side, 2 * side // COLOURS))[0, 0]
            self.assertGreater(red.max() - red.min(), 0.4)


class Answers(unittest.TestCase):
    def test_pictures_are_looked_at_in_the_size_of_the_training(self):
        seen = []
        Enlarged(lambda view: seen.append(view))(torch.ones(1, 3, INPUT, INPUT))
        self.assertEqual([view.shape[-1] for view in seen], [SEEN])

    def test_towers_answer_with_their_mean(self):
        towers = Towers([torch.nn.Flatten(), torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Threshold(2, 5))])
        self.assertTrue(torch.allclose(towers(torch.ones(1, 3, COLOURS, COLOURS)), torch.full((1, 3 * COLOURS**2), 3.0)))
        towers.shares = [0.75, 0.25]
        self.assertTrue(torch.allclose(towers(torch.ones(1, 3, COLOURS, COLOURS)), torch.full((1, 3 * COLOURS**2), 2.0)))


class Agreement(unittest.TestCase):
    def test_it_is_nothing_for_the_same_guess_and_pulls_one_side_only(self):
        own, guess = torch.randn(4, 7, requires_grad=True), torch.randn(4, 7, requires_grad=True)
        self.assertAlmostEqual(agreement(own, own).item(), 0, places=5)
        loss = agreement(own, guess)
        loss.backward()
        self.assertIsNone(guess.grad)
        self.assertLess(agreement((own - 0.1 * own.grad).detach(), guess), loss)


if __name__ == "__main__":
    unittest.main()
