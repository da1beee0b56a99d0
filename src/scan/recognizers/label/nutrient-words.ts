import { readFile } from 'node:fs/promises';
import type { NutrientKey } from '../../../catalogue/food/nutrients.ts';

/** What a table's line is about; `other` is what no food of the catalogue has, yet must not be taken for something else. */
export type LabelNutrient = NutrientKey | 'salt' | 'polyols' | 'alcohol' | 'other';

interface Phrase {
  readonly nutrient: LabelNutrient;
  /** Without spaces, small letters without accents. */
  readonly letters: string;
}

/** Up to this length a word must be whole and without a slip: "sal" is no "salmon". */
const SHORT = 5;
/** The reader is allowed one slip for this many letters. */
const LETTERS_PER_SLIP = 6;

/** Names of nutrients in the languages of `nutrient-words.tsv`, found in what a reader made of them. */
export class NutrientWords {
  readonly #phrases: readonly Phrase[];

  private constructor(phrases: readonly Phrase[]) {
    this.#phrases = phrases;
  }

  static async open(): Promise<NutrientWords> {
    return NutrientWords.parse(await readFile(new URL('./nutrient-words.tsv', import.meta.url), 'utf8'));
  }

  /** A heading, then lines of a nutrient, a tab, and its names with a bar between; `-` for what to pass over. */
  static parse(tsv: string): NutrientWords {
    const lines = tsv.trim().split('\n').slice(1);
    return new NutrientWords(
      lines.flatMap((line) => {
        const [nutrient = '', names = ''] = line.split('\t');
        return names.split('|').map((name) => ({
          nutrient: (nutrient === '-' ? 'other' : nutrient) as LabelNutrient,
          letters: wordsOf(name).join(''),
        }));
      }),
    );
  }

  /** The nutrient named in a text between two amounts; the longest name that fits counts, as it is the most specific. */
  find(text: string): LabelNutrient | undefined {
    const words = wordsOf(text);
    let best: { nutrient: LabelNutrient; worth: number } | undefined;
    for (let first = 0; first < words.length; first++) {
      for (const { nutrient, letters } of this.#phrases) {
        const slips = slipsAt(words, first, letters);
        if (slips === undefined) continue;
        const worth = letters.length - 3 * slips;
        if (best === undefined || worth > best.worth) best = { nutrient, worth };
      }
    }
    return best?.nutrient;
  }
}

/** Small letters without accents; what is no letter parts words, and so does a capital after a small letter. */
export function wordsOf(text: string): string[] {
  return text
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^a-zæ]+/u)
    .filter((word) => word !== '');
}

/** How many slips make the words from `first` on into the letters; undefined where it takes too many. */
function slipsAt(words: readonly string[], first: number, letters: string): number | undefined {
  if (letters.length <= SHORT) {
    let joined = '';
    for (let at = first; at < words.length && joined.length < letters.length; at++) joined += words[at];
    return joined === letters ? 0 : undefined;
  }
  const allowed = Math.floor(letters.length / LETTERS_PER_SLIP);
  const joined = words
    .slice(first)
    .join('')
    .slice(0, letters.length + allowed);
  if (joined.startsWith(letters)) return 0;
  const slips = distanceToBeginning(letters, joined, allowed);
  return slips <= allowed ? slips : undefined;
}

/** Edits between the letters and the nearest beginning of the text; anything above `most` once it is more. */
function distanceToBeginning(letters: string, text: string, most: number): number {
  let row = Array.from({ length: text.length + 1 }, (_, at) => at);
  for (let i = 1; i <= letters.length; i++) {
    const next = [i];
    for (let j = 1; j <= text.length; j++) {
      const replaced = row[j - 1]! + (letters[i - 1] === text[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return Math.min(...row);
}
