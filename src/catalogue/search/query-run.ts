import type { GivenDocument, PlanRunner } from './match/plan-runner.ts';
import type { Answers } from './match/top-hits.ts';
import type { Slot } from './query/plan.ts';
import { type Plan, strictPlan } from './query/plan.ts';
import type { Budget } from './query/query-limits.ts';
import { ENOUGH_ANSWERS, MAX_PARTIAL_WORK, MAX_QUERY_TOKENS } from './query/query-limits.ts';
import { closeReadings, type Reading, splitReadings, widerReadings } from './query/query-variants.ts';
import { MAX_MISSING_SHARE, REWRITE_COST, SAME_NAME } from './query/ranking-weights.ts';
import type { SlotMaker } from './query/term-matcher.ts';
import { QuerySlots } from './query/term-matcher.ts';
import { MAX_PHRASE_WORDS } from './words/synonyms.ts';

/** With this many answers, frequent words are not treated as typos. */
const FEW_ANSWERS = 3;

/** Told of each plan that was run, with the answers up to then. */
export type OnPlan = (plan: Plan, answers: Answers) => void;

/**
 * Tries the readings of one query, from what was typed to what it may have meant, until there is enough to show.
 *
 *     as typed ─▶ joined, split, in other words ─▶ typos in unknown words ─▶ typos anywhere ─▶ some words only ─▶ inside words
 */
export class QueryRun {
  readonly #tokens: readonly string[];
  readonly #slotMaker: SlotMaker;
  readonly #slots: QuerySlots;
  readonly #runner: PlanRunner;
  readonly #documentsNamed: (tokens: readonly string[]) => Iterable<GivenDocument>;
  readonly #favourites: readonly GivenDocument[];
  readonly #answers: Answers;
  readonly #budget: Budget;
  readonly #onPlan: OnPlan | undefined;
  /** Postings of the last plan for these words. */
  #meaningsTried = 0;

  constructor(ports: {
    readonly tokens: readonly string[];
    readonly slotMaker: SlotMaker;
    readonly runner: PlanRunner;
    readonly documentsNamed: (tokens: readonly string[]) => Iterable<GivenDocument>;
    /** Documents that get a bonus if they match every typed word. */
    readonly favourites: readonly GivenDocument[];
    readonly answers: Answers;
    readonly budget: Budget;
    /** Called after each plan, for explanations. */
    readonly onPlan: OnPlan | undefined;
  }) {
    this.#tokens = ports.tokens;
    this.#slotMaker = ports.slotMaker;
    this.#slots = new QuerySlots(ports);
    this.#runner = ports.runner;
    this.#documentsNamed = ports.documentsNamed;
    this.#favourites = ports.favourites;
    this.#answers = ports.answers;
    this.#budget = ports.budget;
    this.#onPlan = ports.onPlan;
  }

  /** Returns how many of the answers, the first ones, have every word; infinity where the words found enough. */
  run(): number {
    const typed = this.#typedSlots(this.#tokens, true);
    const plan = strictPlan('as typed', typed, 0);
    this.#meaningsTried = typed.reduce((sum, slot) => sum + slot.size, 0);
    this.#runner.runOver(this.#documentsNamed(this.#tokens), plan, this.#answers, this.#budget);
    this.#runStrict(plan);
    this.#runReadings(closeReadings(this.#tokens, this.#slotMaker));
    // An unknown word may be two joined words, even if it is the prefix of a known one.
    if (this.#hasEnough() && this.#tokens.every((token) => this.#slotMaker.isWord(token)))
      return this.#complete;
    this.#runReadings(splitReadings(this.#tokens, this.#slotMaker));
    if (this.#hasEnough()) return this.#complete;
    this.#answers.narrowTo(ENOUGH_ANSWERS);
    const guessed = this.#guessTypos(typed);
    if (this.#hasEnough()) return this.#complete;
    this.#runReadings(widerReadings(this.#tokens, this.#slotMaker));
    const complete = this.#complete;
    this.#runPartial(guessed);
    if (this.#answers.count > 0) return complete;
    const inside = guessed.map((slot) => (slot.size === 0 ? this.#slotMaker.inside(slot.token) : slot));
    this.#runStrict(strictPlan('inside words', inside, 0));
    const insideWords = this.#complete;
    if (insideWords === 0) this.#runPartial(inside);
    return insideWords;
  }

  /** Number of answers so far; infinite if they are enough. */
  get #complete(): number {
    const { count } = this.#answers;
    return count >= ENOUGH_ANSWERS ? Number.POSITIVE_INFINITY : count;
  }

  /** Tries typos in unknown words, then in rare ones, then in all. Returns the slots with typos in unknown words. */
  #guessTypos(typed: readonly Slot[]): readonly Slot[] {
    const guessed = this.#tryTypos('typos in unknown words', typed, (slot) => slot.size === 0);
    if (!this.#hasEnough())
      this.#tryTypos('typos in rare words', typed, (slot) => this.#slotMaker.isRare(slot));
    if (this.#answers.count < FEW_ANSWERS) this.#tryTypos('typos in any word', typed, () => true);
    return guessed;
  }

  /** Treats the suspects as misspelt, unless that adds nothing. */
  #tryTypos(reading: string, typed: readonly Slot[], isSuspect: (slot: Slot) => boolean): readonly Slot[] {
    const guessed = typed.map((slot, index) =>
      isSuspect(slot) ? this.#slots.withTypos(slot.token, this.#isLast(index)) : slot,
    );
    const meanings = guessed.reduce((sum, slot) => sum + slot.size, 0);
    if (meanings === this.#meaningsTried) return guessed;
    this.#meaningsTried = meanings;
    this.#runStrict(strictPlan(reading, guessed, 0));
    return guessed;
  }

  #runReadings(readings: readonly Reading[]): void {
    for (const reading of readings) {
      const { length } = reading.tokens;
      if (length > MAX_QUERY_TOKENS || this.#runner.isHopeless(length, reading.cost, this.#answers)) continue;
      this.#runStrict(
        strictPlan(reading.name, this.#typedSlots(reading.tokens, reading.mayContinue), reading.cost),
      );
    }
  }

  #hasEnough(): boolean {
    const { count, bestScore } = this.#answers;
    if (count >= ENOUGH_ANSWERS || bestScore >= SAME_NAME || this.#budget.isSpent) return true;
    // Each remaining step costs at least as much as joining two words, and may add a few words.
    const words = Math.min(this.#tokens.length + MAX_PHRASE_WORDS, MAX_QUERY_TOKENS);
    return this.#runner.isHopeless(words, REWRITE_COST, this.#answers);
  }

  #isLast(index: number): boolean {
    return index === this.#tokens.length - 1;
  }

  #typedSlots(tokens: readonly string[], mayContinue: boolean): Slot[] {
    return tokens.map((token, index) =>
      this.#slots.asTyped(token, mayContinue && index === tokens.length - 1),
    );
  }

  #runStrict(plan: Plan): void {
    if (plan.slots.some((slot) => slot.size === 0)) return;
    const required = plan.slots.map((slot) => ({ ...slot, missingCost: Number.POSITIVE_INFINITY }));
    const strict = { ...plan, slots: required };
    if (this.#favourites.length > 0)
      this.#runner.runOver(this.#favourites, strict, this.#answers, this.#budget);
    this.#run(strict);
  }

  #runPartial(slots: readonly Slot[]): void {
    const known = slots.filter((slot) => slot.size > 0);
    if (known.length === 0 || slots.length < 2) return;
    const total = slots.reduce((sum, slot) => sum + slot.missingCost, 0);
    const unknown = total - known.reduce((sum, slot) => sum + slot.missingCost, 0);
    const maxMissingCost = total * MAX_MISSING_SHARE - unknown;
    if (maxMissingCost < 0) return;
    const plan = { reading: 'some of the words', slots: known, cost: unknown, maxMissingCost };
    this.#budget.within(MAX_PARTIAL_WORK, () => this.#run(plan));
  }

  #run(plan: Plan): void {
    this.#runner.run(plan, this.#answers, this.#budget);
    this.#onPlan?.(plan, this.#answers);
  }
}
