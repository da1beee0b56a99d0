import type { ChangesPage, GetChangesData } from '../generated/types.gen.ts';
import type { CallOptions } from '../http/options.ts';
import { queryOf } from '../http/path.ts';
import type { Transport } from '../http/transport.ts';
import { wait } from '../http/waiting.ts';

/** How long the service waits for a change. */
const WAIT_S = 25;
/** More than that, so that an attempt ends by itself. */
const TIMEOUT_MS = 40_000;
/** Least time between two requests that brought nothing, should something on the way not wait. */
const IDLE_MS = 1_000;

export interface FollowChanges extends CallOptions {
  /** The cursor of the last page that the caller has kept. Without it the feed begins with everything that there is. */
  readonly after?: string | undefined;
  /** Most changes in a page. */
  readonly limit?: NonNullable<GetChangesData['query']>['limit'] | undefined;
}

/** Yields pages until the caller stops: the first one even if it is empty, then those that bring something. */
export async function* followChanges(
  transport: Transport,
  userPath: string,
  { after, limit, signal, timeoutMs = TIMEOUT_MS, ...options }: FollowChanges,
): AsyncGenerator<ChangesPage, void> {
  let cursor = after;
  for (let isFirst = true; ; isFirst = false) {
    const startedMs = Date.now();
    const query = queryOf({ after: cursor, limit, wait: isFirst ? undefined : WAIT_S });
    const address = `${userPath}/changes${query}`;
    const page = await transport.json<ChangesPage>('GET', address, { ...options, signal, timeoutMs });
    cursor = page.cursor;
    if (isFirst || page.changes.length > 0) yield page;
    else await wait(Math.max(0, startedMs + IDLE_MS - Date.now()), signal);
  }
}
