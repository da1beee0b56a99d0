import { once } from 'node:events';
import { createServer } from 'node:net';
import { OperatorError } from '@larder/core/errors.ts';
import { expect, it } from 'vitest';
import { readDocumentedMetrics } from '../../../test/support/documented-metrics.ts';
import { MemoryLog } from '../../../test/support/memory-log.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { readConfig } from '../../config/config.ts';
import { REFUSED, type ServiceStatus } from '../../http/service/health.ts';
import { openWorkerHealth } from './worker-health.ts';

const CATALOGUE = { name: 'catalogue-0001', foods: 3, checksum: 'cafe' };
const work = { scanDepth: async () => ({ waiting: 0, running: 0 }), deliveryDepth: async () => 0 };

async function openHealth(dataDir: string, port = '0') {
  const log = new MemoryLog();
  const config = readConfig({ LARDER_DATA_DIR: dataDir, LARDER_WORKER_PORT: port });
  const health = (await openWorkerHealth(config, log.logger))!;
  const [line] = log.lines.map((text) => JSON.parse(text)).filter(({ port }) => port !== undefined);
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${line.port}${path}`);
    return { status: answer.status, body: await answer.json() };
  };
  return { health, ask, port: line.port as number };
}

it('a worker is alive from the start, ready with a catalogue while it analyses scans, and not ready when it stops', async () => {
  using folder = tempFolder();
  const { health, ask } = await openHealth(folder.path);
  await using _ = health;
  expect(await ask('/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
  const starting = { status: 503, body: { error: { code: 'unavailable', details: { phase: 'starting' } } } };
  expect(await ask('/readyz')).toMatchObject(starting);
  let status: ServiceStatus = { phase: 'ready', catalogue: CATALOGUE };
  health.follow({ status: () => status, work });
  const ready = { status: 'ready', catalogue: CATALOGUE, database: 'reachable', storage: 'available' };
  expect(await ask('/readyz')).toEqual({ status: 200, body: ready });
  status = { ...status, catalogueProblem: REFUSED };
  expect((await ask('/readyz')).body).toEqual({ ...ready, catalogueProblem: REFUSED });

  status = { ...status, phase: 'stopping' };
  expect(await ask('/readyz')).toMatchObject({
    status: 503,
    body: { error: { details: { phase: 'stopping' } } },
  });
  expect((await ask('/healthz')).status).toBe(200);
});

it('reports which active catalogue it answers from, or why it does not', async () => {
  using folder = tempFolder();
  const { health, ask } = await openHealth(folder.path);
  await using _ = health;
  const following = { active: 'monday', problem: 'it is not in the object store' };
  health.follow({ status: () => ({ phase: 'ready', catalogue: CATALOGUE, following }), work });
  const { body } = await ask('/readyz');
  expect(body).toMatchObject({ activeCatalogue: 'monday', catalogueProblem: following.problem });
});

it('has no other paths, and returns metrics to administrators only', async () => {
  using folder = tempFolder();
  const { health, ask } = await openHealth(folder.path);
  await using _ = health;
  expect((await ask('/metrics')).status).toBe(401);
  expect((await ask('/v1/foods/search?q=banana')).status).toBe(404);
});

it('the metrics are those that docs/operating.md lists of what is not about requests', async () => {
  using folder = tempFolder();
  const { health } = await openHealth(folder.path);
  await using _ = health;
  const ofWorkers =
    /^larder_(?:scan|webhook|catalogue|disk|backup|build_info|tls|database_(?:reachable|damaged))/;
  const listed = readDocumentedMetrics()
    .filter(({ name, clusterOnly }) => ofWorkers.test(name) && !clusterOnly)
    .map(({ name }) => name);
  const text = await health.metrics.toText();
  const served = [...text.matchAll(/^# TYPE (larder_\w+)/gm)].map(([, name]) => name);
  expect(served.toSorted()).toEqual(listed.toSorted());
});

it('a used port is an error that names the setting', async () => {
  using folder = tempFolder();
  const other = createServer().listen({ host: '127.0.0.1', port: 0 });
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const opening = openHealth(folder.path, String(port));
  await expect(opening).rejects.toThrow(OperatorError);
  await expect(opening).rejects.toThrow(/in use.*LARDER_WORKER_PORT/);
  other.close();
});

it('no port is opened by default', async () => {
  using folder = tempFolder();
  const config = readConfig({ LARDER_DATA_DIR: folder.path });
  expect(await openWorkerHealth(config, new MemoryLog().logger)).toBeUndefined();
});
