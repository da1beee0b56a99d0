import { barcodeCandidates, externalCandidates } from '@larder/core/codes/barcode-candidates.ts';
import { measureFacts } from '@larder/core/codes/scale-label.ts';
import { type Barcode, readScannedCode, type ScannedCode } from '@larder/core/codes/scanned-code.ts';
import { AppError } from '@larder/core/errors.ts';
import type { Food, FoodId } from '@larder/core/food.ts';
import type { FoodFacts } from '@larder/core/food-facts.ts';
import type { FoodLanguage } from '@larder/core/food-languages.ts';
import { hasValidCheckDigit, toGtin } from '@larder/core/gtin.ts';
import type { ScannedFacts } from '@larder/core/scanned-facts.ts';
import { mergeRanked } from '@larder/search/merge-ranked.ts';
import { MAX_ANSWERS } from '@larder/search/query/query-limits.ts';
import type {
  BarcodeMatch,
  FavouriteFood,
  FavouriteFoods,
  FoodCheck,
  FoodFinder,
  FoodHit,
  OtherProduct,
  SearchOptions,
} from '@larder/text/parse/food-finder.ts';
import type { FoodNames } from '@larder/text/parse/food-names.ts';
import { searchWithAmounts } from '@larder/text/parse/searching/search-with-amounts.ts';
import { DEFAULT_LIMIT, invalidQuery } from '../base/list-request.ts';
import { hasAtMost } from '../base/texts.ts';
import { withFallback } from '../base/with-fallback.ts';
import type { LocalName } from './catalogue/catalogue.ts';
import type { FoodFilter, FoundFacts } from './catalogue/catalogue-facts.ts';
import { DamagedFactsError } from './catalogue/facts-file.ts';
import { findAmong, type NumberedFoods } from './catalogue/same-number.ts';
import type { CustomFoodCache, SeenCustomFoods } from './custom/custom-food-cache.ts';
import { inStaticOrder } from './custom/custom-food-index.ts';
import type { CustomFoods } from './custom/custom-foods.ts';
import type { FoodViewer } from './custom/food-owner.ts';
import type { ExternalLookup } from './external/external-lookup.ts';

/** Maximum results of a search. */
export const MAX_SEARCH_OFFSET = MAX_ANSWERS;
/** In code points, after trimming. */
const MIN_QUERY_LENGTH = 2;
export const MAX_QUERY_LENGTH = 200;

/** The search text; undefined if it is too short. Throws `invalid_query` if it is too long. */
export function parseSearchText(typed = ''): string | undefined {
  const query = typed.trim();
  if (!hasAtMost(query, MAX_QUERY_LENGTH)) {
    const message = `The search text q is longer than ${MAX_QUERY_LENGTH} characters.`;
    throw invalidQuery('q', message, MAX_QUERY_LENGTH);
  }
  return hasAtMost(query, MIN_QUERY_LENGTH - 1) ? undefined : query;
}

/** Look-ups in the catalogue that the finder needs. */
export interface CatalogueView extends FoodFinder, NumberedFoods {
  /** The best `limit` foods with their scores, best first. */
  searchScored(query: string, limit: number, options?: SearchOptions): FoodHit[];
  /** The name of a food in the first language that has one, for a record with one of its names; otherwise undefined. */
  nameInLanguages(
    named: { readonly id: string; readonly name: string },
    languages: readonly FoodLanguage[],
  ): LocalName | undefined;
  /** The facts of a food; undefined if there are none. */
  factsOf(id: string): Promise<FoundFacts | undefined>;
  /** Marks the foods that fulfil a filter. */
  checkOf(filter: FoodFilter): Promise<FoodCheck>;
}

/**
 * Minimum number of compared results. The catalogue's results determine which scores of custom foods are too
 * low, and that affects which plans run among them. With a fixed minimum a shorter list is always the
 * beginning of a longer one.
 */
const MIN_COMPARED = DEFAULT_LIMIT;

export interface VisibleFoodFinderOptions extends Omit<SeenCustomFoods, 'isReady'> {
  /** Recipes of users, those of the viewer first. */
  readonly recipes?: readonly CustomFoods[];
  readonly catalogue: CatalogueView;
}

/**
 * Finds foods for one viewer: those of the user, recipes, those of the tenant, of the catalogue, and of external services,
 * in this order if several have one barcode. If the catalogue has a food of an external service, too, the
 * catalogue's copy is newer and counts.
 */
export class VisibleFoodFinder implements FoodFinder {
  readonly #ofUser: CustomFoods;
  readonly #recipes: readonly CustomFoods[];
  readonly #ofTenant: CustomFoods;
  readonly #external: CustomFoods;
  readonly #catalogue: CatalogueView;

  constructor({ ofUser, recipes = [], ofTenant, external, catalogue }: VisibleFoodFinderOptions) {
    this.#ofUser = ofUser;
    this.#recipes = recipes;
    this.#ofTenant = ofTenant;
    this.#external = external;
    this.#catalogue = catalogue;
  }

  get names(): FoodNames {
    return this.#catalogue.names;
  }

  findById(id: string): Food | undefined {
    return (
      this.#ofUser.findById(id) ??
      this.#ofTenant.findById(id) ??
      this.#ofRecipes((recipes) => recipes.findById(id)) ??
      this.#catalogue.findById(id) ??
      this.#external.findById(id)
    );
  }

  findByBarcode(barcode: Barcode): BarcodeMatch | undefined {
    return findAmong([this.#ofUser, this.#ofTenant, this.#catalogue, this.#external], barcode);
  }

  findCustomFood(name: string): Food | undefined {
    return (
      this.#ofUser.findByName(name) ??
      this.#ofRecipes((recipes) => recipes.findByName(name)) ??
      this.#ofTenant.findByName(name)
    );
  }

  #ofRecipes(find: (recipes: CustomFoods) => Food | undefined): Food | undefined {
    for (const recipes of this.#recipes) {
      const food = find(recipes);
      if (food !== undefined) return food;
    }
    return undefined;
  }

  search(query: string, limit: number, options?: SearchOptions): readonly Food[] {
    const search = (text: string, most: number) => this.#searchScored(text, most, options);
    return searchWithAmounts(query, limit, search).map(({ food }) => food);
  }

  #searchScored(query: string, limit: number, options?: SearchOptions): readonly FoodHit[] {
    const compared = Math.max(limit, MIN_COMPARED);
    const found = this.#catalogue.searchScored(query, compared, options);
    // If the catalogue's word matches fill the list, custom foods with a lower score than the last one are
    // not needed.
    const scores = found.flatMap(({ score, similarity }) => (similarity === undefined ? [score] : []));
    const floor = scores.length < compared ? Number.NEGATIVE_INFINITY : Math.min(...scores);
    const ofUser = this.#ofUser.search(query, compared, { ...options, floor });
    const recipes = this.#recipes.map((each) => each.search(query, compared, { ...options, floor }));
    const ofTenant = this.#ofTenant.search(query, compared, { ...options, floor });
    const external = this.#external
      .search(query, compared, { ...options, floor })
      .filter(({ food }) => this.#catalogue.findById(food.id) === undefined);
    const lists = [ofUser, ...recipes, ofTenant, external];
    const { filter } = options ?? {};
    const allowed =
      filter === undefined ? lists : lists.map((list) => list.filter(({ food }) => filter.acceptsFood(food)));
    const custom = mergeRanked(allowed, limit, inStaticOrder);
    // Custom foods come first among equals, because somebody entered them.
    return mergeRanked([custom, found], limit);
  }

  inLanguages(food: Food, languages: readonly FoodLanguage[]): Food {
    return this.#catalogue.inLanguages(food, languages);
  }

  /** Proposes foods of the catalogue only: custom foods have no vectors. */
  proposals(text: string, limit: number): readonly FoodHit[] {
    return this.#catalogue.proposals(text, limit);
  }

  similarity(text: string, name: string): number {
    return this.#catalogue.similarity(text, name);
  }
}

/** A food found by a code, and the facts that the code states. */
export interface ScannedFood {
  readonly food: Food;
  /** Other products whose number differs in leading zeros only. */
  readonly others?: readonly OtherProduct[];
  readonly scanned?: ScannedFacts;
}

/** The active catalogue, which is replaced between two requests; without one, foods are `unavailable`. */
export interface CurrentCatalogue {
  readonly current: CatalogueView | undefined;
}

/** The recipes of users as foods, in memory. */
export interface RecipeFinder {
  /** Whether the recipes of these users include every write that this process knows of, and are searchable. */
  isReady(tenant: string, userIds: readonly string[]): boolean;
  /** When the promise resolves, every write that was acknowledged before the call is in memory and searchable. */
  whenReady(tenant: string, userIds: readonly string[]): Promise<void>;
  /** Those of each user who has any, in the order of `userIds`. */
  of(tenant: string, userIds: readonly string[]): readonly CustomFoods[];
}

export interface FoodDirectoryOptions {
  readonly catalogue: CurrentCatalogue;
  /** Absent without a database to read foods from. */
  readonly customFoods?: Pick<CustomFoodCache, 'whenReady' | 'follow' | 'of' | 'findOfSharers'>;
  /** Absent if recipes are not searched. */
  readonly recipes?: RecipeFinder | undefined;
  /** Absent where no external service is configured. */
  readonly externalLookup?: Pick<ExternalLookup, 'find'> | undefined;
  /** Absent if nothing is ranked by what users eat. */
  readonly favourites?: FavouriteFoods;
  /**
   * Time limit for reading foods, and the foods that a user eats: afterwards, and during an outage, it
   * answers without them. Absent if an answer must be complete: then it waits, or throws an `OutageError`.
   */
  readonly patienceMs?: number | undefined;
}

/**
 * All foods that a caller sees: those of the active catalogue, custom foods, and products of external
 * services by barcode. HTTP, diary and scans all look up foods here, so that they find the same ones.
 */
export class FoodDirectory {
  readonly #options: FoodDirectoryOptions;

  constructor(options: FoodDirectoryOptions) {
    this.#options = options;
  }

  /** Like `of`, but synchronous; undefined if memory is not current. */
  now(viewer: FoodViewer): FoodFinder | undefined {
    const seen = this.#options.customFoods?.of(viewer);
    const { tenant, recipesOf = [] } = viewer;
    const isReady = seen?.isReady !== false && this.#options.recipes?.isReady(tenant, recipesOf) !== false;
    return isReady ? this.#finder(viewer, seen) : undefined;
  }

  /**
   * The foods in memory, including every write acknowledged before this call. With limited patience it may
   * only include writes that were read before.
   */
  async of(viewer: FoodViewer): Promise<FoodFinder> {
    const ready = this.now(viewer);
    if (ready !== undefined) return ready;
    const { customFoods, recipes } = this.#options;
    const { tenant, recipesOf = [] } = viewer;
    const whenReady = Promise.all([customFoods?.whenReady(viewer), recipes?.whenReady(tenant, recipesOf)]);
    await this.#patiently(whenReady, undefined);
    return this.#finder(viewer, customFoods?.of(viewer));
  }

  /**
   * Best first. With `eater` the foods that this user eats come first if they match every word; with languages their
   * names go first and are answered.
   */
  async search(
    viewer: FoodViewer,
    query: string,
    limit: number,
    {
      eater,
      languages = [],
      filter,
    }: {
      readonly eater?: string | undefined;
      readonly languages?: readonly FoodLanguage[];
      readonly filter?: FoodFilter | undefined;
    } = {},
  ): Promise<readonly Food[]> {
    const favourites = await this.favouritesOf(viewer, eater);
    for (;;) {
      const catalogue = this.#options.catalogue.current;
      const check = filter && (await catalogue?.checkOf(filter));
      const finder = await this.of(viewer);
      // A check counts documents of its own catalogue.
      if (filter !== undefined && catalogue !== this.#options.catalogue.current) continue;
      const found = finder.search(query, limit, { favourites, languages, filter: check });
      return found.map((food) => finder.inLanguages(food, languages));
    }
  }

  /** The facts of a food of the catalogue. Throws `unavailable` if they are damaged. */
  async factsOf({ id }: Food): Promise<FoundFacts | undefined> {
    try {
      return await this.#options.catalogue.current?.factsOf(id);
    } catch (cause) {
      if (!(cause instanceof DamagedFactsError)) throw cause;
      const message = 'The facts of this food cannot be read; an import of its source mends them.';
      throw new AppError({ code: 'unavailable', message, cause });
    }
  }

  /** The food with every nutrient that is known of it. Facts that cannot be read count as unknown: whoever eats can log all the same. */
  async withAllNutrients(food: Food): Promise<Food> {
    let further: FoodFacts['nutrients'];
    try {
      further = (await this.#options.catalogue.current?.factsOf(food.id))?.nutrients;
    } catch (cause) {
      if (!(cause instanceof DamagedFactsError)) throw cause;
    }
    if (further === undefined) return food;
    const { per100, stated } = food;
    const inStated = ([key, amount]: [string, number]) => [key, (amount * stated!.amount) / 100] as const;
    return {
      ...food,
      per100: { ...further, ...per100 },
      ...(stated && {
        stated: {
          amount: stated.amount,
          nutrients: { ...Object.fromEntries(Object.entries(further).map(inStated)), ...stated.nutrients },
        },
      }),
    };
  }

  /** The food as callers see it who ask for these languages; unchanged while no catalogue is loaded. */
  inLanguages(food: Food, languages: readonly FoodLanguage[]): Food {
    return this.#options.catalogue.current?.inLanguages(food, languages) ?? food;
  }

  /** The foods that `eater` eats; none without an eater. */
  async favouritesOf(viewer: FoodViewer, eater: string | undefined): Promise<readonly FavouriteFood[]> {
    const { favourites } = this.#options;
    if (eater === undefined || favourites === undefined) return [];
    return this.#patiently(favourites.of(viewer.tenant, eater), []);
  }

  /** The name that a record shows for a food of the catalogue, if nobody wrote another one; undefined keeps the record's own. */
  nameInLanguages(
    named: { readonly id: string; readonly name: string },
    languages: readonly FoodLanguage[],
  ): LocalName | undefined {
    return this.#options.catalogue.current?.nameInLanguages(named, languages);
  }

  async findById(viewer: FoodViewer, id: string): Promise<Food | undefined> {
    return (await this.of(viewer)).findById(id) ?? this.#options.customFoods?.findOfSharers(viewer, id);
  }

  /** The id of the first custom food with the same owner, name and values, as far as foods are in memory. */
  async findFirstLike(tenant: string, food: Food): Promise<FoodId | undefined> {
    const owner = { tenant, userId: food.userId };
    await this.of(owner);
    const seen = this.#options.customFoods?.of(owner);
    return (food.userId === undefined ? seen?.ofTenant : seen?.ofUser)?.firstLike(food);
  }

  /** Throws `food_not_found`. */
  async getById(viewer: FoodViewer, id: string): Promise<Food> {
    const food = await this.findById(viewer, id);
    if (food !== undefined) return food;
    throw new AppError({ code: 'food_not_found', message: 'There is no food with this id.' });
  }

  /** Finds a food by the number of a package; asks external services for barcodes without a food. */
  async findByBarcode(viewer: FoodViewer, barcode: Barcode): Promise<BarcodeMatch | undefined> {
    const { externalLookup } = this.#options;
    const finder = await this.of(viewer);
    const match = finder.findByBarcode(barcode);
    if (externalLookup === undefined || (match !== undefined && 'food' in match)) return match;
    const food = await externalLookup.find(viewer.tenant, externalCandidates(barcode));
    return food === undefined ? match : { food };
  }

  /** Finds a food by a scanned code. Throws `barcode_not_found`, with the name of a known product if there is one. */
  async getByCode(viewer: FoodViewer, code: ScannedCode): Promise<ScannedFood> {
    const match = await this.findByBarcode(viewer, code.barcode);
    if (match === undefined || !('food' in match)) throw barcodeNotFound(code, match);
    const { food, others } = match;
    const scanned = scannedFacts(code, food);
    return { food, ...(others && { others }), ...(scanned && { scanned }) };
  }

  /** Like `getByCode`, for a text. Throws `invalid_barcode`. */
  async getByBarcode(viewer: FoodViewer, typed: string): Promise<Food> {
    return (await this.getByCode(viewer, readScannedCode(typed))).food;
  }

  #patiently<T>(promise: Promise<T>, fallback: T): Promise<T> {
    const { patienceMs } = this.#options;
    return patienceMs === undefined ? promise : withFallback(patienceMs, promise, fallback);
  }

  #finder({ tenant, recipesOf = [] }: FoodViewer, seen: SeenCustomFoods | undefined): FoodFinder {
    const catalogue = this.#options.catalogue.current;
    if (catalogue === undefined) {
      throw new AppError({
        code: 'unavailable',
        message: 'The catalogue is being loaded; try again in a moment.',
      });
    }
    if (seen === undefined) return catalogue;
    const { ofUser, ofTenant, external } = seen;
    const recipes = this.#options.recipes?.of(tenant, recipesOf) ?? [];
    return ofUser.size + recipes.length + ofTenant.size + external.size === 0
      ? catalogue
      : new VisibleFoodFinder({ ofUser, recipes, ofTenant, external, catalogue });
  }
}

/**
 * Returns the facts of a code beside its number. The measure on a scale's label is used unless the catalogue
 * has the label's own number: some shops give such numbers to packages of one weight.
 */
export function scannedFacts({ barcode, facts }: ScannedCode, food?: Food): ScannedFacts | undefined {
  const gtin = toGtin(barcode);
  const isOwn = food !== undefined && food.gtin === gtin && food.source !== 'manual_entry';
  const measure = isOwn ? undefined : measureFacts(gtin);
  return measure === undefined ? facts : { ...measure, ...facts };
}

function barcodeNotFound(code: ScannedCode, match: BarcodeMatch | undefined): AppError {
  const candidates = barcodeCandidates(code.barcode);
  const isMistyped = !candidates.some(hasValidCheckDigit);
  const known = match !== undefined && 'known' in match ? match.known : undefined;
  const scanned = scannedFacts(code);
  return new AppError({
    code: 'barcode_not_found',
    message: isMistyped
      ? 'No food has this barcode. Its check digit is wrong; compare it with the package.'
      : 'No food has this barcode.',
    details: {
      candidates,
      ...(known && { known: { name: known.name, ...(known.brand !== undefined && { brand: known.brand }) } }),
      ...(match?.others && { others: match.others }),
      ...(scanned && { scanned }),
    },
  });
}
