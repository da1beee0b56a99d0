import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type FactsSegment, JOINED } from '../catalogue/catalogue-facts.ts';
import type { CatalogueFileWriter } from '../catalogue/catalogue-file.ts';
import { SEGMENT_FACTS_PREFIX } from '../catalogue/catalogue-file.ts';
import type { CatalogueSegment } from '../catalogue/catalogue-info.ts';
import {
  DamagedFactsError,
  eachTerm,
  type FactsExtent,
  FactsFileReader,
  firstRecordOf,
  openParts,
} from '../catalogue/facts-file.ts';

/** The place of a segment's facts: a file that an import wrote, or a section of an earlier catalogue. */
export interface FactsSource extends FactsExtent {
  readonly file: string;
}

export interface FactsToWrite {
  /** The row of each document. */
  readonly rows: Uint32Array;
  /** The rows that were merged into one. */
  readonly joined: ReadonlyMap<number, readonly number[]>;
  readonly segments: readonly CatalogueSegment[];
  /** The files of `segments`. */
  readonly files: readonly string[];
  readonly sources: ReadonlyMap<string, FactsSource> | undefined;
}

const COPY_BYTES = 4 << 20;

/**
 * Copies the facts of the segments, and writes which entry each document has and which documents each filter term has. Returns the
 * names of segments whose facts are damaged; they are left out.
 */
export async function writeFacts(
  out: CatalogueFileWriter,
  { rows, joined, segments, files, sources }: FactsToWrite,
): Promise<{ readonly lost: readonly string[] }> {
  const lost: string[] = [];
  const found: FactsSegment[] = [];
  const terms = new RowTerms();
  let firstRow = 0;
  for (const [at, { name, foods, knownProducts }] of segments.entries()) {
    const records = foods + knownProducts;
    const source = sources?.get(basename(files[at]!));
    if (source !== undefined) {
      try {
        await terms.read(source, firstRow, records);
        await out.streamBytes(SEGMENT_FACTS_PREFIX + name, (file) =>
          copy(source, (bytes) => file.write(bytes)),
        );
        found.push({ name, firstRow, records });
      } catch (error) {
        if (!(error instanceof DamagedFactsError)) throw error;
        terms.forget(firstRow);
        lost.push(name);
      }
    }
    firstRow += records;
  }
  if (found.length === 0) return { lost };
  out.addSection('facts.segments', Buffer.from(JSON.stringify(found)));
  const joins: number[] = [];
  const places = new Uint32Array(rows.length);
  const lists = new TermLists();
  for (const [document, row] of rows.entries()) {
    const together = joined.get(row);
    places[document] = together === undefined ? row : JOINED + joins.length;
    if (together !== undefined) joins.push(together.length, ...together);
    for (const each of together ?? [row]) terms.each(each, (term) => lists.add(term, document));
    if (document % COPY_BYTES === 0) await nextTurn();
  }
  out.addSection('facts.places', places);
  out.addSection('facts.joined', Uint32Array.from(joins));
  lists.writeTo(out);
  return { lost };
}

async function copy({ file, offset, length }: FactsSource, write: (bytes: Buffer) => void): Promise<void> {
  await using parts = await openParts(file);
  for (let done = 0; done < length; done += COPY_BYTES)
    write(await parts.read(offset + done, Math.min(COPY_BYTES, length - done)));
}

/** The filter terms of rows, in a compact form: those of a block as the numbers of its file. */
class RowTerms {
  #segments: { readonly firstRow: number; readonly terms: readonly string[]; readonly blocks: Buffer[] }[] =
    [];

  /** Reads the whole file, and so checks it. */
  async read(source: FactsSource, firstRow: number, records: number): Promise<void> {
    await using parts = await openParts(source.file);
    const reader = await FactsFileReader.open(parts.read, source);
    if (reader.records !== records) throw new DamagedFactsError();
    const blocks: Buffer[] = [];
    this.#segments.push({ firstRow, terms: await reader.terms(), blocks });
    for (let number = 0; number < reader.blocks; number++) {
      const block = await reader.block(number);
      blocks.push(Buffer.from(block.subarray(0, block.readUInt32LE(0))));
    }
  }

  forget(firstRow: number): void {
    this.#segments = this.#segments.filter((segment) => segment.firstRow !== firstRow);
  }

  each(row: number, onTerm: (term: string) => void): void {
    const segment = this.#segments.findLast(({ firstRow }) => firstRow <= row);
    const block = segment?.blocks[Math.floor((row - segment.firstRow) / firstRecordOf(1))];
    if (segment === undefined || block === undefined) return;
    const sought = (row - segment.firstRow) % firstRecordOf(1);
    eachTerm(block, (entry, term) => {
      if (entry === sought) onTerm(segment.terms[term]!);
    });
  }
}

/** For each term the differences between its documents, as varints. */
class TermLists {
  readonly #lists = new Map<string, { bytes: Buffer; length: number; last: number }>();

  /** Documents ascend; a term may be added twice to one. */
  add(term: string, document: number): void {
    let list = this.#lists.get(term);
    if (list === undefined) {
      list = { bytes: Buffer.allocUnsafeSlow(8), length: 0, last: -1 };
      this.#lists.set(term, list);
    }
    if (list.last === document) return;
    if (list.length + 5 > list.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(list.bytes.length * 2);
      list.bytes.copy(larger, 0, 0, list.length);
      list.bytes = larger;
    }
    let rest = document - list.last - 1;
    for (; rest >= 0x80; rest >>>= 7) list.bytes[list.length++] = (rest & 0x7f) | 0x80;
    list.bytes[list.length++] = rest;
    list.last = document;
  }

  writeTo(out: CatalogueFileWriter): void {
    const sorted = [...this.#lists].sort(([a], [b]) => (a < b ? -1 : 1));
    const texts = sorted.map(([term]) => Buffer.from(term));
    out.addSection('facts.terms', Buffer.concat(texts));
    out.addSection('facts.terms.ends', endsOf(texts));
    const lists = sorted.map(([, { bytes, length }]) => bytes.subarray(0, length));
    out.addSection('facts.lists', Buffer.concat(lists));
    out.addSection('facts.lists.ends', endsOf(lists));
  }
}

function endsOf(parts: readonly Buffer[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(parts, ({ length }) => {
    end += length;
    return end;
  });
}
