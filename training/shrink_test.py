"""Guarantees of what every picture goes through."""
import unittest

import numpy
from PIL import Image

from shrink import SIDE, area_mean, compressed, middle, shrunk


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

    def test_the_mean_of_the_area_counts_parts_of_pixels_by_their_share(self):
        row = numpy.array([[[0] * 3, [100] * 3, [200] * 3]], numpy.uint8)
        self.assertEqual(numpy.asarray(area_mean(Image.fromarray(row), 2, 1))[0, :, 0].tolist(), [33, 167])

    def test_the_mean_of_the_area_is_that_of_every_pixel_repeated(self):
        noise = numpy.random.default_rng(2).integers(0, 256, (7, 10, 3), dtype=numpy.uint8)
        repeated = noise.repeat(3, 0).repeat(4, 1)
        expected = repeated.reshape(3, 7, 4, 10, 3).mean((1, 3))
        self.assertLessEqual(abs(numpy.asarray(area_mean(Image.fromarray(noise), 4, 3)) - expected).max(), 0.501)

    def test_a_larger_picture_is_scaled_and_compressed(self):
        noise = Image.fromarray(numpy.random.default_rng(1).integers(0, 256, (128, 128, 3), dtype=numpy.uint8))
        small = area_mean(noise, SIDE, SIDE)
        self.assertEqual(shrunk(noise).shape, (SIDE, SIDE, 3))
        self.assertFalse((shrunk(noise) == numpy.asarray(small)).all())

    def test_a_picture_of_that_size_stays_as_it_is(self):
        small = stripes(SIDE, SIDE)
        self.assertTrue((shrunk(small) == numpy.asarray(small)).all())

    def test_compression_keeps_the_size(self):
        self.assertEqual(compressed(stripes(70, 50), 20).size, (70, 50))


if __name__ == "__main__":
    unittest.main()
