import { basename } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import type { CatalogueSegment } from './catalogue-info.ts';
import { SegmentReader } from './segment-reader.ts';

/** Bounded, because each is an open file. */
const MAX_SEGMENTS = 500;

/** Several segments as one sequence of records; a position identifies segment and offset. */
export class SegmentSet {
  readonly #segments: { readonly reader: SegmentReader; readonly base: number }[] = [];
  #end = 0;

  /** Opens the files in order; on an error all are closed. */
  static open(files: readonly string[]): SegmentSet {
    if (files.length > MAX_SEGMENTS) {
      throw new OperatorError(
        `${files.length} imports are more than the ${MAX_SEGMENTS} that one catalogue can be compiled from. ` +
          'Import a full export with --replace: it takes the place of all earlier imports of its source.',
      );
    }
    const set = new SegmentSet();
    try {
      for (const file of files) set.append(file);
      return set;
    } catch (error) {
      set.close();
      throw error;
    }
  }

  append(file: string): void {
    const reader = SegmentReader.open(file);
    this.#segments.push({ reader, base: this.#end });
    this.#end += reader.summary.bytes;
  }

  /** The first position of the next segment. */
  get end(): number {
    return this.#end;
  }

  /** The first position of the last segment. */
  get newestStart(): number {
    return this.#segments.at(-1)?.base ?? 0;
  }

  get segments(): readonly CatalogueSegment[] {
    return this.#segments.map(({ reader }) => ({ name: basename(reader.file), ...reader.summary }));
  }

  get records(): number {
    return this.#segments.reduce(
      (sum, { reader: { summary } }) => sum + summary.foods + summary.knownProducts,
      0,
    );
  }

  /** Visits all records in order with checksums verified, like `SegmentReader.scan`. */
  async scan(onRecord: (bytes: Buffer, start: number, position: number) => void): Promise<void> {
    for (const { reader, base } of this.#segments) {
      await reader.scan((bytes, start, position) => onRecord(bytes, start, base + position));
    }
  }

  /** The record at a position; valid until the next read. */
  read(position: number): Buffer {
    let at = this.#segments.length - 1;
    while (this.#segments[at]!.base > position) at--;
    const { reader, base } = this.#segments[at]!;
    return reader.read(position - base);
  }

  close(): void {
    for (const { reader } of this.#segments) reader.close();
  }
}
