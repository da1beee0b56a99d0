import { MIN_SERVING_AMOUNT, tidyNumber } from '@larder/core/rounding.ts';
import type { Amount } from '@larder/text/amount.ts';
import { findAmounts } from '@larder/text/find-amounts.ts';
import { detectLanguage, LANGUAGE_CODES, type Language, languageOf } from '@larder/text/language.ts';
import { servingUnitAt } from '@larder/text/servings/serving-units.ts';
import { type Token, tokenise } from '@larder/text/tokens.ts';
import { UNITS } from '@larder/text/units.ts';
import { labelOf, tidyText } from './serving-label.ts';
import { spellOut } from './serving-spelling.ts';
import { findMeasuredUnit, type MeasuredAmount, measuredAmount, sumOf, timesOf } from './units.ts';

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
