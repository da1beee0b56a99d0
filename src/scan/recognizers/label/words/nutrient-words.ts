import { readFile } from 'node:fs/promises';
import type { NutrientKey } from '@larder/core/nutrients.ts';
import { NUTRIENT_WORDS } from '../../../../foods/import/table/nutrient-columns.ts';

/** The subject of a table row; `other` is recognized only so that it is not confused with a nutrient. */
export type LabelNutrient = NutrientKey | 'salt' | 'polyols' | 'alcohol' | 'other';

interface Phrase {
  readonly nutrient: LabelNutrient;
  /** Lower-case letters without spaces and accents. */
  readonly letters: string;
}

/** Up to this length a word must match exactly: "sal" is not "salmon". */
const SHORT = 5;
/** One recognition error is allowed for this many letters. */
const LETTERS_PER_SLIP = 6;

/** Finds the nutrient names of `label-words.tsv` in recognized text. */
export class NutrientWords {
  readonly #phrases: readonly Phrase[];

  private constructor(phrases: readonly Phrase[]) {
    this.#phrases = phrases;
  }

  static async open(): Promise<NutrientWords> {
    return NutrientWords.parse(await readFile(NUTRIENT_WORDS, 'utf8'));
  }

  /** Reads the text of `NUTRIENT_WORDS`. */
  static parse(tsv: string): NutrientWords {
    const lines = tsv.trim().split('\n').slice(1);
    return new NutrientWords(
      lines.flatMap((line) => {
        const [nutrient = '', names = ''] = line.split('\t');
        return names.split('|').map((name) => ({
          nutrient: (nutrient === '-' ? 'other' : nutrient) as LabelNutrient,
          letters: labelWordsOf(name).join(''),
        }));
      }),
    );
  }

  /**
   * The nutrient named in a text between two amounts. The longest matching name counts, because it is the most
   * specific.
   */
  find(text: string): LabelNutrient | undefined {
    const words = labelWordsOf(text);
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

/** Lower-case words without accents, split at non-letters and before capitals inside a word. */
export function labelWordsOf(text: string): string[] {
  return (
    text
      .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replaceAll('ł', 'l')
      .replaceAll('ø', 'o')
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      // These two look alike: "flber".
      .replaceAll('l', 'i')
      .split(/[^a-zæ]+/u)
      .filter((word) => word !== '')
  );
}

/** The number of errors if the words from `first` on are the letters; undefined if there are too many. */
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

/** Edit distance between the letters and the nearest prefix of the text; any value above `most` once exceeded. */
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
