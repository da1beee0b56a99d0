import type { Random } from '../../../bench/support/search-random.ts';
import { pathologicalText, regexBait, SCRIPT_NAMES } from './texts.ts';

/** What the service reads of a list of lines. */
export const MOST_LINES = 100;
export const LONGEST_LINE = 500;
export const LONGEST_LIST = 10_000;

const FOODS = 'rice milk egg bread butter cheese apple tomato potato chicken soup salad sauce'.split(' ');
const LINKS = [' ', ', ', ' and ', ' with ', ' or ', ' 200 g ', ' (', '; 1 cup ', ' plus 2 tbsp ', '\n'];

type Line = (random: Random) => string;

/** Lines that reading amounts, phrases and names could take long for. */
const LINES: readonly Line[] = [
  (random) => `${random.below(1_000)} cups ${misspelt(random)} ${misspelt(random)}`,
  // Many foods, each of which may go on with the next.
  (random) => filled(() => random.pick(FOODS) + random.pick(LINKS)),
  (random) => filled(() => misspelt(random) + random.pick(LINKS)),
  // One thing again and again.
  (random) => {
    const part = `${random.below(10)} ${random.pick(FOODS)}${random.pick(LINKS)}`;
    return filled(() => part);
  },
  (random) => {
    const part = random.pick([
      '1 (',
      '1/2 ',
      '2 x ',
      '1 g/',
      'a ',
      '½',
      '1-',
      'no ',
      'of ',
      '[1 g] ',
      '((',
      "'s ",
    ]);
    return filled(() => part);
  },
  (random) => random.pick(regexBait(LONGEST_LINE)),
  (random) => `2 ${pathologicalText(random.pick(SCRIPT_NAMES), random)}`.slice(0, LONGEST_LINE),
];

/** As many lines of one or all kinds as one request may have. */
export function foodLines(random: Random): string[] {
  const kinds = random.below(2) === 0 ? LINES : [random.pick(LINES)];
  const lines: string[] = [];
  for (let left = LONGEST_LIST; left > 0 && lines.length < MOST_LINES; ) {
    const line = [...random.pick(kinds)(random)]
      .join('')
      .slice(0, Math.min(LONGEST_LINE, left))
      .toWellFormed();
    lines.push(line);
    left -= Math.max(1, line.length);
  }
  return lines;
}

/** JSON-LD of a recipe, within so many graphs and beside things of other types. */
export function graphAround(recipeIngredient: readonly string[], depth: number): object {
  const yields = ['1 ('.repeat(60), -1, { value: '9'.repeat(200), unitText: 'g'.repeat(200) }];
  let node: object = {
    '@type': ['Thing', 'Recipe'],
    name: `${'<a'.repeat(50)}soup`,
    recipeYield: [yields, ...yields],
    recipeIngredient: recipeIngredient.length === 1 ? recipeIngredient[0] : recipeIngredient,
  };
  for (let level = 0; level < depth; level++) {
    node = { '@graph': [...Array.from({ length: 5 }, () => ({ '@type': Array(20).fill('Thing') })), node] };
  }
  return { ...node, partial: true };
}

function misspelt(random: Random): string {
  const word = random.pick(FOODS);
  const at = 1 + random.below(word.length - 1);
  return word.slice(0, at) + String.fromCharCode(0x61 + random.below(26)) + word.slice(at);
}

function filled(part: () => string): string {
  let line = '';
  while (line.length < LONGEST_LINE) line += part();
  return line.slice(0, LONGEST_LINE);
}
