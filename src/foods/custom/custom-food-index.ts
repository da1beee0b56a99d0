import type { Food, FoodId } from '@larder/core/food.ts';
import { SearchIndexBuilder } from '@larder/search/index/index-builder.ts';
import { mergeInSteps, type Steps, sortInSteps } from '@larder/search/index/steps.ts';
import { mergeRanked } from '@larder/search/merge-ranked.ts';
import { MAX_WORK } from '@larder/search/query/query-limits.ts';
import { type Favourite, SearchIndex } from '@larder/search/search-index.ts';
import type { FavouriteFood, FoodHit, SearchOptions } from '@larder/text/parse/food-finder.ts';
import type { BackgroundWork } from '../../base/background-work.ts';

/** Foods in static order, with an immutable index over them. */
interface Part {
  readonly entries: readonly Entry[];
  readonly index: SearchIndex;
  /** Characters of all entries; building takes time in proportion to them. */
  readonly weight: number;
  /** Characters of entries that were changed or deleted since. */
  dead: number;
}

interface Entry {
  readonly food: Food;
  /** Indexed characters. */
  readonly weight: number;
  /** The part that contains it; undefined until it is indexed. */
  part: Part | undefined;
  /** Document number of the food in that part. */
  document: number;
  /** Whether the food was changed or deleted since. */
  isDead: boolean;
}

/**
 * The small part is folded when it has cost this share of building the large one. Searches wait for the small
 * one only.
 */
const FOLD_SHARE = 0.25;
/** A large part with a larger share of dead entries is rebuilt, because every search skips them. */
const MAX_DEAD_SHARE = 0.125;
/** Approximate bytes per character, in the food and in the index. */
const CHARACTER_BYTES = 12;
/** Approximate bytes of a part without foods. */
const PART_BYTES = 25_000;
/** Characters that are split into words in one step. */
const STEP_CHARACTERS = 4_096;

export interface IndexPorts {
  readonly work: BackgroundWork;
  /** Called with errors of background work. */
  readonly onError: (cause: unknown) => void;
}

/**
 * A writable search index, made of two immutable ones: a large one, and a small one of the latest writes.
 * Each batch of writes rebuilds the small one. Once that has cost a share of building the large one, the
 * small one is folded into it, so n single writes index about n · √n foods, and no search waits for the large
 * one.
 *
 *     put ──▶ waiting ──index()──▶ small ──▶ folding ──rebuild()──▶ large
 *
 * Both kinds of work run in steps, and any method may be called between steps. A food is found from the time
 * its index is built until it is changed or deleted. Scores are those of a catalogue's index.
 */
export class CustomFoodIndex {
  /** Whether search finds every food. A field, because every request reads it. */
  isComplete = true;
  #large: Part | undefined;
  /** A former small part that `rebuild` merges into the large one. */
  #folding: Part | undefined;
  #small: Part | undefined;
  /** Characters indexed in small parts since the last fold. */
  #spent = 0;
  readonly #latest = new Map<FoodId, Entry>();
  readonly #waiting = new Set<Entry>();
  #waitingCharacters = 0;
  #indexing: Promise<void> | undefined;
  #isRebuilding = false;

  /** Approximate memory, texts of the foods included. */
  get bytes(): number {
    const parts = this.#parts();
    const characters = parts.reduce((sum, { weight }) => sum + weight, this.#waitingCharacters);
    return characters * CHARACTER_BYTES + parts.length * PART_BYTES;
  }

  /** Adds a food, or replaces the one with its id. */
  put(food: Food): void {
    this.remove(food.id);
    const entry: Entry = { food, weight: textLength(food), part: undefined, document: 0, isDead: false };
    this.#latest.set(food.id, entry);
    this.#waiting.add(entry);
    this.#waitingCharacters += entry.weight;
    this.isComplete = false;
  }

  remove(id: FoodId): void {
    const entry = this.#latest.get(id);
    if (entry === undefined) return;
    entry.isDead = true;
    this.#latest.delete(id);
    this.#stopWaiting(entry);
    if (entry.part !== undefined) entry.part.dead += entry.weight;
  }

  /** Resolves when search finds every food that was put before the call. Then folds and rebuilds in the background. */
  async whenComplete({ work, onError }: IndexPorts): Promise<void> {
    while (!this.isComplete) {
      this.#indexing ??= Promise.resolve(work.run(this.index())).finally(() => {
        this.#indexing = undefined;
      });
      await this.#indexing;
    }
    if (!this.#needsRebuild || this.#isRebuilding) return;
    this.#isRebuilding = true;
    work
      .runLater(this.rebuild())
      .catch(onError)
      .finally(() => {
        this.#isRebuilding = false;
      });
  }

  /** Indexes the waiting foods. Only one call may run at a time. */
  *index(): Steps<void> {
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting];
      const added = yield* sortInSteps(batch, inStaticOrder);
      this.#small = yield* buildPart([livingIn(this.#small), added]);
      this.#spent += this.#small?.weight ?? 0;
      for (const entry of batch) this.#stopWaiting(entry);
    }
    this.isComplete = true;
    this.#fold();
  }

  /** Merges folded parts into the large part, and drops dead entries there. Only one call may run at a time. */
  *rebuild(): Steps<void> {
    while (this.#needsRebuild) {
      const folding = this.#folding;
      this.#large = yield* buildPart([livingIn(this.#large), livingIn(folding)]);
      // `index` may have folded another one meanwhile.
      if (this.#folding === folding) this.#folding = undefined;
    }
  }

  /**
   * The best `limit` foods, best first. All parts together may do as much work as one index; the latest foods
   * come first.
   */
  search(
    query: string,
    limit: number,
    { floor, favourites = [], work = { left: MAX_WORK } }: SearchOptions = {},
  ): FoodHit[] {
    const found = this.#parts().map((part) => {
      const options = {
        ...(floor !== undefined && { floor }),
        favourites: this.#within(part, favourites),
        accepts: acceptLiving(part),
        work,
      };
      const hits = part.index.search(query, limit, options);
      return hits.map(({ document, score }) => ({ food: part.entries[document]!.food, score }));
    });
    return mergeRanked(found, limit, inStaticOrder);
  }

  /** The latest foods first. */
  #parts(): Part[] {
    return [this.#small, this.#folding, this.#large].filter((part) => part !== undefined);
  }

  #within(part: Part, favourites: readonly FavouriteFood[]): Favourite[] {
    return favourites.flatMap(({ id, timesEaten }) => {
      const entry = this.#latest.get(id);
      return entry?.part === part ? [{ document: entry.document, timesEaten }] : [];
    });
  }

  #stopWaiting(entry: Entry): void {
    if (this.#waiting.delete(entry)) this.#waitingCharacters -= entry.weight;
  }

  /** Begins a new small part once the current one has cost enough. */
  #fold(): void {
    if (this.#folding !== undefined || this.#spent < (this.#large?.weight ?? 0) * FOLD_SHARE) return;
    if (this.#large === undefined) this.#large = this.#small;
    else this.#folding = this.#small;
    this.#small = undefined;
    this.#spent = 0;
  }

  get #needsRebuild(): boolean {
    if (this.#folding !== undefined) return true;
    return this.#large !== undefined && this.#large.dead > this.#large.weight * MAX_DEAD_SHARE;
  }
}

/** A part of all entries, given in lists in static order; undefined if none of them is alive by then. */
function* buildPart(lists: readonly (readonly Entry[])[]): Steps<Part | undefined> {
  const entries = yield* mergeInSteps(lists, inStaticOrder);
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
  const part: Part = { entries, index: SearchIndex.open(yield* builder.finishSmall()), weight, dead: 0 };
  for (const [document, entry] of entries.entries()) {
    entry.part = part;
    entry.document = document;
    if (entry.isDead) part.dead += entry.weight;
  }
  return part.dead === weight ? undefined : part;
}

function livingIn(part: Part | undefined): Entry[] {
  return part === undefined ? [] : part.entries.filter(({ isDead }) => !isDead);
}

/** A filter for living entries; undefined if all are, which saves the calls. */
function acceptLiving({ entries, dead }: Part): ((document: number) => boolean) | undefined {
  return dead === 0 ? undefined : (document) => !entries[document]!.isDead;
}

/** Orders foods as in a catalogue: most popular first, then the shorter name. */
export function inStaticOrder({ food: a }: Pick<Entry, 'food'>, { food: b }: Pick<Entry, 'food'>): number {
  return b.popularity - a.popularity || a.name.length - b.name.length || (a.id < b.id ? -1 : 1);
}

/** At least 1. */
function textLength({ name, brand = '', aliases }: Food): number {
  return aliases.reduce((sum, alias) => sum + alias.length, name.length + brand.length + 1);
}
