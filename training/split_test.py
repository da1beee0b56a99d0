"""Guarantees of the split and of the labels."""
import tempfile
import unittest
from pathlib import Path

from dish_labels import NOT_FOOD, coarse, read_labels
from photo_sets import Photo, split_dishes, split_objects, split_runs


def photo(set_name, label, source):
    return Photo(set_name, label, source, 0, 0)


class Split(unittest.TestCase):
    def test_a_dish_photo_at_both_sizes_is_kept_out_first(self):
        small = [photo("food101_64", "soup", str(i)) for i in range(200)]
        large = [photo("food101_photos", "soup", str(i)) for i in range(50)]
        held = split_dishes(small, large)
        self.assertEqual(len(held), 40)
        self.assertTrue(all(int(source) < 50 for _, source in held))

    def test_the_split_does_not_depend_on_the_order_of_the_file(self):
        small = [photo("food101_64", "soup", str(i)) for i in range(200)]
        self.assertEqual(split_dishes(small, []), split_dishes(small[::-1], []))

    def test_views_of_one_object_stay_together(self):
        views = [photo("ecustfd", "plum", f"plum{n:03}S({i})") for n in range(9) for i in range(5)]
        held = split_objects(views)
        for n in range(9):
            self.assertEqual(len({held.get(("plum", f"plum{n:03}S({i})")) for i in range(5)}), 1)

    def test_runs_are_taken_from_the_end(self):
        held = split_runs([photo("grocery", "Fruit/Kiwi", f"Kiwi_{i:03}") for i in range(1, 51)])
        self.assertEqual(sorted(s for (_, s), kind in held.items() if kind == "test"), [f"Kiwi_{i:03}" for i in range(45, 51)])


class Labels(unittest.TestCase):
    def test_indices_have_no_gaps_and_not_food_is_last(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "labels.tsv")
            path.write_text("set\tlabel\tfood\ttypical\tlow\thigh\nb\tx\tf\t2\t1\t3\na\ty\tg\t2\t1\t3\n", encoding="utf-8")
            labels = read_labels(path)
        self.assertEqual([(d.index, d.set, d.name) for d in labels], [(0, "a", "y"), (1, "b", "x"), (2, "none", NOT_FOOD)])

    def test_the_coarse_class_is_the_first_two_parts(self):
        self.assertEqual(coarse("Fruit/Apple/Golden-Delicious"), "Fruit/Apple")
        self.assertEqual(coarse("Fruit/Kiwi"), "Fruit/Kiwi")


if __name__ == "__main__":
    unittest.main()
