import pg from 'pg';
import { expect, vi } from 'vitest';
import { PATIENCE } from './patience.ts';

/** Steers a streaming replica, for tests of what is read there. Close it. */
export async function openReplicaControl(addresses: { readonly primary: string; readonly replica: string }) {
  const [primary, replica] = [new pg.Client(addresses.primary), new pg.Client(addresses.replica)];
  // A test may end the server.
  replica.on('error', () => {});
  await primary.connect();
  const value = async (client: pg.Client, text: string) =>
    Object.values((await client.query(text)).rows[0])[0];
  /** Until it has all that was written so far, the database too. */
  const caughtUp = async () => {
    const written = await value(primary, 'select pg_current_wal_flush_lsn()');
    const system = new pg.Client(addresses.replica.replace(/@\/\w+/, '@/postgres'));
    await system.connect();
    const hasReplayed = `select pg_last_wal_replay_lsn() >= '${written}'::pg_lsn`;
    await vi.waitFor(async () => expect(await value(system, hasReplayed)).toBe(true), PATIENCE);
    await system.end();
  };
  await caughtUp();
  await replica.connect();
  return {
    caughtUp,
    /** What is to be seen there, whether or not it is behind. */
    onReplica: async (text: string) => (await replica.query(text)).rows,
    onPrimary: async (text: string) => (await primary.query(text)).rows,
    /** It receives what is written, but shows none of it. */
    async pause() {
      await replica.query('select pg_wal_replay_pause()');
      const isPaused = "select pg_get_wal_replay_pause_state() = 'paused'";
      await vi.waitFor(async () => expect(await value(replica, isPaused)).toBe(true), PATIENCE);
    },
    async resume() {
      await replica.query('select pg_wal_replay_resume()');
    },
    /** It shows everything so much later. */
    async delay(delayMs: number) {
      await replica.query(`alter system set recovery_min_apply_delay = ${delayMs}`);
      await replica.query('select pg_reload_conf()');
    },
    async close() {
      await Promise.all([primary.end(), replica.end()]);
    },
  };
}
