import type { Food } from '@larder/core/food.ts';
import type { Photo } from '../../images/photo.ts';
import type { Recognition, Recognizer } from '../../recognizer.ts';
import { type ClassifierFolder, readClassifierFolder } from './classifier-folder.ts';
import { toTensors } from './image-views.ts';
import { Network } from './network.ts';
import { calibratedOf, readDish } from './predictions.ts';

/** Significant decimals of a probability. */
const DECIMALS = 4;

/** Recognizes dishes with a classifier on this machine's processor. */
export class DishRecognizer implements Recognizer {
  readonly name = 'dish';
  readonly version: string;
  readonly #folder: Omit<ClassifierFolder, 'network'>;
  readonly #network: Network;

  private constructor(folder: ClassifierFolder, network: Network) {
    this.version = `${folder.description.name} ${folder.description.version}`;
    this.#folder = folder;
    this.#network = network;
  }

  /** Throws an `OperatorError` if the folder is damaged or of another kind. */
  static async open(dir: string, foods: Iterable<Food>): Promise<DishRecognizer> {
    const folder = await readClassifierFolder(dir, foods);
    return new DishRecognizer(folder, await Network.open(dir, folder.network, folder.description));
  }

  async recognize(photo: Photo, signal: AbortSignal): Promise<Recognition> {
    const { description, labels } = this.#folder;
    const tensors = await toTensors(photo, description);
    signal.throwIfAborted();
    const probabilities = calibratedOf(await this.#network.run(tensors), labels, description);
    const { food, proposal } = readDish(probabilities, labels, description);
    const details = { food: Number(food.toFixed(DECIMALS)) };
    return { proposals: proposal === undefined ? [] : [proposal], details };
  }

  close(): Promise<void> {
    return this.#network.close();
  }
}
