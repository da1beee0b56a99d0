import type { Food, KnownProduct } from '@larder/core/food.ts';
import { type SegmentOrigin, SegmentWriter } from '../catalogue/segment.ts';
import type { CatalogueStore } from '../compile/catalogue-store.ts';
import type { ImportWorkspace } from '../compile/import-workspace.ts';
import { compilePhases, type ImportProgress } from './import-progress.ts';

export interface AddFoodsOptions extends CompleteFoods {
  readonly catalogueStore: Pick<CatalogueStore, 'beginImport'>;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/** Adds complete foods to those in the catalogue store and activates the new catalogue. Returns its name. */
export async function addFoods({ catalogueStore, nowMs, ...ready }: AddFoodsOptions): Promise<string> {
  await using workspace = await catalogueStore.beginImport();
  const earlier = workspace.segments.map(({ file }) => file);
  const file = await writeFoodsSegment(workspace, ready, nowMs);
  await workspace.compile({ segments: file === undefined ? earlier : [...earlier, file], nowMs });
  // The result is awaited before the workspace is disposed of.
  return await workspace.complete();
}

/** Complete foods that an import adds to those it reads. */
export interface CompleteFoods {
  readonly origin: SegmentOrigin;
  /** Names of the sources, as `larder catalogue info` shows them. */
  readonly sources: readonly string[];
  readonly foods: AsyncIterable<Food> | Iterable<Food>;
  readonly known?: Iterable<KnownProduct>;
}

/** Writes the foods into a segment for the next catalogue. Returns undefined if there are none. */
export async function writeFoodsSegment(
  workspace: Pick<ImportWorkspace, 'disk' | 'newSegmentFile'>,
  { origin, sources, foods, known = [] }: CompleteFoods,
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
    for (const product of known) {
      segment.addKnown(product);
      count++;
    }
    if (count === 0) return undefined;
    await segment.finish({ origin, importedAt: Math.floor(nowMs() / 1000), sources });
    return file;
  } finally {
    segment.discard();
  }
}

export interface ReplaceFoodsOptions {
  readonly catalogueStore: CatalogueStore;
  readonly ready: CompleteFoods;
  /** False builds the catalogue without switching to it. */
  readonly putInUse: boolean;
  readonly progress: ImportProgress;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
}

export interface ReplacedFoods {
  /** Name of the new catalogue. */
  readonly catalogue: string;
  /** Number of foods from all imports. */
  readonly foods: number;
}

/**
 * Replaces earlier foods of the origin of `ready`, with the new ones before all imports, and keeps everything else.
 * If anything fails or is aborted, the catalogue in use stays and no files are left behind.
 */
export async function replaceFoods(renewal: ReplaceFoodsOptions): Promise<ReplacedFoods> {
  const { catalogueStore, ready, putInUse, progress, nowMs, signal } = renewal;
  try {
    await using workspace = await catalogueStore.beginImport();
    const file = await writeFoodsSegment(workspace, ready, nowMs);
    const kept = workspace.segments.filter(({ origin }) => origin !== ready.origin);
    const { info } = await workspace.compile({
      segments: [...(file === undefined ? [] : [file]), ...kept.map((segment) => segment.file)],
      nowMs,
      onProgress: compilePhases({ progress, signal }),
    });
    signal.throwIfAborted();
    return { catalogue: await workspace.complete({ putInUse }), foods: info.foods };
  } finally {
    progress.end();
  }
}
