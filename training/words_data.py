"""Texts, pairs and judgments that the vectors of words are trained and measured with, and the word pieces of a text."""
import csv
import gzip
import hashlib
import json
import random
import re
import unicodedata
from pathlib import Path

import numpy as np
import scipy.sparse as sparse

ROOT = Path(__file__).resolve().parent.parent
# Weight of the words after the first comma of a food's name; as in packages/search/src/meaning/word-vectors.ts.
AFTER_COMMA = 0.7
BRANDED_TEXTS = 14_000
PLAIN = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})


def words(text):
    """Close to `tokenise` of the service."""
    text = unicodedata.normalize("NFKD", text).lower()
    text = re.sub("[\u0300-\u036f]", "", text).translate(PLAIN)
    text = re.sub(r"\b(l|d|qu|j|n|c|m|t|dell|all|nell|sull|dall)['’](?=\w\w)", "", text)
    text = re.sub(r"(?<=\w)['’`‘ʼ´](?=\w)", "", text)
    return [word[:32] for word in re.findall(r"[^\W\d_]+|\d+(?:[.,]\d+)?", text)]


class Pieces:
    """WordPiece: longest pieces first; a word of too many short pieces counts as unknown."""

    def __init__(self, vocabulary):
        self.texts = list(vocabulary)
        self.numbers = {piece: number for number, piece in enumerate(self.texts)}
        self._known = {}

    def add(self, piece):
        self.numbers[piece] = len(self.texts)
        self.texts.append(piece)

    def of_word(self, word):
        if word not in self._known:
            self._known[word] = self._split(word)
        return self._known[word]

    def _split(self, word):
        found, start = [], 0
        while start < len(word):
            ends = (end for end in range(len(word), start, -1) if ("##" if start else "") + word[start:end] in self.numbers)
            end = next(ends, None)
            if end is None:
                return []
            found.append(self.numbers[("##" if start else "") + word[start:end]])
            start = end
        return [] if len(found) > 1 and 2 * len(found) > len(word) else found

    def of(self, text):
        return [piece for word in words(text) for piece in self.of_word(word)]

    def matrix(self, texts, after_comma=1.0):
        """One row a text: how often it has each piece."""
        rows, columns, values = [], [], []
        for row, text in enumerate(texts):
            head, _, tail = text.partition(",") if after_comma != 1.0 else (text, "", "")
            for part, weight in ((head, 1.0), (tail, after_comma)):
                pieces = self.of(part)
                rows += [row] * len(pieces)
                columns += pieces
                values += [weight] * len(pieces)
        shape = (len(texts), len(self.texts))
        return sparse.csr_matrix((np.array(values, np.float32), (rows, columns)), shape=shape)


def read_csv(file):
    opened = gzip.open(file, "rt", encoding="utf8") if file.suffix == ".gz" else open(file, encoding="utf8")
    with opened as lines:
        return list(csv.DictReader(lines))


def is_held_out(code):
    """A third of the judgments, by their first food; `bench/support/search-judgments.ts` has the same rule."""
    return int(hashlib.sha256(code.encode()).hexdigest()[:8], 16) % 3 == 0


class Data:
    """`data` is the folder of real data that the benchmarks use."""

    def __init__(self, data):
        code_of = {row["fdc_id"]: row["food_code"] for row in read_csv(data / "fdc/survey/survey_fndds_food.csv")}
        survey = [(code_of[row["fdc_id"]], row["description"]) for row in read_csv(data / "fdc/survey/food.csv")]
        legacy = [("", row["description"]) for row in read_csv(data / "fdc/sr_legacy/food.csv")]
        self.names = [name for _, name in survey + legacy]
        food_of = {code: food for food, (code, _) in enumerate(survey)}
        self.trained, self.held_out = [], []
        with open(data / "judgments/fndds_2021_2023.tsv", encoding="utf8") as lines:
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                codes = row["food_codes"].split(",")
                foods = [food_of[code] for code in codes if code in food_of]
                judgment = {"query": row["query"], "foods": foods, "overlap": row["difficulty"]}
                if foods:
                    (self.held_out if is_held_out(codes[0]) else self.trained).append(judgment)
        hidden = {judgment["query"] for judgment in self.held_out}
        self.translations = [pair for pair in translations(data) if pair[0] not in hidden]
        self.synonyms = [pair for pair in synonyms() if not hidden.intersection(pair)]
        branded = sorted({row["description"] for row in read_csv(data / "fdc/branded/food.csv.gz")})
        random.Random(1).shuffle(branded)
        texts = self.names + [judgment["query"] for judgment in self.trained]
        texts += sorted({english for _, english in self.translations}) + [name.lower() for name in branded[:BRANDED_TEXTS]]
        self.texts = [text for text in dict.fromkeys(texts) if text not in hidden]


def translations(data):
    """Names of one food in several languages, each with the English one."""
    for table in ("ciqual_2025", "bls_2025"):
        with gzip.open(data / f"eu/{table}.json.gz") as file:
            for row in json.load(file):
                english = row.get("nome_en") or row["nome"]
                for key in ("nome", "nome_de", "nome_fr", "nome_es", "nome_it"):
                    if row.get(key) and words(row[key]) != words(english):
                        yield row[key], english


def abbreviations():
    with open(ROOT / "training/abbreviations.tsv", encoding="utf8") as lines:
        return [tuple(line.rstrip("\n").split("\t")) for line in lines]


def synonyms():
    """Names of one food in English: abbreviations and the lists of the search."""
    yield from abbreviations()
    lists = ROOT / "packages/search/src/words"
    for group in json.loads((lists / "same-food.json").read_text()):
        yield from ((one, other) for one in group for other in group if one != other)
    for row in json.loads((lists / "kinds-of-food.json").read_text()):
        yield from ((sort, row["kind"]) for sort in row["sorts"])
