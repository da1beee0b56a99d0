import type { Language } from './language.ts';
import { MeasureReader, type UnitReading } from './measures.ts';
import { endOfRangeSign, type NumberReading } from './numbers.ts';
import type { Token } from './tokens.ts';
import { UNITS, type UnitKind, type UnitName } from './units.ts';

/** An amount as it is written, before anything is converted. */
export interface Amount {
  /** UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
  readonly firstToken: number;
  /** The token after the amount. The amount does not include a following "of". */
  readonly endToken: number;
  /** The lower end of a range. */
  readonly quantity: number;
  readonly range?: readonly [number, number];
  readonly unit?: UnitName;
  /** A size of the table of the language: "small", "large". */
  readonly size?: string;
  /** What a measure comes in, where nothing counts it: "400g can". */
  readonly container?: UnitName;
  /** Further dimensions of a length: "2 by 3 inches". */
  readonly by?: readonly number[];
  /** What each one of `quantity` holds: "2 x 330 ml", "1 (14 oz) can", "a glass of 244g milk". */
  readonly each?: Amount;
  /** Added to it: "1 cup plus 2 tablespoons", "2lb 4oz". */
  readonly plus?: Amount;
  /** The same amount in other units: "150g/5¼oz", "1 cup (250 ml)". */
  readonly alternatives: readonly Amount[];
  /** Only an article counts: "a banana". */
  readonly article?: true;
  /** A word that counts nothing exactly: "a few", "several". */
  readonly vague?: true;
  /** It stands in parentheses: "a bottle of cola (16.9 fl oz)". */
  readonly aside?: true;
}

/** More amounts in other units of one amount are not read, so that the work for one amount is bounded. */
const MAX_ALTERNATIVES = 6;

export function findAmounts(tokens: readonly Token[], language: Language): Amount[] {
  const reader = new AmountReader(tokens, language);
  const found: Amount[] = [];
  let depth = 0;
  for (let at = 0; at < tokens.length; ) {
    const other = language.notAmounts.at(tokens, at);
    if (other !== undefined) {
      at = other.end;
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

class AmountReader {
  readonly #tokens: readonly Token[];
  readonly #language: Language;
  readonly #measures: MeasureReader;
  /** Parentheses within parentheses are not read, so that the work for one amount is bounded. */
  #inParentheses = false;

  constructor(tokens: readonly Token[], language: Language) {
    this.#tokens = tokens;
    this.#language = language;
    this.#measures = new MeasureReader(tokens, language);
  }

  amountAt(start: number): Amount | undefined {
    const first = this.#tokens[start]!;
    if (first.joined && (this.#textAt(start - 1) === ':' || this.#textAt(start - 1) === '#'))
      return undefined;
    const about = this.#language.about.at(this.#tokens, start)?.end ?? start;
    const number = this.#measures.numberAt(about) ?? this.#measures.numberAt(start);
    if (number === undefined) return this.#bareUnitAt(start);
    return this.#multipleAt(start, number) ?? this.#packedAt(start, number) ?? this.#plainAt(start, number);
  }

  /** "2 x 330 ml", "2 x 400g cans", "2 x eggs". */
  #multipleAt(start: number, number: NumberReading): Amount | undefined {
    const times = this.#language.times.at(this.#tokens, number.end);
    if (times === undefined) return undefined;
    const each = this.#measureAt(times.end, ['mass', 'volume']);
    if (each === undefined) {
      const length = this.#measureAt(times.end, ['length']);
      if (length !== undefined) {
        return {
          ...length,
          ...this.#extent(start, length.endToken),
          quantity: number.value,
          by: [length.quantity, ...(length.by ?? [])],
        };
      }
      return this.#plainAt(start, { ...number, end: times.end });
    }
    return this.#counted(start, number, each, this.#containerAfter(each));
  }

  /** "1 (14 oz) can", "one 11-ounce can", "a 227g pie". */
  #packedAt(start: number, number: NumberReading): Amount | undefined {
    const inParentheses = this.#textAt(number.end) === '(';
    const each = inParentheses
      ? this.#measureIn(number.end)
      : this.#measureAt(this.#measures.afterQualifier(number.end), ['mass', 'volume', 'length']);
    if (each === undefined) return undefined;
    const measured = each.unit !== undefined && UNITS[each.unit].kind !== 'length';
    if (number.article && measured) return { ...each, ...this.#extent(start, each.endToken) };
    const unit = inParentheses ? this.#measures.unitAt(each.endToken) : this.#containerAfter(each);
    if (unit !== undefined && inParentheses && ['mass', 'volume'].includes(UNITS[unit.unit].kind)) {
      return this.#amount(start, unit.end, number, { unit: unit.unit, alternatives: sides(each) });
    }
    return this.#counted(start, number, each, unit);
  }

  #counted(start: number, number: NumberReading, each: Amount, unit: UnitReading | undefined): Amount {
    return this.#withAlternatives(
      this.#amount(start, unit?.end ?? each.endToken, number, {
        each: withoutContainer(each),
        ...unitOf(unit, each),
      }),
    );
  }

  #containerAfter(measure: Amount): UnitReading | undefined {
    if (measure.container !== undefined) return undefined;
    const unit = this.#measures.unitAt(measure.endToken, ['container', 'count']);
    return unit === undefined || UNITS[unit.unit].food ? undefined : unit;
  }

  /** "2 cups", "2 large eggs", "a banana", "150g/5oz". */
  #plainAt(start: number, number: NumberReading): Amount {
    const unit = this.#measures.unitAt(number.end) ?? this.#measures.unitBeforeOf(number.end);
    if (unit !== undefined) return this.#completed(this.#amount(start, unit.end, number, unitOf(unit)));
    const size = this.#measures.sizeAt(number.end);
    return this.#amount(
      start,
      size?.end ?? number.end,
      number,
      size === undefined ? {} : { size: size.value },
    );
  }

  /** "handful of parsley", "small bunch mint" without a number. */
  #bareUnitAt(start: number): Amount | undefined {
    const unit = this.#measures.unitAt(start, ['count', 'container', 'volume']);
    if (unit === undefined) return undefined;
    const begins = start === 0 || this.#tokens[start - 1]!.kind === 'break';
    const of = this.#language.of.at(this.#tokens, unit.end);
    if (
      of === undefined
        ? this.#tokens[unit.end]?.kind !== 'word'
        : this.#measures.numberAt(of.end) !== undefined
    )
      return undefined;
    const qualified = this.#language.units.at(this.#tokens, start) === undefined;
    const { bare } = UNITS[unit.unit];
    if (begins ? !(bare || of !== undefined || qualified) : !(bare && of !== undefined)) return undefined;
    return this.#completed(this.#amount(start, unit.end, { value: 1, end: start }, unitOf(unit)));
  }

  /** What follows a number and its unit: a range, dimensions, sums, a container, other units. */
  #completed(amount: Amount): Amount {
    let whole = this.#withDimensions(this.#withFraction(amount));
    whole = this.#withUpperEnd(this.#withSum(whole));
    whole = this.#withAlternatives(whole);
    whole = this.#withContainer(whole);
    return this.#withContent(this.#withAlternatives(whole));
  }

  /** "1 cup to 1½ cups", "800g-1kg", "1lb 12oz-2lb 4oz". */
  #withUpperEnd(amount: Amount): Amount {
    const sign = endOfRangeSign(this.#tokens, amount.endToken, this.#language);
    const bare = sign === undefined ? undefined : this.#numberAndUnitAt(sign, undefined);
    if (bare === undefined || amount.unit === undefined || amount.range !== undefined) return amount;
    const high = this.#withSum(bare);
    const factor = high.unit === amount.unit ? 1 : size(high.unit!) / size(amount.unit);
    const upper = high.quantity * factor;
    if (!Number.isFinite(factor) || factor === 0 || UNITS[high.unit!].kind !== UNITS[amount.unit].kind)
      return amount;
    if (upper <= amount.quantity && amount.plus === undefined) return amount;
    const extent = this.#extent(amount.firstToken, high.endToken);
    return amount.plus !== undefined || high.plus !== undefined
      ? { ...amount, ...extent }
      : { ...amount, ...extent, range: [amount.quantity, upper] };
  }

  /** "1 cup and a half". */
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
      ...this.#extent(amount.firstToken, fraction.end),
      quantity: amount.quantity + fraction.value,
    };
  }

  /** "2.5 inches by 2.5 inches". */
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
    return by.length === 0 ? amount : { ...amount, ...this.#extent(amount.firstToken, end), by };
  }

  /** "2lb 4oz", "1 cup plus 2 tablespoons". */
  #withSum(amount: Amount): Amount {
    if (amount.unit === undefined || amount.plus !== undefined) return amount;
    const comma = this.#textAt(amount.endToken) === ',' ? amount.endToken + 1 : amount.endToken;
    const sign = this.#language.plus.at(this.#tokens, comma);
    const added = this.#numberAndUnitAt(sign?.end ?? amount.endToken, ['mass', 'volume'], sign !== undefined);
    if (added?.unit === undefined) return amount;
    const sameKind = UNITS[added.unit].kind === UNITS[amount.unit].kind;
    const compound = sign === undefined && sameKind && size(added.unit) < size(amount.unit);
    if (!compound && (sign === undefined || !(sameKind || this.#textAt(sign.end - 1) === '+'))) return amount;
    return { ...amount, ...this.#extent(amount.firstToken, added.endToken), plus: added };
  }

  /** "150g/5¼oz", "1 cup (250 ml)", "1 (8 oz/227 g) can". */
  #withAlternatives(amount: Amount): Amount {
    let whole = amount;
    while (whole.alternatives.length < MAX_ALTERNATIVES) {
      const next = this.#textAt(whole.endToken);
      if (next === '(') {
        const inside = this.#measureIn(whole.endToken);
        if (inside === undefined) return whole;
        const extent = this.#extent(whole.firstToken, inside.endToken);
        const packed =
          whole.unit !== undefined && UNITS[whole.unit].kind === 'container' && whole.each === undefined;
        if (packed) whole = { ...whole, ...extent, each: inside };
        else whole = { ...whole, ...extent, alternatives: [...whole.alternatives, ...sides(inside)] };
      } else if (next === '/' || next === '|') {
        const other = this.#numberAndUnitAt(whole.endToken + 1, undefined);
        if (other === undefined) return whole;
        const summed = this.#withUpperEnd(this.#withSum(other));
        whole = {
          ...whole,
          ...this.#extent(whole.firstToken, summed.endToken),
          alternatives: [...whole.alternatives, summed],
        };
      } else return whole;
    }
    return whole;
  }

  /** "400g can", "2cm piece", "12 fl oz bottle". */
  #withContainer(amount: Amount): Amount {
    if (amount.unit === undefined || amount.container !== undefined) return amount;
    const { kind } = UNITS[amount.unit];
    if (kind !== 'mass' && kind !== 'length' && !PACKED_VOLUMES.has(amount.unit)) return amount;
    const container = this.#containerAfter(amount);
    if (container === undefined) return amount;
    return { ...amount, ...this.#extent(amount.firstToken, container.end), container: container.unit };
  }

  /** "a glass of 244g milk". */
  #withContent(amount: Amount): Amount {
    const of = this.#language.of.at(this.#tokens, amount.endToken);
    if (of === undefined || amount.unit === undefined || amount.each !== undefined) return amount;
    const kind = UNITS[amount.unit].kind;
    const content = kind === 'mass' ? undefined : this.#numberAndUnitAt(of.end, ['mass', 'volume']);
    if (content === undefined) return amount;
    return { ...amount, ...this.#extent(amount.firstToken, content.endToken), each: content };
  }

  /** The amounts between "(" and ")", if nothing but amounts and words of measuring stands there. */
  #measureIn(open: number): Amount | undefined {
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
      const next = this.#measures.numberAt(about) === undefined ? undefined : this.amountAt(about);
      if (next?.unit === undefined) return undefined;
      measure = measure === undefined ? next : { ...measure, alternatives: [...measure.alternatives, next] };
      at = this.#measures.afterDimension(next.endToken);
      at = this.#language.each.at(this.#tokens, at)?.end ?? at;
      at = this.#language.about.at(this.#tokens, at)?.end ?? at;
      if (this.#textAt(at) === ']') at++;
      if (this.#textAt(at) === ')') return { ...measure, ...this.#extent(open, at + 1) };
      if (['/', ';', ',', '|', '['].includes(this.#textAt(at) ?? '')) at++;
      else at = this.#language.range.at(this.#tokens, at)?.end ?? at;
    }
    return undefined;
  }

  #measureAt(at: number, kinds: readonly UnitKind[]): Amount | undefined {
    const measure = this.#numberAndUnitAt(at, kinds);
    return measure === undefined ? undefined : this.#completed(measure);
  }

  #numberAndUnitAt(at: number, kinds: readonly UnitKind[] | undefined, articles = false): Amount | undefined {
    const about = this.#language.about.at(this.#tokens, at)?.end ?? at;
    const number = this.#measures.numberAt(about);
    if (number === undefined || (number.article && !articles) || number.vague) return undefined;
    const unit = this.#measures.unitAt(number.end, kinds);
    return unit === undefined ? undefined : this.#amount(at, unit.end, number, unitOf(unit));
  }

  #textAt(at: number): string | undefined {
    return this.#tokens[at]?.text;
  }

  #extent(firstToken: number, endToken: number) {
    return {
      firstToken,
      endToken,
      start: this.#tokens[firstToken]!.start,
      end: this.#tokens[endToken - 1]!.end,
    };
  }

  #amount(first: number, end: number, number: NumberReading, more: Partial<Amount>): Amount {
    return {
      ...this.#extent(first, end),
      quantity: number.value,
      ...(number.range !== undefined && { range: number.range }),
      ...(number.article && { article: true }),
      ...(number.vague && { vague: true }),
      alternatives: [],
      ...more,
    };
  }
}

const PACKED_VOLUMES = new Set<UnitName>(['ml', 'cl', 'dl', 'l', 'fl_oz', 'pint', 'quart']);

/** An amount and its alternatives beside each other. */
function sides(amount: Amount): Amount[] {
  return [{ ...amount, alternatives: [] }, ...amount.alternatives];
}

function unitOf(unit: UnitReading | undefined, each?: Amount): Partial<Amount> {
  const name = unit?.unit ?? each?.container;
  return { ...(name !== undefined && { unit: name }), ...(unit?.size !== undefined && { size: unit.size }) };
}

/** The container of an "each" is what the outer amount counts. */
function withoutContainer({ container: _, ...amount }: Amount): Amount {
  return amount;
}

function size(unit: UnitName): number {
  const { grams, ml, mm } = UNITS[unit];
  return grams ?? ml ?? mm ?? 0;
}
