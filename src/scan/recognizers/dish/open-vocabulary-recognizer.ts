import { join } from 'node:path';
import type { Food } from '@larder/core/food.ts';
import type { Photo } from '../../images/photo.ts';
import type { DishProposal, Recognition, Recognizer } from '../../recognizer.ts';
import { type FoodPrompt, fingerprintOf, foodPrompts, OTHER_PROMPTS } from './food-prompts.ts';
import { ImageTextModel, type ImageTextSource } from './image-text-model.ts';
import { keptVectors } from './vector-file.ts';

const MAX_CANDIDATES = 5;
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
    return { proposals: [toProposal(foods.slice(0, MAX_CANDIDATES))] };
  }

  close(): Promise<void> {
    return this.#model.close();
  }
}

function toProposal(
  candidates: readonly { readonly prompt: FoodPrompt; readonly confidence: number }[],
): DishProposal {
  const [best, ...others] = candidates.map(({ prompt: { name, foodId, grams }, confidence }) => ({
    label: name,
    foodId,
    grams,
    confidence,
  }));
  return {
    kind: 'dish',
    ...best!,
    ...(best!.confidence < SURE_CONFIDENCE && { unsure: true }),
    alternatives: others.map(({ label, foodId, confidence }) => ({ label, foodId, confidence })),
  };
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
