"""Trains the vectors of words of models/food-words further. `python3 training/words_train.py --help`; see README.md."""
import argparse
import re
from pathlib import Path

import numpy as np

from words_data import AFTER_COMMA, Data, Pieces, abbreviations

FOODS_A_STEP = 4_000
TEXTS_A_STEP = 256
JUDGMENTS_A_STEP = 128
PAIRS_A_STEP = 192
WEIGHTS = {"judgments": 0.5, "translations": 0.3, "synonyms": 0.3}
WARM_UP = 50


def teach(texts, model, tokenizer):
    """Vectors of the sentence network, an ONNX file, for each text."""
    import onnxruntime
    from tokenizers import Tokenizer

    tokens = Tokenizer.from_file(str(tokenizer))
    tokens.enable_truncation(48)
    tokens.no_padding()
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    inputs = {given.name for given in session.get_inputs()}
    encoded = [encoding.ids for encoding in tokens.encode_batch(texts)]
    order = sorted(range(len(texts)), key=lambda text: len(encoded[text]))
    vectors = None
    for start in range(0, len(order), 128):
        batch = order[start : start + 128]
        ids = np.zeros((len(batch), max(len(encoded[text]) for text in batch)), np.int64)
        mask = np.zeros_like(ids)
        for row, text in enumerate(batch):
            ids[row, : len(encoded[text])] = encoded[text]
            mask[row, : len(encoded[text])] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        answer = session.run(None, {name: value for name, value in feed.items() if name in inputs})[0]
        if answer.ndim == 3:
            answer = (answer * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        if vectors is None:
            vectors = np.zeros((len(texts), answer.shape[1]), np.float32)
        vectors[batch] = unit(answer)
    return vectors


def taught_vectors(texts, options):
    """The same, kept in `--taught`, so that only new texts have to go through the network."""
    kept = np.load(options.taught) if options.taught.exists() else {"texts": [], "vectors": []}
    vectors = dict(zip(kept["texts"], kept["vectors"]))
    missing = [text for text in texts if text not in vectors]
    if missing:
        vectors.update(zip(missing, teach(missing, options.teacher, options.tokenizer)))
        np.savez(options.taught, texts=np.array(list(vectors)), vectors=np.array(list(vectors.values())))
    return np.array([vectors[text] for text in texts])


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def softmax(logits):
    powers = np.exp(logits - logits.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


class Bag:
    """Texts as sums of vectors, with the way back of a gradient."""

    def __init__(self, counts, table):
        self.counts = counts
        sums = counts @ table
        self.lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
        self.vectors = sums / self.lengths
        self.gradient = np.zeros_like(self.vectors)

    def back(self):
        along = (self.gradient * self.vectors).sum(1, keepdims=True)
        return self.counts.T @ ((self.gradient - self.vectors * along) / self.lengths)


class Trainer:
    def __init__(self, options, data, pieces, table, taught):
        self.options, self.data, self.table, self.taught = options, data, table, taught
        self.random = np.random.default_rng(1)
        text_of = {text: number for number, text in enumerate(data.texts)}
        self.taught_foods = taught[[text_of[name] for name in data.names]]
        self.foods = pieces.matrix(data.names, AFTER_COMMA)
        self.texts = pieces.matrix(data.texts)
        self.queries = pieces.matrix([judgment["query"] for judgment in data.trained])
        self.pairs = {
            kind: (pairs, pieces.matrix([a for a, _ in pairs]), pieces.matrix([b for _, b in pairs]))
            for kind, pairs in (("translations", data.translations), ("synonyms", data.synonyms))
        }
        self.mean, self.square = np.zeros_like(table), np.zeros_like(table)

    def step(self, number):
        """One step of Adam, for the pieces that the drawn texts have."""
        draw = self.random.choice
        judged = draw(len(self.data.trained), JUDGMENTS_A_STEP, replace=False)
        meant = [self.data.trained[one]["foods"] for one in judged]
        drawn = set(draw(len(self.data.names), FOODS_A_STEP, replace=False).tolist())
        foods = np.array(sorted(drawn.union(*meant)))
        food_bag = Bag(self.foods[foods], self.table)
        texts = draw(len(self.data.texts), TEXTS_A_STEP, replace=False)
        text_bag = Bag(self.without_some(self.texts[texts]), self.table)
        wanted = softmax(self.taught[texts] @ self.taught_foods[foods].T / self.options.taught_heat)
        self.compare(text_bag, food_bag, wanted, 1.0)
        query_bag = Bag(self.without_some(self.queries[judged]), self.table)
        at = {food: column for column, food in enumerate(foods)}
        wanted = np.zeros((len(judged), len(foods)), np.float32)
        for row, right in enumerate(meant):
            wanted[row, [at[food] for food in right]] = 1 / len(right)
        self.compare(query_bag, food_bag, wanted, WEIGHTS["judgments"])
        gradient = food_bag.back() + text_bag.back() + query_bag.back()
        for kind in self.pairs:
            gradient += self.pair_gradient(kind)
        self.move(gradient, number)

    def pair_gradient(self, kind):
        pairs, left, right = self.pairs[kind]
        drawn = self.random.choice(len(pairs), PAIRS_A_STEP, replace=False)
        one, other = Bag(left[drawn], self.table), Bag(right[drawn], self.table)
        same = np.array([[pairs[a][1] == pairs[b][1] or pairs[a][0] == pairs[b][0] for b in drawn] for a in drawn])
        self.compare(one, other, same / same.sum(1, keepdims=True), WEIGHTS[kind])
        return one.back() + other.back()

    def compare(self, asked, answers, wanted, weight):
        """Cross entropy of the answers for each text, added to the gradients of both."""
        heat = self.options.heat
        error = weight * (softmax(asked.vectors @ answers.vectors.T / heat) - wanted) / len(wanted) / heat
        asked.gradient += error @ answers.vectors
        answers.gradient += error.T @ asked.vectors

    def without_some(self, counts):
        counts = counts.copy()
        counts.data = counts.data * (self.random.random(len(counts.data)) > self.options.drop)
        return counts

    def move(self, gradient, number):
        rate = self.options.rate * min(1, number / WARM_UP) * (1 - number / (self.options.steps + 1))
        rows = np.flatnonzero(np.abs(gradient).sum(1))
        self.mean[rows] = 0.9 * self.mean[rows] + 0.1 * gradient[rows]
        self.square[rows] = 0.99 * self.square[rows] + 0.01 * gradient[rows] ** 2
        self.table[rows] -= rate * self.mean[rows] / (np.sqrt(self.square[rows]) + 1e-8)


def report(title, data, pieces, table, foods):
    """Share of judgments whose food is among the nearest 10 and 50, by the vectors alone."""
    vectors = unit(foods @ table)
    for kind, judgments in (("trained", data.trained), ("held out", data.held_out)):
        for overlap in ("partial and full", "none"):
            some = [one for one in judgments if (one["overlap"] == "none") == (overlap == "none")]
            near = unit(pieces.matrix([one["query"] for one in some]) @ table) @ vectors.T
            ranks = np.array([(row > row[one["foods"]].max()).sum() for row, one in zip(near, some)])
            print(f"{title} {kind}, {overlap}: {np.mean(ranks < 10):.3f} / {np.mean(ranks < 50):.3f}", flush=True)


def export(folder, pieces, table):
    """Leaves out pieces with other signs than plain letters and digits, which no word of the service has."""
    kept = [number for number, piece in enumerate(pieces.texts) if re.fullmatch("(##)?[a-z0-9]+", piece)]
    scales = np.maximum(np.abs(table[kept]).max(1) / 127, 1e-9)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pieces.txt").write_text("\n".join(pieces.texts[number] for number in kept) + "\n")
    np.round(table[kept] / scales[:, None]).astype(np.int8).tofile(folder / "vectors.int8")
    scales.astype("<f4").tofile(folder / "scales.f32")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True, help="real data, as the benchmarks use it")
    parser.add_argument("--start", type=Path, required=True, help="vocab.txt, words.int8 and words.scale.f32 to begin with")
    parser.add_argument("--teacher", type=Path, required=True, help="all-MiniLM-L6-v2 as an ONNX file")
    parser.add_argument("--tokenizer", type=Path, required=True, help="its tokenizer.json")
    parser.add_argument("--taught", type=Path, required=True, help="an .npz file for the vectors of the network; made if absent")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--rate", type=float, default=0.005)
    parser.add_argument("--heat", type=float, default=0.05)
    parser.add_argument("--taught-heat", type=float, default=0.03)
    parser.add_argument("--drop", type=float, default=0.3, help="share of pieces that a step does without")
    options = parser.parse_args()
    data = Data(options.data)
    pieces = Pieces((options.start / "vocab.txt").read_text(encoding="utf8").rstrip("\n").split("\n"))
    scales = np.fromfile(options.start / "words.scale.f32", np.float32)
    table = np.fromfile(options.start / "words.int8", np.int8).reshape(len(scales), -1) * scales[:, None]
    # Abbreviations become pieces of their own, which begin with what they stand for.
    for short, name in abbreviations():
        if re.fullmatch("[a-z]+", short) and short not in pieces.numbers:
            table = np.vstack([table, table[pieces.of(name)].sum(0)])
            pieces.add(short)
    table = (table / np.linalg.norm(table, axis=1).mean()).astype(np.float32)
    trainer = Trainer(options, data, pieces, table, taught_vectors(data.texts, options))
    report("before", data, pieces, table, trainer.foods)
    for number in range(1, options.steps + 1):
        trainer.step(number)
        if number % 100 == 0:
            report(str(number), data, pieces, table, trainer.foods)
    export(options.out, pieces, table)


if __name__ == "__main__":
    main()
