import type { QueryWord } from '../food-names.ts';
import { flagsOf, HEAD, STATE } from '../names/name-sections.ts';
import { wordsOfName } from '../names/name-words.ts';
import { GROUP_NAMES, groupIn, groupOfHead, readTraits, TRAITS } from '../names/traits.ts';
import type { TextContext } from '../structure/context.ts';

/** The state of a food that a text states or implies. */
export interface RequestedState {
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
/** Stated states that a food has only if its name says so. */
const SPECIAL_STATES = dry | fried | canned | dried | preserved;

/** A food that is not known to have the stated state, such as "canned". */
const LACKING = 0.4;
/** Meat or fish of a recipe that is not known to be raw. */
const UNSTATED = 0.4;

const group = (name: (typeof GROUP_NAMES)[number]) => GROUP_NAMES.indexOf(name) + 1;
const STARCHY: ReadonlySet<number> = new Set([group('grain'), group('pulse')]);
const ANIMAL: ReadonlySet<number> = new Set([group('meat'), group('fish')]);
const FRESH: ReadonlySet<number> = new Set([group('vegetable'), group('fruit'), group('herb')]);

/** The states among the traits that a text states; 0 if it leaves the state open. */
export function statedOf({ said }: Pick<RequestedState, 'said'>): number {
  return said & (raw | dry | HEATED | SPECIAL_STATES);
}

/** Whether a text states that a food is as bought or as eaten; undefined if it states neither or both. */
export function formStatedBy({ said }: Pick<RequestedState, 'said'>): 'raw' | 'eaten' | undefined {
  const [isRaw, isHeated] = [(said & (raw | dry)) !== 0, (said & (HEATED | canned)) !== 0];
  return isRaw === isHeated ? undefined : isRaw ? 'raw' : 'eaten';
}

export function matchState(facts: number, { said, context, isMeasured }: RequestedState): StateMatch {
  const stated = statedOf({ said });
  if (stated !== 0) {
    const isOpposed = OPPOSED.some(
      ([one, other]) =>
        ((stated & one) !== 0 && (facts & other) !== 0 && (stated & other) === 0) ||
        ((stated & other) !== 0 && (facts & one) !== 0 && (stated & one) === 0),
    );
    const lacksDry = (stated & (dry | dried)) !== 0 && (facts & (dry | dried)) === 0;
    const lacks = (stated & SPECIAL_STATES & ~facts) !== 0;
    return {
      saidState: Number((stated & facts) !== 0),
      otherState: isOpposed || lacksDry ? 1 : lacks ? LACKING : 0,
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
  if (ANIMAL.has(own) && (facts & (raw | HEATED)) === 0) return UNSTATED;
  if (ANIMAL.has(own) || FRESH.has(own)) return Number((facts & HEATED) !== 0);
  return 0;
}

/** States that are searched for, with their word in English names. */
const STATE_WORDS = [
  [canned, 'canned'],
  [dried, 'dried'],
  [fried, 'fried'],
  [cooked, 'cooked'],
  [raw | dry, 'raw'],
] as const;

/** The words of a food's English name, with the state that a text states or implies instead of its own. */
export function wordsOfState(
  name: string,
  { said, context }: RequestedState,
): readonly QueryWord[] | undefined {
  const { ranges } = readTraits(name);
  const words = wordsOfName(name);
  const flags = flagsOf(words, ranges);
  const kept = words.flatMap(({ stem }, at) =>
    (flags[at]! & STATE) === 0 ? [{ stem, weight: 1, isHead: (flags[at]! & HEAD) !== 0 }] : [],
  );
  const head = kept.find(({ isHead }) => isHead)?.stem;
  if (head === undefined) return undefined;
  const [, word] = STATE_WORDS.find(([bits]) => (said & bits) !== 0) ?? [
    0,
    context === 'meal' ? 'cooked' : 'raw',
  ];
  const state = word === 'raw' && STARCHY.has(groupOfHead(head)) ? 'dry' : word;
  return [...kept, { stem: state, weight: 1 }];
}
