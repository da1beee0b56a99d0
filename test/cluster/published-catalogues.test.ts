import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { S3ObjectStore } from '../../src/blobs/s3/object-store.ts';
import { type ClusterConfig, readConfig } from '../../src/config/config.ts';
import { listParts } from '../../src/foods/published/catalogue-parts.ts';
import { clusterSettings } from '../support/cluster-settings.ts';
import { PATIENCE } from '../support/patience.ts';
import { runLarder } from '../support/run-larder.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { storeFoods } from '../support/store-foods.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

describe.skipIf(inject('cluster') === undefined)('nodes of a cluster', () => {
  const makers = tempFolder();
  let settings: Record<string, string>;
  let nodes: ServiceProcess[];
  let key: string;
  beforeAll(async () => {
    settings = { ...(await clusterSettings()), LARDER_THREADS: '2', LARDER_SCAN_WORKERS: '0' };
    nodes = [await startServiceProcess(settings)];
    nodes.push(await startServiceProcess(settings, undefined, false));
    const limits = 'search=1000000,barcode=1000000,other=1000000';
    const words = [
      '--tenant',
      't',
      '--new-tenant',
      '--scopes',
      'foods:read,metrics',
      '--limits',
      limits,
      '--json',
    ];
    key = JSON.parse(await larder('key', 'create', ...words)).key;
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
    makers[Symbol.dispose]();
  });

  const larder = (...words: string[]) => runLarder({ ...settings, LARDER_DATA_DIR: makers.path }, ...words);
  const get = (node: ServiceProcess, path: string) =>
    fetch(node.url + path, { headers: { authorization: `Bearer ${key}` } });
  /** Threads switch slightly later than metrics show. Polls rarely enough to stay within limits. */
  const untilReady = (expected: unknown) =>
    vi.waitFor(
      async () => {
        for (const node of nodes) expect(await (await get(node, '/readyz')).json()).toEqual(expected);
      },
      { ...PATIENCE, interval: 1_000 },
    );
  /** Reads metrics, because the key has no limit for those. */
  const metrics = async (node: ServiceProcess) => (await get(node, '/metrics')).text();
  const untilServed = (name: string) =>
    vi.waitFor(async () => {
      for (const node of nodes) {
        const text = await metrics(node);
        expect(text).toContain(`larder_catalogue_info{checksum="${name.split('-').at(-1)}"} 1\n`);
        expect(text).toContain('larder_catalogue_behind 0\n');
      }
    }, PATIENCE);

  const publish = async (...foods: string[]): Promise<string> => {
    const name = await storeFoods(makers.path, ...foods);
    const printed = JSON.parse(await larder('catalogue', 'publish', '--activate', '--json'));
    expect(printed).toMatchObject({ name, parts: 1, sentParts: 1, activation: { name } });
    return name;
  };

  test('switch to an activated catalogue and back without a failed request', async () => {
    const first = await publish('Apricot');
    await untilServed(first);
    let isOver = false;
    const statuses = new Set<number>();
    const clients = nodes.map(async (node) => {
      while (!isOver) {
        for (const path of ['search?q=spread', 'barcode/3017620422003']) {
          const answer = await get(node, `/v1/foods/${path}`);
          statuses.add(answer.status);
          await answer.arrayBuffer();
        }
      }
    });
    try {
      for (const food of ['Blackberry', 'Cherry', 'Damson']) {
        await untilServed(await publish(food));
        expect(JSON.parse(await larder('catalogue', 'rollback', '--json'))).toMatchObject({ name: first });
        await untilServed(first);
      }
    } finally {
      isOver = true;
      await Promise.all(clients);
    }
    expect([...statuses]).toEqual([200]);
    await untilReady({
      status: 'ready',
      catalogue: { name: first, foods: 2, checksum: first.split('-').at(-1) },
      activeCatalogue: first,
      database: expect.any(String),
      storage: 'available',
      limitsCountedBy: 'cluster',
    });
  });

  test('keep their catalogue if they cannot load the active one, and report why', async () => {
    const before = await publish('Elderberry');
    await untilServed(before);
    const name = await storeFoods(makers.path, 'Fig');
    await larder('catalogue', 'publish');
    const { s3, secrets } = readConfig(settings) as ClusterConfig;
    const secretAccessKey = secrets.s3SecretAccessKey;
    const objects = new S3ObjectStore({ ...s3, secretAccessKey, nowMs: Date.now });
    for (const { key } of await listParts(objects, name)) await objects.delete(key);
    await larder('catalogue', 'activate', name);
    for (const node of nodes) {
      await vi.waitFor(async () => {
        const text = await metrics(node);
        expect(text).toContain('larder_catalogue_behind 1\n');
        expect(text).toMatch(/larder_catalogue_fetches_total\{result="missing"\} [1-9]/);
      }, PATIENCE);
      expect((await get(node, '/v1/foods/search?q=elderberry')).status).toBe(200);
    }
    await untilReady(
      expect.objectContaining({
        status: 'ready',
        catalogue: expect.objectContaining({ name: before }),
        activeCatalogue: name,
        catalogueProblem: 'a part of it is not in the object store',
      }),
    );
    await larder('catalogue', 'publish', name, '--again');
    await untilServed(name);
    await untilReady(expect.not.objectContaining({ catalogueProblem: expect.anything() }));
  });

  test('without requests follow it, too', async () => {
    using folder = tempFolder();
    const first = await publish('Grape');
    const taken: unknown[] = [];
    await using worker = startWorkerProcess(
      { ...settings, LARDER_DATA_DIR: folder.path, LARDER_DISH_MODEL: 'none' },
      {
        onLine: ({ msg, catalogue }) =>
          msg === 'answering from another catalogue' && taken.push(catalogue?.name),
      },
    );
    await worker.started;
    const current = () => readFileSync(join(folder.path, 'published', 'current'), 'utf8').trim();
    await vi.waitFor(() => expect(current()).toBe(first), PATIENCE);
    const second = await publish('Honeydew');
    await vi.waitFor(() => expect(taken).toEqual([second]), PATIENCE);
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  });
});
