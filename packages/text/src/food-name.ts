import type { Amount } from './amount.ts';
import type { Language } from './language.ts';
import { isHyphen } from './phrases.ts';
import type { Token } from './tokens.ts';

/** A range of tokens; `to` is excluded. */
export interface TokenRange {
  readonly from: number;
  readonly to: number;
}

/** Maximum words between commas in a list of foods. */
const MAX_WORDS_IN_LIST = 5;
/** Maximum distance to the end of a list or a preparation, which keeps the work linear. */
const MAX_LIST_TOKENS = 40;
const MAX_PREPARATION_WORDS = 12;
/** Sizes that are not part of a name, unlike in "thin noodles" and "mini pittas". */
const SIZES = new Set(['small', 'medium', 'large', 'individual']);
const LEADING_SIGNS = new Set([',', ';', ':', '.', '-', '–', '—', ')', '*', '•']);

/**
 * Collects the words that name a food, from a token on, until a remark or a preparation begins. Keeps preparations
 * before the name, parentheses and a second amount apart.
 */
export class FoodNameReader {
  readonly name: TokenRange[] = [];
  readonly preparations: TokenRange[] = [];
  readonly comments: TokenRange[] = [];
  /** Further amounts before the name: "4 large or 6 small onions". */
  readonly amounts = new Set<Amount>();
  /** The size after the name. */
  size: string | undefined;
  readonly #tokens: readonly Token[];
  readonly #amountAt: ReadonlyMap<number, Amount>;
  readonly #language: Language;
  /** The token after the closing parenthesis, by opening parenthesis. */
  readonly #closed: ReadonlyMap<number, number>;
  #limit = 0;
  #at = 0;
  /** The first token of the current group of words. */
  #from = 0;
  /** A word that is more than a description was read. */
  #named = false;
  /** "each" precedes the name, so that the next name follows after a comma. */
  #listed = false;
  /** The next preparation is part of the name. */
  #preserved = false;

  constructor(tokens: readonly Token[], amounts: readonly Amount[], language: Language) {
    this.#tokens = tokens;
    this.#amountAt = new Map(amounts.map((amount) => [amount.firstToken, amount]));
    this.#language = language;
    this.#closed = endsOfParentheses(tokens);
  }

  /** Returns the token after the name. With `preserved`, as of a can, "chopped tomatoes" is the name. */
  read(start: number, limit: number, preserved: boolean): number {
    this.#limit = limit;
    this.#preserved = preserved;
    this.#continueAt(this.#afterLeading(start));
    while (this.#at < limit && this.#step());
    this.#close();
    return this.#at;
  }

  /** Skips only the sign itself if no parenthesis closes it. */
  endOfParentheses(open: number): number {
    return this.#closed.get(open) ?? open + 1;
  }

  /** Reads the next token; returns false at the end of the name. */
  #step(): boolean {
    const at = this.#at;
    const token = this.#tokens[at]!;
    if (token.text === ')') return this.#passOver(at + 1);
    if (token.text === '(' && this.#isAlternative(at + 1)) return this.#passOver(at + 1);
    if (token.text === '(' || token.text === '[') {
      return this.#passOver(this.endOfParentheses(at), this.comments);
    }
    if (token.kind === 'break' || token.text === ';' || token.text === ':' || this.#isDash(at)) return false;
    if (token.text === ',') return this.#continuesAfter(at) && this.#passOver(at + 1);
    if (this.#named && !this.#isWithinWord(at) && this.#language.afterNames.has(this.#tokens, at))
      return false;
    return this.#readName() ?? this.#readOtherAmount() ?? this.#readPreparation() ?? this.#readWord();
  }

  /** Whether a parenthesis belongs to the name, as "(or peanut oil)" does and "(or to taste)" does not. */
  #isAlternative(at: number): boolean {
    const or = this.#named ? this.#language.or.at(this.#tokens, at) : undefined;
    if (or === undefined || this.#language.afterNames.has(this.#tokens, at)) return false;
    return this.#tokens[or.end]?.kind === 'word' && !this.#amountAt.has(or.end);
  }

  /** Reads fixed names such as "crushed red pepper", whose words look like a preparation. */
  #readName(): boolean | undefined {
    const name = this.#language.names.at(this.#tokens, this.#at);
    if (name === undefined) return undefined;
    this.#named = true;
    this.#at = name.end;
    return true;
  }

  /** Reads a further amount: "or 1 teaspoon dried thyme" ends a name; before the name it is a second amount. */
  #readOtherAmount(): boolean | undefined {
    const { or, and, of } = this.#language;
    const joint =
      or.at(this.#tokens, this.#at) ??
      and.at(this.#tokens, this.#at) ??
      (this.#named ? of.at(this.#tokens, this.#at) : undefined);
    const amount = this.#amountAt.get(joint?.end ?? this.#at);
    if (amount === undefined || (joint === undefined && amount.unit === undefined)) return undefined;
    if (this.#named) return false;
    this.amounts.add(amount);
    return this.#passOver(this.#afterLeading(amount.endToken));
  }

  #readPreparation(): boolean | undefined {
    const end = this.#preserved ? undefined : this.#endOfPreparation(this.#at);
    if (end === undefined) return undefined;
    const last = this.#endsAfter(end);
    if (last && this.#named) return false;
    return last && this.#tokens[end]?.text !== ',' ? undefined : this.#passOver(end, this.preparations);
  }

  #readWord(): boolean {
    if (this.#named && this.#language.sizesFollow) {
      const size = this.#language.sizes.at(this.#tokens, this.#at);
      if (size !== undefined) {
        this.size ??= size.value;
        return this.#passOver(size.end);
      }
    }
    const end = this.#endOfWord(this.#at);
    const described = this.#language.descriptors.at(this.#tokens, this.#at)?.end ?? 0;
    if (described < end && this.#tokens[this.#at]!.kind === 'word') this.#named = true;
    this.#preserved =
      (this.#preserved && !this.#named) || this.#language.preserved.has(this.#tokens, this.#at);
    this.#at = Math.max(end, described);
    return true;
  }

  #passOver(end: number, kept?: TokenRange[]): boolean {
    this.#close();
    kept?.push({ from: this.#at, to: end });
    this.#continueAt(end);
    return true;
  }

  #continueAt(at: number): void {
    this.#at = at;
    this.#from = at;
  }

  #close(): void {
    const to = Math.min(this.#at, this.#limit);
    if (to > this.#from) this.name.push({ from: this.#from, to });
  }

  /** Skips "of", "the", sizes and "each" before a name. */
  #afterLeading(start: number): number {
    const { of, each, about, leading, sizes } = this.#language;
    let at = start;
    while (at < this.#limit && !this.#language.names.has(this.#tokens, at)) {
      const size = sizes.at(this.#tokens, at);
      this.#listed ||= each.has(this.#tokens, at);
      const end =
        of.at(this.#tokens, at)?.end ??
        each.at(this.#tokens, at)?.end ??
        about.at(this.#tokens, at)?.end ??
        leading.at(this.#tokens, at)?.end ??
        (size !== undefined && SIZES.has(size.value) && !isHyphen(this.#tokens[size.end])
          ? size.end
          : undefined) ??
        (LEADING_SIGNS.has(this.#tokens[at]!.text) ? at + 1 : undefined);
      if (end === undefined) return at;
      at = end;
    }
    return at;
  }

  /** Finds the end of "finely chopped", "peeled and diced", "very thinly sliced". */
  #endOfPreparation(start: number): number | undefined {
    if (this.#isWithinWord(start)) return undefined;
    const { preparations, adverbs, and } = this.#language;
    let at = start;
    let end: number | undefined;
    for (let words = 0; words < MAX_PREPARATION_WORDS && at < this.#tokens.length; words++) {
      const prepared = preparations.at(this.#tokens, at);
      if (prepared !== undefined && !isHyphen(this.#tokens[prepared.end])) {
        end = prepared.end;
        const joint = this.#tokens[end]?.text === ',' ? end + 1 : end;
        at = and.at(this.#tokens, joint)?.end ?? joint;
      } else {
        const adverb = adverbs.at(this.#tokens, at);
        if (adverb === undefined) return end;
        at = isHyphen(this.#tokens[adverb.end]) ? adverb.end + 1 : adverb.end;
      }
    }
    return end;
  }

  /** Whether the name ends before a token. */
  #endsAfter(at: number): boolean {
    const { afterNames, connectors } = this.#language;
    const token = this.#tokens[at];
    if (at >= this.#limit || token?.kind !== 'word') return true;
    return afterNames.has(this.#tokens, at) || connectors.has(this.#tokens, at);
  }

  /** Whether the name continues after a comma: "boneless, skinless chicken", "red, yellow or green pepper". */
  #continuesAfter(comma: number): boolean {
    const start = comma + 1;
    if (start >= this.#limit || !this.#named) return start < this.#limit;
    const { or, and, parts, connectors } = this.#language;
    if (parts.has(this.#tokens, start)) return false;
    if (this.#listed && !this.#endsList(start)) return true;
    let words = 0;
    const end = Math.min(this.#limit, start + MAX_LIST_TOKENS);
    for (let at = start; at < end && words <= MAX_WORDS_IN_LIST; at++) {
      if (this.#endsList(at)) return false;
      const joint = or.at(this.#tokens, at) ?? and.at(this.#tokens, at);
      if (joint !== undefined) return this.#isLastOfList(start, joint.end);
      const token = this.#tokens[at]!;
      if (connectors.has(this.#tokens, at)) return false;
      if (token.text === ',') words = 0;
      else if (token.kind !== 'word' && !isHyphen(token)) return false;
      else words++;
    }
    return false;
  }

  #endsList(at: number): boolean {
    if (this.#language.afterNames.has(this.#tokens, at) || this.#amountAt.has(at)) return true;
    return this.#endOfPreparation(at) !== undefined;
  }

  /** Whether a name follows "or", without a preparation since the comma. */
  #isLastOfList(start: number, last: number): boolean {
    if (last >= this.#limit || this.#tokens[last]!.kind !== 'word' || this.#endsList(last)) return false;
    const { adverbs, preparations, participle, descriptors, or, and } = this.#language;
    let described = true;
    const end = Math.min(this.#limit, start + 2 * MAX_LIST_TOKENS);
    for (let at = start; at < end && (at < last || this.#tokens[at]!.kind === 'word'); at++) {
      if (adverbs.has(this.#tokens, at) || preparations.has(this.#tokens, at)) return false;
      // Matches "minced", but not "grapeseed".
      const { folded } = this.#tokens[at]!;
      if (participle?.test(folded) && !folded.endsWith('eed')) return false;
      described &&= [descriptors, or, and].some((words) => words.has(this.#tokens, at));
    }
    return !described;
  }

  #endOfWord(at: number): number {
    let end = at + 1;
    while (isHyphen(this.#tokens[end]) && this.#tokens[end]!.joined && this.#tokens[end + 1]?.joined)
      end += 2;
    return end;
  }

  #isWithinWord(at: number): boolean {
    return this.#tokens[at]!.joined && isHyphen(this.#tokens[at - 1]) && this.#tokens[at - 1]!.joined;
  }

  #isDash(at: number): boolean {
    const { text, joined } = this.#tokens[at]!;
    return text === '—' || (isHyphen(this.#tokens[at]) && !(joined && this.#tokens[at + 1]?.joined));
  }
}

function endsOfParentheses(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { text }] of tokens.entries()) {
    if (text === '(' || text === '[') open.push(at);
    else if (text === ')' || text === ']') {
      const start = open.pop();
      if (start !== undefined) ends.set(start, at + 1);
    }
  }
  return ends;
}
