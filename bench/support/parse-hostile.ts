import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  MAX_LINE_LENGTH,
  MAX_LINES,
  MAX_LINES_LENGTH,
  MAX_TEXT_LENGTH,
  readText,
} from '@larder/text/parse/read-text.ts';
import type { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import { Random } from './search-random.ts';

const REPEATS = 15;
const SHOWN = 12;
const LINE_LENGTH = MAX_LINES_LENGTH / MAX_LINES;

/** A text that is repeated. */
const REPEATED = [
  ...['milk and ', 'milk ', 'milk or ', 'chicken with rice ', 'mac n cheese with ', 'soda pop ', 'hotdog, '],
  ...[
    'salad soup cheese sandwich drink with ',
    'milk, which was a 20 fl oz ',
    'bread roll bun with butter spread ',
  ],
  ...[
    '1 ',
    '12.5 g ',
    '1½ ',
    '½',
    '1-2-3-',
    '1 to ',
    '2 x ',
    '1 cup plus ',
    '2 in by ',
    '1g/',
    '9',
    '1,000,',
    '% ',
  ],
  ...[
    'one thousand ',
    'hundred and ',
    'a ',
    'of ',
    'cup of ',
    'about ',
    'each ',
    'no ',
    'without ',
    'sugar free ',
  ],
  ...[
    '(',
    '1 (2 ',
    '1 (14 oz) ',
    '[1 g] ',
    ', ',
    '.',
    '.milk',
    'a-b-',
    'a/b/',
    "'s ",
    'chopped and ',
    'a',
    'chicken',
  ],
  ...['😀 ', '👩‍👩‍👧‍👦', 'é\u0301\u0301', '牛乳', 'ﷺ ', '\u00a0', 'MilkBread', 'another milk, '],
];
/** Words of many names: looking them up takes the most work, and so does searching for products with them. */
const FREQUENT =
  'salad soup cheese sandwich drink chicken sauce rice beef milk bread cream chocolate pizza potato pork fish egg butter pie cake'.split(
    ' ',
  );
const SEPARATORS = [' ', ', ', ' and ', ' with ', ' or ', ' 200 g ', '. ', '\n'];

type HostileText = readonly [what: string, make: (random: Random) => string | readonly string[]];

/** Texts and lists of maximum length. Chosen words differ each time, so that no cache helps. */
function hostileTexts(words: readonly string[], names: readonly string[]): HostileText[] {
  const filled = (next: () => string, length: number) => {
    let text = '';
    while (text.length < length) text += next();
    return text.slice(0, length);
  };
  const misspelt = (random: Random) => {
    const word = random.pick(words);
    const at = 1 + random.below(word.length);
    return word.slice(0, at) + String.fromCharCode(97 + random.below(26)) + word.slice(at);
  };
  const unknown = (random: Random) => `q${random.below(1e9).toString(36)}`;
  const frequent = (random: Random, count: number) =>
    Array.from({ length: count }, () => random.pick(FREQUENT)).join(' ');
  const makers: readonly [string, (random: Random) => string][] = [
    ['words of foods', (random) => random.pick(words)],
    ['names of foods', (random) => random.pick(names)],
    ['misspelt words', misspelt],
    ['unknown words', unknown],
    ['any characters', (random) => String.fromCharCode(random.below(0x10000))],
    ['frequent words', (random) => random.pick(FREQUENT)],
    ['six frequent words', (random) => frequent(random, 6)],
    ['five frequent words and an unknown one', (random) => `${frequent(random, 5)} ${unknown(random)}`],
    ['frequent and misspelt words', (random) => `${misspelt(random)} ${random.pick(FREQUENT)}`],
  ];
  const lists = makers.flatMap(([what, next]): HostileText[] =>
    [LINE_LENGTH, MAX_LINE_LENGTH].map((length) => [
      `${MAX_LINES_LENGTH / length} lines of ${what}`,
      (random) =>
        Array.from({ length: MAX_LINES_LENGTH / length }, () => filled(() => `${next(random)}, `, length)),
    ]),
  );
  return [
    ...REPEATED.map(
      (piece): HostileText => [JSON.stringify(piece), () => filled(() => piece, MAX_TEXT_LENGTH)],
    ),
    ...makers.flatMap(([what, next]) =>
      SEPARATORS.map(
        (separator): HostileText => [
          `${what}, between them ${JSON.stringify(separator)}`,
          (random) => filled(() => next(random) + separator, MAX_TEXT_LENGTH),
        ],
      ),
    ),
    ...lists,
  ];
}

/** Measures how long texts of maximum length take, and the longest wait of other requests meanwhile. */
export async function measureHostileTexts(catalogue: Catalogue, meals: readonly string[]): Promise<void> {
  const words = [...new Set(meals.flatMap((text) => text.toLowerCase().match(/[a-z]{4,}/g) ?? []))];
  const names = words.flatMap((word) => catalogue.search(word, 3).map(({ name }) => name));
  const figures: { what: string; total: number; turn: number; isList: boolean }[] = [];
  for (const [what, make] of hostileTexts(words, names)) {
    const random = new Random({ seed: 1 });
    const best = { what, total: Number.POSITIVE_INFINITY, turn: Number.POSITIVE_INFINITY, isList: false };
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const text = make(random);
      const { total, turn } = await timeOf(text, catalogue);
      best.total = Math.min(best.total, total);
      best.turn = Math.min(best.turn, turn);
      best.isList = typeof text !== 'string';
    }
    figures.push(best);
  }
  for (const isList of [false, true]) {
    const some = figures.filter((each) => each.isList === isList);
    console.log(
      `${some.length} hostile ${isList ? 'lists' : 'texts'}, ms, the fastest of ${REPEATS}: all, and without a pause`,
    );
    for (const { what, total, turn } of some.sort((a, b) => b.total - a.total).slice(0, SHOWN)) {
      console.log(`${total.toFixed(1).padStart(8)} ${turn.toFixed(1).padStart(6)}  ${what}`);
    }
    console.log(`longest without a pause: ${Math.max(...some.map(({ turn }) => turn)).toFixed(1)} ms`);
  }
}

const SYMBOLS = [...'190½ag x(/-,.;:\'%+*&~[]=<"!#@\n牛é'];
const TRIPLES = 500;
const LENGTHS = [MAX_TEXT_LENGTH / 4, MAX_TEXT_LENGTH / 2, MAX_TEXT_LENGTH] as const;

/**
 * Measures texts of one to three repeated characters at a quarter, half and all of the longest length: the time should grow as
 * the length does. All pieces are read once, and the slowest ones again.
 */
export async function measureRepeated(finder: Catalogue): Promise<void> {
  const random = new Random({ seed: 1 });
  const pieces = [
    ...SYMBOLS,
    ...SYMBOLS.flatMap((first) => SYMBOLS.map((second) => first + second)),
    ...Array.from({ length: TRIPLES }, () => Array.from({ length: 3 }, () => random.pick(SYMBOLS)).join('')),
  ];
  const timeAt = async (piece: string, length: number, repeats: number) => {
    const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    let best = Number.POSITIVE_INFINITY;
    for (let repeat = 0; repeat < repeats; repeat++) {
      const before = process.cpuUsage();
      await readText(text, { finder });
      const { user, system } = process.cpuUsage(before);
      best = Math.min(best, (user + system) / 1_000);
    }
    return best;
  };
  const found: { piece: string; ms: number }[] = [];
  for (const piece of pieces) found.push({ piece, ms: await timeAt(piece, MAX_TEXT_LENGTH, 2) });
  found.sort((a, b) => b.ms - a.ms);
  console.log(
    `${pieces.length} pieces, ms of processor time for ${LENGTHS.join(', ')} characters, the fastest of ${REPEATS}`,
  );
  for (const { piece } of [...found.slice(0, SHOWN), { piece: '1/' }]) {
    const times: number[] = [];
    for (const length of LENGTHS) times.push(await timeAt(piece, length, REPEATS));
    console.log(`${times.map((ms) => ms.toFixed(1).padStart(7)).join('')}  ${JSON.stringify(piece)}`);
  }
}

/** Another request waits at most for the longest turn. */
async function timeOf(text: string | readonly string[], finder: Catalogue) {
  const started = performance.now();
  let isDone = false;
  const reading = readText(text, { finder }).finally(() => {
    isDone = true;
  });
  let turn = performance.now() - started;
  while (!isDone) {
    const before = performance.now();
    await nextTurn();
    turn = Math.max(turn, performance.now() - before);
  }
  await reading;
  return { total: performance.now() - started, turn };
}
