/**
 * What does it take to publish a catalogue and to fetch it, and how long does that hold up a process? Over PostgreSQL and
 * Swift on this machine. The process that fetches is this one; of it the API threads notice nothing.
 *
 *     npm run bench -- publish [--foods 1000000]
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { openActiveCatalogue } from '../src/app/active-catalogue.ts';
import { openPublished } from '../src/app/published-catalogues.ts';
import { S3Bucket } from '../src/blobs/s3/bucket.ts';
import { type ClusterConfig, readConfig } from '../src/config/config.ts';
import { createDatabase, startPostgres, stopPostgres } from '../test/support/postgres-server.ts';
import { SWIFT_ACCESS, startSwift } from '../test/support/swift.ts';
import { ensureGeneratedCatalogue } from './support/generated-catalogue.ts';
import { megabytes } from './support/search-figures.ts';

const LAG_RESOLUTION_MS = 1;
const NANOSECONDS_PER_MS = 1e6;

const { values } = parseArgs({ options: { foods: { type: 'string', default: '1000000' } } });
const file = ensureGeneratedCatalogue(Number(values.foods));
const postgres = startPostgres();
const swift = await startSwift();
const dataDir = mkdtempSync(join(tmpdir(), 'larder-bench-'));
const { accessKeyId, secretAccessKey } = SWIFT_ACCESS;
const bucket = 'larder';
const location = {
  ...SWIFT_ACCESS,
  endpoint: swift.endpoint,
  bucket,
  addressing: 'path',
  nowMs: Date.now,
} as const;
await new S3Bucket(location).send('PUT', '');
const config = readConfig({
  LARDER_DATA_DIR: dataDir,
  LARDER_DATABASE_URL: await createDatabase(postgres),
  LARDER_REDIS_URL: 'redis://127.0.0.1:1',
  LARDER_S3_ENDPOINT: swift.endpoint,
  LARDER_S3_BUCKET: bucket,
  LARDER_S3_ACCESS_KEY_ID: accessKeyId,
  LARDER_S3_SECRET_ACCESS_KEY: secretAccessKey,
}) as ClusterConfig;

const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
async function measure<T>(what: string, work: () => Promise<T>): Promise<T> {
  lag.reset();
  lag.enable();
  const startedAt = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  lag.disable();
  const [p99, max] = [lag.percentile(99), lag.max].map((ns) => (ns / NANOSECONDS_PER_MS).toFixed(1));
  console.log(`${what}: ${seconds.toFixed(2)} s; event loop held up p99 ${p99} ms, at most ${max} ms`);
  return result;
}

const published = await openPublished(config);
const request = { file, sendAll: false, onProgress: () => {} };
const { version } = await measure('publish', () => published.publish(request));
await measure('publish once more, all is there', () => published.publish(request));
await published.versions.activate(version.name);
const log = { info() {}, warn: console.warn };
const rssBefore = process.memoryUsage().rss;
const served = await measure('fetch, prove and load', () =>
  openActiveCatalogue(config, log, new AbortController().signal),
);
console.log(
  `${version.foods} foods, ${megabytes(version.bytes)}, ${version.parts.length} parts; ` +
    `memory grew by ${megabytes(process.memoryUsage().rss - rssBefore)}; load average ${loadavg()[0]!.toFixed(1)}`,
);
await served[Symbol.asyncDispose]();
await published.close();
await swift.close();
stopPostgres(postgres);
rmSync(dataDir, { recursive: true });
