import { type Amount, sides } from './amount.ts';
import type { Language } from './language.ts';
import type { MeasureReader, UnitReading } from './measure-reader.ts';
import { endOfRangeSign } from './numbers.ts';
import type { Token } from './tokens.ts';
import { UNITS, type UnitName } from './units.ts';

/** Maximum alternatives of one amount, which bounds the work for it. */
const MAX_ALTERNATIVES = 6;

const PACKED_VOLUMES = new Set<UnitName>(['ml', 'cl', 'dl', 'l', 'fl_oz', 'pint', 'quart']);

/** Units in which the rest of a larger one is measured. */
const NEXT_SMALLER: Readonly<Partial<Record<UnitName, readonly UnitName[]>>> = {
  lb: ['oz'],
  kg: ['g'],
  l: ['ml'],
  cup: ['tbsp', 'tsp'],
  tbsp: ['tsp'],
};

/** Reads the text after a number and its unit. */
export class AmountEndings {
  readonly #tokens: readonly Token[];
  readonly #language: Language;
  readonly #measures: MeasureReader;
  readonly #amountAt: (start: number) => Amount | undefined;
  /** Nested parentheses are not read, which bounds the work for one amount. */
  #inParentheses = false;

  constructor(
    tokens: readonly Token[],
    language: Language,
    measures: MeasureReader,
    amountAt: (start: number) => Amount | undefined,
  ) {
    this.#tokens = tokens;
    this.#language = language;
    this.#measures = measures;
    this.#amountAt = amountAt;
  }

  /** Completes an amount with a range, dimensions, sums, a container or other units. */
  completed(amount: Amount): Amount {
    let whole = this.#withDimensions(this.#withFraction(amount));
    whole = this.#withUpperEnd(this.#withSum(whole));
    whole = this.withAlternatives(whole);
    whole = this.#withContainer(whole);
    return this.#withContent(this.withAlternatives(whole));
  }

  /** Reads "1 cup to 1½ cups", "800g-1kg", "1lb 12oz-2lb 4oz". */
  #withUpperEnd(amount: Amount): Amount {
    const sign = endOfRangeSign(this.#tokens, amount.endToken, this.#language);
    const bare = sign === undefined ? undefined : this.#measures.numberAndUnitAt(sign, undefined);
    if (bare === undefined || amount.unit === undefined || amount.range !== undefined) return amount;
    const high = this.#withSum(bare);
    const factor = high.unit === amount.unit ? 1 : size(high.unit!) / size(amount.unit);
    const upper = high.quantity * factor;
    if (!Number.isFinite(factor) || factor === 0 || UNITS[high.unit!].kind !== UNITS[amount.unit].kind)
      return amount;
    if (upper <= amount.quantity && amount.plus === undefined) return amount;
    const extent = this.#measures.extent(amount.firstToken, high.endToken);
    return amount.plus !== undefined || high.plus !== undefined
      ? { ...amount, ...extent }
      : { ...amount, ...extent, range: [amount.quantity, upper] };
  }

  /** Reads "1 cup and a half". */
  #withFraction(amount: Amount): Amount {
    const and = this.#language.and.at(this.#tokens, amount.endToken);
    if (and === undefined) return amount;
    const start = this.#language.articles.at(this.#tokens, and.end)?.end ?? and.end;
    const fraction = this.#language.fractions.at(this.#tokens, start);
    if (fraction === undefined) return amount;
    const next = this.#tokens[fraction.end];
    if (next !== undefined && next.kind === 'word' && !this.#language.of.has(this.#tokens, fraction.end))
      return amount;
    return {
      ...amount,
      ...this.#measures.extent(amount.firstToken, fraction.end),
      quantity: amount.quantity + fraction.value,
    };
  }

  /** Reads "2.5 inches by 2.5 inches". */
  #withDimensions(amount: Amount): Amount {
    if (amount.unit === undefined || UNITS[amount.unit].kind !== 'length') return amount;
    const by: number[] = [];
    let end = amount.endToken;
    while (by.length < 2) {
      const sign = this.#language.by.at(this.#tokens, end);
      const number = sign === undefined ? undefined : this.#measures.numberAt(sign.end);
      if (number === undefined || number.article) break;
      by.push(number.value);
      end = this.#measures.unitAt(number.end, ['length'])?.end ?? number.end;
    }
    return by.length === 0 ? amount : { ...amount, ...this.#measures.extent(amount.firstToken, end), by };
  }

  /** Reads "2lb 4oz", "1 cup plus 2 tablespoons", "1 cup minus 1 tablespoon". */
  #withSum(amount: Amount): Amount {
    if (amount.unit === undefined || amount.plus !== undefined) return amount;
    const less = this.#less(amount);
    if (less !== undefined) return less;
    const comma = this.#measures.textAt(amount.endToken) === ',' ? amount.endToken + 1 : amount.endToken;
    const sign = this.#language.plus.at(this.#tokens, comma);
    const added = this.#measures.numberAndUnitAt(
      sign?.end ?? (this.#begins(amount) ? comma : amount.endToken),
      ['mass', 'volume'],
      sign !== undefined,
    );
    if (added?.unit === undefined) return amount;
    // A food follows "2 tbsp, 1 tsp oil"; "1 cup, 200 ml" states one amount twice.
    if (sign === undefined && added.firstToken > amount.endToken && !this.#isNext(added, amount))
      return amount;
    const sameKind = UNITS[added.unit].kind === UNITS[amount.unit].kind;
    const compound = sign === undefined && sameKind && size(added.unit) < size(amount.unit);
    if (!compound && (sign === undefined || !(sameKind || this.#measures.textAt(sign.end - 1) === '+')))
      return amount;
    return { ...amount, ...this.#measures.extent(amount.firstToken, added.endToken), plus: added };
  }

  /** Reads "1 cup minus 1 tablespoon". */
  #less(amount: Amount): Amount | undefined {
    const sign = this.#language.minus.at(this.#tokens, amount.endToken);
    const kinds = [UNITS[amount.unit!].kind];
    const taken = sign && this.#measures.numberAndUnitAt(sign.end, kinds, true);
    if (taken?.unit === undefined) return undefined;
    const extent = this.#measures.extent(amount.firstToken, taken.endToken);
    return { ...amount, ...extent, plus: { ...taken, quantity: -taken.quantity } };
  }

  /** Whether a smaller amount may follow after a comma: "1 lb, 4 oz flour", but not "beef 1 lb, 4 oz cheese". */
  #begins({ firstToken }: Amount): boolean {
    return firstToken === 0 || this.#tokens[firstToken - 1]!.kind === 'break';
  }

  /** Whether a unit is the next smaller one of a kitchen, and a food follows it. */
  #isNext({ unit, endToken }: Amount, { unit: larger }: Amount): boolean {
    return NEXT_SMALLER[larger!]?.includes(unit!) === true && this.#tokens[endToken]?.kind === 'word';
  }

  /** Reads "150g/5¼oz", "1 cup (250 ml)", "1 (8 oz/227 g) can". */
  withAlternatives(amount: Amount): Amount {
    let whole = amount;
    while (whole.alternatives.length < MAX_ALTERNATIVES) {
      const next = this.#measures.textAt(whole.endToken);
      if (next === '(') {
        const inside = this.measureIn(whole.endToken);
        if (inside === undefined) return whole;
        const extent = this.#measures.extent(whole.firstToken, inside.endToken);
        const packed =
          whole.unit !== undefined && UNITS[whole.unit].kind === 'container' && whole.each === undefined;
        if (packed) whole = { ...whole, ...extent, each: inside };
        else whole = { ...whole, ...extent, alternatives: [...whole.alternatives, ...sides(inside)] };
      } else if (next === '/' || next === '|') {
        const other = this.#measures.numberAndUnitAt(whole.endToken + 1, undefined);
        if (other === undefined) return whole;
        const summed = this.#withUpperEnd(this.#withSum(other));
        whole = {
          ...whole,
          ...this.#measures.extent(whole.firstToken, summed.endToken),
          alternatives: [...whole.alternatives, summed],
        };
      } else return whole;
    }
    return whole;
  }

  /** Reads "400g can", "2cm piece", "12 fl oz bottle". */
  #withContainer(amount: Amount): Amount {
    if (amount.unit === undefined || amount.container !== undefined) return amount;
    const { kind } = UNITS[amount.unit];
    if (kind !== 'mass' && kind !== 'length' && !PACKED_VOLUMES.has(amount.unit)) return amount;
    const container = this.containerAfter(amount);
    if (container === undefined) return amount;
    return {
      ...amount,
      ...this.#measures.extent(amount.firstToken, container.end),
      container: container.unit,
    };
  }

  /** Reads "a glass of 244g milk". */
  #withContent(amount: Amount): Amount {
    const of = this.#language.of.at(this.#tokens, amount.endToken);
    if (of === undefined || amount.unit === undefined || amount.each !== undefined) return amount;
    const kind = UNITS[amount.unit].kind;
    const content = kind === 'mass' ? undefined : this.#measures.numberAndUnitAt(of.end, ['mass', 'volume']);
    if (content === undefined) return amount;
    return { ...amount, ...this.#measures.extent(amount.firstToken, content.endToken), each: content };
  }

  /** Reads the amounts between "(" and ")", if the parentheses contain only amounts and words of measuring. */
  measureIn(open: number): Amount | undefined {
    if (this.#inParentheses) return undefined;
    this.#inParentheses = true;
    const measure = this.#measuresUntilClosed(open);
    this.#inParentheses = false;
    return measure;
  }

  #measuresUntilClosed(open: number): Amount | undefined {
    let at = open + 1;
    let measure: Amount | undefined;
    for (let count = 0; count <= MAX_ALTERNATIVES; count++) {
      const about = this.#language.about.at(this.#tokens, at)?.end ?? at;
      const next = this.#measures.numberAt(about) === undefined ? undefined : this.#amountAt(about);
      if (next?.unit === undefined) return undefined;
      measure = measure === undefined ? next : { ...measure, alternatives: [...measure.alternatives, next] };
      at = this.#measures.afterDimension(next.endToken);
      at = this.#language.each.at(this.#tokens, at)?.end ?? at;
      at = this.#language.about.at(this.#tokens, at)?.end ?? at;
      if (this.#measures.textAt(at) === ']') at++;
      if (this.#measures.textAt(at) === ')') return { ...measure, ...this.#measures.extent(open, at + 1) };
      if (['/', ';', ',', '|', '['].includes(this.#measures.textAt(at) ?? '')) at++;
      else at = this.#language.range.at(this.#tokens, at)?.end ?? at;
    }
    return undefined;
  }

  containerAfter(measure: Amount): UnitReading | undefined {
    if (measure.container !== undefined) return undefined;
    const unit = this.#measures.unitAt(measure.endToken, ['container', 'count']);
    return unit === undefined || UNITS[unit.unit].food ? undefined : unit;
  }
}

function size(unit: UnitName): number {
  const { grams, ml, mm } = UNITS[unit];
  return grams ?? ml ?? mm ?? 0;
}
