import type { Amount } from './amount.ts';
import type { Language } from './language.ts';
import { type NumberReading, numberValue, readNumber, wordOfNumberedName } from './numbers.ts';
import { isHyphen, type PhraseMatch } from './phrases.ts';
import type { Token } from './tokens.ts';
import { UNITS, type UnitKind, type UnitName } from './units.ts';

/** Maximum words between a number and "cup of": "a warm and comforting cup of". */
const MAX_QUALIFIERS = 4;
const LARGE = 'large';
/** Minimum degrees of a temperature without its sign. */
export const MIN_DEGREES = 50;
/** Maximum number of pieces before "gr." for "große". */
const MOST_LARGE = 6;
const SPOONS: ReadonlySet<UnitName> = new Set(['tsp', 'dessertspoon', 'tbsp', 'cup']);
const CAPITALIZED = /^\p{Lu}/u;

export interface UnitReading {
  readonly unit: UnitName;
  readonly size?: string;
  readonly heaped?: true;
  readonly end: number;
}

/** Reads numbers, units and sizes, and joins them to amounts. */
export class MeasureReader {
  readonly #tokens: readonly Token[];
  readonly #language: Language;

  constructor(tokens: readonly Token[], language: Language) {
    this.#tokens = tokens;
    this.#language = language;
  }

  /** Reads a number that counts or measures, unlike "2%", "7:30", "8 pm", "5-spice". */
  numberAt(at: number): NumberReading | undefined {
    const number = readNumber(this.#tokens, at, this.#language);
    if (number === undefined || number.article) return number;
    const next = this.#tokens[number.end];
    if (next === undefined) return number;
    if (this.#isItemNumber(at, next) || this.#isShare(at)) return undefined;
    if (wordOfNumberedName(this.#tokens, at, number.end, this.#language) !== undefined) return undefined;
    if (this.#language.otherUnits.has(this.#tokens, number.end)) return undefined;
    const joined = next.joined && (next.kind === 'word' || next.text === ':');
    const compound = isHyphen(next) && this.#tokens[number.end + 1]?.joined === true;
    // "une demi-banane" is half a banana, but "half-fat" is not an amount.
    const hyphenated = compound && !this.#language.articles.has(this.#tokens, at);
    if (!joined && !hyphenated) return number;
    const after = hyphenated ? number.end + 1 : number.end;
    const measured =
      this.#language.units.has(this.#tokens, after) ||
      this.#letterAt(after) !== undefined ||
      this.#language.sizes.has(this.#tokens, after) ||
      this.#language.times.has(this.#tokens, after) ||
      this.#language.articles.has(this.#tokens, after);
    return measured ? number : undefined;
  }

  /** Whether the number is the label of a list item: "1. eggs", "1) eggs". */
  #isItemNumber(at: number, next: Token): boolean {
    const begins = at === 0 || this.#tokens[at - 1]!.kind === 'break';
    if (!begins || !next.joined || this.#tokens[at + 2]?.joined !== false) return false;
    return next.text === '.' || next.text === ')';
  }

  /** Whether the number is lean meat or fat in a hundred: "ground beef 93/7". */
  #isShare(at: number): boolean {
    return [at, at - 2].some((first) => {
      const [lean, sign, fat] = this.#tokens.slice(Math.max(0, first), Math.max(0, first) + 3);
      if (first < 0 || sign?.text !== '/' || !sign.joined || fat?.joined !== true) return false;
      return Number(lean!.text) + Number(fat.text) === 100;
    });
  }

  unitAt(start: number, kinds?: readonly UnitKind[]): UnitReading | undefined {
    let at = isHyphen(this.#tokens[start]) ? start + 1 : start;
    let size: string | undefined;
    for (let words = 0; words <= MAX_QUALIFIERS; words++) {
      const sized = this.#sizeOfUnitAt(at);
      const unit =
        this.#language.units.at(this.#tokens, at) ?? (words === 0 ? this.#letterAt(at) : undefined);
      // "10 bite-sized pieces" and "1 gr. Dose" state a size.
      const isSize = sized !== undefined && sized.end > (unit?.end ?? at);
      if (unit !== undefined && !isSize && (kinds === undefined || kinds.includes(UNITS[unit.value].kind))) {
        return this.#readUnit(unit, start, at, size ?? sized?.value);
      }
      size ??= sized?.value;
      const { qualifiers, praise } = this.#language;
      const end =
        sized?.end ??
        (qualifiers.at(this.#tokens, at) ?? praise.at(this.#tokens, at))?.end ??
        this.#afterEnergy(at);
      if (end === undefined) return undefined;
      const joint =
        isHyphen(this.#tokens[end]) || this.textAt(end) === ',' ? end + 1 : this.#afterPeriod(at, end);
      at = this.#language.and.at(this.#tokens, joint)?.end ?? joint;
    }
    return undefined;
  }

  #readUnit(
    { value: unit, end: endOfUnit }: PhraseMatch<UnitName>,
    start: number,
    at: number,
    size: string | undefined,
  ): UnitReading | undefined {
    if (!this.#isUnit(unit, at, endOfUnit)) return undefined;
    const end = this.#afterFilling(unit, this.#afterPeriod(at, endOfUnit));
    const heaped = SPOONS.has(unit) && this.#isHeaped(start, end);
    return { unit, end, ...(size !== undefined && { size }), ...(heaped && { heaped }) };
  }

  /** The size at a token, including "gr." before a unit ("1 gr. Dose") and a gram that may mean a size. */
  #sizeOfUnitAt(at: number): PhraseMatch<string> | undefined {
    if (!this.#maybeLarge(at)) return this.#language.sizes.at(this.#tokens, at);
    const end = this.#afterPeriod(at, at + 1);
    const next = this.#language.units.at(this.#tokens, end)?.value;
    const isLarge = next !== undefined && ['container', 'count'].includes(UNITS[next].kind);
    return { value: LARGE, end: isLarge ? end : at + 1 };
  }

  /** Reads "1T" and "1 t", which are case-sensitive after digits. */
  #letterAt(at: number): PhraseMatch<UnitName> | undefined {
    const value = this.#language.unitLetters.get(this.textAt(at) ?? '');
    const number = this.#tokens[at - 1];
    if (value === undefined || number?.kind !== 'number') return undefined;
    // "180 C" is a temperature.
    const isTemperature = value === 'cup' && Number(number.text) >= MIN_DEGREES;
    return isTemperature ? undefined : { value, end: at + 1 };
  }

  /** Reads "a rather watery cup of" with any two words, because "of" shows that a unit precedes it. */
  unitBeforeOf(start: number): UnitReading | undefined {
    for (let at = start; at <= start + 2 && this.#tokens[at]?.kind === 'word'; at++) {
      if (this.#language.of.has(this.#tokens, at) || this.#language.and.has(this.#tokens, at))
        return undefined;
      const unit = at === start ? undefined : this.unitAt(at);
      if (unit !== undefined) return this.#language.of.has(this.#tokens, unit.end) ? unit : undefined;
    }
    return undefined;
  }

  /** Whether a word that may be a unit is one here, unlike in "two rolls" and "3 in total". */
  #isUnit(unit: UnitName, at: number, end: number): boolean {
    const token = this.#tokens[at]!;
    if (token.folded === 'in' || token.text === '"') {
      return (
        token.joined ||
        ['/', ')', '-', '('].includes(this.textAt(end) ?? '') ||
        this.#language.units.has(this.#tokens, end)
      );
    }
    if (this.#language.names.has(this.#tokens, at)) return false;
    if (!UNITS[unit].food) return true;
    const next = this.#tokens[end];
    const followed = next?.kind === 'word' && !this.#language.connectors.has(this.#tokens, end);
    return followed || this.#language.of.has(this.#tokens, end);
  }

  /** Skips "100 calorie" in "a 100 calorie pack of", which specifies the pack. */
  #afterEnergy(at: number): number | undefined {
    const word = isHyphen(this.#tokens[at + 1]) ? at + 2 : at + 1;
    return this.#tokens[at]?.kind === 'number' && /^(k?cal|calories?)$/.test(this.#tokens[word]?.folded ?? '')
      ? word + 1
      : undefined;
  }

  #afterPeriod(at: number, end: number): number {
    const period = this.#tokens[end];
    const short = end > at && this.#tokens[end - 1]!.text.length <= 5;
    return short && period?.text === '.' && period.joined && this.#tokens[end + 1] !== undefined
      ? end + 1
      : end;
  }

  /** Whether "gr." before a noun may be "große", too: "2 gr. Zwiebeln", unlike "200 gr. Mehl" and "7 gr. de sal". */
  #maybeLarge(at: number): boolean {
    const number = this.#tokens[at - 1];
    return (
      this.#tokens[at]?.folded === 'gr' &&
      number?.kind === 'number' &&
      numberValue(number.text, this.#language.decimal) <= MOST_LARGE &&
      CAPITALIZED.test(this.textAt(this.#afterPeriod(at, at + 1)) ?? '')
    );
  }

  /** Skips words after a spoon that say how full it is: "cucchiaio colmo", "cuillère à soupe rase". */
  #afterFilling(unit: UnitName, at: number): number {
    if (!SPOONS.has(unit)) return at;
    const { heaped, level } = this.#language;
    return (heaped.at(this.#tokens, at) ?? level.at(this.#tokens, at))?.end ?? at;
  }

  /** Whether one of these tokens says that a spoon is heaped. Articles and numbers precede them: "ein gehäufter". */
  #isHeaped(from: number, to: number): boolean {
    for (let at = Math.max(0, from - 1); at < to; at++) {
      if (this.#language.heaped.has(this.#tokens, at)) return true;
    }
    return false;
  }

  /** Skips "thick" in "½-inch-thick". */
  afterDimension(at: number): number {
    const start = isHyphen(this.#tokens[at]) ? at + 1 : at;
    return this.#language.qualifiers.at(this.#tokens, start)?.end ?? at;
  }

  afterQualifier(at: number): number {
    const end =
      this.#language.sizes.at(this.#tokens, at)?.end ?? this.#language.qualifiers.at(this.#tokens, at)?.end;
    return end ?? at;
  }

  /** Reads "large" and "delicious large", but not "big" in "a Big Mac". */
  sizeAt(start: number): PhraseMatch<string> | undefined {
    let at = start;
    for (let words = 0; words <= MAX_QUALIFIERS; words++) {
      if (this.#language.names.has(this.#tokens, at)) return undefined;
      const size = this.#language.sizes.at(this.#tokens, at);
      if (size !== undefined)
        return isHyphen(this.#tokens[size.end]) || this.#isProperName(at, size.end)
          ? undefined
          : { ...size, end: this.#afterPeriod(at, size.end) };
      const praise = this.#language.praise.at(this.#tokens, at);
      if (praise === undefined) return undefined;
      at = praise.end;
    }
    return undefined;
  }

  #isProperName(at: number, end: number): boolean {
    const [before, word, after] = [at - 1, at, end].map((index) =>
      CAPITALIZED.test(this.textAt(index) ?? ''),
    );
    return word! && after! && !before;
  }

  numberAndUnitAt(at: number, kinds: readonly UnitKind[] | undefined, articles = false): Amount | undefined {
    const about = this.#language.about.at(this.#tokens, at)?.end ?? at;
    const number = this.numberAt(about);
    if (number === undefined || (number.article && !articles) || number.vague) return undefined;
    const unit = this.unitAt(number.end, kinds);
    return unit === undefined ? undefined : this.amount(at, unit.end, number, unitOf(unit));
  }

  /** The offsets and tokens of a range. */
  extent(firstToken: number, endToken: number) {
    return {
      firstToken,
      endToken,
      start: this.#tokens[firstToken]!.start,
      end: this.#tokens[endToken - 1]!.end,
    };
  }

  amount(first: number, end: number, number: NumberReading, more: Partial<Amount>): Amount {
    return {
      ...this.extent(first, end),
      quantity: number.value,
      ...(number.range !== undefined && { range: number.range }),
      ...(number.article && { article: true }),
      ...(number.vague && { vague: true }),
      alternatives: [],
      ...more,
    };
  }

  textAt(at: number): string | undefined {
    return this.#tokens[at]?.text;
  }
}

export function unitOf(unit: UnitReading | undefined, each?: Amount): Partial<Amount> {
  const name = unit?.unit ?? each?.container;
  return {
    ...(name !== undefined && { unit: name }),
    ...(unit?.size !== undefined && { size: unit.size }),
    ...(unit?.heaped && { heaped: true as const }),
  };
}
