import { runAll, type Steps } from '@larder/search/index/steps.ts';
import type { Amount } from '../../amount.ts';
import type { Token } from '../../tokens.ts';
import { UNITS } from '../../units.ts';
import type { Described } from '../grams/described.ts';
import { weighAmount } from '../grams/to-grams.ts';
import { isYield, piecesOf } from '../grams/typical-pieces.ts';
import { describe, type Extent, type MealItem, namedBy, sizeAmong } from '../meal-item.ts';
import { isEmptyWord, stemOf } from '../names/name-words.ts';
import { NamesOfParts } from '../phrases/names-of-parts.ts';
import type { PhraseWord } from '../phrases/phrase.ts';
import { isArticle, isMeasured } from '../phrases/phrase.ts';
import { UNKNOWN_WEIGHT } from '../phrases/word-weights.ts';
import type { TextToRead } from '../structure/recipe-line.ts';
import { isPreparedDish } from '../structure/told-by-parts.ts';
import {
  type Derivation,
  type LatticePorts,
  type Step,
  searchDerivations,
  stepsOf,
  type Weighed,
} from './derivations.ts';
import type { FoodSpan } from './food-spans.ts';
import { type Group, groupsOf, saidOf } from './groups.ts';
import { type Segment, segmentsOf } from './segments.ts';

/** An item of a derivation. */
export interface LatticeItem extends MealItem {
  /** The words around its name that say more about it. */
  readonly remarks: { readonly stems: readonly string[]; readonly text: string };
  /** The words without qualifiers. */
  readonly named: Extent;
  /** The probability that the text names this food with this amount. */
  readonly probability?: number;
  /** A key of its words and its amount. */
  readonly said: string;
  /** A key of all that decides its food and grams. */
  readonly key: string;
}

/** The lattice of a text. */
export interface Lattice {
  readonly segments: readonly (readonly Segment[])[];
  readonly ports: LatticePorts;
}

/** Derivations that are compared for the probability of an item. */
const COMPARED = 24;

function* latticeOf(read: TextToRead): Steps<Lattice> {
  const segments = yield* segmentsOf(read);
  return { segments, ports: portsOf(read) };
}

function portsOf(read: TextToRead): LatticePorts {
  const kept = new Map<FoodSpan, Map<Amount, Weighed>>();
  const weigh = (span: FoodSpan, amount: Amount) => {
    const ofSpan = kept.get(span) ?? new Map<Amount, Weighed>();
    kept.set(span, ofSpan);
    const weighed = ofSpan.get(amount) ?? weighedBy(read, span, amount);
    ofSpan.set(amount, weighed);
    return weighed;
  };
  const isOf = (at: number) => read.language.of.has(read.tokens, at);
  const { dishes, composed, filled } = read.words;
  const isDish = ({ words }: FoodSpan) =>
    words.some(({ stem }) => dishes.has(stem) || composed.has(stem) || filled.has(stem));
  return { tokens: read.tokens, style: styleOf(read), isOf, isDish, weigh };
}

function weighedBy(read: TextToRead, { words, hits, from, to }: FoodSpan, amount: Amount): Weighed {
  const described: Described = {
    amount,
    size: amount.size,
    words: describe(read.tokens, from, to, to),
    name: new Set(words.map(({ stem }) => stem)),
    language: read.language,
  };
  const weighed = weighAmount(read.names.foodAt(hits[0]!.document), described);
  return { grams: weighed?.basisAmount, fit: weighed?.fit ?? -1 };
}

/** Whether amounts precede (1) or follow (-1) their foods, by the clauses that begin or end with one. */
function styleOf({ tokens, amounts }: TextToRead): number {
  let [before, after] = [0, 0];
  const counting = amounts.filter((amount) => !isArticle(amount));
  let next = 0;
  for (let from = 0; from < tokens.length; ) {
    let to = from;
    while (to < tokens.length && !endsClause(tokens[to]!)) to++;
    const first = counting[next];
    while (next < counting.length && counting[next]!.firstToken < to) next++;
    const last = counting[next - 1];
    const begins = first?.firstToken === from;
    from = to + 1;
    if (first === undefined || first.firstToken >= to) continue;
    const closes = last?.endToken === to;
    if (begins && !closes) before++;
    else if (!begins && closes) after++;
    else if (!begins && tellsParts(tokens, first.firstToken, to)) before++;
    else if (!begins && !isMeasured(first)) before += INSIDE;
  }
  return before + after === 0 ? 0 : (before - after) / (before + after);
}

/** How much an amount within a clause says that it precedes its food: "coffee 2 sugars". */
const INSIDE = 0.5;

/** Whether the amounts of a clause precede the parts of a dish: "porridge 40 g oats 200 ml milk". */
function tellsParts(tokens: readonly Token[], amountAt: number, end: number): boolean {
  const dish = tokens[amountAt - 1];
  return dish !== undefined && isPreparedDish(stemOf(dish.folded)) && tokens[end - 1]?.kind === 'word';
}

function endsClause({ kind, text }: Token): boolean {
  return kind === 'break' || (kind === 'symbol' && !/^[-.%'’~:(]$/.test(text));
}

/** Reads a text as its best derivation, with the probability of each item among the best ones. */
export function* readLattice(read: TextToRead): Steps<readonly LatticeItem[]> {
  const lattice = yield* latticeOf(read);
  const derivations = yield* searchDerivations(lattice.segments, lattice.ports, COMPARED);
  const [best] = derivations;
  if (best === undefined) return [];
  const odds = derivations.map(({ score }) => Math.exp(score - best.score));
  const all = odds.reduce((sum, each) => sum + each, 0);
  const said = new Map<string, number>();
  for (const [at, derivation] of derivations.entries())
    for (const key of foodsOf(derivation)) said.set(key, (said.get(key) ?? 0) + odds[at]! / all);
  return itemsOf(best, read).map((item) => ({ ...item, probability: said.get(item.said) ?? 1 }));
}

/** The foods of a derivation with their amounts, as keys. */
function foodsOf(derivation: Derivation): string[] {
  const foods: [Segment, Amount | undefined][] = [];
  for (const { segment, food } of stepsOf(derivation)) {
    if (segment.label === 'food' || segment.label === 'unknown') foods.push([segment, food?.amount]);
    else if (segment.label === 'after') foods.at(-1)![1] = segment.amount;
  }
  return foods.map(([segment, amount]) => saidOf(segment, amount));
}

/** The foods of a derivation, and the words that may be unknown foods. */
export function itemsOf(derivation: Derivation, read: TextToRead): LatticeItem[] {
  return groupsOf(derivation, read).map((group) => toItem(group, read));
}

function toItem(
  {
    step,
    before,
    after,
    parts,
    amount,
    link,
    mentions = [],
    counted,
    said = saidOf(step.segment, amount),
  }: Group,
  read: TextToRead,
): LatticeItem {
  const { tokens, language, names, words: mealWords } = read;
  const { from, to, food } = step.segment;
  const phrases = food?.phrases ?? [];
  const [begin, nameTo] = nameOf(from, to, [...before, ...after]);
  // Words of praise are no part of an unknown name: "some delicious xqzvw".
  const nameFrom = food === undefined ? afterPraise(begin, nameTo, read) : begin;
  // A brand may be among the qualifiers: "zunkel hash browns".
  const named = [
    ...freeWords(nameFrom, from, before, read),
    ...(food?.words ?? unknownWords(from, to, read)),
    ...freeWords(to, nameTo, after, read),
  ];
  const part = partOf(before, named, amount, read);
  const words = [...(part?.words ?? []), ...named];
  const first = Math.min(from, ...before.map(({ segment }) => segment.from));
  const last = Math.max(to, ...after.map(({ segment }) => segment.to), amount?.endToken ?? 0);
  const lesser = [...before, ...after]
    .map(({ segment }) => segment.amount)
    .find((other) => other !== undefined && other !== amount && !isArticle(other));
  const remarks = remarksOf([...before, ...after], read);
  const ofName = food && namedBy(food.words, food.hits, names);
  const size = sizeAmong([{ firstToken: first, endToken: last }], tokens, language, ofName);
  return {
    words,
    hits: [...(part?.hits ?? []), ...(food?.hits ?? [])],
    size,
    link,
    firstToken: from,
    parts: new NamesOfParts(phrases.length > 0 ? phrases : [EMPTY_PHRASE], mealWords),
    described: [...(counted === undefined ? [] : [counted]), ...describe(tokens, first, last, last)],
    start: tokens[nameFrom]!.start,
    end: tokens[nameTo - 1]!.end,
    named: { start: tokens[from]!.start, end: tokens[to - 1]!.end },
    remarks,
    ...(mentions.length > 0 && { mentions }),
    ...(parts.length > 0 && {
      included: parts.map(({ from: start, to: end }) => ({
        start: tokens[start]!.start,
        end: tokens[end - 1]!.end,
      })),
    }),
    said,
    key: `${saidOf(step.segment, amount)} ${first}-${last} ${remarks.text}`,
    ...(amount !== undefined && { amount: eachOf(lesser, amount) ?? amount }),
    ...(lesser !== undefined && { lesserAmount: lesser }),
  };
}

/** The count with its volume: "3 Bier 0,5" are three of half a litre. */
function eachOf(count: Amount | undefined, volume: Amount): Amount | undefined {
  const isCount = count !== undefined && (count.unit === undefined || UNITS[count.unit].kind === 'container');
  if (!isCount || count.each !== undefined || volume.firstToken < count.endToken) return undefined;
  if (volume.litres !== true && (volume.unit === undefined || UNITS[volume.unit].kind !== 'volume'))
    return undefined;
  return { ...count, each: volume.litres === true ? { ...volume, unit: 'l' } : volume };
}

/** The tokens of a name with the qualifiers beside it: "large fries". */
function nameOf(from: number, to: number, steps: readonly Step[]): [number, number] {
  let [first, end] = [from, to];
  const qualifiers = steps
    .filter(({ segment }) => segment.label === 'qualifier')
    .map(({ segment }) => segment);
  for (const each of qualifiers.toReversed()) if (each.to === first) first = each.from;
  for (const each of qualifiers) if (each.from === end) end = each.to;
  return [first, end];
}

/** The first token from which a name says more than praise and small words. */
function afterPraise(from: number, to: number, { tokens, language, words }: TextToRead): number {
  let at = from;
  const isPraise = ({ folded }: Token) =>
    isEmptyWord(folded) ||
    words.fillers.has(folded) ||
    [language.praise, language.leading, language.vague].some((list) => list.has(tokens, at));
  while (at + 1 < to && isPraise(tokens[at]!)) at++;
  return at;
}

const EMPTY_PHRASE = { words: [], link: '', isPart: false } as never;

function unknownWords(from: number, to: number, { tokens }: TextToRead): PhraseWord[] {
  const words: PhraseWord[] = [];
  for (let token = from; token < to; token++) {
    const { kind, folded } = tokens[token]!;
    if (kind !== 'word' || isEmptyWord(folded)) continue;
    words.push({ stem: stemOf(folded), weight: UNKNOWN_WEIGHT, token });
  }
  return words;
}

/** Foods that may be a part of another one. */
const FOUND_OF_PART = 4;

/**
 * A part that is a food of its own, with its words: "whites of 3 eggs", "juice of a lemon". Counted yields of fruits, such as "juice of 2 lemons", are
 * weighed as these fruits, and so are "juice and zest".
 */
function partOf(
  steps: readonly Step[],
  named: readonly PhraseWord[],
  amount: Amount | undefined,
  { tokens, names }: TextToRead,
): Pick<LatticeItem, 'words' | 'hits'> | undefined {
  const part = steps.find(({ segment }) => segment.isPart === true)?.segment;
  if (part === undefined) return undefined;
  const stem = stemOf(tokens[part.from]!.folded);
  const words = [{ stem, weight: UNKNOWN_WEIGHT, token: part.from }];
  const all = [...words, ...named];
  const hits = names.find(all, FOUND_OF_PART);
  if (!isYield(stem)) return { words, hits };
  if (amount === undefined || !isArticle(amount)) return undefined;
  const yields = tokens.slice(part.from, part.to).filter(({ folded }) => isYield(stemOf(folded)));
  const counted = hits.filter(
    ({ document }) =>
      names.matchOf(all, document)?.lost.length === 0 &&
      piecesOf(names.foodAt(document).name, NOTHING_SAID)?.has('whole'),
  );
  return yields.length > 1 || counted.length === 0 ? undefined : { words, hits: counted };
}

const NOTHING_SAID: ReadonlySet<string> = new Set();

/** The words without a known meaning between two tokens. */
function freeWords(from: number, to: number, steps: readonly Step[], read: TextToRead): PhraseWord[] {
  return steps
    .map(({ segment }) => segment)
    .filter((each) => each.from >= from && each.to <= to && each.features.freeQualifier === 1)
    .flatMap((each) => unknownWords(each.from, each.to, read));
}

function remarksOf(steps: readonly Step[], { tokens }: TextToRead): LatticeItem['remarks'] {
  const stems: string[] = [];
  const texts: string[] = [];
  for (const { segment } of steps) {
    if (segment.amount !== undefined) continue;
    for (let at = segment.from; at < segment.to; at++) {
      const { kind, folded, text } = tokens[at]!;
      if (kind !== 'word' && kind !== 'number') continue;
      const percent = tokens[at + 1]?.text === '%' ? '%' : '';
      if (!isEmptyWord(folded))
        stems.push(kind === 'number' ? `${text.replace(',', '.')}${percent}` : stemOf(folded));
      texts.push(`${text}${percent}`);
    }
  }
  return { stems, text: texts.join(' ') };
}

export function latticeNow(read: TextToRead): Lattice {
  return runAll(latticeOf(read));
}
