import type { Food, FoodId } from '@larder/core/food.ts';
import { SearchIndexBuilder } from '@larder/search/index/index-builder.ts';
import { mergeInSteps, type Steps, sortInSteps } from '@larder/search/index/steps.ts';
import { MAX_WORK } from '@larder/search/query/query-limits.ts';
import { type Favourite, SearchIndex } from '@larder/search/search-index.ts';
import type { FavouriteFood, ScoredFood, SearchOptions } from '@larder/text/parse/food-finder.ts';

/** Foods in static order, with the index over them. */
interface Tier {
  readonly entries: readonly Entry[];
  readonly index: SearchIndex;
  /** Characters of all its entries. */
  readonly weight: number;
  /** Characters of the entries that were changed or deleted since. */
  dead: number;
}

interface Entry {
  readonly food: Food;
  /** Characters that are indexed: indexing takes time in proportion. */
  readonly weight: number;
  /** Where it is indexed; undefined until it is. */
  tier: Tier | undefined;
  /** Its number there. */
  document: number;
  /** Whether it was changed or deleted since. */
  isDead: boolean;
}

/** A tier this many times as large as all smaller ones together is left alone; others are merged. */
const TIER_RATIO = 4;
/**
 * With so many tiers, new foods are indexed together with the smaller half: merging may be far behind where it is a large
 * tier's turn, or the thread is busy.
 */
const MAX_TIERS = 16;
/** A tier with a larger share of dead entries is built anew, since every search has to skip them. */
const MAX_DEAD_SHARE = 0.125;
/** Bytes for each character, in the food and in the index, roughly. */
const CHARACTER_BYTES = 12;
/** Bytes of a tier without foods. */
const TIER_BYTES = 25_000;
/** Characters that are split into words in one step. */
const STEP_CHARACTERS = 4_096;

/**
 * A writable search index made of immutable ones of growing size (tiers), as in a log-structured merge tree. Writes that
 * gathered become a small tier, and tiers of similar size are merged, so that a food is indexed about log4(foods) times in
 * its life. A query asks about as many tiers. All tiers score like the index of a catalogue.
 *
 *     apply ──▶ waiting ──index()──▶ tier ──merge()──▶ larger tier
 *
 * Both kinds of work are done in steps, between which everything else may be called. A food is found as soon as its tier is
 * built, and until it is changed or deleted.
 */
export class TieredIndex {
  /** Whether search finds everything that was applied. A field, since every request asks. */
  isComplete = true;
  /** Largest first. */
  #tiers: readonly Tier[] = [];
  readonly #latest = new Map<FoodId, Entry>();
  /** Those that are just made into another one. */
  readonly #inWork = new Set<Tier>();
  /** Not yet in a tier. */
  readonly #waiting = new Set<Entry>();
  #waitingCharacters = 0;

  get size(): number {
    return this.#latest.size;
  }

  /** What it takes in memory with the texts of its foods, those included that were changed or deleted; roughly. */
  get bytes(): number {
    const characters = this.#tiers.reduce((sum, { weight }) => sum + weight, this.#waitingCharacters);
    return characters * CHARACTER_BYTES + this.#tiers.length * TIER_BYTES;
  }

  /** Applies writes in their order; a food that is absent was deleted. */
  apply(changes: readonly { readonly id: FoodId; readonly food?: Food }[]): void {
    for (const { id, food } of changes) {
      this.#bury(id);
      if (food === undefined) continue;
      const entry: Entry = { food, weight: textLength(food), tier: undefined, document: 0, isDead: false };
      this.#latest.set(id, entry);
      this.#waiting.add(entry);
      this.isComplete = false;
      this.#waitingCharacters += entry.weight;
    }
  }

  /** Has search find what was applied. Not to be begun again before it has ended. */
  *index(): Steps<void> {
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting];
      const small = this.#tiers.length < MAX_TIERS ? [] : this.#idle().slice(-MAX_TIERS / 2);
      yield* this.#unite(small, yield* sortInSteps(batch, byStaticOrder));
      for (const entry of batch) this.#stopWaiting(entry);
    }
    this.isComplete = true;
  }

  /** Merges tiers of similar size, so that searches are fast. Not to be begun again before it has ended. */
  *merge(): Steps<void> {
    for (;;) {
      const tiers = this.#toMerge();
      if (tiers.length === 0) return;
      yield* this.#unite(tiers, []);
    }
  }

  /**
   * The best `limit` foods, best first. All tiers together may do as much work as one index, the smallest first: they have the
   * latest foods.
   */
  search(
    query: string,
    limit: number,
    { floor, favourites = [], work = { left: MAX_WORK } }: SearchOptions = {},
  ): ScoredFood[] {
    const found = this.#tiers.toReversed().map((tier) => {
      const options = {
        ...(floor !== undefined && { floor }),
        favourites: this.#within(tier, favourites),
        accepts: livingOf(tier),
        work,
      };
      const hits = tier.index.search(query, limit, options);
      return hits.map(({ document, score }) => ({ food: tier.entries[document]!.food, score }));
    });
    return mergeHits(found, limit);
  }

  #within(tier: Tier, favourites: readonly FavouriteFood[]): Favourite[] {
    return favourites.flatMap(({ id, timesEaten }) => {
      const entry = this.#latest.get(id);
      return entry?.tier === tier ? [{ document: entry.document, timesEaten }] : [];
    });
  }

  #bury(id: FoodId): void {
    const entry = this.#latest.get(id);
    if (entry === undefined) return;
    entry.isDead = true;
    this.#latest.delete(id);
    this.#stopWaiting(entry);
    if (entry.tier !== undefined) entry.tier.dead += entry.weight;
  }

  #stopWaiting(entry: Entry): void {
    if (this.#waiting.delete(entry)) this.#waitingCharacters -= entry.weight;
  }

  /** Tiers that may be chosen to be made into another one, largest first. */
  #idle(): readonly Tier[] {
    return this.#tiers.filter((tier) => !this.#inWork.has(tier));
  }

  /** Makes one tier of these and of new entries in static order. */
  *#unite(tiers: readonly Tier[], added: readonly Entry[]): Steps<void> {
    for (const tier of tiers) this.#inWork.add(tier);
    const living = tiers.map(({ entries }) => entries.filter(({ isDead }) => !isDead));
    this.#use(yield* buildTier(yield* mergeInSteps([...living, added], byStaticOrder)), tiers);
    for (const tier of tiers) this.#inWork.delete(tier);
  }

  /** Searches the new tier instead of those that it was made of. */
  #use(tier: Tier, instead: readonly Tier[]): void {
    for (const [document, entry] of tier.entries.entries()) {
      entry.tier = tier;
      entry.document = document;
      if (entry.isDead) tier.dead += entry.weight;
    }
    const kept = this.#tiers.filter((old) => !instead.includes(old));
    this.#tiers = (tier.dead === tier.weight ? kept : [...kept, tier]).toSorted(
      (a, b) => livingIn(b) - livingIn(a),
    );
  }

  /** Tiers that are to become one; none where all is well. */
  #toMerge(): readonly Tier[] {
    const alike: Tier[] = [];
    let weight = 0;
    const tiers = this.#idle();
    for (const tier of tiers.toReversed()) {
      if (alike.length > 0 && livingIn(tier) >= weight * TIER_RATIO) break;
      alike.push(tier);
      weight += livingIn(tier);
    }
    if (alike.length > 1) return alike;
    return tiers.filter((tier) => tier.dead > tier.weight * MAX_DEAD_SHARE).slice(0, 1);
  }
}

function* buildTier(entries: readonly Entry[]): Steps<Tier> {
  const builder = new SearchIndexBuilder();
  let weight = 0;
  let untilYield = STEP_CHARACTERS;
  for (const entry of entries) {
    builder.add(entry.food);
    weight += entry.weight;
    untilYield -= entry.weight;
    if (untilYield > 0) continue;
    untilYield = STEP_CHARACTERS;
    yield;
  }
  return { entries, index: SearchIndex.open(yield* builder.finishSmall()), weight, dead: 0 };
}

/** A filter for entries that are still the latest of their food; undefined where all are, which spares asking. */
function livingOf({ entries, dead }: Tier): ((document: number) => boolean) | undefined {
  return dead === 0 ? undefined : (document) => !entries[document]!.isDead;
}

function livingIn({ weight, dead }: Tier): number {
  return weight - dead;
}

function byStaticOrder(a: Entry, b: Entry): number {
  return inStaticOrder(a.food, b.food);
}

/** At least 1. */
function textLength({ name, brand = '', aliases }: Food): number {
  return aliases.reduce((sum, alias) => sum + alias.length, name.length + brand.length + 1);
}

/**
 * Merges lists of hits: always takes the better of the heads, and of equal ones the first in static order. Each list
 * keeps its own order, since an index puts copies of a name at the end whatever their score. So a shorter answer is
 * always the beginning of a longer one.
 */
export function mergeHits(lists: readonly (readonly ScoredFood[])[], limit: number): ScoredFood[] {
  const taken = lists.map(() => 0);
  const merged: ScoredFood[] = [];
  while (merged.length < limit) {
    const next = nextList(lists, taken);
    if (next < 0) break;
    merged.push(lists[next]![taken[next]!++]!);
  }
  return merged;
}

/** The list with the best head, or -1 when all are at their end. */
function nextList(lists: readonly (readonly ScoredFood[])[], taken: readonly number[]): number {
  let next = -1;
  let best: ScoredFood | undefined;
  for (const [at, list] of lists.entries()) {
    const head = list[taken[at]!];
    if (head === undefined || (best !== undefined && !comesBefore(head, best))) continue;
    next = at;
    best = head;
  }
  return next;
}

function comesBefore(a: ScoredFood, b: ScoredFood): boolean {
  return a.score > b.score || (a.score === b.score && inStaticOrder(a.food, b.food) < 0);
}

/** As in a catalogue: most popular first, then the shorter name. */
function inStaticOrder(a: Food, b: Food): number {
  return b.popularity - a.popularity || a.name.length - b.name.length || (a.id < b.id ? -1 : 1);
}
