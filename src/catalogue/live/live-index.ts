import type { FavouriteFood } from '../favourite-foods.ts';
import type { Food, FoodId } from '../food.ts';
import type { ScoredFood, SearchOptions } from '../food-finder.ts';
import { type Favourite, SearchIndex } from '../search/search-index.ts';
import { SearchIndexBuilder } from '../search/search-index-builder.ts';
import { inStaticOrder, mergeHits } from './merge-hits.ts';

/** Foods in static order, with the index over them. */
interface Tier {
  readonly entries: readonly Entry[];
  readonly index: SearchIndex;
  /** How many entries are no longer the latest of their food. */
  dead: number;
}

interface Entry {
  readonly food: Food;
  /** Where it is indexed; not yet in any while its batch is applied. */
  tier: Tier | undefined;
  /** Its number there. */
  document: number;
}

/** A tier this many times as large as its successor is left alone; smaller ones are merged with it. */
const TIER_RATIO = 4;
/**
 * Merging blocks the thread for some 30 ms per thousand foods. So no merge makes a tier larger than this, or than a share
 * of all foods where that is more: without the latter there would be too many tiers, which every search has to visit.
 */
const MAX_MERGED = 4096;
const MAX_MERGED_SHARE = 0.125;
/** A tier with a larger share of dead entries is rebuilt, since every search has to skip them. */
const MAX_DEAD_SHARE = 0.125;

/**
 * A writable search index made of immutable ones of growing size (tiers), as in a log-structured merge tree. A batch of
 * writes becomes a small tier, and tiers of similar size are merged, so that a food is indexed about log4(foods) times in
 * its life. A query asks about as many tiers, plus a few large ones that are not merged any more. All tiers score like
 * the index of a catalogue.
 */
export class LiveIndex {
  /** Largest first. */
  #tiers: Tier[] = [];
  readonly #latest = new Map<FoodId, Entry>();

  get size(): number {
    return this.#latest.size;
  }

  /** Applies writes in their order; a food that is absent was deleted. */
  apply(changes: readonly { readonly id: FoodId; readonly food?: Food }[]): void {
    const added = new Map<FoodId, Entry>();
    for (const { id, food } of changes) {
      this.#bury(id);
      added.delete(id);
      if (food === undefined) continue;
      const entry: Entry = { food, tier: undefined, document: 0 };
      this.#latest.set(id, entry);
      added.set(id, entry);
    }
    this.#settle([...added.values()]);
  }

  /** The best `limit` foods, best first. */
  search(query: string, limit: number, { floor, favourites = [] }: SearchOptions = {}): ScoredFood[] {
    const found = this.#tiers.map((tier) => {
      const options = {
        ...(floor !== undefined && { floor }),
        favourites: this.#within(tier, favourites),
        accepts: this.#livingOf(tier),
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

  /** A filter for entries that are still the latest of their food; undefined where all are, which spares asking. */
  #livingOf({ entries, dead }: Tier): ((document: number) => boolean) | undefined {
    return dead === 0 ? undefined : (document) => this.#isLatest(entries[document]!);
  }

  #isLatest(entry: Entry): boolean {
    return this.#latest.get(entry.food.id) === entry;
  }

  #bury(id: FoodId): void {
    const entry = this.#latest.get(id);
    if (entry === undefined) return;
    this.#latest.delete(id);
    if (entry.tier !== undefined) entry.tier.dead++;
  }

  #settle(added: readonly Entry[]): void {
    const maxMerged = Math.max(MAX_MERGED, this.size * MAX_MERGED_SHARE);
    let pending = [...added];
    const kept: Tier[] = [];
    // From the smallest tier up: every tier that is not clearly larger than the one after it is merged with that.
    for (const tier of this.#tiers.toReversed()) {
      const alive = tier.entries.length - tier.dead;
      const worn = tier.dead > tier.entries.length * MAX_DEAD_SHARE;
      const isAlike = pending.length > 0 && alive < pending.length * TIER_RATIO;
      const joins = isAlike && alive + pending.length <= maxMerged;
      if (worn || joins) pending = [...tier.entries.filter((entry) => this.#isLatest(entry)), ...pending];
      else kept.unshift(tier);
    }
    this.#tiers = pending.length === 0 ? kept : [...kept, buildTier(pending)].sort(bySize);
  }
}

function buildTier(unordered: readonly Entry[]): Tier {
  const entries = unordered.toSorted((a, b) => inStaticOrder(a.food, b.food));
  const builder = new SearchIndexBuilder();
  for (const { food } of entries) builder.add(food);
  const tier = { entries, index: SearchIndex.open(builder.finish()), dead: 0 };
  for (const [document, entry] of entries.entries()) {
    entry.tier = tier;
    entry.document = document;
  }
  return tier;
}

function bySize(a: Tier, b: Tier): number {
  return b.entries.length - a.entries.length;
}
