import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { clusterSettings } from '../support/cluster-settings.ts';
import { PATIENCE } from '../support/patience.ts';
import {
  createDatabase,
  onServer,
  startPostgres,
  startReplica,
  stopPostgres,
} from '../support/postgres-server.ts';
import { openReplicaControl } from '../support/replica.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { openTestServer } from '../support/test-server.ts';

const AMOUNTS = { calories: 100, protein: 1, carbs: 2, fat: 3 };
const ENTRY = { date: '2030-01-01', mealType: 'lunch', foodName: 'Soup', ...AMOUNTS };
const DIARY = '/v1/users/ann/diary';

describe.skipIf(inject('cluster') === undefined)('nodes that read from a replica', () => {
  let primary: string;
  let replica: string;
  let settings: Record<string, string>;
  beforeAll(async () => {
    primary = startPostgres();
    replica = startReplica(primary);
    const LARDER_DATABASE_URL = await createDatabase(primary);
    settings = {
      ...(await clusterSettings()),
      LARDER_DATABASE_URL,
      LARDER_DATABASE_REPLICA_URL: onServer(LARDER_DATABASE_URL, replica),
      LARDER_THREADS: '2',
      LARDER_SCAN_WORKERS: '0',
    };
  });
  afterAll(() => {
    stopPostgres(replica);
    stopPostgres(primary);
  });

  test('list what was written on the other, behind or not, and tell who answers', async () => {
    await using there = await startServiceProcess(settings);
    await using here = await openTestServer({ cluster: settings });
    const headers = { authorization: `Bearer ${there.key}` };
    const write = async () => {
      const request = { method: 'POST', url: DIARY, headers, payload: ENTRY } as const;
      expect((await here.ask(request)).statusCode).toBe(201);
    };
    const list = async () => {
      const answer = await fetch(`${there.url}${DIARY}?date=${ENTRY.date}`, { headers });
      return ((await answer.json()) as unknown[]).length;
    };
    const metric = async (name: string) => {
      const lines = (await (await fetch(`${there.url}/metrics`, { headers })).text()).split('\n');
      return Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1]);
    };
    const byReplica = () => metric('larder_database_replica_reads_total{answered_by="replica"}');
    const saying = (words: string) => there.out.filter((line) => line.includes(words)).length;

    await write();
    const usesReplica = async () => {
      const before = await byReplica();
      expect(await list()).toBe(1);
      expect(await byReplica()).toBe(before + 1);
      expect(await metric('larder_database_replica_away')).toBe(0);
    };
    // Not so often that a limit is reached.
    await vi.waitFor(usesReplica, { ...PATIENCE, interval: 1_000 });

    const url = settings['LARDER_DATABASE_URL']!;
    const control = await openReplicaControl({ primary: url, replica: onServer(url, replica) });
    const saidBefore = saying('the read replica is away or behind');
    await control.pause();
    await write();
    // On each of its threads.
    for (let count = 0; count < 10; count++) expect(await list()).toBe(2);
    expect(await control.onReplica('select * from diary_entries')).toHaveLength(1);
    expect(await metric('larder_database_replica_away')).toBe(1);
    expect(await metric('larder_database_replica_reads_total{answered_by="primary"}')).toBeGreaterThan(0);
    const sayOnce = () => expect(saying('the read replica is away or behind')).toBe(saidBefore + 1);
    await vi.waitFor(sayOnce, PATIENCE);

    await control.resume();
    await control.close();
    await vi.waitFor(async () => expect(await metric('larder_database_replica_away')).toBe(0), PATIENCE);
    await vi.waitFor(() => expect(saying('the read replica is current again')).toBeGreaterThan(0), PATIENCE);
    expect(await list()).toBe(2);
  });
});
