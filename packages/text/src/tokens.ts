import { fold as foldWord, isAscii } from '@larder/core/words/tokenise.ts';

/**
 * Splits text into tokens with offsets. A number with its fraction is one token ("1 1/2", "5¼"), a word joined to it is
 * another ("227g" is two). Hyphens are symbols, so that "flat-leaf" and "flat leaf" match the same phrase.
 */

export type TokenKind = 'word' | 'number' | 'symbol' | 'break';

export interface Token {
  readonly kind: TokenKind;
  /** The token as written: `text.slice(start, end)`. */
  readonly text: string;
  /** Lower case without accents. */
  readonly folded: string;
  /** UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** No space precedes this token. */
  readonly joined: boolean;
  /** The token is in the name of a food with a number, and begins no amount. */
  readonly isOfName?: true;
}

/** Matches French "thé", which must not become the English article; it is folded to "te", as in Spanish and Italian. */
const FRENCH_TEA = /(?<!\p{L})the\u0301s?(?![\p{L}\p{M}])/giu;

/** Folds to lower case without accents, with straight apostrophes. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return foldWord(text.normalize('NFKD').replace(FRENCH_TEA, 'te')).replace(/[’‘ʼ]/g, "'");
}

const VULGAR = '½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒';
const SLASHED = String.raw`\d{1,2} ?[/⁄] ?(?:1[026]|[2-6]|8)(?!\d)`;
// Thousands in groups (at most four, so that no text makes this slow), or digits with decimals.
const PLAIN = String.raw`\d{1,3}(?:[,.\u00a0\u202f]\d{3}){1,4}(?![\d])(?:[.,]\d{1,9})?|\d{1,3} 000(?!\d)|\d+(?:[.,]\d+)?(?:[eE]\+?\d{1,3}(?![\p{L}\d]))?|(?<!\.)\.\d+`;
const NUMBER = new RegExp(
  String.raw`(?:\d{1,4}[ \u00a0]?[-‐]?(?:[${VULGAR}]|(?<=[ \u00a0-])${SLASHED}))|[${VULGAR}]|${SLASHED}|${PLAIN}`,
  'uy',
);
const WORD = /[\p{L}\p{M}][\p{L}\p{M}\p{Nd}]*(?:['’ʼ][\p{L}\p{M}][\p{L}\p{M}\p{Nd}]*)*/uy;
/** Matches optional plurals: "Ei(er)", "onion(s)", "Zehe/n" are one word, folded without its plural. */
const OPTIONAL_PLURAL = /(?:\((?:e?s|e?n|er?|a|x)\)|\/(?:e?n|er?)(?![\p{L}\p{M}\p{Nd}]))/uy;
/** The multiplication sign in "x2". */
const TIMES_SIGN = /x(?=\d{1,3}(?![\p{L}\p{M}\p{Nd}]))/iuy;
const WORD_AFTER_DIGIT = /[\p{L}\p{M}]+/uy;
/** Matches an address of the web, which names no food. */
const LINK = /(?:https?:\/\/|www\.)\S+/iuy;
const SPACE = /[^\S\r\n\u2028\u2029]+/uy;
const LINE_BREAK = /[\r\n\u2028\u2029]+/uy;
/** Articles and prepositions that French, Italian and Portuguese join to a next word with a vowel or h: not "s'mores". */
export const ELISION = /^(?:[ldjcnms]|qu|un|dell|all|nell|sull|dall|quell)['’ʼ](?=[aeiouyhà-öø-ýœ][\p{L}])/iu;

/** Whether a period ends a sentence, and another one follows. */
export function endsSentence(tokens: readonly Token[], at: number): boolean {
  return tokens[at]!.text === '.' && /^\p{Lu}/u.test(tokens[at + 1]?.text ?? '');
}

export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  let at = skip(SPACE, text, 0);
  let previousEnd = -1;
  while (at < text.length) {
    const previous = tokens[tokens.length - 1];
    const joined = at === previousEnd;
    const [kind, end] = tokenAt(text, at, joined && previous?.kind === 'number');
    const wordEnd = kind === 'word' && end - at > 1 ? skip(OPTIONAL_PLURAL, text, end) : end;
    const folded = fold(text.slice(at, end));
    tokens.push({ kind, text: text.slice(at, wordEnd), folded, start: at, end: wordEnd, joined });
    previousEnd = wordEnd;
    at = skip(SPACE, text, wordEnd);
  }
  return tokens;
}

function tokenAt(text: string, at: number, afterDigit: boolean): readonly [TokenKind, number] {
  let end = skip(LINE_BREAK, text, at);
  if (end > at) return ['break', end];
  end = skip(LINK, text, at);
  if (end > at) return ['symbol', end];
  end = skip(NUMBER, text, at);
  if (end > at) return ['number', end];
  end = skip(TIMES_SIGN, text, at);
  if (end > at) return ['word', end];
  end = skip(afterDigit ? WORD_AFTER_DIGIT : WORD, text, at);
  // V8 looks for the other half of a surrogate pair beyond the end of a text that was cut from a longer one.
  if (end === at) return ['symbol', Math.min(text.length, at + (text.codePointAt(at)! > 0xffff ? 2 : 1))];
  const elision = ELISION.exec(text.slice(at, Math.min(end, at + 8)));
  return ['word', elision === null ? end : at + elision[0].length];
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

/** Whether a letter before a colon names a meal: the "L" of "B: oatmeal L: soup". */
export function isMealLetter(letter: Token | undefined, colon: Token | undefined): boolean {
  return letter?.kind === 'word' && letter.text.length === 1 && colon?.text === ':' && colon.joined;
}
