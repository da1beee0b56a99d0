import { SMALL_WORDS } from '@larder/core/words/related-words.ts';
import { NEGATIONS, wordsOfAll } from '../../meal-words.ts';
import { ELISION, fold } from '../../tokens.ts';

/** Words that do not distinguish foods, and abbreviations of food tables ("not further specified"). */
const EMPTY: ReadonlySet<string> = new Set(
  'nfs ns as to or and with of in the a an from type made for on by style any eaten other all at there hello'.split(
    ' ',
  ),
);

export function isEmptyWord(word: string): boolean {
  return EMPTY.has(word) || SMALL_WORDS.has(word);
}

/** The common form of singular and plural of English words, by rule. Words of other languages stay unchanged. */
export function stemOf(word: string): string {
  if (word.length > 4 && word.endsWith('oes')) return word.slice(0, -2);
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ch|sh|ss|x|z)es$/.test(word)) return word.slice(0, -2);
  if (word === 'flavour' || word === 'flavoured') return word.replace('our', 'or');
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return stemOf(word.slice(0, -1));
  return word.length > 4 && word.endsWith('ie') ? `${word.slice(0, -2)}y` : word;
}

export interface NameWord {
  readonly stem: string;
  /** Number of the part between commas, semicolons, parentheses or "with". */
  readonly part: number;
  /** UTF-16 offset in the name. */
  readonly start: number;
  /** The word is one of several alternatives: "chicken or turkey". */
  readonly isAlternative?: true;
  /** The word leads a name whose other words follow "de" or the like: "huile" of "huile d'olive". */
  readonly leads?: true;
}

/** Words of Romance languages between a food and what it is made of or with. */
const PARTICLES: ReadonlySet<string> = wordsOfAll(({ particles }) => particles);
const ELIDED_PARTICLE = /^(?:d|dell|all|dall|nell)['’]\p{L}/iu;

const WORD = /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|\d+(?:[.,]\d+)?%?|[,;(:/]/gu;
/** Words with the meaning of a negation. */
const NEGATED: ReadonlyMap<string, string> = new Map([
  ['nonfat', 'fat'],
  ['fatless', 'fat'],
  ['unsweetened', 'sugar'],
  ['sugarless', 'sugar'],
  ['unsalted', 'salt'],
  ['saltless', 'salt'],
  ['meatless', 'meat'],
  ['nondairy', 'dairy'],
  ['boneless', 'bone'],
  ['skinless', 'skin'],
  ['decaffeinated', 'caffeine'],
  ['decaf', 'caffeine'],
]);

/** The stem of a negated word: "no sugar", "sugar free" and "unsweetened" are equal. */
export function negated(stem: string): string {
  return `-${stem}`;
}

export function isNegated(stem: string): boolean {
  return stem.startsWith('-');
}

/**
 * Reads words in order and returns the stem of each, with negations as part of the next words. `free` negates
 * the preceding word, which the caller replaces.
 */
export class StemReader {
  #isNegated = false;
  /**
   * Whether the negation covers only the next word and those joined to it: "non-dairy dessert", "no-bake cookie",
   * "no-added-fat rice".
   */
  #isNextOnly = false;

  /** Ends a negation. Call it at a comma, "and" or "with". */
  endPhrase(): void {
    this.#isNegated = false;
  }

  /**
   * Returns undefined for empty words and negations, and 'free' if the preceding word is negated. `isJoined`
   * means that a hyphen follows.
   */
  read(word: string, isJoined = false): string | undefined {
    if (NEGATIONS.has(word)) {
      this.#isNegated = true;
      this.#isNextOnly = isJoined || word === 'non';
      return undefined;
    }
    if (isEmptyWord(word)) return undefined;
    const absent = NEGATED.get(word);
    if (absent !== undefined) return negated(absent);
    if (!this.#isNegated) return stemOf(word);
    if (this.#isNextOnly && !isJoined) this.#isNegated = false;
    return negated(stemOf(word));
  }
}

/** Marks the only word before a particle as the word that leads the name. */
function lead(words: NameWord[], part: number): void {
  const last = words.at(-1);
  if (last === undefined || last.part !== part || words.at(-2)?.part === part) return;
  words[words.length - 1] = { ...last, leads: true };
}

/** Caches the words of names, since a few foods are compared repeatedly. */
const KEPT = new Map<string, readonly NameWord[]>();
/** Maximum cached names; some megabytes in total. */
const MAX_KEPT = 4_000;

/** The words of the name of a catalogue food, cached. */
export function wordsOfName(name: string): readonly NameWord[] {
  let words = KEPT.get(name);
  if (words === undefined) {
    words = nameWords(name);
    if (KEPT.size >= MAX_KEPT) KEPT.clear();
    KEPT.set(name, words);
  }
  return words;
}

/** The words of a food's name, without empty ones. */
export function nameWords(name: string): NameWord[] {
  const words: NameWord[] = [];
  const stems = new StemReader();
  let part = 0;
  let isAfterOr = false;
  for (const { 0: text, index } of name.matchAll(WORD)) {
    if (/^[,;(:/]$/.test(text)) {
      if (text !== '/') part++;
      else isAfterOr = true;
      stems.endPhrase();
      continue;
    }
    const word = fold(text.replace(ELISION, '')).replace(/['’]/g, '');
    if (ELIDED_PARTICLE.test(text) || (PARTICLES.has(word) && words.length > 0)) lead(words, part);
    if (word === 'or' || word === 'and' || word === 'with') {
      stems.endPhrase();
      if (word === 'with') part++;
      if (word === 'or') isAfterOr = true;
      if (word === 'or' && words.length > 0) words.push({ ...words.pop()!, isAlternative: true });
      continue;
    }
    const last = words.at(-1);
    if (word === 'free' && last !== undefined && last.part === part) {
      words[words.length - 1] = { ...last, stem: negated(last.stem) };
      continue;
    }
    const stem = stems.read(word, name[index + text.length] === '-');
    if (stem === undefined) continue;
    words.push({ stem, part, start: index, ...(isAfterOr && { isAlternative: true }) });
    isAfterOr = false;
  }
  return words;
}
