import type { Language } from './language.ts';
import { isHyphen } from './phrases.ts';
import type { Token } from './tokens.ts';
import { UNITS } from './units.ts';

export interface NumberReading {
  readonly value: number;
  readonly range?: readonly [number, number];
  /** The token after the number. */
  readonly end: number;
  /** The number comes from an article: "a banana". */
  readonly article?: true;
  /** The number comes from an inexact word: "a few". */
  readonly vague?: true;
}

/** Maximum number without a weight: "1e9 g" must not be read as another amount. */
const MAX_NUMBER = 1e6;

/** Maximum number in digits before a fraction in words. */
const MAX_PARTS = 9;

const MEASURES: ReadonlySet<string> = new Set(['mass', 'volume']);

/** Reads the number that begins at a token: digits, words, fractions, "half a", "two dozen", "1 to 2". */
export function readNumber(
  tokens: readonly Token[],
  start: number,
  language: Language,
): NumberReading | undefined {
  if (language.notAmounts.has(tokens, start)) return undefined;
  const between = language.between.at(tokens, start);
  const low = readOne(tokens, between?.end ?? start, language);
  if (low === undefined) return undefined;
  if (low.value === 0 && isNone(tokens, start, low.end, language)) return low;
  if (low.value === 0 || low.value > MAX_NUMBER) {
    const unit = language.units.at(tokens, low.end)?.value;
    const isMeasure = unit !== undefined && MEASURES.has(UNITS[unit].kind);
    return between === undefined && isMeasure ? low : undefined;
  }
  if (low.article === undefined) {
    const to = between === undefined ? undefined : language.and.at(tokens, low.end);
    const separator = to?.end ?? endOfRangeSign(tokens, low.end, language);
    const high = separator === undefined ? undefined : readOne(tokens, separator, language);
    if (
      high !== undefined &&
      high.article === undefined &&
      high.value > low.value &&
      high.value <= MAX_NUMBER
    ) {
      return { value: low.value, range: [low.value, high.value], end: high.end };
    }
  }
  return between === undefined ? low : undefined;
}

/** Whether "0" counts a food: "0 eggs", but not "0 % fat", "0-2" or "Coke 0". */
function isNone(tokens: readonly Token[], at: number, end: number, language: Language): boolean {
  const [before, next] = [tokens[at - 1], tokens[end]];
  const begins =
    before === undefined ||
    before.kind === 'break' ||
    [',', ';'].includes(before.text) ||
    language.and.has(tokens, at - 1);
  return begins && tokens[at]!.text === '0' && next?.kind === 'word' && !next.joined;
}

/** Highest number that counts foods with a plural: "2 cheese sandwiches", unlike "7 grain crackers". */
const MOST_COUNTED = 4;

/** The word that makes a number part of a name: "grain" of "7 grain bread", "bean" of "3-bean salad", "fromages" of "pizza 4 fromages". */
export function wordOfNumberedName(
  tokens: readonly Token[],
  at: number,
  end: number,
  language: Language,
): Token | undefined {
  const word = afterHyphen(tokens, end);
  if (!language.numbered.has(tokens[word]?.folded ?? '')) return undefined;
  const isNaming = (other: number) =>
    tokens[other]?.kind === 'word' &&
    tokens[other]!.text.length > 1 &&
    ![language.and, language.of, language.connectors].some((list) => list.has(tokens, other));
  const next = afterHyphen(tokens, word + 1);
  const value = language.cardinals.at(tokens, at)?.value ?? Number(tokens[at]!.text);
  const isOfName = language.sizesFollow
    ? isNaming(at - 1) || language.connectors.has(tokens, at - 1)
    : isNaming(next) && !(tokens[next]!.folded.endsWith('s') && value <= MOST_COUNTED);
  return isOfName ? tokens[word] : undefined;
}

/** Finds the end of a range sign: "1-2", "1 – 2", "1 to 2", "1- to 2-pound". */
export function endOfRangeSign(tokens: readonly Token[], at: number, language: Language): number | undefined {
  const sign = tokens[at];
  const afterSign = isHyphen(sign) || sign?.text === '–' || sign?.text === '—' ? at + 1 : at;
  const word = language.range.at(tokens, afterSign);
  if (word !== undefined) return word.end;
  return afterSign === at ? undefined : afterSign;
}

function readOne(tokens: readonly Token[], at: number, language: Language): NumberReading | undefined {
  const vague = language.vague.at(tokens, language.articles.at(tokens, at)?.end ?? at);
  if (vague !== undefined) return { value: vague.value, end: vague.end, vague: true };
  const alone = language.groups.at(tokens, at);
  if (alone !== undefined) return { value: alone.value, end: alone.end };
  const digits = readDigits(tokens, at, language);
  const base = digits ?? readWords(tokens, at, language);
  if (base !== undefined) return readAfterBase(tokens, base, digits === undefined, language);

  const article = language.articles.at(tokens, at);
  const named = article !== undefined && language.notAmounts.has(tokens, article.end);
  const part = named ? undefined : readFraction(tokens, article?.end ?? at, language, article !== undefined);
  if (part !== undefined) return part;
  if (article === undefined) return undefined;
  const group = language.groups.at(tokens, article.end);
  if (group !== undefined) return { value: group.value, end: group.end };
  return { value: 1, end: article.end, article: true };
}

/** Reads suffixes of whole numbers: "and a half", "thirds", "dozen". */
function readAfterBase(
  tokens: readonly Token[],
  base: NumberReading,
  inWords: boolean,
  language: Language,
): NumberReading {
  const and = language.and.at(tokens, afterHyphen(tokens, base.end));
  if (and !== undefined) {
    const start = afterHyphen(tokens, and.end);
    const afterArticle = afterHyphen(tokens, language.articles.at(tokens, start)?.end ?? start);
    const fraction =
      language.fractions.at(tokens, afterArticle) ??
      fractionOfWords(tokens, afterArticle, language) ??
      fractionInDigits(tokens, and.end, language);
    if (fraction !== undefined) return { value: base.value + fraction.value, end: fraction.end };
  }
  // "three quarters", "1 halbe Zwiebel", "1 media cebolla".
  const isWhole =
    inWords ||
    (Number.isInteger(base.value) &&
      base.value <= MAX_PARTS &&
      (language.qualifiers.at(tokens, base.end)?.end ?? 0) <= base.end + 1 &&
      !language.notAmounts.has(tokens, base.end));
  const parts = isWhole ? language.fractions.at(tokens, afterHyphen(tokens, base.end)) : undefined;
  if (parts !== undefined) {
    return { value: base.value * parts.value, end: endOfParts(tokens, parts.end, language) };
  }
  if (base.value < 1) return { ...base, end: endOfParts(tokens, base.end, language) };
  const group = language.groups.at(tokens, base.end);
  if (group === undefined) return base;
  const { end } = group;
  const isShort = tokens[end]?.text === '.' && tokens[end]!.joined && end + 1 < tokens.length;
  return { value: base.value * group.value, end: isShort ? end + 1 : end };
}

function afterHyphen(tokens: readonly Token[], at: number): number {
  return isHyphen(tokens[at]) && tokens[at]!.joined ? at + 1 : at;
}

/** Reads "three quarters", and "one-half" after "two and". */
function fractionOfWords(tokens: readonly Token[], at: number, language: Language) {
  const count = language.cardinals.at(tokens, at);
  if (count === undefined) return undefined;
  const part = language.fractions.at(tokens, afterHyphen(tokens, count.end));
  return part === undefined ? undefined : { value: count.value * part.value, end: part.end };
}

function fractionInDigits(tokens: readonly Token[], at: number, language: Language) {
  const digits = readDigits(tokens, at, language);
  return digits !== undefined && digits.value < 1 ? digits : undefined;
}

/**
 * Reads "half", "half a", "a quarter of a", "half a dozen". Other fractions than a half need an article or a following
 * unit.
 */
function readFraction(
  tokens: readonly Token[],
  at: number,
  language: Language,
  afterArticle: boolean,
): NumberReading | undefined {
  const fraction = language.fractions.at(tokens, at);
  if (fraction === undefined) return undefined;
  const end = endOfParts(tokens, fraction.end, language);
  const sure =
    afterArticle || end > fraction.end || fraction.value === 0.5 || language.units.has(tokens, end);
  if (!sure) return undefined;
  const group = language.groups.at(tokens, afterHyphen(tokens, end));
  return group === undefined
    ? { value: fraction.value, end }
    : { value: fraction.value * group.value, end: group.end };
}

/** Skips "of a" after a fraction, and "of" before a unit, but nothing in "half of the cake". */
function endOfParts(tokens: readonly Token[], at: number, language: Language): number {
  const of = language.of.at(tokens, at);
  if (of !== undefined && language.units.has(tokens, of.end)) return of.end;
  return language.articles.at(tokens, of?.end ?? afterHyphen(tokens, at))?.end ?? at;
}

function readDigits(tokens: readonly Token[], at: number, language: Language): NumberReading | undefined {
  const token = tokens[at];
  if (token?.kind !== 'number') return undefined;
  const thousands = readThousands(tokens, at, language);
  if (thousands !== undefined) return thousands;
  const value = numberValue(token.text, language.decimal);
  const next = tokens[at + 1];
  const isOrdinal = next?.joined === true && value < 1 && ORDINALS.has(next.folded);
  return Number.isFinite(value) ? { value, end: isOrdinal ? at + 2 : at + 1 } : undefined;
}

/** Endings of fractions in digits: "1/3rd", "1/4th". */
const ORDINALS: ReadonlySet<string> = new Set(['rd', 'th', 'nd', 'st', 'rds', 'ths']);

/** Reads "1 500 ml" where a space separates thousands, but not "1 500 g Dose". */
function readThousands(tokens: readonly Token[], at: number, language: Language): NumberReading | undefined {
  const [first, rest] = [tokens[at]!, tokens[at + 1]];
  if (language.decimal !== ',' || rest?.kind !== 'number' || rest.start !== first.end + 1) return undefined;
  if (!/^[1-9]\d{0,2}$/.test(first.text) || !/^\d{3}$/.test(rest.text)) return undefined;
  const unit = language.units.at(tokens, at + 2);
  if (unit === undefined || !MEASURES.has(UNITS[unit.value].kind)) return undefined;
  const packed = language.units.at(tokens, unit.end);
  return packed === undefined ? { value: Number(first.text + rest.text), end: at + 2 } : undefined;
}

const WITH_VULGAR = /^(\d*)\D*?([^\d\s.,])$/u;
const WITH_SLASH = /^(?:(\d+)[^\d/⁄]+)?(\d+) ?[/⁄] ?(\d+)$/u;

/** Parses a number token: "1 1/2", "5¼", "1,5", "1,000". */
export function numberValue(text: string, decimal: string): number {
  const vulgar = WITH_VULGAR.exec(text);
  if (vulgar !== null) {
    const [above, below] = vulgar[2]!.normalize('NFKD').split('⁄');
    return Number(vulgar[1]) + Number(above) / Number(below);
  }
  const slash = WITH_SLASH.exec(text);
  if (slash !== null) return Number(slash[1] ?? 0) + Number(slash[2]) / Number(slash[3]);
  return decimalValue(text.replace(/\s/gu, ''), decimal);
}

function decimalValue(digits: string, decimal: string): number {
  const signs = digits.match(/[.,]/g) ?? [];
  const last = digits.lastIndexOf(signs.at(-1) ?? '');
  const three = digits.length - last - 1 === 3;
  const grouped =
    signs.length > 1
      ? signs.every((sign) => sign === signs[0])
      : three && signs[0] !== decimal && !digits.startsWith('0');
  if (signs.length === 0 || /e/i.test(digits)) return Number(digits.replace(',', '.'));
  if (grouped) return Number(digits.replace(/[.,]/g, ''));
  return Number(`${digits.slice(0, last).replace(/[.,]/g, '')}.${digits.slice(last + 1)}`);
}

/** Reads cardinals in words: "twenty one", "two hundred and fifty", and "einundzwanzig" in one word. */
function readWords(tokens: readonly Token[], start: number, language: Language): NumberReading | undefined {
  let at = start;
  let total = 0;
  let current = 0;
  let smallest = Number.POSITIVE_INFINITY;
  while (true) {
    const next = at > start ? afterHyphen(tokens, at) : at;
    const and = at > start && smallest >= 100 ? language.and.at(tokens, next) : undefined;
    const from = and?.end ?? next;
    const word = language.cardinals.at(tokens, from) ?? compoundAt(tokens, from, language);
    if (word === undefined || !fits(word.value, smallest, current, total)) break;
    if (word.value === 1000) {
      total += Math.max(current, 1) * 1000;
      current = 0;
    } else if (word.value === 100) current = Math.max(current, 1) * 100;
    else current += word.value;
    smallest = word.value;
    at = word.end;
  }
  return at === start ? undefined : { value: total + current, end: at };
}

/** Maximum length of a compound number. */
const MAX_COMPOUND = 30;

/** Reads hundreds and the rest in one word: "zweihundertfünfzig", "centocinquanta". */
function compoundAt(tokens: readonly Token[], at: number, { cardinalWords }: Language) {
  const word = tokens[at]?.folded ?? '';
  for (let split = 4; split < Math.min(word.length, MAX_COMPOUND) - 1; split++) {
    const hundreds = cardinalWords.get(word.slice(0, split)) ?? 0;
    const rest = cardinalWords.get(word.slice(split));
    if (hundreds >= 100 && hundreds < 1000 && rest !== undefined && rest < 100)
      return { value: hundreds + rest, end: at + 1 };
  }
  return undefined;
}

/** Whether a number word may follow one of a given value in the same number. */
function fits(value: number, previous: number, current: number, total: number): boolean {
  if (previous === Number.POSITIVE_INFINITY) return true;
  if (value === 1000) return total === 0 && current > 0;
  if (value === 100) return current > 0 && current < 10;
  if (previous >= 100) return value < 100 && value > 0;
  return (
    value > 0 &&
    previous % 10 === 0 &&
    previous >= 20 &&
    value < (previous % 20 === 0 && previous >= 60 ? 20 : 10)
  );
}
