import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { amountMatches, labelledLines, nameScore } from '../../../bench/support/parse-line-figures.ts';
import { readWithLarder } from '../../../bench/support/parse-line-readers.ts';
import { findAmounts } from './find-amounts.ts';
import { detectLanguage, LANGUAGE_CODES, type LanguageCode, languageOf } from './language.ts';
import { tokenise } from './tokens.ts';

const others = LANGUAGE_CODES.filter((code) => code !== 'en');

function ownLines(code: LanguageCode) {
  const file = new URL(`../../../test/support/ingredient-lines/${code}.tsv`, import.meta.url);
  return labelledLines(readFileSync(file, 'utf8'));
}

test.each(others)('reads nine of ten ingredient lines in %s', (code) => {
  const lines = ownLines(code).map((labelled) => ({ labelled, read: readWithLarder(labelled.line, code) }));
  const share = (right: number) => right / lines.length;
  expect(
    share(lines.filter(({ labelled, read }) => amountMatches(labelled, read).strict).length),
  ).toBeGreaterThan(0.9);
  expect(
    share(lines.map(({ labelled, read }) => nameScore(labelled.name, read.name).f1).reduce((a, b) => a + b)),
  ).toBeGreaterThan(0.9);
});

// The comparison ignores accents: "dé" is "de".
test.each(LANGUAGE_CODES)('no unit, size or number of %s is also a word such as "of" or "and"', (code) => {
  const { of, and, or, units, sizes, cardinals, groups } = languageOf(code);
  const clashes = [of, and, or].flatMap((list) =>
    list.phrases().filter((phrase) => {
      const tokens = tokenise(phrase);
      return [units, sizes, cardinals, groups].some((words) => words.has(tokens, 0));
    }),
  );
  expect(clashes).toEqual([]);
});

test.each(others)('detects %s', (code) => {
  const text = ownLines(code)
    .map(({ line }) => line)
    .join('\n');
  expect(detectLanguage(tokenise(text)).code).toBe(code);
});

describe('languages are detected from one sentence', () => {
  test.each<[LanguageCode, string]>([
    ['en', 'two scrambled eggs, a slice of toast with butter and a large latte'],
    ['de', 'zwei Rühreier, eine Scheibe Toast mit Butter und ein großer Milchkaffee'],
    ['fr', 'deux œufs brouillés, une tranche de pain avec du beurre et un grand café au lait'],
    ['es', 'dos huevos revueltos, una rebanada de pan con mantequilla y un café con leche grande'],
    ['it', 'due uova strapazzate, una fetta di pane con il burro e un caffellatte grande'],
    ['pt', 'dois ovos mexidos, uma fatia de pão com manteiga e um café com leite grande'],
    ['fr', '200 g de farine'],
    ['fr', '2 à 3 courgettes'],
    ['it', 'mezza mela'],
    ['en', '3 tsp soured cream, or crème fraîche'],
    ['en', 'pizza'],
    ['en', ''],
  ])('%s: %s', (code, text) => {
    expect(detectLanguage(tokenise(text)).code).toBe(code);
  });
});

describe('numbers in words', () => {
  test.each<[LanguageCode, string, number]>([
    ['de', 'zweihundertfünfzig Gramm Mehl', 250],
    ['de', 'einundzwanzig Nudeln', 21],
    ['de', 'anderthalb Liter Milch', 1.5],
    ['fr', 'quatre-vingt-dix grammes de riz', 90],
    ['fr', 'une demi-banane', 0.5],
    ['fr', '150 g de riz', 150],
    ['fr', 'soixante-quinze grammes de riz', 75],
    ['es', 'treinta y cinco gramos de arroz', 35],
    ['es', 'doscientos cincuenta gramos de arroz', 250],
    ['it', 'centocinquanta grammi di riso', 150],
    ['it', 'ventuno noci', 21],
    ['pt', 'duzentos e cinquenta gramas de arroz', 250],
    ['pt', 'três quartos de xícara de leite', 0.75],
    ['en', 'two hundred and fifty grams of rice', 250],
  ])('%s: %s', (code, text, quantity) => {
    expect(findAmounts(tokenise(text), languageOf(code)).map((amount) => amount.quantity)).toEqual([
      quantity,
    ]);
  });
});
