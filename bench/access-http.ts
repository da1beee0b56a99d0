/**
 * What access adds to a request: processor time of one route with and without credential, limits and scope, in one
 * run and by turns. Client and server share a process, so the figures hold the client too; the differences do not.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createAccess } from '../src/app/access.ts';
import { createKeyIssuer } from '../src/app/keys.ts';
import { readConfig } from '../src/config/config.ts';
import { closeGracefully, listen } from '../src/http/server/connection/listening.ts';
import { type Endpoint, toEndpoints } from '../src/http/server/endpoint.ts';
import type { Operation } from '../src/http/server/operation.ts';
import { createServer } from '../src/http/server/server.ts';
import { UNLIMITED } from '../src/limits/request-limiter.ts';
import { openEngineInProcess } from './support/engine-in-process.ts';
import { RawConnection } from './support/raw-http.ts';

const ROUNDS = 40;
const REQUESTS_PER_ROUND = 1_000;
const CLOSE_TIMEOUT_MS = 1_000;
const BODY = JSON.stringify({ name: 'Banana' });

const dir = mkdtempSync(join(tmpdir(), 'larder-bench-access-http-'));
const config = readConfig({ LARDER_DATA_DIR: dir });
const log = pino({ level: 'silent' });
const engine = await openEngineInProcess(config);
const access = createAccess(config, engine);
const { key, text } = await createKeyIssuer(engine.keys).create({
  tenant: 'bench',
  scopes: ['foods:read'],
  limits: { search: 1_000_000 },
});
const { token } = await access.tokens.issue({ key, userId: 'ann' });

const open = await openServer('public');
const guarded = await openServer({ credential: 'bearer', scope: 'foods:read' });
const contestants = [
  { name: 'no access control', ...open, headers: '', costsUs: [] as number[] },
  { name: 'key, limits, scope', ...guarded, headers: bearer(text), costsUs: [] as number[] },
  { name: 'access token, limits, scope', ...guarded, headers: bearer(token), costsUs: [] as number[] },
];
for (let round = 0; round < ROUNDS; round++) {
  for (const { connection, headers, costsUs } of contestants) {
    const before = process.cpuUsage();
    for (let asked = 0; asked < REQUESTS_PER_ROUND; asked++) await connection.send('GET', '/thing', headers);
    const { user, system } = process.cpuUsage(before);
    costsUs.push((user + system) / REQUESTS_PER_ROUND);
  }
}
const medians = contestants.map(({ costsUs }) => costsUs.toSorted((a, b) => a - b)[ROUNDS / 2]!);
for (const [at, { name }] of contestants.entries()) {
  const added = at === 0 ? '' : `  added ${(medians[at]! - medians[0]!).toFixed(1)} us`;
  console.log(`${name.padEnd(30)} ${medians[at]!.toFixed(1).padStart(7)} us of processor time${added}`);
}
for (const { connection } of [open, guarded]) connection.close();
await Promise.all([open, guarded].map(({ server }) => closeGracefully(server, CLOSE_TIMEOUT_MS)));
await engine.close();
rmSync(dir, { recursive: true });

function bearer(credential: string) {
  return `authorization: Bearer ${credential}\r\n`;
}

async function openServer(wanted: Extract<Endpoint['access'], 'public' | { credential: unknown }>) {
  const thing: Operation<undefined> = {
    method: 'GET',
    path: '/thing',
    id: 'getThing',
    summary: 'A thing',
    access: wanted,
    counts: 'search',
    answer: { description: 'The thing.' },
    handle: () => () => BODY,
  };
  const server = createServer({
    endpoints: toEndpoints([thing], undefined),
    authenticate: access.authenticate,
    limiter: wanted === 'public' ? UNLIMITED : access.limiter,
    idempotentRequests: access.idempotentRequests,
    corsOrigins: [],
    trustedProxies: [],
    publicUrl: undefined,
    nowMs: Date.now,
    observer: { started: () => {}, finished: () => {} },
    log,
    service: { isStopping: false },
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  return { server, connection: await RawConnection.open(`http://127.0.0.1:${port}`) };
}
