import { compileCatalogue } from '../compile/compile.ts';
import { SegmentWriter } from '../file/segment.ts';
import type { Food, KnownProduct, Origin } from '../food/food.ts';
import type { CatalogueShelf } from '../store/catalogue-store-types.ts';

export interface PublishRequest {
  readonly shelf: Pick<CatalogueShelf, 'beginImport'>;
  readonly origin: Origin;
  /** Names of what the foods were read from. */
  readonly sources: readonly string[];
  readonly foods: Iterable<Food>;
  readonly known?: Iterable<KnownProduct>;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/** Adds complete foods to those on the shelf, and puts the new catalogue into use. Answers its name. */
export async function publishFoods({
  shelf,
  origin,
  sources,
  foods,
  known = [],
  nowMs,
}: PublishRequest): Promise<string> {
  await using workspace = await shelf.beginImport();
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
  await compileCatalogue({ segments, out: workspace.catalogueFile, disk: workspace.disk, nowMs });
  // Awaited here, before the workspace is disposed of.
  return await workspace.publish();
}
