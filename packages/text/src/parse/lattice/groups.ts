import type { Amount } from '../../amount.ts';
import { UNITS } from '../../units.ts';
import { usualPortionOf } from '../grams/usual-portions.ts';
import type { Extent } from '../meal-item.ts';
import { wordsOfName } from '../names/name-words.ts';
import { isArticle, isMeasured } from '../phrases/phrase.ts';
import type { TextToRead } from '../structure/recipe-line.ts';
import { type Derivation, type Step, stepsOf } from './derivations.ts';
import type { Label, Segment } from './segments.ts';

/** The foods of a derivation, each with its amount; a dish that is described by its parts is one. */
export function groupsOf(derivation: Derivation, read: TextToRead): readonly Group[] {
  const grouping = new Grouping(read);
  for (const step of stepsOf(derivation)) grouping.add(step);
  const groups = grouping.finish();
  applyEach(groups, read);
  applyToHosts(groups, read);
  return withoutWholes(withFillings(withoutEggs(groups, read), read), read);
}

/** A key of the words of a food and its amount. */
export function saidOf({ from, to }: Segment, amount: Amount | undefined): string {
  return `${from}-${to} ${amount?.firstToken}-${amount?.endToken}`;
}

const DIVIDING: ReadonlySet<Label> = new Set(['break', 'separator', 'heading']);

/** Gives each step of a derivation to the food that it says something about. */
class Grouping {
  readonly #read: TextToRead;
  readonly #groups: Group[] = [];
  /** Steps that describe the next food. */
  #before: Step[] = [];
  #link = '';

  constructor(read: TextToRead) {
    this.#read = read;
  }

  add(step: Step): void {
    const { segment } = step;
    const { label } = segment;
    const last = this.#groups.at(-1);
    if (label === 'food' || label === 'unknown') this.#begin(step);
    else if (DIVIDING.has(label) || label === 'and' || label === 'with') this.#divide(step);
    else if (label === 'part') {
      last!.parts.push(segment);
      this.#before = [];
    } else if (label === 'after') {
      last!.amount = segment.amount;
      last!.after.push(step);
    } else if (step.isLoose || step.pending !== undefined || last === undefined) this.#before.push(step);
    else last.after.push(step);
  }

  finish(): readonly Group[] {
    this.#groups.at(-1)?.after.push(...this.#before);
    return this.#groups;
  }

  #begin(step: Step): void {
    const [before, link] = [[...this.#sizesBefore(step), ...this.#before], this.#link];
    this.#groups.push({ step, before, after: [], parts: [], amount: step.food?.amount, link });
    this.#before = [];
    this.#link = '';
  }

  /** Takes the size directly before a food from the food before it: "burger large fries"; in many languages sizes follow. */
  #sizesBefore({ segment: { from } }: Step): readonly Step[] {
    const { tokens, language } = this.#read;
    const after = this.#groups.at(-1)?.after;
    const last = after?.at(-1)?.segment;
    const isSize = last?.label === 'qualifier' && last.to === from && language.sizes.has(tokens, last.from);
    return isSize && !language.sizesFollow ? after!.splice(-1) : [];
  }

  #divide({ segment, pending }: Step): void {
    const { label, from } = segment;
    this.#link = DIVIDING.has(label) ? ',' : this.#read.tokens[from]!.folded;
    // Qualifiers without a food of their own describe the food before: "rice 75 g, raw".
    const last = this.#groups.at(-1);
    if (pending !== undefined || last === undefined || label === 'and') return;
    last.after.push(...this.#before);
    this.#before = [];
  }
}

/** Gives the amount of "20 g each of nuts and raisins" to each of them. */
function applyEach(groups: readonly Group[], { tokens, words }: TextToRead): void {
  let each: Amount | undefined;
  for (const group of groups) {
    const isEach = group.amount !== undefined && words.each.has(tokens[group.amount.endToken]?.folded ?? '');
    if (isEach) each = group.amount;
    else if (group.amount !== undefined || group.link === '') each = undefined;
    else group.amount = each;
  }
}

/** Content of a container for which nobody states an addition, in g or ml. */
const CONTAINER = 240;

/**
 * Gives the cup of "chai with sugar 1 cup" to the drink, since nobody eats half as much sugar, and the weight of "gnocchi al pesto
 * (180 g)" to the gnocchi.
 */
function applyToHosts(groups: readonly Group[], { names, words, tokens }: TextToRead): void {
  for (const [at, group] of groups.entries()) {
    const host = groups[at - 1];
    const { amount, link, step } = group;
    const hit = step.segment.food?.hits[0];
    const follows = amount?.unit !== undefined && amount.firstToken >= step.segment.to;
    if (!follows || hit === undefined || host === undefined || host.amount !== undefined) continue;
    if (!words.belonging.has(link)) continue;
    const unit = UNITS[amount.unit!];
    const isAside = tokens[amount.firstToken - 1]?.text === '(' && unit.grams !== undefined;
    const isFull = unit.kind === 'container' || amount.unit === 'cup';
    if (!isAside && !isFull) continue;
    const usual = usualPortionOf(names.foodAt(hit.document));
    const mayBeAddition = isAside
      ? usual === undefined || amount.quantity * unit.grams! <= usual.p90
      : 2 * (usual?.p95 ?? CONTAINER) >= CONTAINER;
    if (mayBeAddition) continue;
    for (const each of [host, group]) each.said = saidOf(each.step.segment, each.amount);
    host.amount = amount;
    group.amount = undefined;
    group.after.splice(
      group.after.findIndex(({ segment }) => segment.amount === amount),
      1,
    );
  }
}

/** Heads of English names of dishes that are counted in eggs: "Scrambled eggs", "Ham omelet". */
const OF_EGGS: ReadonlySet<string> = new Set(['omelet', 'omelette', 'frittata', 'egg']);

/** Counts the eggs of "3 egg omelette" and "omelette 2 œufs" as the dish. */
function withoutEggs(groups: readonly Group[], { names }: TextToRead): readonly Group[] {
  const stemsOf = ({ step: { segment } }: Group) => {
    const hit = segment.food?.hits[0];
    const words = hit === undefined ? [] : wordsOfName(names.foodAt(hit.document).name);
    return words.filter(({ part }) => part === 0).map(({ stem }) => stem);
  };
  /** Where a group begins whose number is directly before its food; undefined if it does not count pieces. */
  const countedFrom = ({ amount, step: { segment } }: Group) =>
    amount !== undefined &&
    amount.unit === undefined &&
    !isArticle(amount) &&
    amount.endToken === segment.from
      ? amount.firstToken
      : undefined;
  const areOf = (eggs: Group, dish: Group) => {
    if (dish.amount !== undefined && !isArticle(dish.amount)) return false;
    const stems = stemsOf(dish);
    return stemsOf(eggs).join() === 'egg' && stems.join() !== 'egg' && OF_EGGS.has(stems.at(-1) ?? '');
  };
  const left: Group[] = [];
  for (const group of groups) {
    const last = left.at(-1);
    const isBefore =
      last !== undefined &&
      countedFrom(last) !== undefined &&
      last.step.segment.to === group.step.segment.from &&
      areOf(last, group);
    const isAfter = last !== undefined && last.step.segment.to === countedFrom(group) && areOf(group, last);
    if (!isBefore && !isAfter) {
      left.push(group);
      continue;
    }
    const [{ amount, step }, dish] = isBefore ? [last, group] : [group, last!];
    const said = saidOf(dish.step.segment, dish.amount);
    left[left.length - 1] = { ...dish, amount, said, parts: [...dish.parts, step.segment], counted: 'egg' };
  }
  return left;
}

/** Foods that are compared with the words of a dish and one of its fillings, and the minimum score of its name. */
const FILLED = 8;
const MIN_FILLED = 0.9;

/** Reads "ham and pickle sandwich" as one dish, by the filling that names one: a ham sandwich. */
function withFillings(
  groups: readonly Group[],
  { names, tokens, words: { mixed, listing } }: TextToRead,
): readonly Group[] {
  const left: Group[] = [];
  for (const group of groups) {
    const { segment } = group.step;
    const dish = segment.food;
    const isDish = dish?.words.length === 1 && mixed.has(dish.words[0]!.stem);
    const fillings = isDish
      ? fillingsBefore(group, left, (at) => listing.has(tokens[at]!.folded))
      : undefined;
    if (dish === undefined || fillings === undefined) {
      left.push(group);
      continue;
    }
    const named = fillings.map((filling) => {
      const words = [
        ...(filling.food?.words ?? []).map((word) => ({ ...word, isHead: false })),
        ...dish.words,
      ];
      return { words, hits: names.find(words, FILLED) };
    });
    const { words, hits } = named.find((each) => (each.hits[0]?.score ?? 0) >= MIN_FILLED) ?? dish;
    const first = left.find(({ step }) => step.segment === fillings[0])!;
    const step = {
      ...group.step,
      segment: { ...segment, from: fillings[0]!.from, food: { ...dish, words, hits } },
    };
    left.splice(left.indexOf(first));
    const said = saidOf(segment, undefined);
    left.push({ ...group, step, before: first.before, parts: fillings, link: first.link, said });
  }
  return left;
}

/** Two foods with "and" between them, without amounts, directly before a dish. The second may have no name of its own. */
function fillingsBefore(
  { before, amount, step: { segment } }: Group,
  groups: readonly Group[],
  isLink: (at: number) => boolean,
): Segment[] | undefined {
  const [described] = before;
  const last = described === undefined ? groups.at(-1) : undefined;
  const second = described?.segment ?? last?.step.segment;
  if (described !== undefined && second?.features.freeQualifier !== 1) return undefined;
  const first = groups.at(described === undefined ? -2 : -1);
  const isBare = (each: Group | undefined) => each?.amount === undefined;
  if (before.length > 1 || second === undefined || first === undefined || first === last) return undefined;
  const areFoods = first.step.segment.food !== undefined && second.amount === undefined;
  const areNext =
    second.to === segment.from && first.step.segment.to === second.from - 1 && isLink(second.from - 1);
  const areBare = amount === undefined && isBare(first) && isBare(last);
  return areFoods && areNext && areBare ? [first.step.segment, second] : undefined;
}

/**
 * Leaves out a dish whose parts follow in parentheses with their amounts, and a food whose parts are listed after a colon:
 * "oatmeal (50 g oats, 200 ml milk)", "Salad: 100 g tomatoes", "two tacos: a chicken taco and a beef taco".
 */
function withoutWholes(groups: readonly Group[], { tokens, words }: TextToRead): readonly Group[] {
  const kindOf = ({ step }: Group) => step.segment.food?.words.at(-1)?.stem;
  let dropped: Extent[] = [];
  return groups.filter((group, at) => {
    const { step, amount } = group;
    group.mentions = [...(group.mentions ?? []), ...dropped];
    dropped = [];
    const next = groups[at + 1];
    if (next?.amount === undefined || next.amount.firstToken > next.step.segment.from) return true;
    const between = tokens.slice(step.segment.to, next.step.segment.from).map(({ text }) => text);
    if (between.includes('(')) return amount !== undefined || !isMeasured(next.amount);
    if (!between.includes(':')) return true;
    const kind = kindOf(group);
    const isDish = amount === undefined && isMeasured(next.amount) && words.composed.has(kind ?? '');
    if (kind === undefined || kind !== kindOf(next)) return !isDish;
    const { from, to } = step.segment;
    dropped = [{ start: tokens[amount?.firstToken ?? from]!.start, end: tokens[to - 1]!.end }];
    return false;
  });
}

/** A food of a derivation with the steps that say something about it. */
export interface Group {
  readonly step: Step;
  readonly before: readonly Step[];
  readonly after: Step[];
  readonly parts: Segment[];
  amount: Amount | undefined;
  readonly link: string;
  /** The words before it that mention it. */
  mentions?: readonly Extent[];
  /** Its key with the amount that the derivation gave it. */
  said?: string;
  /** The stem of the unit that its amount counts. */
  readonly counted?: string;
}
