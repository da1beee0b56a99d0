import { loadavg } from 'node:os';
import { join } from 'node:path';
import { readStarterFoods } from '../../src/foods/starter/starter-foods.ts';
import type { DishProposal } from '../../src/scan/recognizer.ts';
import {
  type ClassifierFolder,
  readClassifierFolder,
} from '../../src/scan/recognizers/dish/classifier-folder.ts';
import { Network } from '../../src/scan/recognizers/dish/dish-recognizer.ts';
import { toTensors } from '../../src/scan/recognizers/dish/image-views.ts';
import type { ModelDescription } from '../../src/scan/recognizers/dish/model-description.ts';
import { PlateReader, type SeenFood } from '../../src/scan/recognizers/dish/plate-reader.ts';
import { calibratedOf, readDish } from '../../src/scan/recognizers/dish/predictions.ts';
import { composePlates, type FoodPhoto } from './composed-plates.ts';
import { type Example, logisticFit } from './logistic-fit.ts';
import { openSample } from './open-sample.ts';
import { photosOf, type SetPhoto, testPhotosOf, validationPhotosOf } from './photo-sets.ts';
import { benchPlateTimes } from './plate-times.ts';
import { calibrationError, type Guess } from './recognition-figures.ts';
import { percentile } from './search-figures.ts';

const MODEL = join(import.meta.dirname, '..', '..', 'models', 'dish-mobilenet');
/** Photo sets, with the name that labels.tsv has for their labels. */
const KINDS = { food101_photos: 'food101', food101_64: 'food101', grocery: 'grocery', ecustfd: 'ecustfd' };
type SetName = keyof typeof KINDS;
const SETS = Object.keys(KINDS) as SetName[];
/** A mixed plate takes its photos from these sets; other plates take all from one set. */
const MIXED: readonly SetName[] = ['food101_photos', 'grocery', 'ecustfd'];
/** The photos of ECUSTFD with two foods on one plate; its table of weights says which. */
const TWO_FOODS: Readonly<Record<string, readonly [string, string]>> = {
  mix001: ['apple', 'orange'],
  mix002: ['apple', 'banana'],
  mix003: ['apple', 'qiwi'],
  mix004: ['apple', 'qiwi'],
  mix005: ['mango', 'qiwi'],
  mix006: ['banana', 'mango'],
  mix007: ['banana', 'mango'],
  mix008: ['banana', 'tomato'],
  mix009: ['lemon', 'orange'],
  mix010: ['lemon', 'tomato'],
  mix011: ['orange', 'tomato'],
  mix012: ['lemon', 'orange'],
  mix013: ['lemon', 'pear'],
  mix014: ['mango', 'pear'],
};
const PLATES = 48;
const SINGLES = 120;
/** Plates of each of two kinds of which the time is taken. */
const TIMED = 12;
/** Foods that an item proposes: itself and its first alternatives. */
const PROPOSED = 3;
const SEEDS = { tuned: 1, kept: 1_000 };
type Split = keyof typeof SEEDS;
type PlateRule = NonNullable<ModelDescription['plates']>;
/** Shares of photos of one dish whose quarters are not looked at, and that are not taken for several foods: the aims of the fit. */
const NOT_LOOKED_AT = 0.8;
const ONE_DISH = 0.965;

interface Model {
  readonly folder: ClassifierFolder;
  readonly network: Network;
  readonly reader: PlateReader;
  readonly readerBy: (rule: PlateRule) => PlateReader;
  readonly foodOf: (kind: string, label: string) => string | undefined;
}

interface Sample {
  readonly bytes: Buffer;
  readonly foodIds: readonly string[];
}

interface Looked extends Sample {
  /** The answer for the whole photo; absent if it shows no food. */
  readonly one: DishProposal | undefined;
  readonly several: readonly DishProposal[];
}

/** Measures photos of several foods, and of one; with `fit` by the numbers of `plates` in model.json that it finds again. */
export async function benchPlates({ fit }: { readonly fit: boolean }): Promise<void> {
  if (photosOf('ecustfd') === undefined) {
    console.log('plates: skipped, since there are no photos');
    return;
  }
  const shipped = await openModel();
  const model = fit ? { ...shipped, reader: shipped.readerBy(await fitRule(shipped)) } : shipped;
  for (const split of ['tuned', 'kept'] as const) {
    for (const [kind, plates] of await platesOf(model, split)) {
      report(`${split}, ${kind}`, await lookAll(model, plates));
    }
    for (const [kind, photos] of singlesOf(model, split)) {
      reportSingles(`${split}, one of ${kind}`, await lookAll(model, photos));
    }
  }
  await model.network.close();
  const plates = await composePlates(foodPhotos(model, 'kept', 'food101_photos'), { count: TIMED, seed: 7 });
  const groceries = await composePlates(foodPhotos(model, 'kept', 'grocery'), { count: TIMED, seed: 8 });
  const singles = spread(foodPhotos(model, 'kept', 'food101_photos'), 2 * TIMED);
  await benchPlateTimes({ plates: [...plates, ...groceries], singles });
  console.log(`plates: load average ${loadavg()[0]!.toFixed(1)}`);
}

async function openModel(): Promise<Model> {
  const folder = await readClassifierFolder(MODEL, readStarterFoods());
  const network = await Network.open(MODEL, folder.network, folder.description);
  const look = async (tensors: readonly Float32Array[]) => (await network.run(tensors, ['logits'])).logits;
  const foods = new Map(
    folder.labels.flatMap(({ label, set, food }) =>
      food === undefined ? [] : set.split(',').map((each) => [`${each}\t${label}`, food.foodId] as const),
    ),
  );
  const readerBy = (rule: PlateRule) => new PlateReader({ ...folder, rule, look });
  return {
    folder,
    network,
    reader: readerBy(folder.description.plates!),
    readerBy,
    foodOf: (kind, label) => foods.get(`${kind}\t${label}`),
  };
}

function foodPhotos({ foodOf }: Model, split: Split, set: SetName): FoodPhoto[] {
  const photos = (split === 'kept' ? testPhotosOf(set) : validationPhotosOf(set)) ?? [];
  return photos.flatMap((photo) => {
    const foodId = foodOf(KINDS[set], photo.label);
    return foodId === undefined ? [] : [{ ...photo, foodId }];
  });
}

async function platesOf(model: Model, split: Split): Promise<Map<string, readonly Sample[]>> {
  const samples = new Map<string, readonly Sample[]>();
  for (const [at, set] of SETS.entries()) {
    const photos = foodPhotos(model, split, set);
    samples.set(set, await composePlates(photos, { count: PLATES, seed: SEEDS[split] + at }));
  }
  const each = MIXED.map((set) => foodPhotos(model, split, set));
  const least = Math.min(...each.map(({ length }) => length));
  const alike = each.flatMap((photos) => spread(photos, least));
  const seed = SEEDS[split] + SETS.length;
  samples.set(MIXED.join(', '), await composePlates(alike, { count: PLATES, seed }));
  const two = photosOf('ecustfd')!.filter((photo) => isOfTwo(photo, split));
  samples.set(
    'real plates of two foods in ecustfd',
    two.map(({ source, bytes }) => ({
      bytes,
      foodIds: TWO_FOODS[source.slice(0, 6)]!.map((label) => model.foodOf('ecustfd', label)!),
    })),
  );
  return samples;
}

/** Plates with odd numbers are for tuning. */
function isOfTwo({ label, source }: SetPhoto, split: Split): boolean {
  return label === 'mix' && (Number(source.slice(3, 6)) % 2 === 1) === (split === 'tuned');
}

function singlesOf(model: Model, split: Split): Map<string, readonly Sample[]> {
  return new Map(
    SETS.map((set) => [
      set,
      spread(foodPhotos(model, split, set), SINGLES).map(({ bytes, foodId }) => ({
        bytes,
        foodIds: [foodId],
      })),
    ]),
  );
}

/** At most so many of them, from all of the list. */
function spread<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)]!);
}

async function lookAll(model: Model, samples: readonly Sample[]): Promise<Looked[]> {
  const looked: Looked[] = [];
  for (const sample of samples) {
    const { photo, whole } = await wholeOf(model, sample);
    const { proposal } = readDish(whole.probabilities, model.folder.labels, model.folder.description);
    const several = proposal === undefined ? [] : await model.reader.read(photo, whole);
    looked.push({ ...sample, one: proposal, several });
  }
  return looked;
}

async function wholeOf({ folder: { description, labels }, network }: Model, { bytes }: Sample) {
  const photo = await openSample(bytes);
  const { logits, places } = await network.run(await toTensors(photo, description), ['logits', 'places']);
  return { photo, whole: { probabilities: calibratedOf(logits, labels, description), places } };
}

function report(kind: string, looked: readonly Looked[]): void {
  const foods = looked.reduce((sum, { foodIds }) => sum + foodIds.length, 0);
  const isShown = ({ foodIds }: Looked, item: DishProposal) =>
    proposed(item).some((id) => foodIds.includes(id));
  const found = (itemsOf: (each: Looked) => readonly DishProposal[], most: number) =>
    looked.reduce((sum, each) => {
      const seen = new Set(itemsOf(each).flatMap((item) => proposed(item).slice(0, most)));
      return sum + each.foodIds.filter((id) => seen.has(id)).length;
    }, 0) / foods;
  const falseOnes = (itemsOf: (each: Looked) => readonly DishProposal[]) =>
    looked.reduce((sum, each) => sum + itemsOf(each).filter((item) => !isShown(each, item)).length, 0) /
    looked.length;
  const guesses = looked.flatMap(({ several, foodIds }) =>
    several.map(
      ({ foodId, confidence }): Guess => ({
        ranked: [foodId],
        wanted: foodIds.includes(foodId) ? foodId : '',
        confidence,
      }),
    ),
  );
  console.log(
    `plates: ${kind}: ${looked.length} plates, ${foods} foods: among three proposals of an item ${percent(found(itemsOf, PROPOSED))} ` +
      `(goal 80 %; of one item ${percent(found(oneOf, PROPOSED))}), named first ${percent(found(itemsOf, 1))} (${percent(found(oneOf, 1))}); ` +
      `false items a plate ${falseOnes(itemsOf).toFixed(2)} (goal .3; ${falseOnes(oneOf).toFixed(2)}); ` +
      `with several items ${percent(share(looked, ({ several }) => several.length > 0))}, ` +
      `right of their items ${percent(share(guesses, ({ wanted }) => wanted !== ''))}, calibration error ${calibrationError(guesses).toFixed(3)}`,
  );
}

function reportSingles(kind: string, looked: readonly Looked[]): void {
  const isRight = (item: DishProposal | undefined, { foodIds }: Looked) => item?.foodId === foodIds[0];
  const now = (each: Looked) => isRight(itemsOf(each)[0], each);
  const before = (each: Looked) => isRight(each.one, each);
  console.log(
    `plates: ${kind}: ${looked.length} photos: with several items ${percent(share(looked, ({ several }) => several.length > 0))}; ` +
      `first item right ${percent(share(looked, now))}, with one item ${percent(share(looked, before))}, in pairs ` +
      `+${looked.filter((each) => now(each) && !before(each)).length} -${looked.filter((each) => !now(each) && before(each)).length}; ` +
      `items beside it ${(looked.reduce((sum, { several }) => sum + Math.max(0, several.length - 1), 0) / looked.length).toFixed(3)} a photo`,
  );
}

function oneOf({ one }: Looked): readonly DishProposal[] {
  return one === undefined ? [] : [one];
}

function itemsOf(looked: Looked): readonly DishProposal[] {
  return looked.several.length > 0 ? looked.several : oneOf(looked);
}

function proposed({ foodId, alternatives }: DishProposal): string[] {
  return [foodId, ...alternatives.map((other) => other.foodId)].slice(0, PROPOSED);
}

/** Fits the numbers of `plates` in model.json on the photos for tuning, and prints them. */
async function fitRule(model: Model): Promise<PlateRule> {
  const varieties: number[] = [];
  const seen: {
    readonly foodIds: readonly string[];
    readonly foods: readonly SeenFood[];
    readonly variety: number;
  }[] = [];
  for (const samples of [
    ...singlesOf(model, 'tuned').values(),
    ...(await platesOf(model, 'tuned')).values(),
  ]) {
    for (const sample of samples) {
      const { photo, whole } = await wholeOf(model, sample);
      const variety = model.reader.varietyOf(whole);
      if (sample.foodIds.length === 1) varieties.push(variety);
      seen.push({ ...sample, foods: await model.reader.foodsOn(photo, whole), variety });
    }
  }
  const least = percentile(Float64Array.from(varieties).sort(), NOT_LOOKED_AT);
  const varied = seen.filter(({ variety, foods }) => variety >= least && foods.length > 1);
  const examples = varied.flatMap(({ foodIds, foods }) =>
    foods.map(
      ({ evidence, candidates }): Example => ({
        values: [evidence.quarter, evidence.whole, evidence.elsewhere, evidence.variety],
        isTrue: foodIds.includes(candidates[0]!.foodId),
      }),
    ),
  );
  const weights = logisticFit(examples);
  const confidence = ({ evidence: { quarter, whole, elsewhere, variety } }: SeenFood) => {
    const sum = [quarter, whole, elsewhere, variety, 1].reduce(
      (total, value, at) => total + value * weights[at]!,
      0,
    );
    return 1 / (1 + Math.exp(-sum));
  };
  const seconds = seen
    .filter(({ foodIds }) => foodIds.length === 1)
    .map(({ variety, foods }) =>
      variety < least ? 0 : (foods.map(confidence).sort((a, b) => b - a)[1] ?? 0),
    );
  const atLeast = percentile(Float64Array.from(seconds).sort(), ONE_DISH);
  console.log(
    `plates: fitted on ${examples.length} items of ${varied.length} photos: variety ${least.toFixed(3)}; weights quarter, whole, elsewhere, variety, bias ` +
      `${weights.map((weight) => weight.toFixed(3)).join(', ')}; atLeast ${atLeast.toFixed(3)}`,
  );
  const [quarter, whole, elsewhere, variety, bias] = weights as [number, number, number, number, number];
  return {
    ...model.folder.description.plates!,
    variety: least,
    weights: { quarter, whole, elsewhere, variety, bias },
    atLeast,
  };
}

function share<T>(all: readonly T[], is: (each: T) => boolean): number {
  return all.filter(is).length / all.length;
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}
