import pg from 'pg';
import { expect, vi } from 'vitest';
import { PATIENCE } from './patience.ts';

/** Controls a streaming replica, for tests of reads from it. Close it. */
export async function openReplicaControl(addresses: { readonly primary: string; readonly replica: string }) {
  const [primary, replica] = [new pg.Client(addresses.primary), new pg.Client(addresses.replica)];
  // A test may end the server.
  replica.on('error', () => {});
  await primary.connect();
  const value = async (client: pg.Client, text: string) =>
    Object.values((await client.query(text)).rows[0])[0];
  /** Waits until it has everything written so far. */
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
    /** The content of the replica, whether or not it is behind. */
    onReplica: async (text: string) => (await replica.query(text)).rows,
    onPrimary: async (text: string) => (await primary.query(text)).rows,
    /** It receives writes but does not show them. */
    async pause() {
      await replica.query('select pg_wal_replay_pause()');
      const isPaused = "select pg_get_wal_replay_pause_state() = 'paused'";
      await vi.waitFor(async () => expect(await value(replica, isPaused)).toBe(true), PATIENCE);
    },
    async resume() {
      await replica.query('select pg_wal_replay_resume()');
    },
    /** It shows everything after this delay. */
    async delay(delayMs: number) {
      await replica.query(`alter system set recovery_min_apply_delay = ${delayMs}`);
      await replica.query('select pg_reload_conf()');
    },
    async close() {
      await Promise.all([primary.end(), replica.end()]);
    },
  };
}
