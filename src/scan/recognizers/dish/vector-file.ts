import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../../files/make-folder.ts';

/** Texts that are embedded again to check that stored vectors belong to this model. */
const SAMPLE = 8;
/** Maximum squared difference of vectors of length 1: quantized models vary slightly with the batch. */
const MOST_DIFFERENCE = 0.02;

type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

/**
 * Reads vectors of texts, of length 1 each, stored as little-endian floats. Computes them with `embed` if there is no
 * valid file of this model: a folder or name may get another model. Concurrent threads and processes write the same
 * content.
 */
export async function keptVectors(
  file: string,
  texts: readonly string[],
  embed: Embed,
): Promise<readonly Float32Array[]> {
  const kept = await readVectors(file, texts.length);
  if (kept !== undefined && (await isOfThisModel(kept, texts, embed))) return kept;
  const vectors = await embed(texts);
  await makeFolder(dirname(file));
  const unfinished = `${file}.${randomUUID()}.new`;
  await writeFile(
    unfinished,
    Buffer.concat(
      vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
    ),
  );
  await rename(unfinished, file);
  return vectors;
}

async function isOfThisModel(
  kept: readonly Float32Array[],
  texts: readonly string[],
  embed: Embed,
): Promise<boolean> {
  const step = Math.ceil(texts.length / SAMPLE);
  const places = [...texts.keys()].filter((place) => place % step === 0);
  const now = await embed(places.map((place) => texts[place]!));
  return places.every((place, index) => difference(kept[place]!, now[index]!) <= MOST_DIFFERENCE);
}

function difference(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return a.reduce((sum, value, index) => sum + (value - b[index]!) ** 2, 0);
}

async function readVectors(file: string, count: number): Promise<Float32Array[] | undefined> {
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined || bytes.length === 0 || bytes.length % (4 * count) !== 0) return undefined;
  const values = new Float32Array(bytes.length / 4);
  for (let index = 0; index < values.length; index++) values[index] = bytes.readFloatLE(index * 4);
  const width = values.length / count;
  return Array.from({ length: count }, (_, row) => values.subarray(row * width, (row + 1) * width));
}
