import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { SqlTenantFoodStore } from '../../src/catalogue/tenant-foods/sql-tenant-food-store.ts';
import { toReads, toSql } from '../../src/db/postgres/database.ts';
import { DatabasePool } from '../../src/db/postgres/database-pool.ts';
import { ReplicaReads } from '../../src/db/postgres/replica-reads.ts';
import { type Day, oneDay } from '../../src/diary/records/day.ts';
import type { DiaryOwner } from '../../src/diary/records/entry.ts';
import { SqlDiaryStore } from '../../src/diary/store/diary-store.ts';
import { DATABASE_LIMITS } from '../support/database-limits.ts';
import { newEntry } from '../support/diary-entries.ts';
import { createMigratedDatabase } from '../support/migrated-database.ts';
import { PATIENCE } from '../support/patience.ts';
import { startPgbouncer } from '../support/pgbouncer.ts';
import { hasPgbouncer, postgresFolder, postgresPrograms, throughPgbouncer } from '../support/postgres.ts';
import {
  haltPostgres,
  onServer,
  resumePostgres,
  silencePostgres,
  startPostgres,
  startReplica,
  stopPostgres,
} from '../support/postgres-server.ts';
import { openReplicaControl } from '../support/replica.ts';
import { diaryStoreContract, MAX_NEW_ENTRIES } from './diary-store.ts';

const DAY = '2026-01-31' as Day;
const OWNER: DiaryOwner = { tenant: 'acme', userId: 'ann' };

/** A node as far as its diaries go. */
async function openNode({ primary, replica }: { primary: string; replica: string }) {
  const pools = [primary, replica].map((url) => new DatabasePool({ url, limits: DATABASE_LIMITS }));
  const changes: (string | undefined)[] = [];
  const reads = await ReplicaReads.open({
    primary: pools[0]!,
    replica: pools[1]!,
    nowMs: () => performance.now(),
    sleep,
    onChange: (isUsed, reason) => changes.push(isUsed ? 'used' : reason),
  });
  const ports = { ...toSql(pools[0]!), lists: toReads(reads) };
  const store = new SqlDiaryStore(ports);
  return {
    store,
    limited: new SqlDiaryStore({ ...ports, maxNewEntries: MAX_NEW_ENTRIES }),
    foods: new SqlTenantFoodStore(toSql(pools[0]!)),
    reads,
    /** What it told of the replica so far. */
    changes,
    list: (owner = OWNER) => store.listEntries(owner, { range: oneDay(DAY), limit: 1_000 }),
    async close() {
      reads.close();
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

type Node = Awaited<ReturnType<typeof openNode>>;
type Control = Awaited<ReturnType<typeof openReplicaControl>>;

describe.skipIf(postgresPrograms === undefined)('where PostgreSQL is installed', () => {
  let follower: string;
  beforeAll(() => {
    follower = startReplica(postgresFolder());
  });
  afterAll(() => stopPostgres(follower));

  /** A database with all tables on both servers. */
  async function openDatabases() {
    const primary = await createMigratedDatabase(postgresFolder());
    const addresses = { primary, replica: onServer(primary, follower) };
    return { addresses, control: await openReplicaControl(addresses) };
  }

  diaryStoreContract('cluster with a replica', async () => {
    const { addresses, control } = await openDatabases();
    const [here, there] = [await openNode(addresses), await openNode(addresses)];
    return {
      here: here.store,
      there: there.store,
      limited: there.limited,
      foods: here.foods,
      close: async () => {
        await Promise.all([here.close(), there.close(), control.close()]);
      },
    };
  });

  describe('lists that a replica answers', () => {
    let addresses: { primary: string; replica: string };
    let control: Control;
    let here: Node;
    let there: Node;
    beforeEach(async () => {
      ({ addresses, control } = await openDatabases());
      [here, there] = [await openNode(addresses), await openNode(addresses)];
      await untilUsed(there);
    });
    afterEach(async () => {
      await Promise.all([here.close(), there.close(), control.close()]);
    });

    const untilUsed = (node: Node) =>
      vi.waitFor(async () => {
        const before = node.reads.answeredByReplica;
        await node.list();
        expect(node.reads.answeredByReplica).toBe(before + 1);
      }, PATIENCE);
    const write = async (node: Node) => {
      const entry = newEntry();
      await node.store.addEntries(OWNER, [entry]);
      return entry;
    };

    test('hold what another node was answered, though the replica shows none of it', async () => {
      await control.pause();
      const entries = [await write(here), await write(here)];
      expect(await control.onReplica('select * from diary_entries')).toEqual([]);
      expect(await there.list()).toEqual(entries);
      expect(await there.store.listLatest(OWNER, 10)).toEqual(entries.toReversed());
      expect(await there.store.sumDays(OWNER, { from: DAY, to: DAY })).toHaveLength(1);
      expect(there.changes.at(-1)).toMatch(/behind|does not answer/);
      expect(there.reads.answeredByPrimary).toBeGreaterThanOrEqual(3);

      await control.resume();
      await vi.waitFor(() => expect(there.changes.at(-1)).toBe('used'), PATIENCE);
      await untilUsed(there);
      expect(await there.list()).toEqual(entries);
    });

    test('hold each entry at once, with a replica that is always a little late', async () => {
      await control.delay(30);
      for (let count = 1; count <= 30; count++) {
        await write(count % 2 === 0 ? here : there);
        expect(await (count % 3 === 0 ? here : there).list()).toHaveLength(count);
      }
      await control.delay(0);
    });

    test('hold each entry of many that write and read at once', async () => {
      const owners = Array.from({ length: 20 }, (_, at) => ({ tenant: 'acme', userId: `user-${at}` }));
      const live = async (owner: DiaryOwner, at: number) => {
        const [writer, reader] = at % 2 === 0 ? [here, there] : [there, here];
        for (let count = 1; count <= 10; count++) {
          await writer.store.addEntries(owner, [newEntry()]);
          expect(await reader.list(owner)).toHaveLength(count);
        }
      };
      await Promise.all(owners.map(live));
    });

    test('are answered by the primary while the replica is away, which is told once', async () => {
      const entry = await write(here);
      const told = there.changes.length;
      haltPostgres(follower);
      for (let count = 0; count < 5; count++) expect(await there.list()).toEqual([entry]);
      expect(there.changes.slice(told)).toEqual([expect.stringContaining('PostgreSQL')]);
      resumePostgres(follower);
      await vi.waitFor(() => expect(there.changes.at(-1)).toBe('used'), PATIENCE);
      expect(await there.list()).toEqual([entry]);
    });

    test('are soon answered by the primary when the replica has fallen silent', {
      timeout: 60_000,
    }, async () => {
      const entry = await write(here);
      await untilUsed(there);
      using _silence = silencePostgres(follower);
      expect(await there.list()).toEqual([entry]);
    });

    test('are answered by the primary while it answers before writes are on its disk', async () => {
      const [database] = (await control.onPrimary('select current_database() as name')).map(
        ({ name }) => name,
      );
      await control.onPrimary(`alter database ${database} set synchronous_commit = 'off'`);
      const node = await openNode(addresses);
      await write(node);
      expect(await node.list()).toHaveLength(1);
      expect(node.changes).toEqual(['synchronous_commit is off']);
      await node.close();
    });

    test('are never those of a server that is no standby, or one of another server', async () => {
      const other = startReplica(postgresFolder());
      const promoted = await openReplicaControl({
        ...addresses,
        replica: onServer(addresses.primary, other),
      });
      const node = await openNode({ ...addresses, replica: onServer(addresses.primary, other) });
      await untilUsed(node);
      const answered = node.reads.answeredByReplica;
      await promoted.onReplica('select pg_promote()');
      await write(node);
      expect(await node.list()).toHaveLength(1);
      expect(node.reads.answeredByReplica).toBe(answered);

      // What was promoted is a primary by itself now, and the standby of the old one is further than it is.
      const after = await openNode({
        primary: onServer(addresses.primary, other),
        replica: addresses.replica,
      });
      for (let count = 0; count < 10; count++) await write(here);
      await control.caughtUp();
      await write(after);
      expect(await after.list()).toHaveLength(1);
      expect(after.reads.answeredByReplica).toBe(0);

      await Promise.all([promoted.close(), node.close(), after.close()]);
      stopPostgres(other);
    });

    test('are never those of a standby of another system', async () => {
      const stranger = startPostgres();
      const primary = await createMigratedDatabase(stranger);
      const node = await openNode({ primary, replica: addresses.replica });
      await write(node);
      expect(await node.list()).toHaveLength(1);
      expect(node.reads.answeredByReplica).toBe(0);
      await node.close();
      stopPostgres(stranger);
    });

    test.skipIf(!hasPgbouncer)('hold the same through pgbouncer, in front of either', async () => {
      const pgbouncer = await startPgbouncer(follower);
      const primary = await throughPgbouncer(addresses.primary);
      const pooled = await openNode({ primary, replica: pgbouncer.through(addresses.primary) });
      await untilUsed(pooled);
      for (let count = 1; count <= 10; count++) {
        await write(here);
        expect(await pooled.list()).toHaveLength(count);
      }
      await untilUsed(pooled);
      await pooled.close();
      await pgbouncer.close();
    });
  });
});
