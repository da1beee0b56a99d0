import type { CatalogueInfo } from '../catalogue/catalogue-info.ts';

/** Small enough for memory and for one request, whatever the size of a catalogue. */
export const PART_BYTES = 4 << 20;
/** 32 GiB, twice what the records of a catalogue may fill. */
const MAX_PARTS = 8_192;
export const MAX_PUBLISHED_BYTES = MAX_PARTS * PART_BYTES;

/** What can be shown of a published catalogue. */
interface VersionFacts extends Pick<CatalogueInfo, 'formatVersion' | 'foods' | 'bytes'> {
  /** As in a catalogue store: time of compilation and checksum. */
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

/** Which version all nodes are to answer from. */
export interface Activation {
  /** Rises by one with each activation. */
  readonly number: number;
  readonly name: string;
}

/** Where a part begins in the file, and how long it is. */
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

/**
 * The published catalogues of a cluster, and which of them is active.
 *
 * Promises: `add` makes a version available to all nodes as a whole or not at all, and it never changes. One version is
 * active at a time, for all nodes; concurrent changes take place one after the other. The active version, and the one
 * that a roll-back would bring back, are never removed. Nodes that listen hear of an activation when it is committed.
 */
export interface CatalogueVersions {
  /** The one that was published last first. */
  list(): Promise<readonly ListedVersion[]>;
  find(name: string): Promise<CatalogueVersion | undefined>;
  /** Does nothing and answers false where the name is taken. */
  add(version: CatalogueVersion): Promise<boolean>;
  /** Undefined where none was ever activated. */
  findActive(): Promise<Activation | undefined>;
  /** Does nothing where the version is active already. Undefined where no version has this name. */
  activate(name: string): Promise<Activation | undefined>;
  /**
   * Activates the version that was active before the active one; once more, the one before that. Undefined where
   * there is none.
   */
  rollBack(): Promise<Activation | undefined>;
  /** Removes all but the `kept` that were published last, and those that are never removed; answers their names. */
  removeOld(kept: number): Promise<readonly string[]>;
}
