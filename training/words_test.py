import unittest

from words_data import Pieces, is_held_out, words


class WordsTest(unittest.TestCase):
    def test_words_are_those_of_the_service(self):
        self.assertEqual(words("Crème BRÛLÉE 330ml, l'ail & Welch's"), ["creme", "brulee", "330", "ml", "ail", "welchs"])

    def test_longest_pieces_come_first_and_fragments_are_unknown(self):
        pieces = Pieces(["soup", "so", "##up", "##er", "z", "##x", "##q"])
        self.assertEqual([pieces.texts[piece] for piece in pieces.of("Soup souper")], ["soup", "soup", "##er"])
        self.assertEqual(pieces.of_word("soupx"), [0, 5])
        self.assertEqual(pieces.of_word("soupish"), [])
        self.assertEqual(pieces.of_word("zxq"), [])

    def test_words_after_the_comma_count_less(self):
        pieces = Pieces(["soup", "cooked"])
        self.assertEqual(pieces.matrix(["Soup, cooked"], 0.5).toarray().tolist(), [[1.0, 0.5]])

    def test_a_third_of_the_judgments_is_held_out(self):
        held_out = sum(is_held_out(str(code)) for code in range(3_000))
        self.assertTrue(900 < held_out < 1_100)


if __name__ == "__main__":
    unittest.main()
