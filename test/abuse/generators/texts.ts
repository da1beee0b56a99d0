import type { Random } from '../../../bench/support/search-random.ts';

/** First and last letter of ranges of ten scripts. */
const SCRIPTS: Readonly<Record<string, readonly [number, number]>> = {
  latin: [0x61, 0x7a],
  greek: [0x3b1, 0x3c9],
  cyrillic: [0x430, 0x44f],
  hebrew: [0x5d0, 0x5ea],
  arabic: [0x627, 0x64a],
  devanagari: [0x905, 0x939],
  thai: [0xe01, 0xe2e],
  kana: [0x3041, 0x3096],
  hangul: [0xac00, 0xd7a3],
  han: [0x4e00, 0x9fff],
};
export const SCRIPT_NAMES = Object.keys(SCRIPTS);

/** Accents, joiners, marks of direction, variation selectors: what changes letters without being one. */
const MARKS = ['\u0301', '\u0345', '\u200d', '\u200f', '\u202e', '\ufe0f', '\u093c', '\u0e38', '\u3099'];
/** The longest text that a search takes, in code points. */
export const MAX_TEXT = 200;

type Form = (letter: () => string, random: Random) => string;

/** Shapes of text that searches, folding and spelling could take long for. */
const FORMS: readonly Form[] = [
  // One word without end.
  (letter) => repeat(MAX_TEXT, letter),
  // One letter again and again.
  (letter) => letter().repeat(MAX_TEXT),
  // As many words as there is room for: each may be unfinished, mistyped, joined or split.
  (letter) => repeat(MAX_TEXT / 2, () => `${letter()} `).trim(),
  (letter) => repeat(MAX_TEXT / 4, () => `${letter()}${letter()}${letter()} `).trim(),
  // Two words that take turns.
  (letter) => {
    const pair = `${letter()}${letter()} ${letter()}${letter()}${letter()} `;
    return pair.repeat(MAX_TEXT).slice(0, MAX_TEXT).trim();
  },
  // Letters under heaps of marks.
  (letter, random) =>
    [...repeat(MAX_TEXT / 4, () => letter() + repeat(3, () => random.pick(MARKS)))]
      .slice(0, MAX_TEXT)
      .join(''),
  // Letters whose upper case, or whose compatible form, is longer.
  (letter) => `ﬃŉǰΐ㍍㌕㋿ﷺ`.repeat(20).slice(0, MAX_TEXT - 10) + repeat(10, letter),
  // Numbers between letters, as in amounts and barcodes.
  (letter, random) => repeat(MAX_TEXT / 4, () => `${letter()}${random.below(1000)}`).slice(0, MAX_TEXT),
];

/** A text of this script that a search takes, made to be dear. */
export function pathologicalText(script: string, random: Random): string {
  const [first, last] = SCRIPTS[script]!;
  const letter = () => String.fromCodePoint(first + random.below(last - first + 1));
  return [...random.pick(FORMS)(letter, random)].slice(0, MAX_TEXT).join('');
}

function repeat(count: number, make: () => string): string {
  return Array.from({ length: count }, make).join('');
}

/** Texts over which naive regular expressions go back and forth, each cut to `length`. */
export function regexBait(length: number): string[] {
  const fill = (text: string) => text.repeat(Math.ceil(length / text.length)).slice(0, length - 1);
  const repeated = [
    'a',
    ' ',
    '0',
    '-',
    '.',
    '1 g ',
    'a@',
    '\t ',
    '%20',
    '("',
    '\\',
    '/',
    ',',
    'aA',
    '0.',
    '1/2 ',
    '=',
    ';q=0.',
  ];
  return repeated.map((text) => `${fill(text)}!`);
}
