import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Food, FoodId } from '@larder/core/food.ts';
import { usualServing } from '@larder/text/parse/grams/typical-units.ts';
import type { Photo } from '../../images/photo.ts';
import { dishProposal, MAX_RANKED, type Recognition, type Recognizer } from '../../recognizer.ts';
import { ImageTextModel, type ImageTextSource } from './image-text-model.ts';
import { keptVectors } from './vector-file.ts';

/** A food that a photo may show, with its usual amount. */
export interface FoodPrompt {
  readonly text: string;
  readonly name: string;
  readonly foodId: FoodId;
  readonly grams: { readonly typical: number; readonly low: number; readonly high: number };
}

/** Other common subjects. A photo closer to one of these than to every food shows no food. */
const OTHER_PROMPTS: readonly string[] = [
  'a photo of a person',
  'a photo of a room',
  'a photo of a street',
  'a photo of a landscape',
  'a photo of an animal',
  'a photo of a car',
  'a photo of a building',
  'a photo of a piece of clothing',
  'a photo of a device',
  'a photo of furniture',
  'a photo of an empty plate',
  'a page of text',
  'a screenshot',
  'a drawing',
  'a plain surface',
];

/** Most portions are between half and double of the stated serving. */
const LOW_SHARE = 0.5;
const HIGH_SHARE = 2;

/** The generic foods by common names; branded ones are recognized by barcode. */
function foodPrompts(foods: Iterable<Food>): FoodPrompt[] {
  const prompts: FoodPrompt[] = [];
  for (const food of foods) {
    const { id, name, brand } = food;
    if (brand !== undefined) continue;
    const typical = usualServing(food).basisAmount;
    const grams = { typical, low: typical * LOW_SHARE, high: typical * HIGH_SHARE };
    prompts.push({ text: `a photo of ${name.toLowerCase()}, a type of food`, name, foodId: id, grams });
  }
  return prompts;
}

/** Identifies a model and a list of texts; their vectors are stored under it. */
function fingerprintOf(modelName: string, texts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([modelName, texts]))
    .digest('hex');
}

/** Below this confidence the result is `unsure`, so that the user chooses among the alternatives. */
const SURE_CONFIDENCE = 0.5;

export interface OpenVocabularyOptions {
  readonly source: ImageTextSource;
  /** The foods to choose from. */
  readonly foods: Iterable<Food>;
  /** Folder for text vectors, computed once for a model and a list of foods. */
  readonly cacheDir: string;
}

/**
 * Recognizes dishes by comparing a photo with the names of foods, with a model trained on captioned images (CLIP,
 * SigLIP). Its confidence is not calibrated.
 */
export class OpenVocabularyRecognizer implements Recognizer {
  readonly name = 'dish';
  readonly version: string;
  readonly #model: ImageTextModel;
  readonly #prompts: readonly FoodPrompt[];
  /** Vectors of the prompts, then of the subjects that are not food. */
  readonly #vectors: readonly Float32Array[];

  private constructor(
    version: string,
    model: ImageTextModel,
    prompts: readonly FoodPrompt[],
    vectors: readonly Float32Array[],
  ) {
    this.version = version;
    this.#model = model;
    this.#prompts = prompts;
    this.#vectors = vectors;
  }

  static async open({ source, foods, cacheDir }: OpenVocabularyOptions): Promise<OpenVocabularyRecognizer> {
    const model = await ImageTextModel.open(source);
    const name = 'dir' in source ? source.dir : source.hubId;
    const prompts = foodPrompts(foods);
    const texts = [...prompts.map(({ text }) => text), ...OTHER_PROMPTS];
    const file = join(cacheDir, `${fingerprintOf(name, texts)}.f32`);
    const vectors = await keptVectors(file, texts, (some) => model.embedTexts(some));
    return new OpenVocabularyRecognizer(`open-vocabulary ${name}`, model, prompts, vectors);
  }

  async recognize(photo: Photo, signal: AbortSignal): Promise<Recognition> {
    const vector = await this.#model.embedPhoto(photo);
    signal.throwIfAborted();
    const shares = softmax(
      this.#vectors.map((other) => similarity(vector, other) * this.#model.similarityScale),
    );
    const foods = this.#prompts.map((prompt, index) => ({ prompt, confidence: shares[index]! }));
    foods.sort((a, b) => b.confidence - a.confidence);
    const [best] = foods;
    const other = Math.max(...shares.slice(this.#prompts.length));
    if (best === undefined || best.confidence <= other) return { proposals: [], details: { food: false } };
    const candidates = foods.slice(0, MAX_RANKED).map(({ prompt: { name, foodId, grams }, confidence }) => ({
      label: name,
      foodId,
      grams,
      confidence,
    }));
    return { proposals: [dishProposal(candidates, SURE_CONFIDENCE)] };
  }

  close(): Promise<void> {
    return this.#model.close();
  }
}

function similarity(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
  return sum;
}

function softmax(values: readonly number[]): number[] {
  const highest = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
