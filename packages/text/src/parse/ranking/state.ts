import { GROUP_NAMES, groupIn, TRAITS } from '../names/traits.ts';

/** What a text is: a line of a recipe, whose foods are raw or dry, or a meal, whose foods are as eaten. */
export type TextContext = 'recipe' | 'meal';

/** The state of a food that a text states or implies. */
export interface AskedState {
  /** Traits that the text states. */
  readonly said: number;
  readonly context: TextContext;
  /** The amount is a weight or volume. */
  readonly isMeasured: boolean;
}

/** How the state of a food compares with that of a text, as features of the ranker. */
export interface StateMatch {
  /** The food has a state that the text states. */
  readonly saidState: number;
  /** The food is in another state than the text states. */
  readonly otherState: number;
  /** The text states none, and the food is in an unusual one for its context. */
  readonly unusualState: number;
}

const { raw, dry, cooked, fried, canned, dried, preserved } = TRAITS;
const HEATED = cooked | fried;
/** States that exclude one another, in both directions. */
const OPPOSED: readonly (readonly [number, number])[] = [
  [raw | dry, HEATED | canned],
  [raw, dried],
  [dried, HEATED | canned | raw],
  [canned, raw | dry | dried],
];
/** Said states that a food without them does not have. */
const SPECIAL_STATES = dry | fried | canned | dried | preserved;

const group = (name: (typeof GROUP_NAMES)[number]) => GROUP_NAMES.indexOf(name) + 1;
const STARCHY: ReadonlySet<number> = new Set([group('grain'), group('pulse')]);
const ANIMAL: ReadonlySet<number> = new Set([group('meat'), group('fish')]);
const FRESH: ReadonlySet<number> = new Set([group('vegetable'), group('fruit'), group('herb')]);

export function matchState(facts: number, { said, context, isMeasured }: AskedState): StateMatch {
  const stated = said & (raw | dry | HEATED | SPECIAL_STATES);
  if (stated !== 0) {
    const isOpposed = OPPOSED.some(
      ([one, other]) =>
        ((stated & one) !== 0 && (facts & other) !== 0 && (stated & other) === 0) ||
        ((stated & other) !== 0 && (facts & one) !== 0 && (stated & one) === 0),
    );
    const lacks = (stated & SPECIAL_STATES & ~facts) !== 0;
    return {
      saidState: Number((stated & facts) !== 0),
      otherState: isOpposed ? 1 : lacks ? 0.4 : 0,
      unusualState: 0,
    };
  }
  return { saidState: 0, otherState: 0, unusualState: unusual(facts, context, isMeasured) };
}

function unusual(facts: number, context: TextContext, isMeasured: boolean): number {
  const own = groupIn(facts);
  if (context === 'meal') {
    const uncooked = STARCHY.has(own) ? raw | dry : ANIMAL.has(own) ? raw : 0;
    return Number((facts & uncooked) !== 0);
  }
  if (STARCHY.has(own)) return Number(isMeasured && (facts & dry) === 0);
  if (ANIMAL.has(own) || FRESH.has(own)) return Number((facts & HEATED) !== 0);
  return 0;
}
