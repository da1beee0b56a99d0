import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Scene } from '../../attack.ts';
import { issueKey, memberCookies, ownerCookies } from '../../attacker/household.ts';
import { inParallel } from '../../attacker/in-parallel.ts';
import { leakIn } from '../../attacker/leaks.ts';
import { ODD_VALUES } from '../../generators/bodies.ts';

const WIDTH = 8;
const REFUSED = [401, 403, 429];
const FIRST_FAULT = 500;
/** Answered when a limit of the service is reached, by design. */
const UNAVAILABLE = 503;
/** As docs/access.md promises. */
const REVOKED_WITHIN_MS = 1_000;
const OTHER_SCOPES = [
  'foods:read',
  'foods:write',
  'scan',
  'diary:read',
  'diary:write',
  'diary:erase',
  'webhooks',
  'admin',
  'metrics',
];

interface Route {
  readonly method: string;
  readonly path: string;
}

/** Operator routes by everybody who is no operator, then by an operator who reads, activates and changes as fast as it can. */
export const operatorRoutes: Attack = {
  name: 'operator routes',
  async run(scene) {
    const { client, endsAtMs } = scene;
    const breaches = new Set<string>();
    const routes = await operatorRoutesOf(scene);
    const strangers = await openStrangers(scene);
    const refused = routes.length * strangers.length;
    const sentByStrangers = await inParallel({ count: refused, width: WIDTH, endsAtMs }, async (at) => {
      const { method, path } = routes[at % routes.length]!;
      const { who, headers } = strangers[Math.floor(at / routes.length)]!;
      const answer = await client.send(path.replaceAll(/\{\w+\}/g, 'none'), {
        method,
        headers: {
          'content-type': path.endsWith('/file') ? 'application/octet-stream' : 'application/json',
          ...headers,
        },
        localAddress: `127.0.12.${1 + (at % 250)}`,
        ...(method !== 'GET' && method !== 'DELETE' && { body: '{}' }),
      });
      if (!REFUSED.includes(answer.status))
        breaches.add(`${method} ${path} answered ${answer.status} to ${who}`);
    });
    const { key } = await issueKey(scene, ['operator']);
    const requests = await dearRequests(scene, key);
    const sent = await inParallel(
      { count: scene.count(20_000, 1_500), width: WIDTH, endsAtMs },
      async (at) => {
        const { method, path, body } = requests[at % requests.length]!(at);
        const answer = await client.send(path, {
          method,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(body !== undefined && { body }),
        });
        const leak = leakIn(answer);
        if (leak !== undefined) breaches.add(`${method} ${path} tells of ${leak}`);
        if (answer.status >= FIRST_FAULT && answer.status !== UNAVAILABLE)
          breaches.add(`${method} ${path} answered ${answer.status}`);
      },
    );
    return {
      sent: `${sentByStrangers} requests of ${strangers.length} kinds of strangers, ${sent} of an operator`,
      breaches: [...breaches],
    };
  },
};

async function operatorRoutesOf({ client }: Scene): Promise<readonly Route[]> {
  const { body } = await client.send('/openapi.json', { localAddress: '127.0.12.1' });
  const { paths } = JSON.parse(body) as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/v1/operator/'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
    );
}

async function openStrangers(scene: Scene) {
  const { client, key, url } = scene;
  const { session } = await ownerCookies(scene);
  const member = await memberCookies(scene, `Member ${Date.now()}`);
  const others = await issueKey(scene, OTHER_SCOPES);
  const revoked = await issueKey(scene, ['operator']);
  const remover = await issueKey(scene, ['operator']);
  await client.send(`/v1/keys/${revoked.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${remover.key}` },
  });
  await pause(REVOKED_WITHIN_MS);
  const token = await client.send('/v1/auth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', client_secret: key, user_id: 'eve' }),
  });
  const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
  return [
    { who: 'nobody', headers: {} },
    { who: 'a key with all other scopes', headers: bearer(others.key) },
    { who: 'a token', headers: bearer(JSON.parse(token.body).access_token) },
    { who: 'a member', headers: { cookie: member.session, origin: url } },
    { who: 'a page of another origin', headers: { cookie: session, origin: 'https://evil.example' } },
    { who: 'a frame of another site', headers: { cookie: session, 'sec-fetch-site': 'cross-site' } },
    { who: 'a revoked key', headers: bearer(revoked.key) },
  ] as const;
}

type Made = { readonly method: string; readonly path: string; readonly body?: string };

/** The dearest requests of an operator, and some that nobody can answer. */
async function dearRequests(scene: Scene, key: string): Promise<readonly ((at: number) => Made)[]> {
  const { client, random } = scene;
  const read = (path: string) => () => ({ method: 'GET', path: `/v1/operator/${path}` });
  const listed = await client.send('/v1/operator/catalogues', {
    headers: { authorization: `Bearer ${key}` },
  });
  const { active } = JSON.parse(listed.body) as { active?: string };
  return [
    read('status'),
    read('sessions'),
    read('webhooks?limit=100'),
    read('scans'),
    read('catalogues'),
    read('imports'),
    read('keys?limit=1000'),
    () => ({ method: 'GET', path: `/v1/keys?after=${'x'.repeat(3_000)}` }),
    () => ({
      method: 'POST',
      path: `/v1/operator/catalogues/${encodeURIComponent(active ?? 'none')}/activate`,
    }),
    () => ({ method: 'POST', path: '/v1/operator/catalogues/..%2F..%2F..%2Fetc%2Fpasswd/activate' }),
    () => ({ method: 'GET', path: '/v1/operator/imports/..%2F..%2Flarder.db' }),
    () => ({ method: 'DELETE', path: '/v1/operator/sessions/%00' }),
    () => ({ method: 'POST', path: '/v1/operator/imports', body: random.pick(ODD_VALUES) }),
    () => ({ method: 'POST', path: '/v1/keys', body: random.pick(ODD_VALUES) }),
    (at) => ({
      method: 'POST',
      path: '/v1/keys',
      body: JSON.stringify({ tenant: 'attacker', scopes: ['operator'], name: `Key ${at}` }),
    }),
  ];
}
