import { kindsOf, MAX_PHRASE_WORDS, SMALL_WORDS, sameFoods } from '@larder/core/words/related-words.ts';
import type { GivenDocument, PlanRunner } from './match/plan-walk.ts';
import type { TopHits } from './match/top-hits.ts';
import type { Plan, Slot } from './query/plan.ts';
import {
  type Budget,
  ENOUGH_ANSWERS,
  MAX_PARTIAL_WORK,
  MAX_QUERY_TOKENS,
  MAX_READINGS,
} from './query/query-limits.ts';
import {
  MAX_MISSING_SHARE,
  OTHER_WORDS_COST,
  REWRITE_COST,
  SAME_NAME,
  WIDER_COST,
} from './query/ranking-weights.ts';
import type { SlotMaker } from './query/slot-maker.ts';

/** Another interpretation of a query. */
interface Reading {
  readonly name: string;
  readonly tokens: readonly string[];
  /** Whether the last word may be an unfinished longer one. */
  readonly mayContinue: boolean;
  readonly cost: number;
}

/** Minimum letters of a joined word: "ice cream" is "icecream", "a b" is not "ab". */
const MIN_JOINED_LENGTH = 5;
const MIN_SPLIT_PART = 3;

/** Interpretations so close to the typed text that they always run. */
function closeReadings(tokens: readonly string[], words: SlotMaker): Reading[] {
  return [
    ...withoutSmallWords(tokens),
    ...joined(tokens, words),
    ...inOtherWords(tokens, words, sameFoods, OTHER_WORDS_COST),
  ].slice(0, MAX_READINGS);
}

/** Words split in two: "coca cola" for "cocacola". */
function splitReadings(tokens: readonly string[], words: SlotMaker): Reading[] {
  return split(tokens, words).slice(0, MAX_READINGS);
}

/** Varieties and brands replaced by their kind: "cola soft drink" for "pepsi". */
function widerReadings(tokens: readonly string[], words: SlotMaker): Reading[] {
  return inOtherWords(tokens, words, kindsOf, WIDER_COST).slice(0, MAX_READINGS);
}

function withoutSmallWords(tokens: readonly string[]): Reading[] {
  const kept: string[] = [];
  for (const [index, token] of tokens.entries()) {
    if (index === tokens.length - 1 || !SMALL_WORDS.has(token)) kept.push(token);
  }
  if (kept.length === tokens.length || kept.length === 0) return [];
  return [{ name: 'without small words', tokens: kept, mayContinue: true, cost: REWRITE_COST }];
}

function joined(tokens: readonly string[], words: SlotMaker): Reading[] {
  const readings: Reading[] = [];
  for (let at = 0; at + 1 < tokens.length; at++) {
    const word = tokens[at]! + tokens[at + 1]!;
    if (word.length < MIN_JOINED_LENGTH || words.documentsWith(word) === 0) continue;
    readings.push({
      name: `joined "${word}"`,
      tokens: tokens.toSpliced(at, 2, word),
      mayContinue: true,
      cost: REWRITE_COST,
    });
  }
  return readings;
}

/** Splits each word where the rarer half is as frequent as possible. */
function split(tokens: readonly string[], words: SlotMaker): Reading[] {
  const readings: Reading[] = [];
  for (const [at, token] of tokens.entries()) {
    let most = words.documentsWith(token);
    let parts: [string, string] | undefined;
    for (let cut = MIN_SPLIT_PART; cut + MIN_SPLIT_PART <= token.length; cut++) {
      const pair: [string, string] = [token.slice(0, cut), token.slice(cut)];
      const documents = Math.min(words.documentsWith(pair[0]), words.documentsWith(pair[1]));
      if (documents <= most) continue;
      most = documents;
      parts = pair;
    }
    if (parts === undefined) continue;
    readings.push({
      name: `split "${parts.join(' ')}"`,
      tokens: tokens.toSpliced(at, 1, ...parts),
      mayContinue: true,
      cost: REWRITE_COST,
    });
  }
  return readings;
}

function inOtherWords(
  tokens: readonly string[],
  words: SlotMaker,
  othersFor: (phrase: string) => readonly string[],
  cost: number,
): Reading[] {
  const readings: Reading[] = [];
  for (let length = Math.min(MAX_PHRASE_WORDS, tokens.length); length > 0; length--) {
    for (let at = 0; at + length <= tokens.length; at++) {
      const phrase = tokens.slice(at, at + length).join(' ');
      for (const other of othersFor(phrase)) {
        const replacement = other.split(' ');
        // Every slot already includes single-word synonyms.
        if (othersFor === sameFoods && length === 1 && replacement.length === 1) continue;
        if (!replacement.every((word) => words.documentsWith(word) > 0)) continue;
        readings.push({
          name: `"${other}" for "${phrase}"`,
          tokens: tokens.toSpliced(at, length, ...replacement),
          mayContinue: at + length < tokens.length,
          cost,
        });
      }
    }
  }
  return readings;
}

/** Minimum letters of a misspelt prefix without other words: shorter ones are rather words of other languages. */
const MIN_ALONE = 6;
/** With this many answers, frequent words are not treated as typos. */
const FEW_ANSWERS = 3;

/** Called after each plan with the answers so far. */
export type OnPlan = (plan: Plan, answers: TopHits) => void;

interface QueryRunOptions {
  readonly tokens: readonly string[];
  readonly slotMaker: SlotMaker;
  readonly runner: PlanRunner;
  /** Documents whose name may equal the typed text. */
  readonly named: readonly GivenDocument[];
  /** Documents that get a bonus if they match every typed word. */
  readonly favourites: readonly GivenDocument[];
  readonly answers: TopHits;
  readonly budget: Budget;
  /** Called after each plan, for explanations. */
  readonly onPlan: OnPlan | undefined;
}

/**
 * Tries the readings of one query, from the literal to the most tolerant, until there are enough results.
 *
 *     as typed ─▶ joined, split, in other words ─▶ typos in unknown words ─▶ typos anywhere ─▶ some words only ─▶ inside words
 */
export class QueryRun {
  readonly #options: QueryRunOptions;
  /** The slots of words as typed, since the readings share most words. */
  readonly #typed = new Map<string, Slot>();
  /** The slots of the query's words with typos. */
  readonly #misspelt: Slot[] = [];
  /** Postings of the last plan for these words. */
  #meaningsTried = 0;

  constructor(options: QueryRunOptions) {
    this.#options = options;
  }

  /** Returns the number of leading answers that have every word; infinity if the words found enough. */
  run(): number {
    const { tokens, slotMaker, runner, named, answers, budget } = this.#options;
    const typed = this.#typedSlots(tokens, true);
    for (const { size } of typed) this.#meaningsTried += size;
    const plan = { reading: 'as typed', slots: typed, cost: 0, maxMissingCost: 0 };
    if (named.length > 0) runner.runOver(named, plan, answers, budget);
    this.#runStrict(plan);
    this.#runReadings(closeReadings(tokens, slotMaker));
    // An unknown word may be two joined words, even if it is the prefix of a known one.
    if (this.#hasEnough() && tokens.every((token) => slotMaker.documentsWith(token) > 0))
      return this.#complete;
    this.#runReadings(splitReadings(tokens, slotMaker));
    if (this.#hasEnough()) return this.#complete;
    answers.narrowTo(ENOUGH_ANSWERS);
    const guessed = this.#guessTypos(typed);
    if (this.#hasEnough()) return this.#complete;
    this.#runReadings(widerReadings(tokens, slotMaker));
    const complete = this.#complete;
    this.#runPartial(guessed);
    if (answers.count > 0) return complete;
    const inside = guessed.map((slot) => (slot.size === 0 ? slotMaker.inside(slot.token) : slot));
    this.#runStrict({ ...plan, reading: 'inside words', slots: inside });
    const insideWords = this.#complete;
    if (insideWords === 0) this.#runPartial(inside);
    return insideWords;
  }

  /** Number of answers so far; infinite if they are enough. */
  get #complete(): number {
    const { count } = this.#options.answers;
    return count >= ENOUGH_ANSWERS ? Number.POSITIVE_INFINITY : count;
  }

  /** Tries typos in unknown words, then in rare ones, then in all. Returns the slots with typos in unknown words. */
  #guessTypos(typed: readonly Slot[]): readonly Slot[] {
    const { slotMaker, answers } = this.#options;
    const guessed = this.#tryTypos('typos in unknown words', typed, (slot) => slot.size === 0);
    if (!this.#hasEnough()) this.#tryTypos('typos in rare words', typed, (slot) => slotMaker.isRare(slot));
    if (answers.count < FEW_ANSWERS) this.#tryTypos('typos in any word', typed, () => true);
    return guessed;
  }

  /** Treats the suspects as misspelt, unless that adds nothing. */
  #tryTypos(reading: string, typed: readonly Slot[], isSuspect: (slot: Slot) => boolean): readonly Slot[] {
    const { slotMaker, budget } = this.#options;
    const guessed = typed.map((slot, index) => {
      if (!isSuspect(slot)) return slot;
      const mayContinue = index === typed.length - 1 && (index > 0 || slot.token.length >= MIN_ALONE);
      this.#misspelt[index] ??= slotMaker.withTypos(slot, mayContinue, budget);
      return this.#misspelt[index];
    });
    const meanings = guessed.reduce((sum, slot) => sum + slot.size, 0);
    if (meanings === this.#meaningsTried) return guessed;
    this.#meaningsTried = meanings;
    this.#runStrict({ reading, slots: guessed, cost: 0, maxMissingCost: 0 });
    return guessed;
  }

  #runReadings(readings: readonly Reading[]): void {
    const { runner, answers } = this.#options;
    for (const { name, tokens, mayContinue, cost } of readings) {
      if (tokens.length > MAX_QUERY_TOKENS || runner.isHopeless(tokens.length, cost, answers)) continue;
      const slots = this.#typedSlots(tokens, mayContinue);
      this.#runStrict({ reading: name, slots, cost, maxMissingCost: 0 });
    }
  }

  #hasEnough(): boolean {
    const { tokens, runner, answers, budget } = this.#options;
    if (answers.count >= ENOUGH_ANSWERS || answers.bestScore >= SAME_NAME || budget.isSpent) return true;
    // Each remaining step costs at least as much as joining two words, and may add a few words.
    const words = Math.min(tokens.length + MAX_PHRASE_WORDS, MAX_QUERY_TOKENS);
    return runner.isHopeless(words, REWRITE_COST, answers);
  }

  #typedSlots(tokens: readonly string[], mayContinue: boolean): Slot[] {
    const { slotMaker, budget } = this.#options;
    const slots: Slot[] = [];
    for (const [index, token] of tokens.entries()) {
      const isUnfinished = mayContinue && index === tokens.length - 1;
      // No token contains a space.
      const key = isUnfinished ? `${token} ` : token;
      let slot = this.#typed.get(key);
      if (slot === undefined) {
        slot = slotMaker.asTyped(token, isUnfinished, budget);
        this.#typed.set(key, slot);
      }
      slots.push(slot);
    }
    return slots;
  }

  /** Runs a plan in which every word is required. */
  #runStrict(plan: Plan): void {
    const { runner, favourites, answers, budget, onPlan } = this.#options;
    const slots: Slot[] = [];
    for (const slot of plan.slots) {
      if (slot.size === 0) return;
      slots.push({ ...slot, missingCost: Number.POSITIVE_INFINITY });
    }
    const strict = { ...plan, slots };
    if (favourites.length > 0) runner.runOver(favourites, strict, answers, budget);
    runner.run(strict, answers, budget);
    onPlan?.(strict, answers);
  }

  #runPartial(slots: readonly Slot[]): void {
    const { runner, answers, budget, onPlan } = this.#options;
    const known = slots.filter((slot) => slot.size > 0);
    if (known.length === 0 || slots.length < 2) return;
    const total = slots.reduce((sum, slot) => sum + slot.missingCost, 0);
    const unknown = total - known.reduce((sum, slot) => sum + slot.missingCost, 0);
    const maxMissingCost = total * MAX_MISSING_SHARE - unknown;
    if (maxMissingCost < 0) return;
    const plan = { reading: 'some of the words', slots: known, cost: unknown, maxMissingCost };
    budget.within(MAX_PARTIAL_WORK, () => runner.run(plan, answers, budget));
    onPlan?.(plan, answers);
  }
}
