import type { Food } from '@larder/core/food.ts';
import { round } from '@larder/core/rounding.ts';
import { usualServing } from '@larder/text/parse/grams/typical-units.ts';
import type { DishCandidate, DishProposal } from '../recognizer.ts';
import type { Alternative, Because, PhotoVector, ScanItem } from '../scan-result.ts';
import { type EatenBefore, HABIT_RULE, type Habits, rankByHabit } from './habits.ts';
import { foodsLike, judgeLikeness, MEMORY_RULE, toVector } from './photo-memory.ts';
import type { ScanFoods } from './scan-foods.ts';
import { foodItem, gramsServing } from './scan-items.ts';

/** Foods with the nearest photos that are looked for, as some may have been deleted since. */
const MAX_LOOKED_FOR = 8;

/**
 * Makes an item of a model's proposals, in two steps that use the diary of the photo's owner: foods that were eaten before become likelier, and
 * foods of earlier photos that look alike are added. The vector is what may be kept of the photo.
 */
export async function groundDish(
  proposal: DishProposal,
  foods: ScanFoods,
): Promise<{ readonly item: ScanItem | undefined; readonly vector?: PhotoVector | undefined }> {
  const { vector } = proposal.ranking;
  const habits = await foods.habits?.();
  if (habits === undefined) return { item: await asProposed(proposal, foods) };
  const seen = (await byHabit(proposal, foods, habits)) ?? (await asProposed(proposal, foods));
  return { item: await withMemory(seen, proposal, foods, habits), vector: habits.memory && vector };
}

async function asProposed(proposal: DishProposal, foods: ScanFoods): Promise<ScanItem | undefined> {
  const { foodId, grams, unsure, confidence, box, alternatives } = proposal;
  const food = await foods.findById(foodId);
  if (food === undefined) return undefined;
  const { typical, low, high } = grams;
  return foodItem({
    food,
    origin: 'dish',
    serving: gramsServing(food, typical),
    range: { low, high },
    confidence,
    unsure,
    box,
    alternatives: await findAlternatives(alternatives, foods),
  });
}

/** The item as ranked by what the household eats; undefined if it ate none of the candidates. */
async function byHabit(
  { ranking, alternatives: shown, box }: DishProposal,
  foods: ScanFoods,
  habits: Habits,
): Promise<ScanItem | undefined> {
  if (habits.foods.size === 0) return undefined;
  const found = await Promise.all(
    ranking.candidates.map(async (candidate) => {
      // A food that is too unlikely to rise is not searched for.
      const isLikely = candidate.confidence >= HABIT_RULE.least;
      const food = isLikely ? await foods.findById(candidate.foodId) : undefined;
      return { ...candidate, food, eaten: food && habits.foods.get(food.id) };
    }),
  );
  if (found.every(({ eaten }) => eaten === undefined)) return undefined;
  const [first, ...others] = rankByHabit(found, ({ eaten }) => eaten?.strength, habits.repeats);
  const { food, eaten, grams, confidence } = first!;
  if (food === undefined) return undefined;
  const typical = eaten?.own?.usualAmount(food) ?? grams.typical;
  return foodItem({
    food,
    origin: 'dish',
    serving: gramsServing(food, typical),
    range: { low: Math.min(grams.low, typical), high: Math.max(grams.high, typical) },
    confidence,
    unsure: unsureAt(confidence, ranking),
    because: eaten && becauseOf(eaten),
    box,
    alternatives: await findAlternatives(others.slice(0, shown.length), foods),
  });
}

async function findAlternatives(
  candidates: readonly Pick<DishCandidate, 'foodId' | 'confidence'>[],
  foods: ScanFoods,
): Promise<Alternative[]> {
  const found = await Promise.all(candidates.map(({ foodId }) => foods.findById(foodId)));
  return found.flatMap((food, index) =>
    food === undefined
      ? []
      : [{ name: food.name, foodId: food.id, confidence: candidates[index]!.confidence }],
  );
}

/**
 * Adds the foods of earlier photos that look alike: the best one in the first place if it is alike enough, all others after those of the model.
 * Confidences stay shares of the whole.
 */
async function withMemory(
  item: ScanItem | undefined,
  { ranking }: DishProposal,
  foods: ScanFoods,
  habits: Habits,
): Promise<ScanItem | undefined> {
  const { vector } = ranking;
  const { memory } = habits;
  if (vector === undefined || memory === undefined) return item;
  const photos = await memory.photosOf(vector.network);
  if (photos.length === 0) return item;
  const found: { readonly food: Food; readonly cosine: number; readonly date?: string }[] = [];
  for (const { foodId, ...like } of foodsLike(toVector(vector.values), photos, MAX_LOOKED_FOR)) {
    const food = await memory.findFood(foodId);
    if (food !== undefined) found.push({ ...like, food });
    if (found.length === MEMORY_RULE.most) break;
  }
  const likes = judgeLikeness(found, await strangerOn(ranking.candidates, foods, habits)).filter(
    ({ confidence }) => confidence >= MEMORY_RULE.least,
  );
  if (likes.length === 0) return item;
  const left = likes.reduce((rest, { confidence }) => rest - confidence, 1);
  const sharedOf = (id: string | undefined) => likes.find(({ food }) => food.id === id)?.confidence ?? 0;
  const weighed = <Seen extends Pick<Alternative, 'confidence'> & { readonly foodId?: string }>(
    seen: Seen,
  ) => ({
    ...seen,
    confidence: seen.confidence * left + sharedOf(seen.foodId),
  });
  const seen: readonly Alternative[] =
    item?.foodId === undefined
      ? []
      : [{ name: item.name, foodId: item.foodId, confidence: item.confidence }, ...item.alternatives];
  const byModel = seen.map(weighed);
  const byMemory = likes.map(({ food, confidence, date }) => {
    const { value, unit } = usualServing(food);
    const likePhoto = date === undefined ? {} : { date };
    return { name: food.name, foodId: food.id, confidence, likePhoto, servingSize: { value, unit } };
  });
  const isNew = ({ foodId }: Alternative) => !seen.some((other) => other.foodId === foodId);
  const [best] = likes;
  if (best!.score < MEMORY_RULE.first) {
    if (item === undefined) return undefined;
    const { unsure: _, ...same } = rounded(weighed(item));
    return {
      ...same,
      ...(unsureAt(same.confidence, ranking) && { unsure: true as const }),
      alternatives: [...byModel.slice(1), ...byMemory.filter(isNew)].map(rounded),
    };
  }
  const { food, date } = best!;
  const usual = food.isCounted ? undefined : habits.foods.get(food.id)?.own?.usualAmount(food);
  return foodItem({
    food,
    origin: 'dish',
    serving: usual === undefined ? usualServing(food) : gramsServing(food, usual),
    confidence: byModel.find(({ foodId }) => foodId === food.id)?.confidence ?? best!.confidence,
    // What the model does not know is never saved unasked.
    unsure: true,
    likePhoto: date === undefined ? {} : { date },
    alternatives: [...byModel.filter(({ foodId }) => foodId !== food.id), ...byMemory.slice(1).filter(isNew)],
  });
}

/** The probability of the model's best candidate that the household did not eat. */
async function strangerOn(
  candidates: readonly DishCandidate[],
  foods: ScanFoods,
  habits: Habits,
): Promise<number> {
  for (const { foodId, confidence } of candidates) {
    const food = await foods.findById(foodId);
    if (!habits.foods.has(food?.id ?? foodId)) return confidence;
  }
  return 0;
}

function rounded<Judged extends { readonly confidence: number }>(judged: Judged): Judged {
  return { ...judged, confidence: round(judged.confidence) };
}

function unsureAt(confidence: number, { sureFrom }: DishProposal['ranking']): true | undefined {
  return sureFrom !== undefined && confidence < sureFrom ? true : undefined;
}

/** Of others it says neither when nor how often they ate the food. */
function becauseOf({ own }: EatenBefore): Because {
  return own === undefined
    ? { kind: 'household_eats_this' }
    : { kind: 'you_eat_this', times: own.times, last: own.last };
}
