import type { Language } from '../language.ts';
import type { Token } from '../tokens.ts';
import type { FoodNames } from './food-names.ts';
import { isNameOfFood } from './structure/exact-name.ts';

/** Maximum tokens of a name on each side of its number: "two" of "6 inch sub", "kawa 3 w 1". */
const MAX_BESIDE = 3;
/** Maximum parts of a text that are compared with names: those around some 70 numbers. Further numbers are no names. */
const MAX_COMPARED = 2_000;
const NOTHING = /^0(?:[.,]0)?$/;
const ZERO = 'zero';
const JOINED_SIGN = /^[-‐+&]$/;

/**
 * Makes the numbers in names of foods words of these: "chicken 65", "7up", "after eight", "1664". Returns the same array if
 * there is none.
 */
export function markNumberedNames(
  tokens: readonly Token[],
  text: string,
  language: Language,
  names: FoodNames,
): readonly Token[] {
  const marked = new Map<number, Token>();
  const isName = nameTest(names);
  for (const [at, token] of tokens.entries()) {
    if (marked.has(at) || !isNumber(tokens, at, language)) continue;
    const [from, to] = nameAround(tokens, at, text, language, isName) ?? [];
    const isZero = from === undefined && NOTHING.test(token.text) && saysZero(tokens, at, isName);
    if (isZero) marked.set(at, { ...token, kind: 'word', folded: ZERO, isOfName: true });
    for (let each = from!; each < to!; each++)
      marked.set(each, { ...tokens[each]!, kind: 'word', isOfName: true });
  }
  return marked.size === 0 ? tokens : tokens.map((token, at) => marked.get(at) ?? token);
}

/** Tells names of foods, each text once. */
function nameTest(names: FoodNames): (said: string) => boolean {
  const compared = new Map<string, boolean>();
  return (said) => {
    const known = compared.get(said);
    if (known !== undefined || compared.size >= MAX_COMPARED) return known ?? false;
    const is = isNameOfFood(said, names);
    compared.set(said, is);
    return is;
  };
}

/** Whether "0" after a word is the "zero" of its name: "coca cola 0". */
function saysZero(tokens: readonly Token[], at: number, isName: (said: string) => boolean): boolean {
  const before = tokens.slice(Math.max(0, at - MAX_BESIDE), at);
  return before.some((_, from) => {
    const said = before.slice(from);
    return (
      said.every(({ kind }) => kind === 'word') && isName([...said.map(({ text }) => text), ZERO].join(' '))
    );
  });
}

function isNumber(tokens: readonly Token[], at: number, { cardinals, fractions }: Language): boolean {
  const next = tokens[at + 1]?.text ?? '';
  // "demi-baguette" is half of one.
  if (next === '%' || (JOINED_SIGN.test(next) && fractions.has(tokens, at))) return false;
  // "One bar" is a name, but most people mean a number.
  return (
    tokens[at]!.kind === 'number' || fractions.has(tokens, at) || (cardinals.at(tokens, at)?.value ?? 1) !== 1
  );
}

/** The longest name around a number, as tokens. */
function nameAround(
  tokens: readonly Token[],
  at: number,
  text: string,
  language: Language,
  isName: (said: string) => boolean,
): readonly [from: number, to: number] | undefined {
  const mayHold = (other: number) =>
    /word|number/.test(tokens[other]?.kind ?? '') || JOINED_SIGN.test(tokens[other]?.text ?? '');
  let [first, last] = [at, at];
  while (first > 0 && at - first < MAX_BESIDE && mayHold(first - 1)) first--;
  while (last - at < MAX_BESIDE && mayHold(last + 1)) last++;
  for (let length = last - first + 1; length > 0; length--) {
    for (let from = Math.max(first, at - length + 1); from <= at && from + length - 1 <= last; from++) {
      const to = from + length;
      if (length === 1 && (isBesideName(tokens, at, language) || isPartOfNext(tokens, at, language)))
        continue;
      if (isName(text.slice(tokens[from]!.start, tokens[to - 1]!.end))) return [from, to];
    }
  }
  return undefined;
}

/** "un tercio" is a beer, "un tercio de pizza" is a part. */
function isPartOfNext(tokens: readonly Token[], at: number, { fractions }: Language): boolean {
  return fractions.has(tokens, at) && tokens[at + 1]?.kind === 'word';
}

/** Whether a number stands beside a word that may be its food or its unit; "1664" is a name only by itself. */
function isBesideName(
  tokens: readonly Token[],
  at: number,
  { connectors, and, articles }: Language,
): boolean {
  return [at - 1, at + 1].some(
    (other) =>
      tokens[other]?.kind === 'word' && ![connectors, and, articles].some((list) => list.has(tokens, other)),
  );
}
