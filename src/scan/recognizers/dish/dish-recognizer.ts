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
  /** The names of the outputs, and how many numbers each has for an image. */
  readonly #outputs: ReadonlyMap<string, number>;

  private constructor(session: InferenceSession, { input, output, memory }: ModelDescription) {
    this.#session = session;
    this.#input = input;
    this.#outputs = new Map([
      [output.name, output.classes],
      ...(memory === undefined ? [] : [[memory.output, memory.width] as const]),
    ]);
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

  /** The logits of each tensor, and its vector for the photo memory. */
  async run(tensors: readonly Float32Array[]): Promise<NetworkOutput> {
    const size = this.#input.batch === 'any' ? tensors.length : this.#input.batch;
    const logits: Float32Array[] = [];
    const inner: Float32Array[] = [];
    for (let from = 0; from < tensors.length; from += size) {
      const [first, second] = await this.#runBatch(tensors.slice(from, from + size), size);
      logits.push(...first!);
      inner.push(...(second ?? []));
    }
    return { logits, inner };
  }

  close(): Promise<void> {
    return this.#session.release();
  }

  /** Runs a batch of `size`, filled with empty images if needed: some networks take no fewer. */
  async #runBatch(tensors: readonly Float32Array[], size: number): Promise<Float32Array[][]> {
    const { width, height, layout, name } = this.#input;
    const each = CHANNELS * width * height;
    const batch = new Float32Array(size * each);
    for (const [index, tensor] of tensors.entries()) batch.set(tensor, index * each);
    const shape = layout === 'nchw' ? [size, CHANNELS, height, width] : [size, height, width, CHANNELS];
    const feeds = { [name]: new Tensor('float32', batch, shape) };
    const outputs = await this.#session.run(feeds, [...this.#outputs.keys()]);
    return Array.from(this.#outputs, ([outputName, length]) => {
      const values = outputs[outputName]?.data as Float32Array | undefined;
      if (values?.length !== size * length) {
        throw new Error(`its output ${outputName} has ${values?.length ?? 'no'} values for ${size} images`);
      }
      return tensors.map((_, index) => values.slice(index * length, (index + 1) * length));
    });
  }
}

interface NetworkOutput {
  readonly logits: readonly Float32Array[];
  /** Empty for a network of which nothing is kept. */
  readonly inner: readonly Float32Array[];
}

/** Significant decimals of a probability. */
const DECIMALS = 4;
/** Of a checksum: enough to tell files apart. */
const SHOWN_DIGITS = 8;

/** Recognizes dishes with a classifier on this machine's processor. */
export class DishRecognizer implements Recognizer {
  readonly name = 'dish';
  readonly version: string;
  readonly #folder: Omit<ClassifierFolder, 'network'>;
  readonly #network: Network;
  /** The network and projection that vectors come from: those of others cannot be compared with them. */
  readonly #vectorsOf: string;

  private constructor(folder: ClassifierFolder, network: Network) {
    const { name, version, memory } = folder.description;
    this.version = `${name} ${version}`;
    this.#vectorsOf = `${this.version} ${memory?.projection.sha256.slice(0, SHOWN_DIGITS)}`;
    this.#folder = folder;
    this.#network = network;
  }

  /** Throws an `OperatorError` if the folder is damaged or of another kind. */
  static async open(dir: string, foods: Iterable<Food>): Promise<DishRecognizer> {
    const folder = await readClassifierFolder(dir, foods);
    return new DishRecognizer(folder, await Network.open(dir, folder.network, folder.description));
  }

  async recognize(photo: Photo, signal: AbortSignal): Promise<Recognition> {
    const { description, labels, projection } = this.#folder;
    const tensors = await toTensors(photo, description);
    signal.throwIfAborted();
    const { logits, inner } = await this.#network.run(tensors);
    const probabilities = calibratedOf(logits, labels, description);
    const { food, proposal } = readDish(probabilities, labels, description);
    const details = { food: Number(food.toFixed(DECIMALS)) };
    if (proposal === undefined) return { proposals: [], details };
    if (projection === undefined) return { proposals: [proposal], details };
    const values = Buffer.from(projection.project(inner)).toString('base64');
    const ranking = { ...proposal.ranking, vector: { network: this.#vectorsOf, values } };
    return { proposals: [{ ...proposal, ranking }], details };
  }

  close(): Promise<void> {
    return this.#network.close();
  }
}
