import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Photos for measuring are not part of the project; they are read from a folder beside it. */
export const VISION = join(import.meta.dirname, '..', '..', '..', 'shared', 'vision');
const TRAINING = join(import.meta.dirname, '..', '..', 'training');

export interface SetPhoto {
  readonly label: string;
  readonly source: string;
  readonly bytes: Buffer;
}

/** All photos of a set: concatenated images, and a table of their offsets. Undefined if it is absent. */
export function photosOf(set: string): SetPhoto[] | undefined {
  const path = join(VISION, set);
  if (!existsSync(`${path}.bin`)) return undefined;
  const bytes = readFileSync(`${path}.bin`);
  return rowsOf(`${path}.tsv`).map(([label, source, offset, size]) => ({
    label: label!,
    source: source!,
    bytes: bytes.subarray(Number(offset), Number(offset) + Number(size)),
  }));
}

/** Photos that our model was not trained on. */
export function testPhotosOf(set: string): SetPhoto[] | undefined {
  return listedPhotosOf(set, 'test-photos.tsv');
}

/** Other photos that our model was not trained on: numbers may be tuned on them. */
export function validationPhotosOf(set: string): SetPhoto[] | undefined {
  return listedPhotosOf(set, 'validation-photos.tsv');
}

function listedPhotosOf(set: string, list: string): SetPhoto[] | undefined {
  const kept = new Set(
    rowsOf(join(TRAINING, list)).flatMap(([name, label, source]) =>
      name === set ? [`${label}\t${source}`] : [],
    ),
  );
  return photosOf(set)?.filter(({ label, source }) => kept.has(`${label}\t${source}`));
}

function rowsOf(path: string): string[][] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));
}
