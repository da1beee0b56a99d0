import type { Origin } from '@larder/core/food.ts';
import type { SegmentSummary } from './segment.ts';

/** The metadata of a catalogue. */
export interface CatalogueInfo {
  readonly formatVersion: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Foods that search and look-ups return. */
  readonly foods: number;
  /** Products that only a barcode look-up can name. */
  readonly knownProducts: number;
  readonly origins: Readonly<Partial<Record<Origin, OriginCounts>>>;
  /** The segments it was compiled from, oldest first. */
  readonly segments: readonly CatalogueSegment[];
  /** Size of the file. */
  readonly bytes: number;
  /** Eight hexadecimal digits over the content: equal content has equal checksums. */
  readonly checksum: string;
}

export interface OriginCounts {
  readonly foods: number;
  readonly knownProducts: number;
}

export interface CatalogueSegment extends SegmentSummary {
  /** File name, without folder. */
  readonly name: string;
}

/** `20260421-101500-1a2b3c4d`: time of creation and checksum. */
export function catalogueName({ createdAt, checksum }: CatalogueInfo): string {
  return `${utcStamp(createdAt).slice(0, 'YYYYMMDD-hhmmss'.length)}-${checksum}`;
}

/** `20260421-101500123`. */
export function utcStamp(unixMs: number): string {
  return new Date(unixMs)
    .toISOString()
    .replace(/[-:.Z]/g, '')
    .replace('T', '-');
}
