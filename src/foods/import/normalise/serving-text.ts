import { MIN_SERVING_AMOUNT, tidyNumber } from '@larder/core/rounding.ts';
import { withPlainDigits } from '@larder/core/words/plain-digits.ts';
import { isAscii } from '@larder/core/words/tokenise.ts';
import type { Amount } from '@larder/text/amount.ts';
import { findAmounts } from '@larder/text/find-amounts.ts';
import { detectLanguage, LANGUAGE_CODES, type Language, languageOf } from '@larder/text/language.ts';
import { servingUnitAt } from '@larder/text/servings/serving-units.ts';
import { type Token, tokenise } from '@larder/text/tokens.ts';
import { UNITS } from '@larder/text/units.ts';
import { cleanText } from './clean-text.ts';
import { findMeasuredUnit, type MeasuredAmount, measuredAmount, sumOf, timesOf } from './units.ts';

const MAX_TEXT_LENGTH = 200;
const MAX_LABEL_LENGTH = 80;

/** GS1 texts swap the parts around a bar: "1.0 CUP COOKED) | (DRY RICE, MAKES" is "(DRY RICE, MAKES 1.0 CUP COOKED)". */
const TURNED = /^([^|]*)\|([^|(]*(?:\([^|)]*)?)(\([^|]*\))?$/;

/** A serving text without markup, its parts in order. */
function tidyText(text: string): string {
  const clean = cleanText(text.slice(0, MAX_TEXT_LENGTH));
  const turned = TURNED.exec(clean);
  if (turned === null) return clean;
  return turned
    .slice(1)
    .map((part) => part?.trim() ?? '')
    .reduce((before, part, index) => (index === 1 ? `${part} ${before}` : `${before} ${part}`))
    .trim();
}

/** Amounts that are also given as numbers. */
const NOISE = /(?<![\p{L}\d])\d+(?:[.,]\d+)?\s*(?:g|gr|grm|gram|grams|m|ml|mlt|mg)\.?(?![\p{L}\d])/giu;

/** The text for people; empty if it says no more than the amounts. */
function labelOf(text: string): string {
  const words = text.replace(NOISE, '');
  if (!/\p{L}/u.test(words) || findMeasuredUnit(words) !== undefined) return '';
  const softened = /\p{Ll}/u.test(words) ? text : text.toLowerCase();
  const label = softened
    .replace(/\bonz\b/gi, 'oz')
    .replace(/\boza\b/gi, 'fl oz')
    .replace(/\bgrm\b/gi, 'g')
    .replace(/\bmlt\b/gi, 'ml')
    .replace(/\d+[.,]\d+/g, (number) => (number.includes(',') ? number : String(tidyNumber(Number(number)))));
  return label.slice(0, MAX_LABEL_LENGTH).trim();
}

/**
 * Normalises serving texts for the reader of amounts: codes of GS1 and other scripts become common units,
 * joined words and numbers are separated, and fractions of any denominator become decimals.
 */
const SPELLINGS: readonly (readonly [written: RegExp, unit: string])[] = [
  // Before the shorter units that they begin with.
  [
    /(?<=\d)\s*(?:公斤|千克|キロ(?:グラム)?|킬로(?:그램)?|กก\.?|กิโล(?:กรัม)?|ק["״]ג|كجم|كغم?|किलो(?:ग्राम)?|कि\.?\s?ग्रा\.?|κιλ[άό]|(?:kgm|кг)(?![\p{L}]))/giu,
    ' kg ',
  ],
  [
    /(?<=\d)\s*(?:毫升|ミリ(?:リットル)?|밀리리터|มล\.?|มิลลิลิตร|מ["״]ל|ملل|مل(?:يلتر|ي)?(?![\p{L}])|मिली(?:लीटर)?|मि\.?\s?ली\.?|μλ|(?:mlt|mls|m|cm3|cm³|мл|(?<=\d\d\s?)cc)(?![\p{L}\d]))/giu,
    ' ml ',
  ],
  [/(?<=\d)\s*(?:公升|升|リットル|리터|ลิตร|ליטר|ليتر|لتر|लीटर|λίτρ[αο]|(?:ltr|л)(?![\p{L}]))/giu, ' l '],
  [
    /(?<=\d)\s*(?:grm|grs|gms|克|グラム|그[램람]|กรัม|גרם|غرام|جرام|جم|غم?(?![\p{L}])|ग्रा(?:म|\.)?|γρ(?:αμμάρι[αο]|\.)?|гр?\.?(?![\p{L}])|грам\p{L}*)/giu,
    ' g ',
  ],
  [/(?<![\p{L}])(?:onz)(?![\p{L}])/giu, 'oz'],
  [/(?<![\p{L}])lbr(?![\p{L}])/giu, 'lb'],
  [/(?<![\p{L}])(?:oza|fl\.?\s*oz\.?|fluid\s+ounces?)(?![\p{L}])/giu, ' fl oz '],
  [/(?<![\p{L}])(?:pce|pza|pzas)(?![\p{L}])/giu, 'piece'],
];
/** "ca.50g", "approx50", "30.g", "x25": the parts are separate words. */
const GLUED: readonly (readonly [glued: RegExp, apart: string])[] = [
  [/(\p{L})\.(?=\d)/gu, '$1. '],
  [/(\d)\.\s*(?=\p{L})/gu, '$1 '],
  [/(\p{L})(?=\d)/gu, '$1 '],
  [/(\d)([x×])(?=\p{L})/giu, '$1 $2 '],
  // "250ml入り", "30g当たり".
  [/(?<=\d)(k?g|m?l)(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/giu, ' $1 '],
  [/(\d)(?=\p{L}{3})/gu, '$1 '],
  [/(?<=\d)\s*\*\s*(?=\d)/gu, ' x '],
  [/(?<=\p{L}\s)demi-(?=\p{L})/giu, 'demi '],
];
const COUNT = String.raw`(?<![\d.,/⁄])(\d{1,3})`;
const NO_MORE_DIGITS = String.raw`(?![\d.,/⁄])`;
const TIMES = String.raw`\s*[x×]\s*`;
/** "2 x 2 x 25 g" and "3 x (2 x 25 g)" have one count. */
const TWO_COUNTS = new RegExp(`${COUNT}${TIMES}\\(?\\s*(\\d{1,3})${NO_MORE_DIGITS}(?=${TIMES}\\d)`, 'iu');
/** "3 x 2 biscuits": pieces of pieces, not units of mass or volume. */
const COUNTED_PIECES = new RegExp(
  `${COUNT}${TIMES}(\\d{1,3})${NO_MORE_DIGITS}(?=\\s+(\\p{L}+(?:\\s+\\p{L}+)?))`,
  'giu',
);
/** "2 biscuits x 12,5 g", "2 biscotti da 12,5 g", "2 x (1 pot 125 g)": the weight is that of each piece. */
const EACH = /(?<![\d.,/⁄])(\d{1,3})(\s+\p{L}+)(?:\s*[x×]\s*|\s+da\s+)(\d+(?:[.,]\d+)?\s*\p{L}+)/giu;
const TIMES_ONE =
  /(?<![\d.,/⁄])(\d{1,3})\s*[x×]\s*\(\s*1\s+(\p{L}+)[\s:,=]*(\d+(?:[.,]\d+)?\s*\p{L}+)\s*\)/giu;
/** Counts of packages in packages. */
const MAX_NESTED = 3;
/** "16.9 fl oz or 500 ml" states one amount twice. */
const OR = / (?:or|oder|ou|o|ovvero|oppure) (?=\d+(?:[.,]\d+)? ?(?:g|ml)(?![\p{L}]))/giu;
/** A denominator of zero makes it no number. */
const FRACTION = /(?<![\d.,/⁄])(?:(\d{1,4})[ -])?(\d{1,3})\s?[/⁄]\s?(\d{1,3})(?![\d.,/⁄%])/g;
const DECIMALS = 6;

function spellOut(text: string): string {
  let spelled = isAscii(text) ? text : withPlainDigits(text);
  for (const [glued, apart] of GLUED) spelled = spelled.replace(glued, apart);
  for (const [written, unit] of SPELLINGS) spelled = spelled.replace(written, unit);
  return multiplied(spelled)
    .replace(OR, ' / ')
    .replace(FRACTION, (written, whole: string | undefined, above: string, below: string) => {
      const value = Number(whole ?? 0) + Number(above) / Number(below);
      return Number.isFinite(value)
        ? String(Number(value.toFixed(DECIMALS)))
        : ` ${written.replaceAll(/[/⁄]/g, ' of ')} `;
    });
}

function multiplied(text: string): string {
  let spelled = text
    .replace(TIMES_ONE, '$1 $2 ($1 x $3)')
    .replace(EACH, (written, count, piece, each) =>
      findMeasuredUnit(piece) === undefined ? `${count}${piece} (${count} x ${each})` : written,
    );
  for (let nested = 0; nested < MAX_NESTED; nested++) spelled = spelled.replace(TWO_COUNTS, product);
  return spelled.replace(COUNTED_PIECES, (written, a: string, b: string, words: string) => {
    const isMeasured = [words, words.split(/\s/)[0]!].some((unit) => findMeasuredUnit(unit) !== undefined);
    return isMeasured ? written : product(written, a, b);
  });
}

function product(_: string, a: string, b: string): string {
  return String(Number(a) * Number(b));
}

/** The content of a text such as "1/3 cup (57 g)". */
export interface ServingText {
  /** An amount in a unit of mass; more than 0. */
  readonly mass?: MeasuredAmount;
  /** An amount in a unit of volume; more than 0. */
  readonly volume?: MeasuredAmount;
  /** Whether the only mass is in mg, which is often an error for g. */
  readonly milligrams?: number;
  /** The household measure, for example 2 `slice`. */
  readonly household?: Household;
  /** The cleaned text, if it has more than the amounts. */
  readonly label?: string;
}

interface Household {
  readonly value: number;
  readonly unit: string;
}

/** Most servings are one of these texts, and repeat. */
const PLAIN = /^(\d{1,6}(?:\.\d{1,20})?) ?(g|ml)$/;
const READ = new Map<string, ServingText>();
const MAX_READ = 20_000;

/**
 * Words before a part that does not belong to the serving: "2 servings per 10 oz package", "1 tea bag (makes
 * 8 fl oz)".
 */
const OTHERS: ReadonlySet<string> = new Set(
  'per|pro|par|por|makes|make|yield|yields|ergibt|ergeben|donne|donnent|rinde|rende|resa'.split('|'),
);
const MAX_BACK = 3;
/** Maximum number of units in one serving. */
const MAX_UNITS = 1_000;
/** Maximum width of a range. */
const MAX_RANGE = 3;
/** Amounts within this share are equal. */
const SAME = 0.03;

/**
 * Parses a serving text in any language of the tables. Prefers grams and millilitres to ounces, because they
 * are more precise, and takes the first of several. Never throws; returned amounts are above 0.
 */
export function parseServingText(text: string): ServingText {
  const plain = PLAIN.exec(text);
  if (plain !== null) return plainServing(Number(plain[1]), plain[2]!);
  let read = READ.get(text);
  if (read === undefined) {
    read = readServingText(text);
    if (READ.size >= MAX_READ) READ.clear();
    READ.set(text, read);
  }
  return read;
}

function plainServing(value: number, unit: string): ServingText {
  const amount = measuredAmount(value, unit);
  if (amount === undefined) return {};
  return unit === 'g' ? { mass: amount } : { volume: amount };
}

function readServingText(text: string): ServingText {
  const tidy = tidyText(text);
  const tokens = tokenise(spellOut(tidy));
  let best: ServingReading | undefined;
  // Languages share words ("2 pots de 125 g"), so the most likely one is tried first.
  for (const code of new Set([detectLanguage(tokens).code, ...LANGUAGE_CODES])) {
    const reading = new ServingReading(tokens, languageIn(code));
    if (best === undefined || reading.unknown < best.unknown) best = reading;
    if (best.unknown === 0) break;
  }
  const { mass, volume, milligrams, household } = best!;
  const label = labelOf(tidy);
  return {
    ...(mass && { mass }),
    ...(volume && { volume }),
    ...(mass === undefined && milligrams !== undefined && { milligrams }),
    ...(household && { household }),
    ...(label !== '' && { label }),
  };
}

const languages = new Map<string, Language>();

/** A language with decimal points, because servings are written so in all languages, except for "2,5". */
function languageIn(code: (typeof LANGUAGE_CODES)[number]): Language {
  let language = languages.get(code);
  if (language === undefined) {
    language = { ...languageOf(code), decimal: '.' };
    languages.set(code, language);
  }
  return language;
}

/** The amounts of a text in one language. */
class ServingReading {
  mass: MeasuredAmount | undefined;
  volume: MeasuredAmount | undefined;
  milligrams: number | undefined;
  household: Household | undefined;
  /** Numbers without a known unit. */
  unknown = 0;
  readonly #tokens: readonly Token[];
  readonly #language: Language;
  /** The last counted unit and its end, which "2 pots de 125 g" multiplies. */
  #counted: (Household & { readonly end: number }) | undefined;

  constructor(tokens: readonly Token[], language: Language) {
    this.#tokens = tokens;
    this.#language = language;
    for (const amount of findAmounts(tokens, language)) this.#read(amount);
  }

  #read(amount: Amount): void {
    const measured = this.#measured(amount);
    if (measured !== undefined && !this.#isOther(amount)) this.#takeAll(amount, measured);
    const { unit } = amount;
    const isCounted = unit !== undefined && unit !== 'mg' && findMeasuredUnit(unit) === undefined;
    const isCount = amount.each !== undefined || measured === undefined || isCounted;
    if (isCount && !this.#readMilligrams(amount)) this.#count(amount, measured !== undefined);
    for (const other of amount.alternatives) this.#read(other);
    for (const other of amount.each?.alternatives ?? [])
      this.#read({ ...amount, each: other, alternatives: [] });
  }

  /** The mass or volume of an amount, including "2 x 30 g" and "1 lb 4 oz". */
  #measured(amount: Amount): MeasuredAmount | undefined {
    const { each, plus, unit } = amount;
    const quantity = quantityOf(amount);
    if (each !== undefined) {
      const one = this.#measured(each);
      return one && (this.#isTotal(amount, each) ? one : timesOf(one, quantity));
    }
    const own = unit === undefined || unit === 'mg' ? undefined : measuredAmount(quantity, unit);
    const more = plus && this.#measured(plus);
    if (own === undefined) return more;
    // "1 lb 16 oz" states the same amount twice.
    const isSame = more !== undefined && Math.abs(more.basisAmount / own.basisAmount - 1) < SAME;
    return more === undefined || isSame ? own : (sumOf(own, more) ?? own);
  }

  /** "1/2 package (340 g)" is 340 g in total, "2 (14 oz) cans" and "2 x 14 oz" are twice that. */
  #isTotal({ unit }: Amount, each: Amount): boolean {
    const bracket = [each.firstToken, each.firstToken - 1].find((at) => this.#folded(at) === '(');
    if (bracket === undefined) return false;
    const before = bracket - 1;
    if (this.#tokens[before]?.kind === 'number') return unit === undefined;
    return !this.#language.times.has(this.#tokens, before);
  }

  /** Whether the amount is that of a package or of the prepared food, in addition to the serving before it. */
  #isOther({ firstToken }: Amount): boolean {
    const isFirst = this.#counted === undefined && this.mass === undefined && this.volume === undefined;
    for (let at = firstToken - 1; !isFirst && at >= firstToken - MAX_BACK; at--) {
      if (this.#tokens[at]?.kind !== 'word') return false;
      if (OTHERS.has(this.#folded(at))) return true;
    }
    return false;
  }

  #folded(at: number): string {
    return this.#tokens[at]?.folded ?? '';
  }

  /** "2 pots de 125 g" and "2 bars, 25 g each" contain twice the amount. */
  #takeAll({ firstToken, endToken, aside }: Amount, measured: MeasuredAmount): void {
    const counted = this.#counted;
    const { each, of } = this.#language;
    const isOfEach =
      counted !== undefined &&
      (this.#isEachAfter(endToken, counted.unit) ||
        each.has(this.#tokens, firstToken - 1) ||
        (!aside && counted.end === firstToken - 1 && of.has(this.#tokens, firstToken - 1)));
    const all = isOfEach ? timesOf(measured, counted.value) : measured;
    if (all !== undefined) this.#take(all);
  }

  /** Whether "each" or "per bar" follows, but not "per serving" of several bars. */
  #isEachAfter(at: number, unit: string): boolean {
    if (!OTHERS.has(this.#folded(at))) return this.#language.each.has(this.#tokens, at);
    return servingUnitAt(this.#tokens, at + 1, this.#language)?.unit === unit;
  }

  #take(amount: MeasuredAmount): void {
    if (amount.unit === 'g' || amount.unit === 'oz') this.mass = finer(this.mass, amount);
    else this.volume = finer(this.volume, amount);
  }

  #readMilligrams({ unit, quantity }: Amount): boolean {
    if (unit !== 'mg') return false;
    this.milligrams ??= quantity > 0 ? quantity : undefined;
    return true;
  }

  #count(amount: Amount, isMeasured: boolean): void {
    const { unit, end } = this.#unitOf(amount);
    if (unit === undefined) {
      if (!isMeasured) this.unknown++;
      return;
    }
    const value = countOf(amount, unit);
    if (value === undefined) return;
    this.household ??= { value, unit };
    this.#counted = { value, unit, end };
  }

  #unitOf({ unit, endToken, each }: Amount): { readonly unit?: string; readonly end: number } {
    if (unit !== undefined && findMeasuredUnit(unit) === undefined) {
      return UNITS[unit].kind === 'length' ? { end: endToken } : { unit, end: endToken };
    }
    return unit === undefined || each !== undefined
      ? (servingUnitAt(this.#tokens, endToken, this.#language) ?? { end: endToken })
      : { end: endToken };
  }
}

/** Returns the middle of a range; "1 - 12 oz" is one piece of 12 oz. */
function quantityOf({ quantity, range }: Amount): number {
  if (range === undefined) return quantity;
  return range[1] > MAX_RANGE * range[0] ? range[1] : (range[0] + range[1]) / 2;
}

/**
 * The number of units; undefined for "2-3" and other inexact numbers, because the size of one unit is then
 * uncertain.
 */
function countOf({ quantity, range, vague, plus }: Amount, unit: string): number | undefined {
  if (range !== undefined || vague) return undefined;
  const value = plus === undefined ? quantity : withMore(quantity, unit, plus);
  return value !== undefined && value >= MIN_SERVING_AMOUNT && value <= MAX_UNITS
    ? tidyNumber(value)
    : undefined;
}

/** Returns the cup of "1 cup 8 fl oz", and 1.125 cups of "1 cup plus 2 tablespoons". */
function withMore(quantity: number, unit: string, plus: Amount): number | undefined {
  const size = Object.hasOwn(UNITS, unit) ? UNITS[unit as keyof typeof UNITS] : undefined;
  const more = plus.unit === undefined ? undefined : UNITS[plus.unit];
  const ml = size !== undefined && 'ml' in size ? size.ml : undefined;
  const moreMl = more !== undefined && 'ml' in more ? more.ml : undefined;
  if (plus.unit !== undefined && findMeasuredUnit(plus.unit) !== undefined) return quantity;
  return ml === undefined || moreMl === undefined ? undefined : quantity + (plus.quantity * moreMl) / ml;
}

function finer(known: MeasuredAmount | undefined, found: MeasuredAmount): MeasuredAmount {
  if (known === undefined) return found;
  const isCoarse = known.unit === 'oz' || known.unit === 'fl_oz';
  return isCoarse && (found.unit === 'g' || found.unit === 'ml') ? found : known;
}
