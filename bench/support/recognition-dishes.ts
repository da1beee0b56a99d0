import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { readStarterFoods } from '../../src/foods/starter/starter-foods.ts';
import type { Photo } from '../../src/scan/images/photo.ts';
import {
  type ClassifierFolder,
  readClassifierFolder,
} from '../../src/scan/recognizers/dish/classifier-folder.ts';
import { Network } from '../../src/scan/recognizers/dish/dish-recognizer.ts';
import { toTensors } from '../../src/scan/recognizers/dish/image-views.ts';
import { calibratedOf } from '../../src/scan/recognizers/dish/predictions.ts';
import { openSample } from './open-sample.ts';
import { type photosOf, testPhotosOf, VISION } from './photo-sets.ts';
import { auroc, calibrationError, type Guess, topOf } from './recognition-figures.ts';
import { percentile } from './search-figures.ts';

const MODEL = join(import.meta.dirname, '..', '..', 'models', 'dish-mobilenet');
/** Photo sets, with the name that labels.tsv has for their labels. */
const SETS = [
  { set: 'food101_64', kind: 'food101', goal: '60 / 84 %' },
  { set: 'food101_photos', kind: 'food101', goal: '62 / 85 %' },
  { set: 'grocery', kind: 'grocery' },
  { set: 'ecustfd', kind: 'ecustfd' },
];
const GROCERY_GOAL = '85 %';
const REPEATS = 60;
const PICTURE = /\.(jpe?g|png|webp)$/i;
const nowMs = () => performance.now();

interface Model {
  readonly folder: ClassifierFolder;
  readonly network: Network;
  /** Output indices of the labels of a set, by label. */
  readonly own: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Runs the shipped dish model, with the decoding and scaling of the service, on photos that it was not trained on. */
export async function benchDishModel({
  negatives,
}: {
  readonly negatives?: string | undefined;
}): Promise<void> {
  const folder = await readClassifierFolder(MODEL, readStarterFoods());
  const network = await Network.open(MODEL, folder.network, folder.description);
  const model = { folder, network, own: labelsBySet() };
  console.log(`dishes: ${folder.description.name} ${folder.description.version}`);
  const food: number[] = [];
  for (const { set, kind, goal } of SETS) {
    const photos = testPhotosOf(set)?.filter(({ label }) => model.own.get(kind)!.has(label));
    if (photos === undefined)
      console.log(`dishes: ${set} skipped, since ${join(VISION, set)}.bin is not there`);
    else food.push(...(await benchSet(model, { set, kind, goal, photos })));
  }
  await benchNegatives(model, food, negatives);
  await benchTimes(model);
  await network.close();
}

interface SetToMeasure {
  readonly set: string;
  readonly kind: string;
  readonly goal?: string | undefined;
  readonly photos: NonNullable<ReturnType<typeof photosOf>>;
}

/** Prints the figures of a set; returns the model's probability of food for each photo. */
async function benchSet(model: Model, { set, kind, goal, photos }: SetToMeasure): Promise<number[]> {
  const own = model.own.get(kind)!;
  const [labels, foods, coarse]: [Guess[], Guess[], Guess[]] = [[], [], []];
  const scores: number[] = [];
  for (const { label, bytes } of photos) {
    const p = await probabilities(model, await openSample(bytes));
    const score = foodScore(model, p);
    scores.push(score);
    labels.push(
      guess(
        [...own].map(([name, index]) => [name, p[index]!]),
        label,
      ),
    );
    coarse.push(
      guess(
        [...own].map(([name, index]) => [coarseOf(name), p[index]!]),
        coarseOf(label),
      ),
    );
    const every = model.folder.labels.flatMap(({ food }, index): [string, number][] =>
      food === undefined ? [] : [[food.foodId, p[index]! / score]],
    );
    foods.push(guess(every, model.folder.labels[own.get(label)!]!.food!.foodId));
  }
  console.log(
    `dishes: ${set}, ${photos.length} photos, ${own.size} labels: top-1 ${percent(topOf(labels, 1))}, ` +
      `top-5 ${percent(topOf(labels, 5))}${goal === undefined ? '' : ` (goal ${goal})`}; ` +
      `right food of all ${percent(topOf(foods, 1))}, calibration error ${calibrationError(foods).toFixed(3)} (goal .05); ` +
      `called not food ${percent(calledNotFood(model, scores))}`,
  );
  if (kind === 'grocery') {
    console.log(`dishes: ${set}, coarse classes: top-1 ${percent(topOf(coarse, 1))} (goal ${GROCERY_GOAL})`);
  }
  return scores;
}

/** Pictures without food are not included: `training/negatives.py` says where they come from. */
async function benchNegatives(model: Model, food: readonly number[], dir: string | undefined): Promise<void> {
  if (dir === undefined || food.length === 0) {
    console.log(
      'dishes: food against not food skipped; give a folder of pictures without food by --negatives DIR',
    );
    return;
  }
  const others: number[] = [];
  for (const file of readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    PICTURE.test(name),
  )) {
    const photo = await openSample(readFileSync(join(dir, file))).catch(() => undefined);
    if (photo !== undefined) others.push(foodScore(model, await probabilities(model, photo)));
  }
  console.log(
    `dishes: food against not food: AUROC ${auroc(food, others).toFixed(4)} (goal .95) with ${others.length} others; ` +
      `called not food: ${percent(calledNotFood(model, food))} of food, ${percent(calledNotFood(model, others))} of the others`,
  );
}

async function benchTimes(model: Model): Promise<void> {
  const large = await sharp({
    create: {
      width: 4032,
      height: 3024,
      channels: 3,
      background: '#7a5c3c',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .jpeg({ quality: 90 })
    .toBuffer();
  const [inference, whole]: [number[], number[]] = [[], []];
  for (let i = 0; i < REPEATS; i++) {
    const beganMs = nowMs();
    const tensors = await toTensors(await openSample(large), model.folder.description);
    const scaledMs = nowMs();
    await model.network.run(tensors);
    inference.push(nowMs() - scaledMs);
    whole.push(nowMs() - beganMs);
  }
  console.log(
    `dishes: ${model.folder.description.views.default.length} views on one thread p50 ${median(inference)} ms (goal 40); ` +
      `12 megapixels, decoded and answered p50 ${median(whole)} ms (goal 120)`,
  );
}

async function probabilities({ folder, network }: Model, photo: Photo): Promise<number[]> {
  const { logits } = await network.run(await toTensors(photo, folder.description));
  return calibratedOf(logits, folder.labels, folder.description);
}

/** The share of photos with these scores that are answered with "no food". */
function calledNotFood({ folder }: Model, scores: readonly number[]): number {
  const { notFood } = folder.description;
  if (notFood === null) return 0;
  return scores.filter((score) => score <= 1 - notFood.atLeast).length / scores.length;
}

function foodScore({ folder }: Model, p: readonly number[]): number {
  return folder.description.notFood === null ? 1 : 1 - p[folder.description.notFood.index]!;
}

/** Names that occur several times are summed. */
function guess(shares: readonly (readonly [string, number])[], wanted: string): Guess {
  const sums = new Map<string, number>();
  for (const [name, share] of shares) sums.set(name, (sums.get(name) ?? 0) + share);
  const ranked = [...sums].sort(([, a], [, b]) => b - a);
  return { ranked: ranked.map(([name]) => name), wanted, confidence: ranked[0]![1] };
}

/** `Fruit/Apple/Granny-Smith` is an apple. */
function coarseOf(label: string): string {
  return label.split('/').slice(0, 2).join('/');
}

function labelsBySet(): Map<string, Map<string, number>> {
  const bySet = new Map<string, Map<string, number>>();
  for (const line of readFileSync(join(MODEL, 'labels.tsv'), 'utf8').trimEnd().split('\n').slice(1)) {
    const [index, label, set] = line.split('\t');
    if (!bySet.has(set!)) bySet.set(set!, new Map());
    bySet.get(set!)!.set(label!, Number(index));
  }
  return bySet;
}

function median(ms: readonly number[]): string {
  return percentile(Float64Array.from(ms).sort(), 0.5).toFixed(1);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
