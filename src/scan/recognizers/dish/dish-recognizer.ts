import { OperatorError } from '@larder/core/errors.ts';
import type { Food } from '@larder/core/food.ts';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Photo } from '../../images/photo.ts';
import type { Recognition, Recognizer } from '../../recognizer.ts';
import { type ClassifierFolder, readClassifierFolder } from './classifier-folder.ts';
import { toTensors } from './image-views.ts';
import type { ModelDescription } from './model-description.ts';
import { calibratedOf, readDish } from './predictions.ts';

const CHANNELS = 3;

/** The loaded network of a classifier folder. */
export class Network {
  readonly #session: InferenceSession;
  readonly #input: ModelDescription['input'];
  readonly #output: ModelDescription['output'];

  private constructor(session: InferenceSession, { input, output }: ModelDescription) {
    this.#session = session;
    this.#input = input;
    this.#output = output;
  }

  /** Runs it once on grey, so that a network of the wrong shape is rejected now and not at the first photo. */
  static async open(dir: string, bytes: Buffer, description: ModelDescription): Promise<Network> {
    try {
      // One thread a session, because photos are analysed in parallel.
      const session = await InferenceSession.create(bytes, { intraOpNumThreads: 1, interOpNumThreads: 1 });
      const network = new Network(session, description);
      const { width, height } = description.input;
      await network.run([new Float32Array(CHANNELS * width * height)]);
      return network;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new OperatorError(`The network in ${dir} does not do what model.json says: ${reason}`, { cause });
    }
  }

  /** The logits of each tensor. */
  async run(tensors: readonly Float32Array[]): Promise<Float32Array[]> {
    const size = this.#input.batch === 'any' ? tensors.length : this.#input.batch;
    const logits: Float32Array[] = [];
    for (let from = 0; from < tensors.length; from += size) {
      logits.push(...(await this.#runBatch(tensors.slice(from, from + size), size)));
    }
    return logits;
  }

  close(): Promise<void> {
    return this.#session.release();
  }

  /** Runs a batch of `size`, filled with empty images if needed: some networks take no fewer. */
  async #runBatch(tensors: readonly Float32Array[], size: number): Promise<Float32Array[]> {
    const { width, height, layout, name } = this.#input;
    const each = CHANNELS * width * height;
    const batch = new Float32Array(size * each);
    for (const [index, tensor] of tensors.entries()) batch.set(tensor, index * each);
    const shape = layout === 'nchw' ? [size, CHANNELS, height, width] : [size, height, width, CHANNELS];
    const outputs = await this.#session.run({ [name]: new Tensor('float32', batch, shape) });
    const { classes, name: outputName } = this.#output;
    const values = outputs[outputName]?.data as Float32Array | undefined;
    if (values?.length !== size * classes) {
      throw new Error(`its output ${outputName} has ${values?.length ?? 'no'} values for ${size} images`);
    }
    return tensors.map((_, index) => values.slice(index * classes, (index + 1) * classes));
  }
}

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
