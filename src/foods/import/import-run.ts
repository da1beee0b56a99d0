import { OperatorError } from '@larder/core/errors.ts';
import type { Food, Origin } from '@larder/core/food.ts';
import { FactsFileWriter, MAX_FACTS_BYTES } from '../catalogue/facts-file.ts';
import { type SegmentSlice, SegmentWriter } from '../catalogue/segment.ts';
import type { CatalogueStore } from '../compile/catalogue-store.ts';
import {
  MERGE_REASONS,
  type MergeReason,
  NOTICE_REASONS,
  type NoticeReason,
} from '../compile/compile-report.ts';
import { type ImportWorkspace, segmentSource } from '../compile/import-workspace.ts';
import { type CompleteFoods, writeFoodsSegment } from './complete-foods.ts';
import { compilePhases, type ImportProgress } from './import-progress.ts';
import { ImportReport, type ImportReportJson } from './import-report.ts';
import { normalise } from './normalise/normalise.ts';
import type { RawFood, RawFoodSink } from './normalise/raw-food.ts';
import type { OnBytesRead } from './readers/source-file.ts';

/** A file (or bundle of files) that was checked and can be read. */
export interface ImportSource {
  readonly name: string;
  /** Total of `onBytesRead`. */
  readonly sizeBytes: number;
  /** Text for people: how much of the file will be read, if only a part. */
  expected?(onBytesRead: OnBytesRead, signal: AbortSignal): Promise<string>;
  /** Reads the facts of foods, too, if `sink.takesFacts`. */
  read(sink: RawFoodSink, onBytesRead: OnBytesRead, signal: AbortSignal): Promise<void>;
}

export interface ImportRun {
  readonly origin: Origin;
  /** The name of the table among those of the origin `table`. */
  readonly table?: string | undefined;
  readonly sources: readonly ImportSource[];
  readonly catalogueStore: CatalogueStore;
  /** The part that the sources are filtered by. */
  readonly slice?: SegmentSlice | undefined;
  /** False leaves out the facts of foods, which take most of the disk. Default true. */
  readonly facts?: boolean | undefined;
  /** Drops foods of earlier imports of the same origin, and of the same table. */
  readonly replace: boolean;
  /** False builds the catalogue without switching to it. */
  readonly putInUse: boolean;
  /** Foods collected from external services, which become part of the catalogue. */
  readonly externalFoods?: AsyncIterable<Food>;
  /** Foods to add if the catalogue store is empty. */
  readonly firstFoods?: CompleteFoods | undefined;
  readonly progress: ImportProgress;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
}

export interface ImportResult {
  readonly report: ImportReportJson;
  /** Name of the new catalogue. */
  readonly catalogue: string;
  /** Number of foods from all imports. */
  readonly foods: number;
  /** Whether this import added `firstFoods`. */
  readonly hasFirstFoods: boolean;
}

/**
 * Reads sources into a segment, compiles it with the earlier ones and activates the catalogue. If anything fails or
 * is aborted, the catalogue in use stays and no files are left behind.
 */
export async function runImport(run: ImportRun): Promise<ImportResult> {
  const startedAt = run.nowMs();
  const report = new ImportReport();
  try {
    await using workspace = await run.catalogueStore.beginImport();
    const firstFoods = workspace.segments.length === 0 ? run.firstFoods : undefined;
    const earlier = await earlierSegments(workspace, { ...run, firstFoods });
    const segmentFile = workspace.newSegmentFile(run.origin, run.table);
    const facts = run.facts === false ? undefined : workspace.newFactsFile(segmentFile);
    await writeSegment(
      SegmentWriter.open(segmentFile, workspace.disk),
      facts === undefined ? undefined : FactsFileWriter.open(facts, workspace.disk),
      report,
      run,
    );
    const segments = [...earlier, segmentFile];
    const compiled = await workspace.compile({
      segments,
      nowMs: run.nowMs,
      onProgress: compilePhases(run),
    });
    for (const [reason, tally] of Object.entries(compiled.mergedOfNewest)) {
      report.merged({ reason: MERGE_REASONS[reason as MergeReason], ...tally });
    }
    for (const [reason, tally] of Object.entries(compiled.notices)) {
      report.noticedMany({ reason: NOTICE_REASONS[reason as NoticeReason], ...tally });
    }
    run.signal.throwIfAborted();
    const catalogue = await workspace.complete({ putInUse: run.putInUse });
    return {
      report: reportJson(report, run, startedAt),
      catalogue,
      foods: compiled.info.foods,
      hasFirstFoods: firstFoods !== undefined,
    };
  } finally {
    run.progress.end();
  }
}

export interface ImportPreview {
  readonly report: ImportReportJson;
  /** The first foods, as they would be stored. */
  readonly foods: readonly Food[];
}

/** Reads sources as an import does, with its report and errors, and writes nothing. */
export async function previewImport(
  run: Pick<ImportRun, 'origin' | 'sources' | 'progress' | 'nowMs' | 'signal'>,
  maxFoods: number,
): Promise<ImportPreview> {
  const startedAt = run.nowMs();
  const report = new ImportReport();
  const foods: Food[] = [];
  const first = {
    add(food: Food) {
      if (foods.length < maxFoods) foods.push(food);
    },
    addKnown() {},
  };
  await readSources(run, report, segmentSink(first, undefined, report, Math.floor(startedAt / 1_000)));
  requireFoods(report);
  return { report: reportJson(report, run, startedAt), foods };
}

function reportJson(
  report: ImportReport,
  { origin, sources, nowMs }: Pick<ImportRun, 'origin' | 'sources' | 'nowMs'>,
  startedAt: number,
): ImportReportJson {
  return report.toJson({
    origin,
    files: sources.map(({ name }) => name),
    startedAt: new Date(startedAt).toISOString(),
    seconds: (nowMs() - startedAt) / 1_000,
  });
}

/** Throws an `OperatorError` if nothing in the files can be used. */
function requireFoods(report: ImportReport): void {
  if (report.read === 0) {
    throw new OperatorError('The files contain no products. The catalogue in use does not change.');
  }
  const { whyNothing } = report;
  if (whyNothing !== undefined) {
    throw new OperatorError(
      `No product in the files can be used: ${whyNothing.reason}, for example ${whyNothing.example}. ` +
        'The catalogue in use does not change.',
    );
  }
}

async function writeSegment(
  writer: SegmentWriter,
  facts: FactsFileWriter | undefined,
  report: ImportReport,
  run: ImportRun,
): Promise<void> {
  const importedAt = Math.floor(run.nowMs() / 1_000);
  try {
    await readSources(run, report, segmentSink(writer, facts, report, importedAt));
    requireFoods(report);
    const sources = run.sources.map(({ name }) => name);
    await writer.finish({ origin: run.origin, importedAt, sources, ...(run.slice && { slice: run.slice }) });
    await facts?.finish();
  } finally {
    facts?.discard();
    writer.discard();
  }
}

async function readSources(
  { sources, progress, signal }: Pick<ImportRun, 'sources' | 'progress' | 'signal'>,
  report: ImportReport,
  sink: RawFoodSink,
): Promise<void> {
  for (const source of sources) {
    const readBefore = report.read;
    const expected = await expectedOf(source, progress, signal);
    progress.begin(`Reading ${source.name}${expected}`, source.sizeBytes);
    const onBytesRead = (bytes: number) => {
      signal.throwIfAborted();
      progress.update(bytes, report.read - readBefore);
    };
    await source.read(sink, onBytesRead, signal);
    progress.update(source.sizeBytes, report.read - readBefore);
  }
}

async function expectedOf(
  source: ImportSource,
  progress: ImportProgress,
  signal: AbortSignal,
): Promise<string> {
  if (source.expected === undefined) return '';
  let isCounting = false;
  const onBytesRead = (bytes: number) => {
    if (!isCounting) progress.begin(`Counting the products of ${source.name}`, source.sizeBytes);
    isCounting = true;
    progress.update(bytes, 0);
  };
  return ` (${await source.expected(onBytesRead, signal)})`;
}

function segmentSink(
  writer: Pick<SegmentWriter, 'add' | 'addKnown'>,
  facts: FactsFileWriter | undefined,
  report: ImportReport,
  importedAt: number,
): RawFoodSink {
  const addFacts = (id: string, raw: RawFood) => {
    if (facts?.add(id, raw.facts) === false)
      report.noticed(`facts of more than ${MAX_FACTS_BYTES >> 10} KiB left out`, exampleOf(raw));
  };
  return {
    takesFacts: facts !== undefined,
    food(raw) {
      const normalised = normalise(raw, importedAt);
      if (normalised.kind === 'food') {
        writer.add(normalised.food);
        addFacts(normalised.food.id, raw);
        report.food(normalised.mended, () => exampleOf(raw));
      } else if (normalised.kind === 'known') {
        writer.addKnown(normalised.product);
        addFacts(normalised.product.id, raw);
        report.known(normalised.reason, () => exampleOf(raw));
      } else {
        report.skipped(normalised.reason, () => exampleOf(raw));
      }
    },
    skipped: (reason, example) => report.skipped(reason, () => example),
    broken: (where, reason, example) => report.broken(where, reason, example),
    noticed: (reason, example) => report.noticed(reason, example),
  };
}

function exampleOf({ key, name }: RawFood): string {
  return name.trim() === '' ? key : `${key} ${name.trim()}`;
}

/**
 * The earlier segments, oldest first. Foods of external services precede them, so that imports of the same foods take
 * precedence.
 */
async function earlierSegments(workspace: ImportWorkspace, run: ImportRun): Promise<readonly string[]> {
  const { externalFoods, firstFoods, replace, origin, table, nowMs } = run;
  const write = async (ready: CompleteFoods | undefined) => {
    const file = ready && (await writeFoodsSegment(workspace, ready, nowMs));
    return file === undefined ? [] : [file];
  };
  const outside = await write(
    externalFoods && { origin: 'outside', sources: ['answers of outside services'], foods: externalFoods },
  );
  const first = await write(firstFoods);
  const kept = workspace.segments.filter(
    (earlier) =>
      !(
        replace &&
        earlier.origin === origin &&
        (table === undefined || earlier.file.endsWith(segmentSource(origin, table)))
      ) && !(outside.length > 0 && earlier.origin === 'outside'),
  );
  return [...outside, ...first, ...kept.map(({ file }) => file)];
}
