import type { Amount } from './amount.ts';
import { findAmounts } from './find-amounts.ts';
import { FoodNameReader, type TokenRange } from './food-name.ts';
import type { Language } from './language.ts';
import { type Token, tokenise } from './tokens.ts';
import { UNITS, type UnitKind, type UnitName } from './units.ts';

/** Some words of a text. */
export interface TextPart {
  /** Words as written; separate ranges are joined with spaces. */
  readonly text: string;
  /** UTF-16 offsets from the first word to the last. */
  readonly start: number;
  readonly end: number;
}

export interface IngredientLine {
  /** The first amount; the same amount in other units stands in its `alternatives`. */
  readonly amount?: Amount;
  /** The words that name the food, without amount, preparation and remarks. Empty if the line names none. */
  readonly name: TextPart;
  readonly size?: string;
  readonly preparation?: string;
  readonly comment?: string;
  readonly optional?: true;
}

/** Reads one line of a list of ingredients: "150g/5¼oz canned chickpeas, drained and rinsed". `tokens` are those of the line in `text`. */
export function readIngredientLine(
  text: string,
  language: Language,
  tokens: readonly Token[] = tokenise(text),
): IngredientLine {
  return new LineReader(text, language, tokens).read();
}

/** Tokens that end an amount without a name. */
const ENDS = new Set([',', ';', ')', '(', '[', ']', '-', '–']);
const MEASURES: ReadonlySet<UnitKind> = new Set(['mass', 'volume']);

class LineReader {
  readonly #text: string;
  readonly #language: Language;
  readonly #tokens: readonly Token[];
  readonly #amounts: readonly Amount[];
  readonly #food: FoodNameReader;

  constructor(text: string, language: Language, tokens: readonly Token[]) {
    this.#text = text;
    this.#language = language;
    this.#tokens = tokens;
    this.#amounts = findAmounts(this.#tokens, language);
    this.#food = new FoodNameReader(this.#tokens, this.#amounts, language);
  }

  read(): IngredientLine {
    const lead = this.#leadAmount();
    const nameFirst = lead === undefined || this.#isNamedBefore(lead);
    if (nameFirst) {
      const end = this.#food.read(0, this.#endOfNameBefore(lead), false);
      this.#readRest(Math.max(end, lead?.endToken ?? 0));
    } else {
      if (this.#hasWord(lead.firstToken)) this.#food.preparations.push({ from: 0, to: lead.firstToken });
      const inCan = lead.unit === 'can' || lead.container === 'can';
      this.#readRest(this.#food.read(lead.endToken, this.#tokens.length, inCan));
    }
    return this.#result(lead);
  }

  /** The first amount, if it precedes the first comma and is not part of a remark ("to cover, about half a pint"). */
  #leadAmount(): Amount | undefined {
    const first = this.#amounts.find((amount) => !amount.aside);
    if (first === undefined || first.firstToken >= this.#endOfSegment(0)) return undefined;
    for (let at = 1; at < first.firstToken - 1; at++) {
      if (this.#language.afterNames.has(this.#tokens, at)) return undefined;
    }
    return this.#withLastUnit(first);
  }

  /** Reads "garlic 2 cloves": after the food, a word that may name a food is a unit. */
  #withLastUnit(amount: Amount): Amount {
    const unit = this.#language.units.at(this.#tokens, amount.endToken);
    const before = this.#tokens[amount.firstToken - 1];
    if (amount.unit !== undefined || before?.kind !== 'word' || unit?.end !== this.#endOfSegment(0))
      return amount;
    if (this.#language.of.has(this.#tokens, amount.firstToken - 1)) return amount;
    return { ...amount, unit: unit.value, endToken: unit.end, end: this.#endOf(unit.end) };
  }

  /** Whether the name precedes the amount, as in "eggs 2". In "juice of 1 lemon" and "scant ½ cup oil" it follows. */
  #isNamedBefore({ firstToken, endToken }: Amount): boolean {
    if (firstToken === 0 || this.#language.of.has(this.#tokens, firstToken - 1)) return false;
    return this.#tokens[endToken]?.kind !== 'word' || this.#language.afterNames.has(this.#tokens, endToken);
  }

  /** The end of the name, without the sign in "eggs x 2". */
  #endOfNameBefore(lead: Amount | undefined): number {
    if (lead === undefined) return this.#tokens.length;
    return this.#language.times.has(this.#tokens, lead.firstToken - 1)
      ? lead.firstToken - 1
      : lead.firstToken;
  }

  /** Whether a word precedes a token, not just a bullet. */
  #hasWord(end: number): boolean {
    return this.#tokens.some(({ kind }, at) => at < end && kind === 'word');
  }

  /** Reads the parts after the name. */
  #readRest(start: number): void {
    let at = start;
    while (at < this.#tokens.length) {
      const { kind, text } = this.#tokens[at]!;
      const remark = text === '(' || this.#language.afterNames.has(this.#tokens, at);
      const end = text === '(' ? this.#food.endOfParentheses(at) : Math.max(this.#endOfSegment(at), at + 1);
      if (kind === 'word' || kind === 'number' || remark) {
        (remark ? this.#food.comments : this.#food.preparations).push({ from: at, to: end });
        at = end;
      } else at++;
    }
  }

  #result(lead: Amount | undefined): IngredientLine {
    const unit = this.#takeTrailingUnit(lead);
    const amount = this.#withAsides(unit === undefined ? lead : { ...lead!, unit });
    const size = amount?.size ?? this.#food.size;
    const preparation = this.#part(this.#food.preparations).text;
    const comment = this.#part(this.#food.comments).text;
    const optional = this.#tokens.some((_, at) => this.#language.optional.has(this.#tokens, at));
    return {
      ...(amount !== undefined && { amount }),
      name: this.#part(this.#food.name),
      ...(size !== undefined && { size }),
      ...(preparation !== '' && { preparation }),
      ...(comment !== '' && { comment }),
      ...(optional && { optional: true }),
    };
  }

  /** Takes the last word of the name as the unit: "8 garlic cloves". */
  #takeTrailingUnit(lead: Amount | undefined): UnitName | undefined {
    const { name } = this.#food;
    const last = name.at(-1);
    if (lead === undefined || lead.unit !== undefined || last === undefined) return undefined;
    if (last.to - name[0]!.from < 2) return undefined;
    const unit = this.#language.units.at(this.#tokens, last.to - 1);
    const named = this.#language.countedFoods.at(this.#tokens, last.to - 2)?.end === last.to;
    if (unit?.end !== last.to || !(named || this.#language.trailingUnits.has(unit.value))) return undefined;
    name[name.length - 1] = { from: last.from, to: last.to - 1 };
    return unit.value;
  }

  /**
   * Adds the amounts after the name: one for each ("à 150 g"), or the same in another unit ("2 onions (about 2 cups)").
   */
  #withAsides(lead: Amount | undefined): Amount | undefined {
    const others = this.#amounts.filter((amount) => amount !== lead && this.#saysTheSame(amount, lead));
    if (lead === undefined) return others[0];
    const each = lead.each ?? others.find((amount) => this.#isOfEach(amount));
    const alternatives = [...lead.alternatives, ...others.filter((amount) => amount !== each)];
    return { ...lead, ...(each !== undefined && { each }), alternatives };
  }

  #saysTheSame(amount: Amount, lead: Amount | undefined): boolean {
    if (this.#food.amounts.has(amount)) return true;
    if (lead !== undefined && amount.firstToken < lead.endToken) return false;
    if (amount.unit === undefined ? lead !== undefined : UNITS[amount.unit].kind === 'length') return false;
    if (this.#isOfEach(amount)) return true;
    const { about } = this.#language;
    const end = about.at(this.#tokens, amount.endToken)?.end ?? amount.endToken;
    if (!ENDS.has(this.#tokens[end]?.text ?? ')')) return false;
    const introduced =
      this.#tokens[amount.firstToken - 1]?.text === ',' || about.has(this.#tokens, amount.firstToken);
    return amount.aside || introduced;
  }

  /** Whether an amount applies to each piece: "200 g each", "à 150 g", "de 150 g". */
  #isOfEach({ unit, firstToken, endToken }: Amount): boolean {
    if (unit === undefined || !MEASURES.has(UNITS[unit].kind)) return false;
    const { each, of } = this.#language;
    return (
      each.has(this.#tokens, endToken) ||
      each.has(this.#tokens, firstToken - 1) ||
      of.has(this.#tokens, firstToken - 1)
    );
  }

  #part(ranges: readonly TokenRange[]): TextPart {
    const filled = ranges.filter(({ from, to }) => to > from);
    if (filled.length === 0) return { text: '', start: 0, end: 0 };
    const pieces = filled.map(({ from, to }) => this.#text.slice(this.#startOf(from), this.#endOf(to)));
    return {
      text: pieces.join(' '),
      start: Math.min(...filled.map(({ from }) => this.#startOf(from))),
      end: Math.max(...filled.map(({ to }) => this.#endOf(to))),
    };
  }

  #startOf(token: number): number {
    return this.#tokens[token]!.start;
  }

  #endOf(token: number): number {
    return this.#tokens[token - 1]!.end;
  }

  #endOfSegment(start: number): number {
    let at = start;
    while (at < this.#tokens.length) {
      const { text, kind } = this.#tokens[at]!;
      if (kind === 'break' || text === ',' || text === ';') return at;
      at = text === '(' ? this.#food.endOfParentheses(at) : at + 1;
    }
    return at;
  }
}
