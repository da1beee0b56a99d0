import type { CatalogueInfo } from '../catalogue/catalogue-info.ts';

/** Small enough for memory and for one request, whatever the size of a catalogue. */
export const PART_BYTES = 4 << 20;
/** 32 GiB, twice what the records of a catalogue may fill. */
const MAX_PARTS = 8_192;
export const MAX_PUBLISHED_BYTES = MAX_PARTS * PART_BYTES;

/** Facts of a published catalogue that can be shown. */
interface VersionFacts extends Pick<CatalogueInfo, 'formatVersion' | 'foods' | 'bytes'> {
  /** Time of compilation and checksum, as in a catalogue store. */
  readonly name: string;
  /** When it was compiled, Unix milliseconds. */
  readonly compiledAtMs: number;
  /** Unix milliseconds. */
  readonly publishedAtMs: number;
}

/** A published catalogue, with the hashes that prove a copy of it whole. */
export interface CatalogueVersion extends VersionFacts {
  /** Size of each part but the last, which has the rest. */
  readonly partBytes: number;
  /** The SHA-256 of each part in hexadecimal, in their order. */
  readonly parts: readonly string[];
}

/** The version that all nodes are to answer from. */
export interface Activation {
  /** Rises by one with each activation. */
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
