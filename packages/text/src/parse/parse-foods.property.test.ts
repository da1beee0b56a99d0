import { type Profiler, Session } from 'node:inspector/promises';
import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import { Catalogue } from '../../../../src/foods/catalogue/catalogue.ts';
import { readStarterFoods } from '../../../../src/foods/starter/starter-foods.ts';
import { compileFoods } from '../../../../test/support/compiled-foods.ts';
import { Phrases } from '../phrases.ts';
import { tokenise } from '../tokens.ts';
import { NameIndex } from './names/name-index.ts';
import { NameLookUp } from './names/name-look-up.ts';
import { parseFoods } from './parse-foods.ts';
import { MAX_TEXT_LENGTH } from './read-text.ts';
import { TEXT_BUDGET } from './reading-budget.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

const PIECES =
  '1 2 ½ 1/2 1,5 12.5 9999999 0 one hundred thousand half dozen a an few g kg ml oz cup cups can bag slice large of x by to ' +
  'plus and with or no without free about each chopped another which I had for lunch , . ; ! - – / | ( ) [ ] % # " \' 🍎 ß 牛乳 \n';
const FOODS = [...readStarterFoods()].map(({ name }) => name);
const piece = fc.oneof(
  fc.constantFrom(...PIECES.split(' ')),
  fc.constantFrom(...FOODS),
  fc.constantFrom('soda pop', 'hotdog', 'mac n cheese', 'sandwich', 'chiken', 'q1z', '\u0301', '\ud800'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const separator = fc.constantFrom(' ', '', ', ', ' and ', ' 2 ', '\n', '. ');

/** Random texts, and texts of maximum length that repeat a word or list foods. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: MAX_TEXT_LENGTH }),
  fc
    .tuple(fc.array(piece, { minLength: 1, maxLength: 6 }), separator)
    .map(([pieces, between]) => filled(`${pieces.join(between)}${between}`)),
  fc
    .tuple(fc.array(piece, { maxLength: 400 }), separator)
    .map(([pieces, between]) => pieces.join(between).slice(0, MAX_TEXT_LENGTH)),
);

function filled(text: string): string {
  const times = text === '' ? 0 : Math.ceil(MAX_TEXT_LENGTH / text.length);
  return text.repeat(times).slice(0, MAX_TEXT_LENGTH);
}

const CHOSEN = [
  'milk and ',
  'chicken with rice ',
  '1 (2 ',
  '(',
  ',',
  '.milk',
  'a',
  'egg or ',
  '2 x ',
  'no ',
  '2 eggs, a banana, 2 scrambled eggs ',
  'one hundred ',
  'chicken',
];

test('any text is read deterministically, with ordered offsets inside it', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const items = parseFoods(text, { finder: catalogue });
      expect(parseFoods(text, { finder: catalogue })).toEqual(items);
      let from = 0;
      for (const { start, end, confidence } of items) {
        expect(start).toBeGreaterThanOrEqual(from);
        expect(end).toBeGreaterThan(start);
        from = end;
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
      }
      expect(from).toBeLessThanOrEqual(text.length);
    }),
    { examples: CHOSEN.map((text) => [filled(text)]), numRuns: 60 },
  );
});

const LOOK_UPS_OF_LINE = 300;
/**
 * Maximum look-ups for one food: for its words, their synonyms, the last look-up within the limit, and the
 * line read as a recipe's.
 */
const LOOK_UPS_OF_FOOD = 100;
/** Maximum foods that are weighed, plus one for its other states. */
const FOODS_OF_ITEM = 9;

test('the work is bounded for any text', () => {
  const searches = vi.spyOn(Catalogue.prototype, 'search');
  const lookUps = vi.spyOn(NameLookUp.prototype, 'find');
  const foods = vi.spyOn(NameIndex.prototype, 'foodAt');
  const phrases = vi.spyOn(Phrases.prototype, 'at');
  fc.assert(
    fc.property(anyText, (text) => {
      for (const spy of [searches, lookUps, foods, phrases]) spy.mockClear();
      parseFoods(text, { finder: catalogue });
      const tokens = tokenise(text).length;
      expect(searches.mock.calls.length).toBeLessThanOrEqual(TEXT_BUDGET.searches);
      expect(lookUps.mock.calls.length).toBeLessThanOrEqual(LOOK_UPS_OF_LINE + 2 * LOOK_UPS_OF_FOOD + tokens);
      // A food is decoded once.
      const decoded = new Set(foods.mock.calls.map(([document]) => document));
      expect(decoded.size).toBeLessThanOrEqual(FOODS_OF_ITEM * tokens);
      expect(phrases.mock.calls.length).toBeLessThanOrEqual(300 * tokens);
    }),
    { examples: CHOSEN.map((text) => [filled(text)]), numRuns: 60 },
  );
  vi.restoreAllMocks();
});

/** Texts of these parts took time that grew with the square of their length. */
const REPEATED = ['1:', '1/', '1/ ', '1 rice, ', 'rice (', 'rice(', 'rice or ', '1 (', 'rice\n', '1 rice + '];

/** Blocks of this package that run while a text is read: a measure of its cost that no other work on the machine changes. */
async function blocksRun(text: string): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    parseFoods(text, { finder: catalogue });
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const counts = ({ functions }: Profiler.ScriptCoverage) =>
      functions.flatMap(({ ranges }) => ranges.map(({ count }) => count));
    return result
      .filter(({ url }) => url.includes('/packages/text/'))
      .flatMap(counts)
      .reduce((sum, count) => sum + count, 0);
  } finally {
    session.disconnect();
  }
}

test.each(REPEATED)('a text of %j twice as long costs about twice as much', async (part) => {
  const filledTo = (length: number) => part.repeat(length).slice(0, length);
  await blocksRun(filledTo(100));
  const [half, whole] = [await blocksRun(filledTo(1_000)), await blocksRun(filledTo(2_000))];
  expect(half).toBeGreaterThan(1_000);
  expect(whole / half).toBeLessThan(2.6);
});
