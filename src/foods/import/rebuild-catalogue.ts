import { OperatorError } from '@larder/core/errors.ts';
import { SegmentReader } from '../catalogue/segment-reader.ts';
import type { CatalogueStore } from '../compile/catalogue-store.ts';
import type { ImportWorkspace, WorkspaceSegment } from '../compile/import-workspace.ts';
import { type CompleteFoods, type ReplacedFoods, writeFoodsSegment } from './complete-foods.ts';
import { compilePhases, type ImportProgress } from './import-progress.ts';

export interface Rebuild {
  readonly catalogueStore: Pick<CatalogueStore, 'beginImport'>;
  /** The catalogue to rebuild; the one in use by default. */
  readonly name?: string;
  /**
   * Handling of imports whose segment is missing or unreadable. By default they end the rebuild; with this option they
   * are left out and reported. `inPlace` replaces a lost segment of its origin, and all segments if none is left.
   */
  readonly lost?: { readonly inPlace: CompleteFoods; readonly report: (reason: string) => void };
  readonly progress: ImportProgress;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
}

/**
 * Compiles the imports of a catalogue again and activates the result. Reads only the directory of the catalogue, which
 * every version has. If anything fails or is aborted, the catalogue in use stays and no files are left behind.
 */
export async function rebuildCatalogue(rebuild: Rebuild): Promise<ReplacedFoods> {
  const { catalogueStore, name, progress, nowMs, signal } = rebuild;
  try {
    await using workspace = await catalogueStore.beginImport(name);
    if (workspace.segments.length === 0) {
      throw new OperatorError('Nothing was imported yet; see `larder import --help`.');
    }
    const segments = await readableSegments(workspace, rebuild);
    const onProgress = compilePhases({ progress, signal });
    const { info } = await workspace.compile({ segments, nowMs, onProgress });
    signal.throwIfAborted();
    return { catalogue: await workspace.complete(), foods: info.foods };
  } finally {
    progress.end();
  }
}

async function readableSegments(
  workspace: ImportWorkspace,
  { lost, nowMs }: Rebuild,
): Promise<readonly string[]> {
  const kept = workspace.segments.filter((segment) => {
    const problem = problemOf(segment);
    if (problem !== undefined && lost === undefined) throw problem;
    if (problem !== undefined) lost!.report(problem.message);
    return problem === undefined;
  });
  const files = kept.map(({ file }) => file);
  const isOfOrigin = ({ origin }: WorkspaceSegment) => origin === lost?.inPlace.origin;
  const isLost = workspace.segments.some(isOfOrigin) && !kept.some(isOfOrigin);
  if (lost === undefined || (!isLost && files.length > 0)) return files;
  const added = await writeFoodsSegment(workspace, lost.inPlace, nowMs);
  return added === undefined ? files : [added, ...files];
}

function problemOf({ file }: WorkspaceSegment): OperatorError | undefined {
  try {
    SegmentReader.open(file).close();
    return undefined;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return error;
  }
}
