/**
 * Compiles segments into a catalogue. Memory holds a few numbers for each record and the new search index;
 * records are read from the segments when needed.
 *
 *     read     every record once, in order: position, id hash, GTIN, sort key; checksums verified
 *     merge    same id: the newest import; same GTIN: one merged record, written to an extra segment
 *     write    records in static order; ids, GTINs and names are added to their indexes
 *     index    offsets, id index, GTIN index, search index, vectors of generic foods
 */
import { rmSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WordVectorSections } from '@larder/search/word-vectors.ts';
import type { WriterDisk } from '../../files/atomic-file-writer.ts';
import { CatalogueFileWriter, RECORD_ALIGNMENT } from '../catalogue/catalogue-file.ts';
import { SegmentWriter } from '../catalogue/segment.ts';
import { SegmentSet } from '../catalogue/segment-set.ts';
import { type CompileReport, MergeTallies, type NoticeReason, Tallies } from './compile-report.ts';
import { DocumentIndexes } from './document-indexes.ts';
import { type DuplicateSearch, dropReplaced, mergeSameGtin } from './duplicates.ts';
import { RecordTable } from './record-table.ts';
import { type FactsSource, writeFacts } from './write-facts.ts';

/** Records between two progress reports; each report yields to the event loop. */
const RECORDS_PER_TURN = 1 << 15;

const COMPILE_PHASES = ['read', 'merge', 'write', 'index'] as const;
export type CompilePhase = (typeof COMPILE_PHASES)[number];

export interface CompileProgress {
  readonly phase: CompilePhase;
  readonly done: number;
  /** Equal to `done` at the end of a phase. */
  readonly total: number;
}

export interface CompileOptions {
  /** Files, oldest import first. */
  readonly segments: readonly string[];
  /** The output file; complete or absent. */
  readonly out: string;
  /** The disk of `out`, with its reserve. */
  readonly disk?: WriterDisk | undefined;
  /** The facts of segments, by file; of others there are none. */
  readonly facts?: ReadonlyMap<string, FactsSource> | undefined;
  /** Word vectors; with them generic foods are found by meaning, too. */
  readonly words?: WordVectorSections | undefined;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly onProgress?: (progress: CompileProgress) => void;
}

/**
 * Compiles segments into a catalogue. If it fails, it leaves nothing behind and an older file at `out`
 * remains. Equal segments produce equal bytes, except for the time in the directory.
 */
export async function compileCatalogue(options: CompileOptions): Promise<CompileReport> {
  const segments = SegmentSet.open(options.segments);
  try {
    const out = CatalogueFileWriter.open(options.out, options.disk);
    try {
      return await compileInto(out, segments, options);
    } finally {
      out.discard();
    }
  } finally {
    segments.close();
  }
}

async function compileInto(
  out: CatalogueFileWriter,
  segments: SegmentSet,
  options: CompileOptions,
): Promise<CompileReport> {
  const { nowMs, onProgress } = options;
  const startedAt = nowMs();
  const merges = new MergeTallies({ newestStart: segments.newestStart });
  const notices = new Tallies<NoticeReason>();
  const given = segments.segments;
  const read = segments.records;
  const mergedFile = `${options.out}.merged.tmp`;
  try {
    const table = await readTable(segments, options);
    onProgress?.({ phase: 'merge', done: 0, total: read });
    const joined = new Map<number, readonly number[]>();
    await mergeDuplicates({ table, segments, merges, notices, joined }, mergedFile, options.disk);
    onProgress?.({ phase: 'merge', done: read, total: read });
    const rows = table.inStaticOrder();
    const indexes = await writeRecords(
      Float64Array.from(rows, (row) => table.position(row)),
      segments,
      out,
      options,
    );
    onProgress?.({ phase: 'index', done: 0, total: 1 });
    indexes.writeTo(out);
    const hasFacts = await writeFacts(out, {
      rows,
      joined,
      segments: given,
      files: options.segments,
      sources: options.facts,
    });
    for (const lost of hasFacts.lost) notices.add('lostFacts', () => lost);
    onProgress?.({ phase: 'index', done: 1, total: 1 });
    const info = await out.finish({ createdAt: startedAt, ...indexes.counts, segments: given });
    return { info, read, ...merges.report, notices: notices.all, durationMs: nowMs() - startedAt };
  } finally {
    rmSync(mergedFile, { force: true });
  }
}

async function readTable(segments: SegmentSet, { onProgress }: CompileOptions): Promise<RecordTable> {
  const total = segments.records;
  const table = new RecordTable({ capacity: total });
  await segments.scan((bytes, start, position) => {
    table.add(bytes, start, position);
    if (table.count % RECORDS_PER_TURN === 0) onProgress?.({ phase: 'read', done: table.count, total });
  });
  onProgress?.({ phase: 'read', done: total, total });
  return table;
}

async function mergeDuplicates(
  search: DuplicateSearch,
  mergedFile: string,
  disk: WriterDisk | undefined,
): Promise<void> {
  dropReplaced(search);
  const writer = SegmentWriter.open(mergedFile, disk);
  try {
    mergeSameGtin(search, writer);
    await writer.finish({ origin: 'manual', importedAt: 0, sources: [] });
  } finally {
    writer.discard();
  }
  search.segments.append(mergedFile);
}

async function writeRecords(
  positions: Float64Array,
  segments: SegmentSet,
  out: CatalogueFileWriter,
  { onProgress, words }: CompileOptions,
): Promise<DocumentIndexes> {
  const total = positions.length;
  const indexes = new DocumentIndexes({ documents: total, words });
  await out.streamBytes('records', async (file) => {
    const start = file.length;
    for (let document = 0; document < total; document++) {
      const bytes = segments.read(positions[document]!);
      indexes.add((file.length - start) / RECORD_ALIGNMENT, bytes);
      file.write(bytes);
      file.align(RECORD_ALIGNMENT);
      if ((document + 1) % RECORDS_PER_TURN !== 0) continue;
      onProgress?.({ phase: 'write', done: document + 1, total });
      await nextTurn();
    }
  });
  onProgress?.({ phase: 'write', done: total, total });
  return indexes;
}
