import type { CatalogueStore } from '../compile/catalogue-store.ts';
import { compileCatalogue } from '../compile/compile.ts';
import type { ImportWorkspace } from '../compile/import-workspace.ts';
import { type SegmentOrigin, SegmentWriter } from '../file/segment.ts';
import type { Food, KnownProduct, Origin } from '../food/food.ts';
import { type ImportProgress, showCompiling } from './import-progress.ts';

export interface PublishRequest {
  readonly catalogueStore: Pick<CatalogueStore, 'beginImport'>;
  readonly origin: Origin;
  /** Names of the foods' sources. */
  readonly sources: readonly string[];
  readonly foods: Iterable<Food>;
  readonly known?: Iterable<KnownProduct>;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/** Adds complete foods to those in the catalogue store and activates the new catalogue. Returns its name. */
export async function publishFoods({
  catalogueStore,
  origin,
  sources,
  foods,
  known = [],
  nowMs,
}: PublishRequest): Promise<string> {
  await using workspace = await catalogueStore.beginImport();
  const file = workspace.newSegmentFile(origin);
  const segment = SegmentWriter.open(file, workspace.disk);
  try {
    for (const food of foods) segment.add(food);
    for (const product of known) segment.addKnown(product);
    await segment.finish({ origin, importedAt: Math.floor(nowMs() / 1000), sources });
  } finally {
    segment.discard();
  }
  const segments = [...workspace.segments.map((earlier) => earlier.file), file];
  const { catalogueFile: out, disk, words } = workspace;
  await compileCatalogue({ segments, out, disk, words, nowMs });
  // Awaited before the workspace is disposed of.
  return await workspace.publish();
}

/** Complete foods that an import adds to those it reads. */
export interface ReadyFoods {
  readonly origin: SegmentOrigin;
  /** Their sources, as `larder catalogue info` shows them. */
  readonly sources: readonly string[];
  readonly foods: AsyncIterable<Food> | Iterable<Food>;
}

/** Writes them into a segment for the next catalogue. Undefined if there are none. */
export async function writeReadySegment(
  workspace: Pick<ImportWorkspace, 'disk' | 'newSegmentFile'>,
  { origin, sources, foods }: ReadyFoods,
  nowMs: () => number,
): Promise<string | undefined> {
  const file = workspace.newSegmentFile(origin);
  const segment = SegmentWriter.open(file, workspace.disk);
  try {
    let count = 0;
    for await (const food of foods) {
      segment.add(food);
      count++;
    }
    if (count === 0) return undefined;
    await segment.finish({ origin, importedAt: Math.floor(nowMs() / 1000), sources });
    return file;
  } finally {
    segment.discard();
  }
}

export interface ReadyFoodsRenewal {
  readonly catalogueStore: CatalogueStore;
  readonly ready: ReadyFoods;
  /** False builds the catalogue without switching to it. */
  readonly putInUse: boolean;
  readonly progress: ImportProgress;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
}

export interface RenewedFoods {
  /** Name of the new catalogue. */
  readonly catalogue: string;
  /** Its number of foods, of all imports. */
  readonly foods: number;
}

/**
 * Replaces earlier foods of the origin of `ready`, with the new ones before all imports, and keeps everything else.
 * If anything fails or is aborted, the catalogue in use stays and no files are left behind.
 */
export async function renewReadyFoods(renewal: ReadyFoodsRenewal): Promise<RenewedFoods> {
  const { catalogueStore, ready, putInUse, progress, nowMs, signal } = renewal;
  try {
    await using workspace = await catalogueStore.beginImport();
    const file = await writeReadySegment(workspace, ready, nowMs);
    const kept = workspace.segments.filter(({ origin }) => origin !== ready.origin);
    const { info } = await compileCatalogue({
      segments: [...(file === undefined ? [] : [file]), ...kept.map((segment) => segment.file)],
      out: workspace.catalogueFile,
      disk: workspace.disk,
      words: workspace.words,
      nowMs,
      onProgress: showCompiling({ progress, signal }),
    });
    signal.throwIfAborted();
    return { catalogue: await workspace.publish({ putInUse }), foods: info.foods };
  } finally {
    progress.end();
  }
}
