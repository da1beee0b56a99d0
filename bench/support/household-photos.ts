import { join } from 'node:path';
import { readStarterFoods } from '../../src/foods/starter/starter-foods.ts';
import { toVector } from '../../src/scan/analysis/photo-memory.ts';
import type { DishCandidate } from '../../src/scan/recognizer.ts';
import { readClassifierFolder } from '../../src/scan/recognizers/dish/classifier-folder.ts';
import { DishRecognizer } from '../../src/scan/recognizers/dish/dish-recognizer.ts';
import { openSample } from './open-sample.ts';
import type { SetPhoto } from './photo-sets.ts';

const MODEL = join(import.meta.dirname, '..', '..', 'models', 'dish-mobilenet');

/** The output of the dish model for a photo. */
export interface Look {
  readonly photo: SetPhoto;
  /** Empty if it sees no food. */
  readonly candidates: readonly DishCandidate[];
  /** Absent if it sees no food. */
  readonly vector?: Int8Array | undefined;
}

/** The food of each label of a set, such as `food101`. */
export async function foodsOfSet(set: string): Promise<ReadonlyMap<string, string>> {
  const { labels } = await readClassifierFolder(MODEL, readStarterFoods());
  return new Map(
    labels.flatMap(({ label, set: of, food }) => (of === set && food ? [[label, food.foodId] as const] : [])),
  );
}

/** Looks at photos with the dish model, once at each. */
export class PhotoLooks {
  readonly #recognizer: DishRecognizer;
  readonly #known = new Map<SetPhoto['bytes'], Look>();

  private constructor(recognizer: DishRecognizer) {
    this.#recognizer = recognizer;
  }

  static async open(): Promise<PhotoLooks> {
    return new PhotoLooks(await DishRecognizer.open(MODEL, readStarterFoods()));
  }

  async at(photos: readonly SetPhoto[]): Promise<Look[]> {
    const looks: Look[] = [];
    for (const photo of photos) {
      const look = this.#known.get(photo.bytes) ?? (await this.#look(photo));
      this.#known.set(photo.bytes, look);
      looks.push(look);
    }
    return looks;
  }

  close(): Promise<void> {
    return this.#recognizer.close();
  }

  async #look(photo: SetPhoto): Promise<Look> {
    const sample = await openSample(photo.bytes);
    const { proposals } = await this.#recognizer.recognize(sample, new AbortController().signal);
    const [proposal] = proposals;
    if (proposal?.kind !== 'dish') return { photo, candidates: [] };
    const { candidates, vector } = proposal.ranking;
    return { photo, candidates, vector: vector && toVector(vector.values) };
  }
}
