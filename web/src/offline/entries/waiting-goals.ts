import type { Goals } from 'larder-client';
import type { Write } from '../queue/writes.ts';

/** All goals, oldest first, with those that wait to be sent in the place of others from the same day. */
export function withGoals(
  known: readonly Goals[] | undefined,
  writes: readonly Write[],
): readonly Goals[] | undefined {
  return writes
    .filter(({ kind, state }) => kind === 'goals' && state === 'waiting')
    .map(({ body }) => body as Goals)
    .reduce<readonly Goals[] | undefined>(
      (all = [], added) =>
        [...all.filter(({ from }) => from !== added.from), added].toSorted((a, b) =>
          (a.from ?? '') < (b.from ?? '') ? -1 : 1,
        ),
      known,
    );
}
