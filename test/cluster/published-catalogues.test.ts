import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { clusterSettings } from '../support/cluster-settings.ts';
import { runLarder } from '../support/run-larder.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { shelveFoods } from '../support/shelve-foods.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PATIENCE = { timeout: 20_000, interval: 50 };

interface Readiness {
  readonly catalogue: { readonly name: string };
  readonly activeCatalogue?: string;
  readonly catalogueProblem?: string;
}

describe.skipIf(inject('cluster') === undefined)('two nodes of a cluster', () => {
  const makers = tempFolder();
  let settings: Record<string, string>;
  let nodes: ServiceProcess[];
  let key: string;
  beforeAll(async () => {
    settings = { ...(await clusterSettings()), LARDER_THREADS: '2', LARDER_SCAN_WORKERS: '0' };
    nodes = [await startServiceProcess(settings)];
    nodes.push(await startServiceProcess(settings, undefined, false));
    const limits = 'search=1000000,barcode=1000000,other=1000000';
    const words = ['--tenant', 't', '--scopes', 'foods:read,admin', '--limits', limits, '--json'];
    key = JSON.parse(await larder('key', 'create', ...words)).key;
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
    makers[Symbol.dispose]();
  });

  const larder = (...words: string[]) => runLarder({ ...settings, LARDER_DATA_DIR: makers.path }, ...words);
  const get = (node: ServiceProcess, path: string) =>
    fetch(node.url + path, { headers: { authorization: `Bearer ${key}` } });
  const readiness = async (node: ServiceProcess) => (await (await get(node, '/readyz')).json()) as Readiness;
  /** By metrics, of which the key may ask for as many as it likes. */
  const untilServed = (name: string, some = nodes) =>
    vi.waitFor(async () => {
      for (const node of some) {
        const text = await (await get(node, '/metrics')).text();
        expect(text).toContain(`larder_catalogue_info{checksum="${name.split('-').at(-1)}"} 1\n`);
        expect(text).toContain('larder_catalogue_behind 0\n');
      }
    }, PATIENCE);

  const publish = async (...foods: string[]): Promise<string> => {
    const name = await shelveFoods(makers.path, ...foods);
    const printed = JSON.parse(await larder('catalogue', 'publish', '--activate', '--json'));
    expect(printed).toMatchObject({ name, parts: 1, sentParts: 1, activation: { name } });
    return name;
  };

  test('swap to what is activated, and back, without one failed request', async () => {
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
    for (const node of nodes) {
      expect(await readiness(node)).toEqual({
        status: 'ready',
        catalogue: { name: first, foods: 2, checksum: first.split('-').at(-1) },
        activeCatalogue: first,
        database: expect.any(String),
        limitsCountedBy: 'cluster',
      });
    }
  });
});
