import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { buildWordVectors, DIMENSIONS, type WordVectorSections } from '@larder/search/word-vectors.ts';
import { fileError } from '../../files/file-errors.ts';

/**
 * Reads a table of word pieces: `pieces.txt`, one a line; `vectors.int8`, `DIMENSIONS` signed bytes each; `scales.f32`, a
 * little-endian float each. Throws an `OperatorError` if a file is missing or of another length.
 */
export function readWordVectors(folder: string): WordVectorSections {
  const pieces = readFrom(folder, 'pieces.txt').toString().trimEnd().split('\n');
  const bytes = readFrom(folder, 'vectors.int8');
  const floats = readFrom(folder, 'scales.f32');
  if (bytes.length !== pieces.length * DIMENSIONS || floats.length !== pieces.length * 4) {
    throw new OperatorError(`The table of word vectors in ${folder} is damaged; install Larder again.`);
  }
  const scales = Uint32Array.from(pieces, (_, piece) => floats.readUInt32LE(piece * 4));
  return buildWordVectors(pieces, { bytes, scales });
}

function readFrom(folder: string, name: string): Buffer {
  try {
    return readFileSync(join(folder, name));
  } catch (error) {
    throw fileError(`Cannot read the word vectors of ${folder}`, error);
  }
}
