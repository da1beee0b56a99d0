import { type SegmentOrigin, SegmentWriter } from '../file/segment.ts';
import type { Food } from '../food/food.ts';
import type { ImportWorkspace } from '../store/catalogue-store-types.ts';

/** Foods that an import takes in as they are, beside what it reads. */
export interface ReadyFoods {
  readonly origin: SegmentOrigin;
  /** What `larder catalogue info` names as where they came from. */
  readonly sources: readonly string[];
  readonly foods: AsyncIterable<Food> | Iterable<Food>;
}

/** Writes them into a segment, so that they become part of the next catalogue. Undefined where there are none. */
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
