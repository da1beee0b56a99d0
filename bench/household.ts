/**
 * Measures what foods that a household ate before are worth to the recognition of dishes, and fits the rule that favours them.
 *
 *     npm run bench -- household [--households 60]
 *
 * Households are simulated on the photos of `../shared/vision` that the dish model was not trained on. One half of the photos
 * fits the rule (`HABIT_RULE`), the other half is reported. No set has the photos of one household over days: photos of the same
 * objects (ecustfd) and products (grocery) are easier than real ones, other people's dishes (food101) are harder.
 * The same holds for the second part: what photos of foods that no label names are worth (`MEMORY_RULE`).
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ScanHabits } from '../src/app/processes/scan-habits.ts';
import { openDatabase } from '../src/db/sqlite/database.ts';
import { HABIT_RULE, type HabitRule, rankByHabit, repeatShare } from '../src/scan/analysis/habits.ts';
import { boundImageDecoding } from '../src/scan/images/open-photo.ts';
import type { DishCandidate } from '../src/scan/recognizer.ts';
import { type MemoryLook, type MemorySet, measureMemory, timeMemory } from './support/household-memory.ts';
import { foodsOfSet, PhotoLooks } from './support/household-photos.ts';
import { photosOf, testPhotosOf, VISION } from './support/photo-sets.ts';
import { calibrationError, type Guess, topOf } from './support/recognition-figures.ts';
import { percentile } from './support/search-figures.ts';
import { Random } from './support/search-random.ts';
import { ensureStoredDiary, userName } from './support/stored-diary.ts';

const SETS = ['food101_64', 'food101_photos', 'grocery', 'ecustfd'] as const;
/** Photos that a household takes. */
const STREAM = 40;
/** Earlier photos by which a household's share of repeated foods is known. */
const EARLIER = 30;
const SHARES = [0.7, 0.5, 0] as const;
const FACTORS = Array.from({ length: 33 }, (_, at) => 1 + at * 0.25);
/** Probability of a right food that is not among the candidates, for the likelihood. */
const UNLISTED = 1e-4;
const REPEATS = 500;
const DIARY_ENTRIES = 30_000;

interface Seen {
  readonly food: string;
  /** Empty if the model sees no food. */
  readonly candidates: readonly DishCandidate[];
}

interface Shot extends Seen {
  readonly isKnown: boolean;
  readonly known: ReadonlySet<string>;
  readonly repeats: number;
}

const { values } = parseArgs({ options: { households: { type: 'string', default: '60' } } });
boundImageDecoding();
const looks = await PhotoLooks.open();
const halves = { fit: new Map<string, Seen[]>(), report: new Map<string, Seen[]>() };
for (const set of SETS) {
  const seen = await lookAt(set);
  if (seen === undefined) {
    console.log(`household: ${set} skipped, since ${join(VISION, set)}.bin is not there`);
    continue;
  }
  halves.fit.set(
    set,
    seen.filter((_, at) => at % 2 === 0),
  );
  halves.report.set(
    set,
    seen.filter((_, at) => at % 2 === 1),
  );
}
if (halves.fit.size > 0) {
  fitFactor();
  for (const [set, photos] of halves.report) reportSet(set, photos);
  await timeRule();
}
if (SETS.every((set) => halves.fit.has(set))) measureMemory(await memorySets(), Number(values.households));
await looks.close();
timeMemory();

/** The candidates for each photo of a set that the model was not trained on. */
async function lookAt(set: string): Promise<Seen[] | undefined> {
  const photos = testPhotosOf(set);
  if (photos === undefined) return undefined;
  const foods = await foodsOfSet(set.replace(/_.*/, ''));
  const seen = await looks.at(photos.filter(({ label }) => foods.has(label)));
  return seen.map(({ photo, candidates }) => ({ food: foods.get(photo.label)!, candidates }));
}

/** Photos for the memory: of labels that its projection was not fitted on, since `training/fit_memory.py` takes every second one. */
async function memorySets(): Promise<MemorySet[]> {
  const numberOf = ({ photo }: MemoryLook) => Number(/(\d+)\D*$/.exec(photo.source)![1]);
  const sideOf = ({ photo }: MemoryLook) => /\d([ST])/.exec(photo.source)?.[1];
  const apart = (least: number) => (one: MemoryLook, other: MemoryLook) =>
    sideOf(one) === sideOf(other) && Math.abs(numberOf(one) - numberOf(other)) < least;
  const objects = await memoryLooks('ecustfd', ({ photo }) => /^[a-z]+\d+/.exec(photo.source)![0]);
  const products = await memoryLooks('grocery', ({ photo }) => photo.label);
  const dishes = await memoryLooks('food101_64', ({ photo }) => photo.label);
  return [
    { name: 'ecustfd', looks: objects, isNear: apart(3) },
    {
      name: 'ecustfd from the other side',
      looks: objects,
      isNear: () => false,
      canConfirm: (look) => sideOf(look) === 'S',
      canAsk: (look) => sideOf(look) === 'T',
    },
    { name: 'grocery', looks: products, isNear: apart(5) },
    { name: 'food101_64', looks: dishes, isNear: (one, other) => one === other },
  ];
}

async function memoryLooks(
  set: string,
  itemOf: (look: Pick<MemoryLook, 'photo'>) => string,
): Promise<MemoryLook[]> {
  const foods = await foodsOfSet(set.replace(/_.*/, ''));
  const kept = new Set(testPhotosOf(set)!.map(({ label, source }) => `${label}\t${source}`));
  const all = photosOf(set)!;
  const labels = [...new Set(all.map(({ label }) => label))].sort();
  const unfitted = new Set(labels.filter((_, at) => set === 'ecustfd' || at % 2 === 1));
  // No label names a mixed plate, so the model learnt none.
  const isKeptOut = ({ label, source }: (typeof all)[number]) =>
    label === 'mix' || kept.has(`${label}\t${source}`);
  const photos = all.filter((photo) => unfitted.has(photo.label) && (set === 'grocery' || isKeptOut(photo)));
  return (await looks.at(photos)).map((look) => ({
    ...look,
    item: itemOf(look),
    food: foods.get(look.photo.label),
    isKeptOut: isKeptOut(look.photo),
  }));
}

/** Photos of simulated households, of which `share` show foods that the household ate before. */
function streamsOf(photos: readonly Seen[], share: number, isShareKnown: boolean): Shot[] {
  const random = new Random({ seed: 7 });
  const foods = [...new Set(photos.map(({ food }) => food))];
  return Array.from({ length: Number(values.households) }).flatMap(() => {
    const size = Math.min(12 + random.below(29), Math.floor(foods.length * 0.7));
    const left = [...foods];
    const known = new Set(Array.from({ length: size }, () => left.splice(random.below(left.length), 1)[0]!));
    const [own, others] = [
      photos.filter(({ food }) => known.has(food)),
      photos.filter(({ food }) => !known.has(food)),
    ];
    const repeated = Array.from({ length: EARLIER }).filter(() => random.next() < share).length;
    const repeats = isShareKnown ? repeatShare(repeated, EARLIER) : repeatShare(0, 0);
    return Array.from({ length: STREAM }, () => {
      const isKnown = random.next() < share;
      return { ...random.pick(isKnown ? own : others), isKnown, known, repeats };
    });
  });
}

function ranked({ candidates, known, repeats }: Shot, rule: HabitRule): readonly DishCandidate[] {
  return rankByHabit(candidates, ({ foodId }) => (known.has(foodId) ? 1 : undefined), repeats, rule);
}

/** Prints the factors under which the right foods of the first half are likeliest. */
function fitFactor(): void {
  const streams = [...halves.fit.values()].flatMap((photos) =>
    SHARES.flatMap((share) => streamsOf(photos, share, true)),
  );
  const loss = (factor: number) =>
    streams.reduce((sum, shot) => {
      const right = ranked(shot, { ...HABIT_RULE, factor }).find(({ foodId }) => foodId === shot.food);
      return sum - Math.log(Math.max(UNLISTED, right?.confidence ?? 0));
    }, 0) / streams.length;
  const nats = (factor: number) => `${loss(factor).toFixed(4)} nats`;
  const [best] = FACTORS.map((factor) => ({ factor, nats: loss(factor) })).sort((a, b) => a.nats - b.nats);
  console.log(
    `household: fit on ${streams.length} photos: without the rule ${nats(0)}; best factor ${best!.factor}, ${nats(best!.factor)}; ` +
      `in use ${HABIT_RULE.factor}, ${nats(HABIT_RULE.factor)}`,
  );
}

function reportSet(set: string, photos: readonly Seen[]): void {
  for (const isShareKnown of [true, false]) {
    for (const share of SHARES) {
      const shots = streamsOf(photos, share, isShareKnown);
      const guesses = (rule?: HabitRule) =>
        shots.map((shot) => guessOf(rule ? ranked(shot, rule) : shot.candidates, shot.food));
      const [before, after] = [guesses(), guesses(HABIT_RULE)];
      const parts = [
        ['eaten before', (_: Guess, at: number) => shots[at]!.isKnown],
        ['others', (_: Guess, at: number) => !shots[at]!.isKnown],
        ['all', () => true],
      ] as const;
      const figures = parts.flatMap(([name, isPart]) => {
        const [one, other] = [before.filter(isPart), after.filter(isPart)];
        return one.length === 0 ? [] : [`${name} ${percent(topOf(one, 1))} -> ${percent(topOf(other, 1))}`];
      });
      console.log(
        `household: ${set}, ${photos.length} photos, ${100 * share} % repeated, share ${isShareKnown ? 'known' : 'unknown'}: ` +
          `top-1 ${figures.join(', ')}; calibration error ${calibrationError(before).toFixed(3)} -> ${calibrationError(after).toFixed(3)}`,
      );
    }
  }
}

/** Prints the time that the rule and the diaries add to a photo. */
async function timeRule(): Promise<void> {
  const shots = streamsOf([...halves.report.values()].flat(), 0.7, true);
  const ruleMs = await medianMs((at) => ranked(shots[at % shots.length]!, HABIT_RULE));
  const { file, users } = await ensureStoredDiary(DIARY_ENTRIES);
  const database = await openDatabase({ file });
  const foods = { findById: async () => undefined };
  const habits = new ScanHabits({ sql: database, foods, nowMs: Date.now });
  const readMs = await medianMs((at) =>
    habits.of({ tenant: 'bench', userId: userName(at % users), diaries: 'own' }),
  );
  await database.close();
  console.log(
    `household: added to a photo of a dish: ${ruleMs.toFixed(3)} ms for the rule, ${readMs.toFixed(2)} ms for the diary of its owner`,
  );
}

async function medianMs(work: (at: number) => unknown): Promise<number> {
  const ms = new Float64Array(REPEATS);
  for (let at = 0; at < REPEATS; at++) {
    const beganMs = performance.now();
    await work(at);
    ms[at] = performance.now() - beganMs;
  }
  return percentile(ms.sort(), 0.5);
}

function guessOf(candidates: readonly DishCandidate[], wanted: string): Guess {
  return {
    ranked: candidates.map(({ foodId }) => foodId),
    wanted,
    confidence: candidates[0]?.confidence ?? 0,
  };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
