import type { ImportWorkspace } from '../catalogue-shelf.ts';
import type { Food } from '../food.ts';
import { SegmentWriter } from '../segment.ts';

/** What `larder catalogue info` names as where these foods came from. */
const SOURCES = ['answers of outside services'];

/**
 * Writes what outside services answered into a segment, so that it becomes part of the next catalogue. Undefined
 * where they answered nothing.
 */
export async function writeOutsideSegment(
  workspace: Pick<ImportWorkspace, 'newSegmentFile'>,
  foods: AsyncIterable<Food>,
  clock: () => number,
): Promise<string | undefined> {
  const file = workspace.newSegmentFile('outside');
  const segment = SegmentWriter.open(file);
  try {
    let count = 0;
    for await (const food of foods) {
      segment.add(food);
      count++;
    }
    if (count === 0) return undefined;
    await segment.finish({ origin: 'outside', importedAt: Math.floor(clock() / 1000), sources: SOURCES });
    return file;
  } finally {
    segment.discard();
  }
}
