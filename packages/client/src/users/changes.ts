import type { ChangesPage, GetChangesData } from '../generated/types.gen.ts';
import type { CallOptions } from '../http/options.ts';
import { queryOf } from '../http/path.ts';
import type { Transport } from '../http/transport.ts';
import { wait } from '../http/waiting.ts';

/** Time for which the service waits for a change. */
const WAIT_S = 25;
/** Longer than the wait of the service, so that it ends an attempt. */
const TIMEOUT_MS = 40_000;
/** Minimum time between two requests without changes, in case a proxy does not wait. */
const IDLE_MS = 1_000;

export interface FollowChanges extends CallOptions {
  /** The cursor of the last page that the caller has stored. Without it the feed begins with all existing objects. */
  readonly after?: string | undefined;
  /** Only changes of these kinds, with commas between them. */
  readonly kinds?: string | undefined;
  /** Maximum changes in a page. */
  readonly limit?: NonNullable<GetChangesData['query']>['limit'] | undefined;
}

/**
 * Yields pages until the caller stops: the first one even if it is empty, then those with changes. While the service cannot be
 * reached it waits, unless `maxRetries` says how often to try.
 */
export async function* followChanges(
  transport: Transport,
  userPath: string,
  { after, kinds, limit, signal, timeoutMs = TIMEOUT_MS, ...options }: FollowChanges,
): AsyncGenerator<ChangesPage, void> {
  let cursor = after;
  for (let isFirst = true; ; isFirst = false) {
    const startedMs = Date.now();
    const query = queryOf({ after: cursor, kinds, limit, wait: isFirst ? undefined : WAIT_S });
    const address = `${userPath}/changes${query}`;
    const call = { path: address, options: { ...options, signal, timeoutMs }, untilDone: true };
    const page = await transport.json<ChangesPage>(call);
    cursor = page.cursor;
    if (isFirst || page.changes.length > 0) yield page;
    else await wait(Math.max(0, startedMs + IDLE_MS - Date.now()), signal);
  }
}
