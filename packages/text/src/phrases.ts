import { type Token, tokenise } from './tokens.ts';

interface Phrase<T> {
  readonly words: readonly string[];
  readonly value: T;
}

export interface PhraseMatch<T> {
  readonly value: T;
  /** The token after the phrase. */
  readonly end: number;
}

/**
 * Phrases with values, looked up at a token; the longest one wins. The comparison ignores accents, case, hyphens
 * between words and periods of abbreviations.
 */
export class Phrases<T> {
  readonly #byFirstWord = new Map<string, Phrase<T>[]>();

  constructor(entries: Iterable<readonly [string, T]>) {
    for (const [phrase, value] of entries) {
      const words = wordsOf(phrase);
      const first = words[0]!;
      const known = this.#byFirstWord.get(first) ?? [];
      known.push({ words, value });
      known.sort((a, b) => b.words.length - a.words.length);
      this.#byFirstWord.set(first, known);
    }
  }

  at(tokens: readonly Token[], index: number): PhraseMatch<T> | undefined {
    const candidates = this.#byFirstWord.get(tokens[index]?.folded ?? '');
    for (const { words, value } of candidates ?? []) {
      const end = endOfPhrase(tokens, index, words);
      if (end !== undefined) return { value, end };
    }
    return undefined;
  }

  /** Lists all phrases, without accents and hyphens. */
  phrases(): string[] {
    return [...this.#byFirstWord.values()].flat().map(({ words }) => words.join(' '));
  }

  has(tokens: readonly Token[], index: number): boolean {
    const candidates = this.#byFirstWord.get(tokens[index]?.folded ?? '');
    return candidates?.some(({ words }) => endOfPhrase(tokens, index, words) !== undefined) === true;
  }
}

function wordsOf(phrase: string): string[] {
  // An elided word is a token only before another word.
  const tokens = tokenise(phrase.endsWith("'") ? `${phrase}elided` : phrase).filter(
    (token) => !isFiller(token),
  );
  return (phrase.endsWith("'") ? tokens.slice(0, -1) : tokens).map((token) => token.folded);
}

function endOfPhrase(tokens: readonly Token[], start: number, words: readonly string[]): number | undefined {
  let at = start;
  for (let word = 0; word < words.length; word++) {
    while (word > 0 && tokens[at]?.joined && isFiller(tokens[at]!)) at++;
    if (tokens[at]?.folded !== words[word]) return undefined;
    at++;
  }
  return at;
}

const FILLERS = new Set(['-', '‐', '‑', '–', '.']);

function isFiller(token: Token): boolean {
  return token.kind === 'symbol' && FILLERS.has(token.text);
}

export function isHyphen(token: Token | undefined): boolean {
  return token !== undefined && token.kind === 'symbol' && token.text !== '.' && FILLERS.has(token.text);
}
