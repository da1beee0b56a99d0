import { OperatorError } from '@larder/core/errors.ts';
import type { Food } from '@larder/core/food.ts';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Photo } from '../../images/photo.ts';
import type { Recognition, Recognizer } from '../../recognizer.ts';
import { type ClassifierFolder, readClassifierFolder } from './classifier-folder.ts';
import { toTensors } from './image-views.ts';
import type { ModelDescription } from './model-description.ts';
import { PlateReader } from './plate-reader.ts';
import { calibratedOf, readDish } from './predictions.ts';

const CHANNELS = 3;

/** The loaded network of a classifier folder. */
export class Network {
  readonly #session: InferenceSession;
  readonly #input: ModelDescription['input'];
  /** The names of the outputs, and how many numbers each has for an image. */
  readonly #outputs: Readonly<Partial<Record<OutputKind, readonly [name: string, length: number]>>>;

  private constructor(session: InferenceSession, { input, output, memory, plates }: ModelDescription) {
    this.#session = session;
    this.#input = input;
    this.#outputs = {
      logits: [output.name, output.classes],
      ...(memory && { inner: [memory.output, memory.width] }),
      ...(plates && { places: [plates.output, output.classes * plates.rows * plates.columns] }),
    };
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

  /** Runs the network on each tensor. Asks for all outputs, or for the named ones. */
  async run(
    tensors: readonly Float32Array[],
    kinds: readonly OutputKind[] = OUTPUT_KINDS,
  ): Promise<NetworkOutput> {
    const size = this.#input.batch === 'any' ? tensors.length : this.#input.batch;
    const output: Record<OutputKind, Float32Array[]> = { logits: [], inner: [], places: [] };
    for (let from = 0; from < tensors.length; from += size) {
      await this.#runBatch(tensors.slice(from, from + size), size, kinds, output);
    }
    return output;
  }

  close(): Promise<void> {
    return this.#session.release();
  }

  /** Runs a batch of `size`, filled with empty images if needed: some networks take no fewer. */
  async #runBatch(
    tensors: readonly Float32Array[],
    size: number,
    kinds: readonly OutputKind[],
    output: Record<OutputKind, Float32Array[]>,
  ): Promise<void> {
    const { width, height, layout, name } = this.#input;
    const each = CHANNELS * width * height;
    const batch = new Float32Array(size * each);
    for (const [index, tensor] of tensors.entries()) batch.set(tensor, index * each);
    const shape = layout === 'nchw' ? [size, CHANNELS, height, width] : [size, height, width, CHANNELS];
    const feeds = { [name]: new Tensor('float32', batch, shape) };
    const asked = kinds.flatMap((kind) => {
      const one = this.#outputs[kind];
      return one === undefined ? [] : [[kind, ...one] as const];
    });
    const outputs = await this.#session.run(
      feeds,
      asked.map(([, outputName]) => outputName),
    );
    for (const [kind, outputName, length] of asked) {
      const values = outputs[outputName]?.data as Float32Array | undefined;
      if (values?.length !== size * length) {
        throw new Error(`its output ${outputName} has ${values?.length ?? 'no'} values for ${size} images`);
      }
      output[kind].push(...tensors.map((_, index) => values.slice(index * length, (index + 1) * length)));
    }
  }
}

/** The outputs of a network: its result, the vector that is kept of a photo, and its result at each place. */
const OUTPUT_KINDS = ['logits', 'inner', 'places'] as const;
type OutputKind = (typeof OUTPUT_KINDS)[number];

/** The outputs for each tensor; an output that the network lacks is empty. */
export type NetworkOutput = Readonly<Record<OutputKind, readonly Float32Array[]>>;

/** Significant decimals of a probability. */
const DECIMALS = 4;
/** Of a checksum: enough to tell files apart. */
const SHOWN_DIGITS = 8;

export interface DishOptions {
  /** Whether several foods are looked for on a photo; true by default, if the network can. */
  readonly severalFoods?: boolean;
}

/** Recognizes dishes with a classifier on this machine's processor. */
export class DishRecognizer implements Recognizer {
  readonly name = 'dish';
  readonly version: string;
  readonly #folder: Omit<ClassifierFolder, 'network'>;
  readonly #network: Network;
  /** The network and projection that vectors come from: those of others cannot be compared with them. */
  readonly #vectorsOf: string;

  /** Absent if a photo has one dish. */
  readonly #plates: PlateReader | undefined;

  private constructor(folder: ClassifierFolder, network: Network, { severalFoods = true }: DishOptions) {
    const { name, version, memory, plates } = folder.description;
    this.version = `${name} ${version}`;
    this.#vectorsOf = `${this.version} ${memory?.projection.sha256.slice(0, SHOWN_DIGITS)}`;
    this.#folder = folder;
    this.#network = network;
    const look = async (tensors: readonly Float32Array[]) => (await network.run(tensors, ['logits'])).logits;
    this.#plates = plates && severalFoods ? new PlateReader({ ...folder, rule: plates, look }) : undefined;
  }

  /** Throws an `OperatorError` if the folder is damaged or of another kind. */
  static async open(dir: string, foods: Iterable<Food>, options: DishOptions = {}): Promise<DishRecognizer> {
    const folder = await readClassifierFolder(dir, foods);
    return new DishRecognizer(folder, await Network.open(dir, folder.network, folder.description), options);
  }

  async recognize(photo: Photo, signal: AbortSignal): Promise<Recognition> {
    const { description, labels, projection } = this.#folder;
    const tensors = await toTensors(photo, description);
    signal.throwIfAborted();
    const { logits, inner, places } = await this.#network.run(tensors);
    const probabilities = calibratedOf(logits, labels, description);
    const { food, proposal } = readDish(probabilities, labels, description);
    const details = { food: Number(food.toFixed(DECIMALS)) };
    if (proposal === undefined) return { proposals: [], details };
    const several = (await this.#plates?.read(photo, { probabilities, places })) ?? [];
    signal.throwIfAborted();
    const [first, ...others] = several.length > 0 ? several : [proposal];
    if (projection === undefined) return { proposals: [first!, ...others], details };
    // What is kept of a photo is of the whole.
    const values = Buffer.from(projection.project(inner)).toString('base64');
    const ranking = { ...first!.ranking, vector: { network: this.#vectorsOf, values } };
    return { proposals: [{ ...first!, ranking }, ...others], details };
  }

  close(): Promise<void> {
    return this.#network.close();
  }
}
