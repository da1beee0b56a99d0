import { compileCatalogue } from '../compile/compile.ts';
import type { CatalogueShelf } from '../store/catalogue-store-types.ts';
import { showCompiling } from './compile-progress.ts';
import type { ImportProgress } from './import-progress.ts';
import { type ReadyFoods, writeReadySegment } from './ready-segment.ts';

export interface ReadyFoodsRenewal {
  readonly shelf: CatalogueShelf;
  readonly ready: ReadyFoods;
  /** False leaves the catalogue in use as it is and only puts the new one on the shelf. */
  readonly putInUse: boolean;
  readonly progress: ImportProgress;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
}

export interface RenewedFoods {
  /** Name of the new catalogue on the shelf. */
  readonly catalogue: string;
  /** Foods that it serves, of all imports. */
  readonly foods: number;
}

/**
 * Replaces earlier foods of the origin of `ready`, placing the new ones before all imports, and keeps everything else. If
 * anything fails or is aborted, the catalogue in use stays as it was and nothing is left behind.
 */
export async function renewReadyFoods(renewal: ReadyFoodsRenewal): Promise<RenewedFoods> {
  const { shelf, ready, putInUse, progress, nowMs, signal } = renewal;
  try {
    await using workspace = await shelf.beginImport();
    const file = await writeReadySegment(workspace, ready, nowMs);
    const kept = workspace.segments.filter(({ origin }) => origin !== ready.origin);
    const { info } = await compileCatalogue({
      segments: [...(file === undefined ? [] : [file]), ...kept.map((segment) => segment.file)],
      out: workspace.catalogueFile,
      disk: workspace.disk,
      nowMs,
      onProgress: showCompiling({ progress, signal }),
    });
    signal.throwIfAborted();
    return { catalogue: await workspace.publish({ putInUse }), foods: info.foods };
  } finally {
    progress.end();
  }
}
