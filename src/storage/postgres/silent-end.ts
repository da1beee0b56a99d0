import type pg from 'pg';

/** What a server may take to close a connection that has been ended here. */
const CLOSE_GRACE_MS = 1_000;

/** What the types of `pg` leave out. */
interface Connected extends pg.ClientBase {
  readonly connection: pg.Connection;
}

/**
 * Has a client that has connected end within its time, whatever its server does: one that has fallen silent, or is gone
 * without a word, never closes its end, and no process could end that waits for it.
 */
export function endThoughSilent(client: pg.ClientBase): void {
  const { stream } = (client as Connected).connection;
  stream.once('finish', () => setTimeout(() => stream.destroy(), CLOSE_GRACE_MS).unref());
}
