import { computed, effect, signal } from '@preact/signals';
import { type Food, LarderError, type ParsedText, type SearchFoodsData } from 'larder-client';
import { person } from '../account/session.ts';
import { diary, otherName } from '../diary/shown-diary.ts';
import { ownDiet } from '../facts/own-diet.ts';
import { larder } from '../larder.ts';
import { isReached, patience } from '../offline/device.ts';
import { findOwnFoods, findOwnRecipes } from '../offline/entries/local-foods.ts';
import { problemOf } from '../parts/problem.ts';
import { numbers, texts } from '../texts/texts.ts';
import { query } from './query.ts';
import { folded, wasEaten } from './recents.ts';

export const foods = signal<readonly Food[]>([]);
/** How the service reads the text, where it names amounts or several foods. */
export const reading = signal<ParsedText | undefined>(undefined);
/** The query that `foods` and `reading` are answers to. */
export const answered = signal('');
export const problem = signal<string | undefined>(undefined);

const NO_FOODS: ReadonlySet<string> = new Set();
/** Foods that were found but may not fit the diet and allergens of the person. */
export const mayNotFit = signal(NO_FOODS);
/** Whether the person wants to see them. */
export const showsAll = signal(false);
/** The number of the first `MAX_FOODS` that is not shown. */
export const hiddenCount = computed(() => (showsAll.value ? 0 : mayNotFit.value.size));

export const MAX_FOODS = 20;
const MIN_LENGTH = 2;
/** Longer texts are no names: they are read, not searched. */
const MAX_SEARCHED = 200;
/** The service reads no longer text. */
const MAX_READ = 2_000;
/** Fewer digits may be a name too. */
const MIN_CODE_LENGTH = 8;
const BARCODE = /^\d(?:[\s-]?\d){5,13}$/;
/** A digit beside letters, a list, or "and": worth reading as a text. */
const SENTENCE = /\d.*\p{L}|\p{L}.*\d|[,;\n]|\s(?:and|und|et|y|e|with|mit|avec|con|com)\s/iu;

let asking: AbortController | undefined;

/** Asked again after signing in, should the session have expired. */
const personId = computed(() => person.value?.id);

effect(() => {
  const text = query.value.trim();
  asking?.abort();
  if (personId.value === undefined) return;
  if (text.length < MIN_LENGTH) {
    foods.value = [];
    reading.value = undefined;
    answered.value = '';
    problem.value = undefined;
    showsAll.value = false;
    return;
  }
  // Asked again when either changes.
  void [showsAll.value, ownDiet.value];
  asking = new AbortController();
  void ask(text, asking.signal);
});

export function isBarcode(text: string): boolean {
  return BARCODE.test(text);
}

/** The digits of a code of a product, with a right check digit or a wrong one; undefined for other texts. */
export function productCode(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, '');
  return isBarcode(text) && digits.length >= MIN_CODE_LENGTH ? digits : undefined;
}

async function ask(text: string, signal: AbortSignal): Promise<void> {
  if (text.length > MAX_READ) return showNone(texts.peek().textTooLong(numbers.peek().whole(MAX_READ)));
  // Without the service own foods are shown at once.
  if (!isReached.peek()) await showOwn(text, signal);
  const isLong = text.length > MAX_SEARCHED;
  try {
    const [found, read] = await Promise.all([
      isLong ? NOTHING : find(text, signal),
      isLong || (!isBarcode(text) && SENTENCE.test(text))
        ? larder.foods.parse(
            { text, context: 'meal', userId: diary.peek()!.userId },
            { signal, ...patience() },
          )
        : undefined,
    ]);
    // An answer may have arrived before a later question ended its request.
    if (signal.aborted) return;
    foods.value = found.foods;
    mayNotFit.value = found.mayNotFit;
    reading.value = read !== undefined && (isLong || namesAmounts(read)) ? read : undefined;
    answered.value = text;
    problem.value = undefined;
  } catch (error) {
    if (signal.aborted) return;
    const isOffline = error instanceof LarderError && error.code === 'connection_failed';
    if (isOffline) isReached.value = false;
    if (isOffline) return showOwn(text, signal);
    showNone(problemOf(error));
  }
}

interface Found {
  readonly foods: readonly Food[];
  readonly mayNotFit: ReadonlySet<string>;
}

const NOTHING: Found = { foods: [], mayNotFit: NO_FOODS };

async function find(text: string, signal: AbortSignal): Promise<Found> {
  if (!isBarcode(text)) return search(text, signal);
  const food = await findByBarcode(text, signal);
  return food === undefined ? NOTHING : { ...NOTHING, foods: [food] };
}

function showNone(text: string): void {
  answered.value = '';
  reading.value = undefined;
  foods.value = [];
  problem.value = text;
}

async function showOwn(text: string, signal: AbortSignal): Promise<void> {
  const other = otherName.peek();
  // Nothing is written to the diary of somebody else without the service.
  if (other !== undefined) return showNone(texts.peek().otherDay.needsService(other));
  const words = folded(text).split(' ');
  const [own, recipes] = await Promise.all([findOwnFoods(words, folded), findOwnRecipes(words, folded)]);
  if (signal.aborted) return;
  mayNotFit.value = NO_FOODS;
  foods.value = [...own, ...recipes].slice(0, MAX_FOODS);
  // Nobody can say of these foods that there are no others.
  answered.value = '';
  reading.value = undefined;
  problem.value = texts.peek().offline.searchNeedsService;
}

async function search(q: string, signal: AbortSignal): Promise<Found> {
  const { userId } = diary.peek()!;
  const words = folded(q).split(' ');
  const searchWith = (filter: Pick<NonNullable<SearchFoodsData['query']>, 'diet' | 'without'>) =>
    larder.foods.search(
      { q, limit: MAX_FOODS, userId, include: 'servings', ...filter },
      { signal, ...patience() },
    );
  const own = ownDiet.peek();
  const filter = own && {
    ...(own.diet && { diet: own.diet }),
    ...(own.allergens.length > 0 && { without: own.allergens.join(',') }),
  };
  const [all, fitting, recipes] = await Promise.all([
    searchWith({}),
    filter && searchWith(filter),
    findOwnRecipes(words, folded),
  ]);
  const doubtful = fitting === undefined ? NO_FOODS : doubtfulOf(all, fitting);
  const found = fitting === undefined || showsAll.peek() ? all : fittingOf(all, fitting, doubtful);
  const rank = (food: Food): number => {
    if (food.source === 'manual_entry' || wasEaten(food.id)) return 0;
    const name = folded(food.name);
    return food.brand === undefined && words.every((word) => name.includes(word)) ? 1 : 2;
  };
  // The service may not have the newest recipes yet.
  const here = new Set(recipes.map(({ id }) => id));
  const ranked = Map.groupBy(
    found.filter(({ id }) => !here.has(id)),
    rank,
  );
  const shown = [...recipes, ...[0, 1, 2].flatMap((each) => ranked.get(each) ?? [])];
  return { foods: shown, mayNotFit: doubtful };
}

/** Foods that may not fit somebody's diet. Own foods state nothing, and whoever entered them knows what is in them. */
function doubtfulOf(all: readonly Food[], fitting: readonly Food[]): ReadonlySet<string> {
  const fits = new Set(fitting.map(({ id }) => id));
  return new Set(
    all.filter(({ id, source }) => !fits.has(id) && source !== 'manual_entry').map(({ id }) => id),
  );
}

/** Leaves the foods that fit, and own foods. */
function fittingOf(
  all: readonly Food[],
  fitting: readonly Food[],
  doubtful: ReadonlySet<string>,
): readonly Food[] {
  const known = new Set(fitting.map(({ id }) => id));
  return [...fitting, ...all.filter(({ id }) => !known.has(id) && !doubtful.has(id))];
}

/** Several foods or an amount; otherwise the text is the name of a food, and search answers it. */
function namesAmounts({ items }: ParsedText): boolean {
  return items.length > 1 || items.some(({ quantity }) => quantity !== undefined);
}

/** Undefined if no food has the code. */
export async function findByBarcode(code: string, signal?: AbortSignal): Promise<Food | undefined> {
  try {
    return await larder.foods.byBarcode(
      code,
      { userId: diary.peek()!.userId, include: 'servings' },
      { signal },
    );
  } catch (error) {
    if (error instanceof LarderError && error.code === 'barcode_not_found') return undefined;
    throw error;
  }
}
