import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onnxFile } from './onnx-file.ts';

export interface ColourClass {
  readonly label: string;
  /** Empty for labels that are not food. */
  readonly food: string;
  /** The photos of this label: red, green and blue from 0 to 1. */
  readonly rgb: readonly [number, number, number];
}

const SIDE_PX = 8;
const CHANNELS = 3;
const VECTOR_SIZE = 8;
/** On each side. */
const PLACES = 2;
const PART_PX = SIDE_PX / PLACES;
/** Increase of the logit when a colour is nearer by 1. */
const STEEPNESS = 8;

/**
 * A folder as in docs/dish-model.md, with a network that classifies photos by their mean colour. With `memory` the direction of the colour from
 * grey is kept of each photo. With `plates` the quarters of a photo are told apart.
 */
export async function writeClassifierFolder(
  dir: string,
  classes: readonly ColourClass[],
  { memory = false, plates = false } = {},
): Promise<void> {
  const network = colourNetwork(classes);
  const lines = classes.map(({ label, food }, index) =>
    [index, label, 'test', ...(food === '' ? ['', '', '', ''] : [food, 100, 50, 200])].join('\t'),
  );
  const labels = Buffer.from(`${['index\tlabel\tset\tfood\ttypical\tlow\thigh', ...lines].join('\n')}\n`);
  const projection = colourProjection();
  const files = {
    network,
    labels,
    classes: classes.length,
    notFood: classes.findIndex(({ food }) => food === ''),
    ...(memory && { projection }),
    plates,
  };
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'dish.onnx'), network);
  await writeFile(join(dir, 'labels.tsv'), labels);
  if (memory) await writeFile(join(dir, 'memory.bin'), projection);
  await writeFile(join(dir, 'model.json'), JSON.stringify(descriptionOf(files)));
}

function descriptionOf({ network, labels, classes, notFood, projection, plates }: Files) {
  return {
    schemaVersion: 1,
    name: 'colours',
    version: '1',
    network: { file: 'dish.onnx', sha256: sha256(network), bytes: network.length },
    labels: { file: 'labels.tsv', sha256: sha256(labels) },
    input: {
      name: 'pixels',
      type: 'float32',
      layout: 'nchw',
      batch: 'any',
      width: SIDE_PX,
      height: SIDE_PX,
      fit: 'squash',
      kernel: 'cubic',
      colour: 'rgb',
      mean: [0.5, 0.5, 0.5],
      std: [0.5, 0.5, 0.5],
    },
    output: { name: 'logits', type: 'float32', classes },
    ...(projection && {
      memory: {
        output: 'colour',
        towers: 1,
        width: CHANNELS,
        size: VECTOR_SIZE,
        projection: { file: 'memory.bin', sha256: sha256(projection) },
      },
    }),
    ...(plates && {
      plates: {
        output: 'places',
        rows: PLACES,
        columns: PLACES,
        variety: 0.1,
        placesShare: 0.3,
        weights: { quarter: 1, whole: 0, elsewhere: 0, variety: 0, bias: 0 },
        atLeast: 0.5,
      },
    }),
    views: {
      allowed: ['whole', 'mirror', 'centre'],
      default: plates ? ['whole', 'mirror'] : ['whole', 'mirror', 'centre'],
      centreShare: 0.8,
    },
    temperature: 1,
    notFood: notFood < 0 ? null : { score: 'label', index: notFood, atLeast: 0.5 },
    unsure: { score: 'food-confidence', below: 0.6 },
  };
}

interface Files {
  readonly network: Buffer;
  readonly labels: Buffer;
  readonly classes: number;
  readonly notFood: number;
  readonly projection?: Buffer;
  readonly plates: boolean;
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Minus the squared distance of the mean colour to that of each class, without the part common to all. */
function colourNetwork(classes: readonly ColourClass[]): Buffer {
  const centred = classes.map(({ rgb }) => rgb.map((value) => value * 2 - 1));
  const weights = [0, 1, 2].flatMap((channel) => centred.map((colour) => 2 * STEEPNESS * colour[channel]!));
  const filters = centred.flatMap((colour) => colour.map((value) => 2 * STEEPNESS * value));
  const offsets = centred.map((colour) => -STEEPNESS * colour.reduce((sum, value) => sum + value * value, 0));
  return onnxFile({
    inputs: [{ name: 'pixels', type: 'float', shape: ['views', 3, SIDE_PX, SIDE_PX] }],
    outputs: [
      { name: 'logits', type: 'float', shape: ['views', classes.length] },
      { name: 'colour', type: 'float', shape: ['views', CHANNELS] },
      { name: 'places', type: 'float', shape: ['views', classes.length, PLACES, PLACES] },
    ],
    weights: [
      { name: 'weights', shape: [3, classes.length], values: weights },
      { name: 'offsets', shape: [classes.length], values: offsets },
      { name: 'filters', shape: [classes.length, CHANNELS, 1, 1], values: filters },
    ],
    nodes: [
      { op: 'GlobalAveragePool', inputs: ['pixels'], outputs: ['mean'] },
      { op: 'Flatten', inputs: ['mean'], outputs: ['colour'], attributes: { axis: 1 } },
      { op: 'Gemm', inputs: ['colour', 'weights', 'offsets'], outputs: ['logits'] },
      {
        op: 'AveragePool',
        inputs: ['pixels'],
        outputs: ['parts'],
        attributes: { kernel_shape: [PART_PX, PART_PX], strides: [PART_PX, PART_PX] },
      },
      { op: 'Conv', inputs: ['parts', 'filters', 'offsets'], outputs: ['places'] },
    ],
  });
}

/** The channels as they are, followed by zeros. */
function colourProjection(): Buffer {
  const floats = Float32Array.from({ length: 2 * VECTOR_SIZE }, (_, at) => (at < VECTOR_SIZE ? 1 : 0));
  const rows = Int8Array.from({ length: VECTOR_SIZE * CHANNELS }, (_, at) =>
    Number(Math.floor(at / CHANNELS) === at % CHANNELS),
  );
  return Buffer.concat([new Uint8Array(floats.buffer), new Uint8Array(rows.buffer)]);
}
