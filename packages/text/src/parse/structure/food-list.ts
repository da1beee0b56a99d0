import type { Amount } from '../../find-amounts.ts';
import type { Token } from '../../tokens.ts';
import { UNITS } from '../../units.ts';
import { isArticle, isMeasured } from '../phrases/phrase.ts';
import { FoodWords } from './food-words.ts';
import type { TextToRead } from './recipe-line.ts';

/** A range of tokens with one food and its amount, or with several foods that no other amount counts. */
export interface ListEntry {
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

/** Characters that separate entries only between spaces: not in "1/2", "pb&j", "low-fat". */
const SPACED_SIGNS: ReadonlySet<string> = new Set(['/', '&', '-', '–', '—', '*']);
const SIGNS: ReadonlySet<string> = new Set([';', '+', '•', '·', '▪', '●', '|', '→']);
/**
 * Characters after which a known food is an entry even without an amount; others may begin an alternative or
 * a remark.
 */
const BARE_SIGNS: ReadonlySet<string> = new Set(['-', '–', '—', ';', '+', '•', '·', '▪', '●', '|']);

/** Words between two separators, with the amounts among them. */
interface Piece extends ListEntry {
  /** The separator before it: a sign or a word; empty for the first piece. */
  readonly separator: string;
  readonly amounts: readonly Amount[];
}

/**
 * The entries of a text that lists foods with amounts: "salmon 100g, rice 200g", "yogurt with 30 g granola".
 * Each further entry has its own amount, with the name of a food before or after it. A text that is one
 * recipe line, or lists foods without amounts, is one entry.
 */
export function entriesOf(read: TextToRead): readonly ListEntry[] {
  const { tokens } = read;
  const all = { from: 0, to: tokens.length };
  const amounts = read.amounts.flatMap((amount) => separated(amount, read));
  if (!amounts.some((amount) => mayCount(amount) && !isArticle(amount))) return [all];
  return new ListReader(read, amounts).read();
}

/** Whether an amount may count a food: not "2 cm". */
function mayCount({ unit }: Amount): boolean {
  return unit === undefined || UNITS[unit].kind !== 'length';
}

/** Separates amounts that were added or compared if each has its own food: "rice 200 g + 100 g chicken". */
function separated(amount: Amount, { tokens }: TextToRead): readonly Amount[] {
  const other = amount.plus ?? amount.alternatives.at(-1);
  if (
    other === undefined ||
    other.quantity < 0 ||
    amount.firstToken === 0 ||
    other.endToken !== amount.endToken
  )
    return [amount];
  const sign = other.firstToken - 1;
  const isNamed =
    /[\p{L}:]$/u.test(tokens[amount.firstToken - 1]!.text) && tokens[amount.endToken]?.kind === 'word';
  if (tokens[sign]!.joined || sign < amount.firstToken + 1 || !isNamed || amount.alternatives.length > 1)
    return [amount];
  const { plus: _, ...first } = amount;
  return [{ ...first, alternatives: [], endToken: sign, end: tokens[sign - 1]!.end }, other];
}

class ListReader {
  readonly #read: TextToRead;
  readonly #tokens: readonly Token[];
  readonly #amounts: readonly Amount[];
  readonly #words: FoodWords;
  /** The tokens of amounts, which are not separators: "150 g/5 oz". */
  readonly #inAmounts: ReadonlySet<number>;
  /** The first tokens of amounts that may count foods. */
  readonly #counts: ReadonlySet<number>;

  constructor(read: TextToRead, amounts: readonly Amount[]) {
    this.#read = read;
    this.#tokens = read.tokens;
    this.#amounts = amounts;
    this.#words = new FoodWords(read, amounts);
    this.#inAmounts = new Set(amounts.flatMap(tokensOf));
    const counts = amounts.filter((amount) => mayCount(amount) && !isArticle(amount));
    this.#counts = new Set(counts.map(({ firstToken }) => firstToken));
  }

  read(): ListEntry[] {
    const start = this.#afterHeading() || this.#afterDish();
    const pieces = this.#pieces(start);
    const begin = pieces.map((piece, at) => at > 0 && this.#isFurther(piece, pieces[at - 1]!));
    const signs = new Set(pieces.filter((_, at) => begin[at]).map(({ separator }) => separator));
    const starts = [start];
    for (const [at, piece] of pieces.entries()) {
      // A sign that separates two entries separates all.
      const isEntry = begin[at] || (at > 0 && isSign(piece.separator) && signs.has(piece.separator));
      if (isEntry) starts.push(piece.from);
      starts.push(...this.#startsWithin(piece));
    }
    const all = [...new Set(starts)].sort((a, b) => a - b);
    return all.map((from, at) => ({ from, to: this.#beforeSeparator(from, all[at + 1]) }));
  }

  #beforeSeparator(from: number, next = this.#tokens.length): number {
    let to = next;
    while (to > from + 1 && this.#separatorAt(to - 1) !== undefined) to--;
    return to;
  }

  /** The token after a heading: "Egg wash: 1 egg yolk", but not in "rice: 200 g". */
  #afterHeading(): number {
    const [colon, other] = [...this.#tokens.keys()].filter((at) => this.#tokens[at]!.text === ':');
    const first = this.#amounts.find((amount) => !isArticle(amount));
    if (colon === undefined || other !== undefined || first?.firstToken !== colon + 1) return 0;
    const [{ to, amounts }] = this.#pieces(colon + 1) as [Piece];
    return this.#words.nameFood(first.endToken, to, first, '') && !this.#endsWith(amounts.at(-1)!, to)
      ? colon + 1
      : 0;
  }

  /**
   * The token after the name of a dish whose components follow in parentheses, each with its amount: "oatmeal (50 g oats, 200 ml milk)".
   * The components are counted instead of the dish.
   */
  #afterDish(): number {
    const open = this.#tokens.findIndex(({ text }) => text === '(');
    const first = this.#amounts.find((amount) => !isArticle(amount));
    if (open < 1 || first === undefined || first.firstToken < open) return 0;
    const close = this.#tokens.findIndex(({ text }, at) => at > open && text === ')');
    const pieces = this.#pieces(open + 1).filter(({ from }) => close < 0 || from < close);
    const named = pieces.filter(({ amounts: [amount], to }) => {
      return amount !== undefined && this.#words.nameFood(amount.endToken, to, amount, '');
    });
    return named.length > 1 ? open + 1 : 0;
  }

  /** Splits the text at its separators. A piece without a name belongs to its neighbour: "rice - 200 g". */
  #pieces(start: number): Piece[] {
    const pieces: Piece[] = [];
    let [from, separator] = [start, ''];
    for (const at of [...this.#separators(start), this.#tokens.length]) {
      if (at > from) {
        const piece = { from, to: at, separator, amounts: this.#amountsOf({ from, to: at }) };
        const last = pieces.at(-1);
        if (last !== undefined && !(this.#hasName(piece) && this.#hasName(last))) {
          pieces[pieces.length - 1] = { ...last, to: at, amounts: [...last.amounts, ...piece.amounts] };
        } else pieces.push(piece);
      }
      from = at + 1;
      separator = this.#separatorAt(at) ?? '';
    }
    return pieces;
  }

  /** The separators outside of amounts and parentheses. */
  *#separators(start: number): Generator<number> {
    let depth = 0;
    for (let at = start; at < this.#tokens.length; at++) {
      const { text } = this.#tokens[at]!;
      if (text === '(' || text === '[') depth++;
      else if ((text === ')' || text === ']') && depth > 0) depth--;
      if (depth === 0 && !this.#inAmounts.has(at) && this.#separatorAt(at) !== undefined) yield at;
    }
  }

  /** The amounts of a piece; those in parentheses only if there are no others: "rice (200 g)". */
  #amountsOf({ from, to }: ListEntry): Amount[] {
    const all = this.#amounts.filter(
      (amount) => amount.firstToken >= from && amount.firstToken < to && mayCount(amount),
    );
    const own = all.filter(({ aside }) => aside !== true);
    return own.length > 0 ? own : all;
  }

  #separatorAt(at: number): string | undefined {
    if (at >= this.#tokens.length) return undefined;
    const { kind, text, folded, joined } = this.#tokens[at]!;
    if (kind === 'break') return '\n';
    if (text === ',' || SIGNS.has(text)) return text;
    const isSpaced = !joined && this.#tokens[at + 1]?.joined === false;
    if (SPACED_SIGNS.has(text)) return isSpaced ? text : undefined;
    if (kind !== 'word') return undefined;
    const { listing, carrying } = this.#read.words;
    return listing.has(folded) || (carrying.has(folded) && this.#counts.has(at + 1)) ? folded : undefined;
  }

  /** Whether words beside amounts may name a food: not "2 large", "fresh", "chopped". */
  #hasName({ from, to }: ListEntry): boolean {
    const { of, descriptors, preparations, adverbs } = this.#read.language;
    for (let at = from; at < to; at++) {
      if (this.#inAmounts.has(at) || this.#tokens[at]!.kind !== 'word') continue;
      if (![of, descriptors, preparations, adverbs].some((words) => words.has(this.#tokens, at))) return true;
    }
    return false;
  }

  /** Whether a piece is another food with its own amount. */
  #isFurther(piece: Piece, before: Piece): boolean {
    const amount = piece.amounts.find((each) => !isArticle(each));
    if (amount !== undefined && this.#read.words.weighing.has(this.#tokens[amount.firstToken]!.folded))
      return false;
    if (amount === undefined)
      return BARE_SIGNS.has(piece.separator) && this.#words.nameKnown(piece.from, piece.to);
    const start = this.#words.afterLeading(piece.from);
    if (this.#isRemark(start, piece, before)) return false;
    if (start >= amount.firstToken)
      return this.#words.nameFood(amount.endToken, piece.to, amount, piece.separator);
    return this.#endsWith(amount, piece.to)
      ? this.#words.nameKnown(start, amount.firstToken)
      : piece.amounts.length > 1 || this.#words.nameKnown(start, amount.firstToken);
  }

  /** Whether no word follows an amount. */
  #endsWith({ endToken }: Amount, to: number): boolean {
    return !this.#tokens.slice(endToken, to).some(({ kind }) => kind === 'word');
  }

  /**
   * Whether a piece describes the preparation of the preceding food: "mixed with 1 tbsp water", "plus 2 tbsp
   * for the pan".
   */
  #isRemark(start: number, { from, to, separator, amounts }: Piece, before: Piece): boolean {
    const { language, words } = this.#read;
    if (language.afterNames.has(this.#tokens, start) && separator !== '+') return true;
    if (language.or.has(this.#tokens, from)) return true;
    const last = before.to - 1;
    if (words.belonging.has(separator)) {
      const { folded } = this.#tokens[last]!;
      if (
        language.afterNames.has(this.#tokens, last) ||
        words.mixing.has(folded) ||
        words.composing.has(folded)
      )
        return true;
      // "1 egg, fried in 1 tbsp oil", but not "150 g pollo cocido con 100 g arroz"
      if (language.preparations.has(this.#tokens, last) && this.#tokens[last - 1]?.text === ',') return true;
      // "a sandwich with 2 slices of ham"
      if (!amounts.some(isMeasured) && this.#words.haveDish(before.from, before.to)) return true;
    }
    if (separator !== 'plus') return false;
    for (let at = from; at < to; at++) if (language.afterNames.has(this.#tokens, at)) return true;
    return false;
  }

  /** The starts of further entries without a separator: "chicken 150g rice 200g", "2 eggs 100 g ham". */
  #startsWithin({ from, to, amounts }: Piece): number[] {
    const counts = amounts.filter((amount) => !isArticle(amount));
    const [first] = counts;
    if (first === undefined || counts.some((amount) => this.#words.joinAmount(amount))) return [];
    const start = this.#words.afterLeading(from);
    const isNamed =
      start < first.firstToken &&
      !this.#read.language.of.has(this.#tokens, first.firstToken - 1) &&
      this.#words.nameKnown(start, first.firstToken);
    const ends = [...counts.slice(1).map(({ firstToken }) => firstToken), to];
    const named = counts.map((amount, at) => this.#words.nameFood(amount.endToken, ends[at]!, amount, ''));
    if (isNamed && !named.at(-1) && named.slice(0, -1).every(Boolean)) {
      return counts.slice(0, -1).map(({ endToken }) => endToken);
    }
    // The weight of "chicken 150g rice" is the chicken's, the count of "coffee 2 sugars" is the sugar's.
    if (isNamed && counts.length === 1 && named[0])
      return [isMeasured(first) ? first.endToken : first.firstToken];
    const starts = counts.slice(1).filter((_, at) => named[at] && named[at + 1]);
    return [...(isNamed && named[0] ? [first] : []), ...starts].map(({ firstToken }) => firstToken);
  }
}

function tokensOf({ firstToken, endToken }: Amount): number[] {
  return Array.from({ length: endToken - firstToken }, (_, at) => firstToken + at);
}

function isSign(separator: string): boolean {
  return SIGNS.has(separator) || SPACED_SIGNS.has(separator);
}
