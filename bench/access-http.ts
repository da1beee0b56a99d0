/**
 * What access adds to a request: processor time of one route with and without credential, limits and scope, in one
 * run and by turns. Requests are injected behind the socket, so that nothing else is in the figures.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createAccess } from '../src/compose/access.ts';
import { createKeyIssuer } from '../src/compose/keys.ts';
import { readConfig } from '../src/config/config.ts';
import type { Access } from '../src/http/server/route.ts';
import { createServer } from '../src/http/server/server.ts';
import { UNLIMITED } from '../src/limits/request-limiter.ts';
import { openEngineInProcess } from './support/engine-in-process.ts';

const ROUNDS = 40;
const REQUESTS_PER_ROUND = 1_000;
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

const open = serverOf('public');
const guarded = serverOf({ credential: 'bearer', scope: 'foods:read' });
const contestants = [
  { name: 'no access control', server: open, headers: {}, costsUs: [] as number[] },
  { name: 'key, limits, scope', server: guarded, headers: bearer(text), costsUs: [] as number[] },
  { name: 'access token, limits, scope', server: guarded, headers: bearer(token), costsUs: [] as number[] },
];
for (let round = 0; round < ROUNDS; round++) {
  for (const { server, headers, costsUs } of contestants) {
    const before = process.cpuUsage();
    for (let asked = 0; asked < REQUESTS_PER_ROUND; asked++) await server.inject({ url: '/thing', headers });
    const { user, system } = process.cpuUsage(before);
    costsUs.push((user + system) / REQUESTS_PER_ROUND);
  }
}
const medians = contestants.map(({ costsUs }) => costsUs.toSorted((a, b) => a - b)[ROUNDS / 2]!);
for (const [at, { name }] of contestants.entries()) {
  const added = at === 0 ? '' : `  added ${(medians[at]! - medians[0]!).toFixed(1)} us`;
  console.log(`${name.padEnd(30)} ${medians[at]!.toFixed(1).padStart(7)} us of processor time${added}`);
}
await Promise.all([open.close(), guarded.close()]);
await engine.close();
rmSync(dir, { recursive: true });

function bearer(credential: string) {
  return { authorization: `Bearer ${credential}` };
}

function serverOf(routeAccess: Access) {
  const route = { method: 'GET', path: '/thing', access: routeAccess, operation: 'search' } as const;
  return createServer({
    routes: [{ ...route, handle: () => BODY }],
    authenticate: access.authenticate,
    limiter: routeAccess === 'public' ? UNLIMITED : access.limiter,
    idempotentRequests: access.idempotentRequests,
    corsOrigins: [],
    trustedProxies: [],
    nowMs: Date.now,
    observer: { started: () => {}, finished: () => {} },
    log,
    isStopping: () => false,
  });
}
