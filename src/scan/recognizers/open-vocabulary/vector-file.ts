import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Vectors of one length, kept as little-endian floats one after the other; made by `make` where there is no such file
 * yet, or one that does not fit. Two processes that make it at the same time write the same.
 */
export async function keptVectors(
  file: string,
  count: number,
  make: () => Promise<Float32Array[]>,
): Promise<Float32Array[]> {
  const kept = await readFile(file).catch(() => undefined);
  if (kept !== undefined && kept.length > 0 && kept.length % (4 * count) === 0) return rowsOf(kept, count);
  const vectors = await make();
  await mkdir(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}.new`;
  await writeFile(
    unfinished,
    Buffer.concat(
      vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
    ),
  );
  await rename(unfinished, file);
  return vectors;
}

function rowsOf(bytes: Buffer, count: number): Float32Array[] {
  const values = new Float32Array(bytes.length / 4);
  for (let index = 0; index < values.length; index++) values[index] = bytes.readFloatLE(index * 4);
  const width = values.length / count;
  return Array.from({ length: count }, (_, row) => values.subarray(row * width, (row + 1) * width));
}
