import { runAll, type Steps } from '@larder/search/index/steps.ts';
import type { Amount } from '../../amount.ts';
import type { Token } from '../../tokens.ts';
import { isArticle, isMeasured } from '../phrases/phrase.ts';
import {
  LATTICE_WEIGHTS,
  type LatticeFeature,
  type LatticeFeatures,
  type LatticeWeights,
  scoreOfFeatures,
} from './features.ts';
import type { FoodSpan } from './food-spans.ts';
import type { Segment } from './segments.ts';

/** How an amount fits a food. */
export interface Weighed {
  readonly grams: number | undefined;
  readonly fit: number;
}

export interface LatticePorts {
  readonly tokens: readonly Token[];
  /** From -1 (amounts follow their foods) to 1 (amounts precede them). */
  readonly style: number;
  /** Whether a food usually has others in or on it. */
  readonly isDish: (food: FoodSpan) => boolean;
  readonly isOf: (at: number) => boolean;
  readonly weigh: (food: FoodSpan, amount: Amount) => Weighed;
}

/** A segment of a derivation with the state after it. */
export interface Step {
  readonly segment: Segment;
  readonly previous: Step | undefined;
  readonly score: number;
  /** Features of the transition; those of the segment are apart. */
  readonly transition: LatticeFeatures;
  /** An amount that waits for its food. */
  readonly pending: Amount | undefined;
  /** The last food, or unknown words, to which an amount may still belong. */
  readonly food: FoodState | undefined;
  /** Qualifiers that have no food yet. */
  readonly isLoose: boolean;
  /** Words without a known meaning are among them, so that a food must follow. */
  readonly isOpen: boolean;
  /** The word before the next food, since the last one: "and", "with", ",". */
  readonly link: string;
}

interface FoodState {
  readonly at: number;
  readonly span: FoodSpan | undefined;
  readonly amount: Amount | undefined;
  /** A comma or parenthesis follows it. */
  readonly isClosed: boolean;
  /** Foods after it may be parts of it: "250 g lasagna with meat and cheese". */
  readonly isHost: boolean;
}

/** A way to read a text. */
export interface Derivation {
  readonly last: Step;
  readonly score: number;
  readonly transition: LatticeFeatures;
}

const START: Omit<Step, 'segment'> = {
  previous: undefined,
  score: 0,
  transition: {},
  pending: undefined,
  food: undefined,
  isLoose: false,
  isOpen: false,
  link: '',
};

/** Steps kept for each state, and for each token. */
const WIDTH = { ofState: 3, ofToken: 36 };
/** Steps kept in texts of more than `LONG` tokens, which bounds their cost. */
const WIDTH_OF_LONG = { ofState: 1, ofToken: 8 };
const LONG = 100;
/** Tokens after which other work may run. */
const TOKENS_A_STEP = 40;
/** From this weight on, an item is improbable. */
export const HEAVY_GRAMS = 1_500;

type State = Omit<Step, 'segment' | 'previous' | 'score'>;

/**
 * The best ways through a lattice, best first: for each token the best steps of each state are kept, so that features may
 * depend on all that a state holds.
 */
export function* searchDerivations(
  lattice: readonly (readonly Segment[])[],
  ports: LatticePorts,
  count: number,
  weights: LatticeWeights = LATTICE_WEIGHTS,
): Steps<Derivation[]> {
  const ends: Step[][] = Array.from({ length: lattice.length + 1 }, () => []);
  const search = new Transitions(ports);
  const width = lattice.length > LONG ? WIDTH_OF_LONG : WIDTH;
  for (const [at, segments] of lattice.entries()) {
    if (at % TOKENS_A_STEP === TOKENS_A_STEP - 1) yield;
    const starts = at === 0 ? [undefined] : keptOf(ends[at]!, width);
    for (const segment of segments) {
      const own = scoreOfFeatures(segment.features, weights);
      for (const previous of starts) {
        const state = search.after(previous ?? START, segment);
        if (state === undefined) continue;
        const score = (previous?.score ?? 0) + own + scoreOfFeatures(state.transition, weights);
        ends[segment.to]!.push({ segment, previous, score, ...state });
      }
    }
  }
  return ends
    .at(-1)!
    .filter(({ isOpen }) => !isOpen)
    .map((last) => {
      const transition = search.closing(last);
      return { last, transition, score: last.score + scoreOfFeatures(transition, weights) };
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, count);
}

export function bestDerivations(...search: Parameters<typeof searchDerivations>): Derivation[] {
  return runAll(searchDerivations(...search));
}

/** The best steps of each state. */
function keptOf(steps: readonly Step[], width: typeof WIDTH): Step[] {
  const counts = new Map<string, number>();
  const kept: Step[] = [];
  for (const step of steps.toSorted((a, b) => b.score - a.score)) {
    const key = keyOf(step);
    const count = counts.get(key) ?? 0;
    if (count === width.ofState) continue;
    counts.set(key, count + 1);
    kept.push(step);
    if (kept.length === width.ofToken) break;
  }
  return kept;
}

function keyOf({ pending, food, isLoose, isOpen, link, segment }: Step): string {
  const amount = food?.amount === undefined ? 0 : isMeasured(food.amount) ? 2 : 1;
  const of = food === undefined ? '-' : `${amount}${Number(food.isClosed)}${Number(food.isHost)}`;
  return `${pending === undefined ? 0 : 1}${of}${Number(isLoose)}${Number(isOpen)}${link === '' ? 0 : 1}${segment.label}`;
}

/** Computes the state after a segment, and the features of the way there. */
class Transitions {
  readonly #ports: LatticePorts;

  constructor(ports: LatticePorts) {
    this.#ports = ports;
  }

  /** Undefined if the segment cannot follow. */
  after(before: Omit<Step, 'segment'> & { readonly segment?: Segment }, segment: Segment): State | undefined {
    const { pending, food, isLoose, isOpen, link } = before;
    const same = { pending, food, isLoose, isOpen, link, transition: {} };
    if (isOpen && ENDING.has(segment.label)) return undefined;
    switch (segment.label) {
      case 'break':
        return { ...CLEAR, transition: this.closing(before) };
      case 'separator': {
        const text = this.#ports.tokens[segment.from]!.text;
        const transition = text === '(' || text === ':' ? loose(isLoose) : this.closing(before);
        return {
          pending: text === '(' || text === ':' ? pending : undefined,
          food: food && { ...food, isClosed: true, isHost: food.isHost && text === ',' },
          isLoose: false,
          isOpen: false,
          link: ',',
          transition,
        };
      }
      case 'and':
      case 'with': {
        const isHost =
          food !== undefined &&
          (segment.label === 'with' ? food.amount !== undefined && isMeasured(food.amount) : food.isHost);
        return {
          pending: undefined,
          food: food && { ...food, isHost },
          isLoose,
          isOpen: false,
          link: this.#ports.tokens[segment.from]!.folded,
          transition: orphan(pending),
        };
      }
      case 'of':
        return { ...same, transition: pending === undefined ? { freeOf: 1 } : {} };
      case 'remark':
        // Unknown words before "in" describe no food after it: "2 xqzvw in tomato sauce".
        return segment.isLink === true && isOpen && pending !== undefined ? undefined : same;
      case 'heading':
        return { ...CLEAR, transition: this.closing(before) };
      case 'negated':
      case 'qualifier': {
        const alone = food === undefined || food.isClosed || link !== '';
        const isFree = segment.features.freeQualifier === 1;
        return { ...same, isLoose: isLoose || alone, isOpen: isOpen || (isFree && alone) };
      }
      case 'unknown':
        return {
          pending: undefined,
          food: { at: segment.from, span: undefined, amount: pending, isClosed: false, isHost: false },
          isLoose: false,
          isOpen: false,
          link: '',
          transition: {},
        };
      case 'before':
        return this.#before(same, segment.amount!);
      case 'after':
        return this.#after(same, segment.amount!);
      case 'part':
        return this.#part(same);
      case 'food':
        return this.#food(same, segment);
    }
  }

  #before(state: State, amount: Amount): State | undefined {
    const { pending, food, link } = state;
    const transition: LatticeFeatures = {};
    if (pending !== undefined && !isArticle(pending)) transition.secondAmount = 1;
    if (food !== undefined && !food.isClosed && link === '') transition.beforeAfterFood = 1;
    if (!isArticle(amount)) transition.beforeStyle = this.#ports.style;
    const isLess = pending !== undefined && isMeasured(pending) && !isMeasured(amount);
    return { ...state, pending: isLess ? pending : amount, transition };
  }

  #after(state: State, amount: Amount): State | undefined {
    const { pending, food, link } = state;
    if (pending !== undefined || food === undefined || (link !== '' && link !== ',')) return undefined;
    if (food.amount !== undefined && !isArticle(food.amount)) {
      // The weight of "2 eggs (120 g)" counts.
      if (isMeasured(food.amount) || !(isMeasured(amount) || amount.litres === true)) return undefined;
    }
    const transition: LatticeFeatures = { afterStyle: this.#ports.style };
    if (food.amount !== undefined && !isArticle(food.amount)) transition.secondAmount = 1;
    if (food.isClosed && amount.aside !== true) transition.afterComma = 1;
    this.#addWeight(transition, food.span, amount);
    return { ...state, food: { ...food, amount, isClosed: true, isHost: false }, link: '', transition };
  }

  /** A food that is part of the weighed one before: "250 g lasagna with meat and cheese". */
  #part(state: State): State | undefined {
    const { pending, food, link } = state;
    if (food?.isHost !== true || food.isClosed || link === '' || pending !== undefined) return undefined;
    const isOfDish = food.span !== undefined && this.#ports.isDish(food.span);
    const transition: LatticeFeatures = { part: 1, ...(isOfDish && { partOfDish: 1 }) };
    return { ...state, link: '', isOpen: false, isLoose: false, transition };
  }

  #food({ pending, food, link }: State, { from, food: span }: Segment): State {
    const transition: LatticeFeatures = {};
    if (food !== undefined && !food.isClosed && link === '' && pending === undefined) {
      if (food.amount === undefined) transition.foodAfterFood = 1;
      else transition.foodAfterWeighed = 1;
    }
    if (from > 0 && pending === undefined && this.#ports.isOf(from - 1)) transition.foodAfterOf = 1;
    if (pending === undefined) transition.bare = 1;
    else this.#addWeight(transition, span, pending);
    return {
      pending: undefined,
      food: { at: from, span, amount: pending, isClosed: false, isHost: false },
      isLoose: false,
      isOpen: false,
      link: '',
      transition,
    };
  }

  #addWeight(transition: LatticeFeatures, span: FoodSpan | undefined, amount: Amount): void {
    if (span === undefined) return;
    const { grams, fit } = this.#ports.weigh(span, amount);
    if (grams === undefined) transition.unweighable = 1;
    else if (grams > HEAVY_GRAMS) transition.heavy = 1;
    transition.amountFit = fit;
  }

  /** The features of what is left at the end of a text or sentence. */
  closing({ pending, isLoose }: Pick<Step, 'pending' | 'isLoose'>): LatticeFeatures {
    return { ...orphan(pending), ...loose(isLoose) };
  }
}

const CLEAR = { pending: undefined, food: undefined, isLoose: false, isOpen: false, link: '' } as const;

/** Labels that end a clause. */
const ENDING: ReadonlySet<Segment['label']> = new Set([
  'break',
  'separator',
  'and',
  'with',
  'heading',
  'unknown',
  'after',
]);

function orphan(pending: Amount | undefined): LatticeFeatures {
  return pending === undefined || isArticle(pending) ? {} : { orphanAmount: 1 };
}

function loose(isLoose: boolean): LatticeFeatures {
  return isLoose ? { qualifiersAlone: 1 } : {};
}

/** The steps of a derivation in order. */
export function stepsOf({ last }: Derivation): Step[] {
  const steps: Step[] = [];
  for (let step: Step | undefined = last; step !== undefined; step = step.previous) steps.push(step);
  return steps.reverse();
}

/** The sums of all features of a derivation. */
export function featuresOfDerivation(derivation: Derivation): LatticeFeatures {
  const sums: LatticeFeatures = {};
  const add = (features: LatticeFeatures) => {
    for (const name in features) {
      const feature = name as LatticeFeature;
      sums[feature] = (sums[feature] ?? 0) + features[feature]!;
    }
  };
  add(derivation.transition);
  for (const { segment, transition } of stepsOf(derivation)) {
    add(segment.features);
    add(transition);
  }
  return sums;
}
