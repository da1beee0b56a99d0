"""Guarantees of what every picture goes through."""
import unittest

import numpy
from PIL import Image

from shrink import SIDE, compressed, middle, shrunk


def stripes(width, height):
    """Dark, with the left and right quarter white."""
    pixels = numpy.full((height, width, 3), 30, numpy.uint8)
    pixels[:, : width // 4] = pixels[:, -(width // 4) :] = 255
    return Image.fromarray(pixels)


class Shrink(unittest.TestCase):
    def test_the_middle_has_the_asked_shape_and_is_in_the_middle(self):
        self.assertEqual(middle(stripes(200, 100)).size, (100, 100))
        self.assertEqual(middle(stripes(200, 100), 1.5).size, (150, 100))
        self.assertEqual(middle(stripes(100, 200), 0.5).size, (100, 200))
        self.assertLess(numpy.asarray(middle(stripes(200, 100))).max(), 60)

    def test_a_larger_picture_is_scaled_and_compressed(self):
        noise = Image.fromarray(numpy.random.default_rng(1).integers(0, 256, (128, 128, 3), dtype=numpy.uint8))
        small = noise.resize((SIDE, SIDE), Image.BICUBIC)
        self.assertEqual(shrunk(noise).shape, (SIDE, SIDE, 3))
        self.assertFalse((shrunk(noise) == numpy.asarray(small)).all())

    def test_a_picture_of_that_size_stays_as_it_is(self):
        small = stripes(SIDE, SIDE)
        self.assertTrue((shrunk(small) == numpy.asarray(small)).all())

    def test_compression_keeps_the_size(self):
        self.assertEqual(compressed(stripes(70, 50), 20).size, (70, 50))


if __name__ == "__main__":
    unittest.main()
