import type { CatalogueInfo } from '../catalogue/catalogue-info.ts';

/** Size of a part, small enough for memory and for one request. */
export const PART_BYTES = 4 << 20;
/** 32 GiB, twice the maximum size of a catalogue's records. */
const MAX_PARTS = 8_192;
export const MAX_PUBLISHED_BYTES = MAX_PARTS * PART_BYTES;

/** Public facts of a published catalogue. */
interface VersionFacts extends Pick<CatalogueInfo, 'formatVersion' | 'foods' | 'bytes'> {
  /** Time of compilation and checksum, as in a catalogue store. */
  readonly name: string;
  /** Time of compilation in Unix milliseconds. */
  readonly compiledAtMs: number;
  /** Unix milliseconds. */
  readonly publishedAtMs: number;
}

/** A published catalogue, with the hashes that verify a copy of it. */
export interface CatalogueVersion extends VersionFacts {
  /** Size of each part except the last one, which has the rest. */
  readonly partBytes: number;
  /** The SHA-256 of each part in hexadecimal, in their order. */
  readonly parts: readonly string[];
}

/** The version that all nodes should serve. */
export interface Activation {
  /** Incremented by each activation. */
  readonly number: number;
  readonly name: string;
}

/** Returns offset and length of a part in the file. */
export function partExtent(
  { bytes, partBytes }: Pick<CatalogueVersion, 'bytes' | 'partBytes'>,
  part: number,
): { readonly offset: number; readonly length: number } {
  const offset = part * partBytes;
  return { offset, length: Math.min(partBytes, bytes - offset) };
}

export interface ListedVersion extends VersionFacts {
  readonly isActive: boolean;
}
