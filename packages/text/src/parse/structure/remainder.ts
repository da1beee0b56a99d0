import type { Amount } from '../../find-amounts.ts';
import type { TextPart } from '../../ingredient-line.ts';
import { NEGATIONS } from '../../meal-words.ts';
import type { Token } from '../../tokens.ts';
import { UNITS } from '../../units.ts';
import { isEmptyWord, stemOf } from '../names/name-words.ts';
import { isArticle, isMeasured } from '../phrases/phrase.ts';
import type { TextToRead } from './recipe-line.ts';

/** UTF-16 offsets of a part of a text. */
interface Extent {
  readonly start: number;
  readonly end: number;
}

/** Words about a food outside its name: its preparation, its state, and text in parentheses. */
export interface Remarks {
  /** Stems of the words in order; numbers as written, with "%" if it follows. */
  readonly stems: readonly string[];
  readonly text: string;
}

interface NamedExtent extends Extent {
  /** The words of the name, if other words separate them. */
  readonly name?: string;
  readonly amount?: Amount;
}

/** The remarks on each item of one entry: the words up to the next item that are not its name or amount. */
export function remarksOf(
  items: readonly NamedExtent[],
  { text, tokens }: Pick<TextToRead, 'text' | 'tokens'>,
): Remarks[] {
  const begins = items.map(({ start, amount }) => Math.min(start, amount?.start ?? start));
  // The largest so far: the first begin after a position is where these exceed it.
  let largest = 0;
  const rising = begins.map((begin) => (largest = Math.max(largest, begin)));
  const said = tokens.filter(({ kind }) => kind === 'word' || kind === 'number');
  const starts = said.map(({ start }) => start);
  return items.map(({ start, end, name, amount }, at) => {
    const from = at === 0 ? 0 : begins[at]!;
    const next = firstAbove(rising, begins[at]!);
    const to = next === begins.length ? text.length : begins[next]!;
    const named = name === undefined ? undefined : new Set(name.split(/[^\p{L}\p{M}\p{N}'’]+/u));
    const amounts = amount === undefined ? [] : extentsOf(amount);
    const isOther = (token: Token) =>
      token.end <= to &&
      !amounts.some((extent) => isWithin(token, extent)) &&
      !(token.start >= start && token.end <= end && named?.has(token.text) !== false);
    const others = said.slice(firstAbove(starts, from - 1), firstAbove(starts, to - 1)).filter(isOther);
    const isPercent = ({ end: last }: Token) => /^ ?%/.test(text.slice(last, last + 2));
    return {
      stems: others
        .filter(({ folded }) => !isEmptyWord(folded))
        .map((token) => (token.kind === 'number' ? numberOf(token, isPercent(token)) : stemOf(token.folded))),
      text: others.map((token) => (isPercent(token) ? `${token.text}%` : token.text)).join(' '),
    };
  });
}

/** Position of the first of rising numbers that is above `limit`; their count if none is. */
function firstAbove(rising: readonly number[], limit: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle]! > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

function numberOf({ text }: Token, isPercent: boolean): string {
  return `${text.replace(',', '.')}${isPercent ? '%' : ''}`;
}

/** A part of a text that belongs to no item. */
export interface IgnoredPart extends TextPart {
  /** An amount in it that may count a food. */
  readonly amount?: Amount;
}

/** The words that belong to no item: `left` are amounts that may count an unknown food, except those in remarks. */
export function remainderOf(
  covered: readonly Extent[],
  remarks: readonly Extent[],
  read: TextToRead,
): { readonly left: readonly IgnoredPart[]; readonly ignored: readonly IgnoredPart[] } {
  const parts = ignoredParts(covered, read);
  const isLeft = ({ text, start, amount }: IgnoredPart) =>
    amount !== undefined &&
    /\p{L}/u.test(text) &&
    !remarks.some((remark) => start >= remark.start && start < remark.end);
  return { left: parts.filter(isLeft), ignored: parts.filter((part) => !isLeft(part)) };
}

/** The words that belong to no item and are not known function words, by clause. */
function ignoredParts(covered: readonly Extent[], read: TextToRead): IgnoredPart[] {
  const { text, tokens, amounts } = read;
  const parts: IgnoredPart[] = [];
  const small = smallWords(read);
  const firsts = amounts.map(({ firstToken }) => firstToken);
  let run: number[] = [];
  const close = () => {
    const first = run.find((at) => !small.has(at));
    const last = run.findLast((at) => !small.has(at));
    run = [];
    if (first === undefined || last === undefined) return;
    const [start, end] = [tokens[first]!.start, tokens[last]!.end];
    const amount = amounts
      .slice(firstAbove(firsts, first - 1), firstAbove(firsts, last))
      .find((each) => each.endToken <= last + 1 && counts(each, read));
    parts.push({ text: text.slice(start, end), start, end, ...(amount !== undefined && { amount }) });
  };
  let next = 0;
  const extents = covered.toSorted((a, b) => a.start - b.start);
  let coveredTo = 0;
  for (const [at, token] of tokens.entries()) {
    for (; next < extents.length && extents[next]!.start <= token.start; next++)
      coveredTo = Math.max(coveredTo, extents[next]!.end);
    if (token.end <= coveredTo || token.kind === 'break' || /^[,;()[\]•|]$/.test(token.text)) close();
    else run.push(at);
  }
  close();
  return parts;
}

/** Whether an amount may count a food: not "or 1 cup", "(200 g)", "2 cm", "2 friends". */
function counts(amount: Amount, { tokens, language, isList }: TextToRead): boolean {
  const { aside, unit, firstToken } = amount;
  if (aside === true || isArticle(amount) || language.or.has(tokens, firstToken - 1)) return false;
  if (unit !== undefined && UNITS[unit].kind === 'length') return false;
  return isList || isMeasured(amount);
}

/** The tokens without a meaning of their own: punctuation, and words such as "and", "delicious", "I had". */
function smallWords({ tokens, language, words }: TextToRead): ReadonlySet<number> {
  const phrases = [
    ...[language.articles, language.of, language.and, language.or, language.plus, language.leading],
    ...[language.about, language.each, language.praise, language.qualifiers, language.times, language.range],
    ...[language.between, language.optional, language.connectors, language.others],
  ];
  const sets = [words.fillers, words.links, words.listing, words.further, words.separating, words.telling];
  const others = [
    words.subjects,
    words.pointing,
    words.retelling,
    words.pronouns,
    words.weighing,
    words.pairing,
  ];
  const small = new Set<number>();
  for (const [at, { kind, folded, text }] of tokens.entries()) {
    if (NEGATIONS.has(folded)) continue;
    if (kind === 'symbol' ? !/\p{L}/u.test(text) : kind === 'break') small.add(at);
    if (isEmptyWord(folded) || [...sets, ...others].some((set) => set.has(folded))) small.add(at);
    for (const each of phrases) {
      const end = each.at(tokens, at)?.end ?? at;
      for (let token = at; token < end; token++) small.add(token);
    }
  }
  return small;
}

/** The extents of an amount and of those that state the same amount. */
export function extentsOf(amount: Amount): Extent[] {
  const { start, end, each, plus, alternatives } = amount;
  const others = [each, plus, ...alternatives].filter((other) => other !== undefined);
  return [{ start, end }, ...others.flatMap(extentsOf)];
}

function isWithin(token: Extent, { start, end }: Extent): boolean {
  return token.start >= start && token.end <= end;
}
