import { type Amount, sides } from './amount.ts';
import { AmountEndings } from './amount-endings.ts';
import type { Language } from './language.ts';
import { MeasureReader, type UnitReading, unitOf } from './measure-reader.ts';
import type { NumberReading } from './numbers.ts';
import type { Token } from './tokens.ts';
import { UNITS, type UnitKind } from './units.ts';

export type { Amount };

/** Minimum letters of a unit without a number and "of": not "el", "st". */
const MIN_DIRECT = 3;
/** Litres of glasses, cans and bottles. */
const LITRES: ReadonlySet<number> = new Set([0.2, 0.25, 0.3, 0.33, 0.4, 0.5, 0.7, 0.75]);
/** Kinds of units that are also words of names: "2 rolls", "due fette biscottate". */
const MAY_BEGIN_NAMES: ReadonlySet<UnitKind> = new Set(['count', 'container']);
const TIMES_SIGNS: ReadonlySet<string> = new Set(['x', '×']);

export function findAmounts(tokens: readonly Token[], language: Language): Amount[] {
  const reader = new AmountReader(tokens, language);
  const found: Amount[] = [];
  let depth = 0;
  for (let at = 0; at < tokens.length; ) {
    const other = language.notAmounts.at(tokens, at);
    if (other !== undefined || tokens[at]!.isOfName === true) {
      at = other?.end ?? at + 1;
      continue;
    }
    const amount = reader.amountAt(at);
    if (amount === undefined) {
      if (tokens[at]!.text === '(') depth++;
      else if (tokens[at]!.text === ')' && depth > 0) depth--;
      at++;
    } else {
      found.push(depth > 0 ? { ...amount, aside: true } : amount);
      at = amount.endToken;
    }
  }
  return found;
}

/** An amount that may begin at a token. */
export interface PossibleAmount {
  readonly amount: Amount;
  /** The amount ends before a word that may be its unit: "2 | rolls". */
  readonly isShortened: boolean;
  /** A unit without a number: "packet" of "packet of crisps". */
  readonly isBare: boolean;
  /** The first of amounts that are added or compared, if the other may count another food: "rice 200 g + 100 g chicken". */
  readonly isDivided?: true;
}

/** Finds the amounts that may begin at each token, the likeliest first. */
export class AmountsAt {
  readonly #tokens: readonly Token[];
  readonly #language: Language;
  readonly #reader: AmountReader;
  readonly #measures: MeasureReader;
  #depth = 0;

  constructor(tokens: readonly Token[], language: Language) {
    this.#tokens = tokens;
    this.#language = language;
    this.#reader = new AmountReader(tokens, language);
    this.#measures = new MeasureReader(tokens, language);
  }

  /** Call it for each token in order. */
  at(at: number): PossibleAmount[] {
    const { text } = this.#tokens[at]!;
    if (text === '(') this.#depth++;
    else if (text === ')' && this.#depth > 0) this.#depth--;
    if (this.#tokens[at]!.isOfName === true || this.#language.notAmounts.has(this.#tokens, at)) return [];
    const aside = this.#depth > 0 && { aside: true as const };
    const full = this.#reader.amountAt(at);
    if (full === undefined) {
      const bare = this.#bareAt(at);
      return bare === undefined ? [] : [{ amount: { ...bare, ...aside }, isShortened: false, isBare: true }];
    }
    const found: PossibleAmount[] = [{ amount: { ...full, ...aside }, isShortened: false, isBare: false }];
    const number = this.#measures.numberAt(at);
    if (number !== undefined && full.unit !== undefined && number.end < full.endToken) {
      const amount = { ...this.#measures.amount(at, number.end, number, {}), ...aside };
      const mayBeginName =
        MAY_BEGIN_NAMES.has(UNITS[full.unit].kind) && !this.#language.of.has(this.#tokens, full.endToken);
      if (mayBeginName) found.push({ amount, isShortened: true, isBare: false });
    }
    if ((full.plus?.quantity ?? 0) > 0 || full.alternatives.length > 0) {
      // In "rice 200 g + 100 g chicken" the second amount is that of another food.
      const first = this.#measures.numberAndUnitAt(at, undefined);
      if (first !== undefined && first.endToken < full.endToken)
        found.push({ amount: { ...first, ...aside }, isShortened: false, isBare: false, isDivided: true });
    }
    return found;
  }

  #bareAt(at: number): Amount | undefined {
    const unit = this.#measures.unitAt(at, ['count', 'container', 'volume']);
    if (unit === undefined || ['ml', 'cl', 'dl', 'l'].includes(unit.unit)) return undefined;
    return this.#measures.amount(at, unit.end, { value: 1, end: at }, unitOf(unit));
  }
}

/** Reads an amount that begins at a given token. */
class AmountReader {
  readonly #tokens: readonly Token[];
  readonly #language: Language;
  readonly #measures: MeasureReader;
  readonly #endings: AmountEndings;

  constructor(tokens: readonly Token[], language: Language) {
    this.#tokens = tokens;
    this.#language = language;
    this.#measures = new MeasureReader(tokens, language);
    this.#endings = new AmountEndings(tokens, language, this.#measures, (start) => this.amountAt(start));
  }

  amountAt(start: number): Amount | undefined {
    if (TIMES_SIGNS.has(this.#tokens[start]!.folded)) return this.#timesAt(start);
    const before = this.#measures.textAt(start - 1);
    if (this.#tokens[start]!.joined && (before === ':' || before === '#')) return undefined;
    const about = this.#language.about.at(this.#tokens, start)?.end ?? start;
    const number = this.#measures.numberAt(about) ?? this.#measures.numberAt(start);
    if (number === undefined) return this.#bareUnitAt(start);
    return this.#multipleAt(start, number) ?? this.#packedAt(start, number) ?? this.#plainAt(start, number);
  }

  /** Reads the end of "eggs x 2". */
  #timesAt(start: number): Amount | undefined {
    if (this.#tokens[start + 1]?.kind !== 'number') return undefined;
    const amount = this.amountAt(start + 1);
    if (amount === undefined || amount.unit !== undefined) return undefined;
    return { ...amount, ...this.#measures.extent(start, amount.endToken) };
  }

  /** Reads "2 x 330 ml", "2 x 400g cans", "2 x eggs". */
  #multipleAt(start: number, number: NumberReading): Amount | undefined {
    const times = this.#language.times.at(this.#tokens, number.end);
    if (times === undefined) return undefined;
    const each = this.#measureAt(times.end, ['mass', 'volume']);
    if (each === undefined) {
      const length = this.#measureAt(times.end, ['length']);
      if (length !== undefined) {
        return {
          ...length,
          ...this.#measures.extent(start, length.endToken),
          quantity: number.value,
          by: [length.quantity, ...(length.by ?? [])],
        };
      }
      return this.#plainAt(start, { ...number, end: times.end });
    }
    return this.#counted(start, number, each, this.#endings.containerAfter(each));
  }

  /** Reads "1 (14 oz) can", "one 11-ounce can", "a 227g pie". */
  #packedAt(start: number, number: NumberReading): Amount | undefined {
    const inParentheses = this.#measures.textAt(number.end) === '(';
    const each = inParentheses
      ? this.#endings.measureIn(number.end)
      : this.#measureAt(this.#measures.afterQualifier(number.end), ['mass', 'volume', 'length']);
    if (each === undefined) return undefined;
    const measured = each.unit !== undefined && UNITS[each.unit].kind !== 'length';
    if (number.article && measured) return { ...each, ...this.#measures.extent(start, each.endToken) };
    const unit = inParentheses ? this.#measures.unitAt(each.endToken) : this.#endings.containerAfter(each);
    if (unit !== undefined && inParentheses && ['mass', 'volume'].includes(UNITS[unit.unit].kind)) {
      return this.#measures.amount(start, unit.end, number, { unit: unit.unit, alternatives: sides(each) });
    }
    return this.#counted(start, number, each, unit);
  }

  #counted(start: number, number: NumberReading, each: Amount, unit: UnitReading | undefined): Amount {
    return this.#endings.withAlternatives(
      this.#measures.amount(start, unit?.end ?? each.endToken, number, {
        each: withoutContainer(each),
        ...unitOf(unit, each),
      }),
    );
  }

  /** Reads "2 cups", "2 large eggs", "a banana", "150g/5oz". */
  #plainAt(start: number, number: NumberReading): Amount {
    const unit = this.#measures.unitAt(number.end) ?? this.#measures.unitBeforeOf(number.end);
    if (unit !== undefined)
      return this.#endings.completed(this.#measures.amount(start, unit.end, number, unitOf(unit)));
    const size = this.#measures.sizeAt(number.end);
    return this.#measures.amount(start, size?.end ?? number.end, number, {
      ...(size !== undefined && { size: size.value }),
      ...(this.#saysLitres(start, number) && { litres: true as const }),
    });
  }

  /** Whether a number is one of a drink's: "Bier 0,3", "0,5 Wasser"; "0.5 beer" is half of one. */
  #saysLitres(start: number, { end, value }: NumberReading): boolean {
    const { text } = this.#tokens[end - 1]!;
    if (!LITRES.has(value) || !/^0[.,]\d+$/.test(text)) return false;
    return text.includes(',') || this.#tokens[start - 1]?.kind === 'word';
  }

  /** Reads "handful of parsley" and "small bunch mint", which have no number. */
  #bareUnitAt(start: number): Amount | undefined {
    const unit = this.#measures.unitAt(start, ['count', 'container', 'volume']);
    if (unit === undefined) return undefined;
    const begins = start === 0 || this.#tokens[start - 1]!.kind === 'break';
    const of = this.#language.of.at(this.#tokens, unit.end);
    if (of === undefined && this.#language.ofIsOptional && this.#isDirect(start, unit.end)) {
      return this.#endings.completed(
        this.#measures.amount(start, unit.end, { value: 1, end: start }, unitOf(unit)),
      );
    }
    if (
      of === undefined
        ? this.#tokens[unit.end]?.kind !== 'word'
        : this.#measures.numberAt(of.end) !== undefined
    )
      return undefined;
    const qualified = this.#language.units.at(this.#tokens, start) === undefined;
    const { bare } = UNITS[unit.unit];
    if (begins ? !(bare || of !== undefined || qualified) : !(bare && of !== undefined)) return undefined;
    return this.#endings.completed(
      this.#measures.amount(start, unit.end, { value: 1, end: start }, unitOf(unit)),
    );
  }

  /** Whether a unit begins a part of a text and a food follows: "Glas Milch", "kawa, kromka chleba". */
  #isDirect(start: number, end: number): boolean {
    const { connectors } = this.#language;
    const before = this.#tokens[start - 1];
    const begins =
      before === undefined ||
      before.kind !== 'word' ||
      connectors.has(this.#tokens, start - 1) ||
      this.#language.and.has(this.#tokens, start - 1);
    const said = this.#tokens[end - 1]!.end - this.#tokens[start]!.start;
    return (
      begins &&
      before?.kind !== 'number' &&
      said >= MIN_DIRECT &&
      this.#tokens[end]?.kind === 'word' &&
      !connectors.has(this.#tokens, end)
    );
  }

  #measureAt(at: number, kinds: readonly UnitKind[]): Amount | undefined {
    const measure = this.#measures.numberAndUnitAt(at, kinds);
    return measure === undefined ? undefined : this.#endings.completed(measure);
  }
}

/** Removes the container of an "each", which the outer amount counts. */
function withoutContainer({ container: _, ...amount }: Amount): Amount {
  return amount;
}
