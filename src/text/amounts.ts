import type { Language } from './language.ts';
import { endOfRangeSign, type NumberReading, readNumber } from './numbers.ts';
import { isHyphen, type PhraseMatch } from './phrases.ts';
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
/** Words between a number and "cup of": "a warm and comforting cup of". */
const MAX_QUALIFIERS = 4;

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

interface UnitReading {
  readonly unit: UnitName;
  readonly size?: string;
  readonly end: number;
}

class AmountReader {
  readonly #tokens: readonly Token[];
  readonly #language: Language;
  /** Parentheses within parentheses are not read, so that the work for one amount is bounded. */
  #inParentheses = false;

  constructor(tokens: readonly Token[], language: Language) {
    this.#tokens = tokens;
    this.#language = language;
  }

  amountAt(start: number): Amount | undefined {
    const first = this.#tokens[start]!;
    if (first.joined && (this.#textAt(start - 1) === ':' || this.#textAt(start - 1) === '#'))
      return undefined;
    const about = this.#language.about.at(this.#tokens, start)?.end ?? start;
    const number = this.#numberAt(about) ?? this.#numberAt(start);
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
      : this.#measureAt(this.#afterQualifier(number.end), ['mass', 'volume', 'length']);
    if (each === undefined) return undefined;
    const measured = each.unit !== undefined && UNITS[each.unit].kind !== 'length';
    if (number.article && measured) return { ...each, ...this.#extent(start, each.endToken) };
    const unit = inParentheses ? this.#unitAt(each.endToken) : this.#containerAfter(each);
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
    const unit = this.#unitAt(measure.endToken, ['container', 'count']);
    return unit === undefined || UNITS[unit.unit].food ? undefined : unit;
  }

  /** "2 cups", "2 large eggs", "a banana", "150g/5oz". */
  #plainAt(start: number, number: NumberReading): Amount {
    const unit = this.#unitAt(number.end) ?? this.#unitBeforeOf(number.end);
    if (unit !== undefined) return this.#completed(this.#amount(start, unit.end, number, unitOf(unit)));
    const size = this.#sizeAt(number.end);
    return this.#amount(
      start,
      size?.end ?? number.end,
      number,
      size === undefined ? {} : { size: size.value },
    );
  }

  /** "large", "delicious large". "Big" is none in "a Big Mac". */
  #sizeAt(start: number): PhraseMatch<string> | undefined {
    let at = start;
    for (let words = 0; words <= MAX_QUALIFIERS; words++) {
      if (this.#language.names.has(this.#tokens, at)) return undefined;
      const size = this.#language.sizes.at(this.#tokens, at);
      if (size !== undefined)
        return isHyphen(this.#tokens[size.end]) || this.#isProperName(at, size.end) ? undefined : size;
      const praise = this.#language.praise.at(this.#tokens, at);
      if (praise === undefined) return undefined;
      at = praise.end;
    }
    return undefined;
  }

  #isProperName(at: number, end: number): boolean {
    const [before, word, after] = [at - 1, at, end].map((index) =>
      CAPITALIZED.test(this.#textAt(index) ?? ''),
    );
    return word! && after! && !before;
  }

  /** "handful of parsley", "small bunch mint" without a number. */
  #bareUnitAt(start: number): Amount | undefined {
    const unit = this.#unitAt(start, ['count', 'container', 'volume']);
    if (unit === undefined) return undefined;
    const begins = start === 0 || this.#tokens[start - 1]!.kind === 'break';
    const of = this.#language.of.at(this.#tokens, unit.end);
    if (of === undefined ? this.#tokens[unit.end]?.kind !== 'word' : this.#numberAt(of.end) !== undefined)
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
      const number = sign === undefined ? undefined : this.#numberAt(sign.end);
      if (number === undefined || number.article) break;
      by.push(number.value);
      end = this.#unitAt(number.end, ['length'])?.end ?? number.end;
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
      const next = this.#numberAt(about) === undefined ? undefined : this.amountAt(about);
      if (next?.unit === undefined) return undefined;
      measure = measure === undefined ? next : { ...measure, alternatives: [...measure.alternatives, next] };
      at = this.#language.each.at(this.#tokens, next.endToken)?.end ?? next.endToken;
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
    const number = this.#numberAt(about);
    if (number === undefined || (number.article && !articles) || number.vague) return undefined;
    const unit = this.#unitAt(number.end, kinds);
    return unit === undefined ? undefined : this.#amount(at, unit.end, number, unitOf(unit));
  }

  /** A number that counts or measures: not "2%", "7:30", "8 pm", "5-spice". */
  #numberAt(at: number): NumberReading | undefined {
    const number = readNumber(this.#tokens, at, this.#language);
    if (number === undefined || number.article) return number;
    const next = this.#tokens[number.end];
    if (next === undefined) return number;
    if (this.#isItemNumber(at, next)) return undefined;
    if (this.#language.otherUnits.has(this.#tokens, number.end)) return undefined;
    const joined = next.joined && (next.kind === 'word' || next.text === ':');
    const compound = isHyphen(next) && this.#tokens[number.end + 1]?.joined === true;
    // "une demi-banane" is half a banana, "half-fat" is no amount.
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

  /** "1. eggs" in a list. */
  #isItemNumber(at: number, next: Token): boolean {
    const begins = at === 0 || this.#tokens[at - 1]!.kind === 'break';
    return begins && next.text === '.' && next.joined && this.#tokens[at + 2]?.joined === false;
  }

  #unitAt(start: number, kinds?: readonly UnitKind[]): UnitReading | undefined {
    let at = isHyphen(this.#tokens[start]) ? start + 1 : start;
    let size: string | undefined;
    for (let words = 0; words <= MAX_QUALIFIERS; words++) {
      const unit =
        this.#language.units.at(this.#tokens, at) ?? (words === 0 ? this.#letterAt(at) : undefined);
      if (unit !== undefined && (kinds === undefined || kinds.includes(UNITS[unit.value].kind))) {
        return this.#isUnit(unit.value, at, unit.end)
          ? { unit: unit.value, end: this.#afterPeriod(at, unit.end), ...(size !== undefined && { size }) }
          : undefined;
      }
      const sized = this.#language.sizes.at(this.#tokens, at);
      size ??= sized?.value;
      const { qualifiers, praise } = this.#language;
      const end = sized?.end ?? (qualifiers.at(this.#tokens, at) ?? praise.at(this.#tokens, at))?.end;
      if (end === undefined) return undefined;
      const joint = isHyphen(this.#tokens[end]) || this.#textAt(end) === ',' ? end + 1 : end;
      at = this.#language.and.at(this.#tokens, joint)?.end ?? joint;
    }
    return undefined;
  }

  /** "1T" and "1 t" after digits, where capitals matter. */
  #letterAt(at: number): PhraseMatch<UnitName> | undefined {
    const value = this.#language.unitLetters.get(this.#textAt(at) ?? '');
    return value !== undefined && this.#tokens[at - 1]?.kind === 'number'
      ? { value, end: at + 1 }
      : undefined;
  }

  /** "a rather watery cup of": any two words, because "of" says that a unit stands before it. */
  #unitBeforeOf(start: number): UnitReading | undefined {
    for (let at = start; at <= start + 2 && this.#tokens[at]?.kind === 'word'; at++) {
      if (this.#language.of.has(this.#tokens, at) || this.#language.and.has(this.#tokens, at))
        return undefined;
      const unit = at === start ? undefined : this.#unitAt(at);
      if (unit !== undefined) return this.#language.of.has(this.#tokens, unit.end) ? unit : undefined;
    }
    return undefined;
  }

  /** Whether a word that names a unit is one here: "two rolls" and "3 in total" have none. */
  #isUnit(unit: UnitName, at: number, end: number): boolean {
    const token = this.#tokens[at]!;
    if (token.folded === 'in' || token.text === '"') {
      return (
        token.joined ||
        ['/', ')', '-', '('].includes(this.#textAt(end) ?? '') ||
        this.#language.units.has(this.#tokens, end)
      );
    }
    if (this.#language.names.has(this.#tokens, at)) return false;
    if (!UNITS[unit].food) return true;
    const next = this.#tokens[end];
    const followed = next?.kind === 'word' && !this.#language.connectors.has(this.#tokens, end);
    return followed || this.#language.of.has(this.#tokens, end);
  }

  #afterPeriod(at: number, end: number): number {
    const period = this.#tokens[end];
    const short = end > at && this.#tokens[end - 1]!.text.length <= 5;
    return short && period?.text === '.' && period.joined && this.#tokens[end + 1] !== undefined
      ? end + 1
      : end;
  }

  #afterQualifier(at: number): number {
    const end =
      this.#language.sizes.at(this.#tokens, at)?.end ?? this.#language.qualifiers.at(this.#tokens, at)?.end;
    return end ?? at;
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

const CAPITALIZED = /^\p{Lu}/u;
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
