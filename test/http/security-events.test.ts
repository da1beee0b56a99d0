import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_EVENTS, SecurityEventStore, STORED_AT_ONCE } from '../../src/access/security-event-store.ts';
import { EVENT_OF, SECURITY_EVENTS, type SecurityResult } from '../../src/access/security-log.ts';
import { ALL_OPERATIONS } from '../../src/http/all-operations.ts';
import { type OpenHousehold, openHousehold, PASSWORD } from '../support/household.ts';

const ROOT = join(import.meta.dirname, '..', '..');
let household: OpenHousehold;
beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household[Symbol.asyncDispose]());

const lines = () => household.fixture.log.filter((line) => line.includes('"security event"'));
const events = () => lines().map((line) => JSON.parse(line));

test('each event is of an operation, and docs/security.md lists all', () => {
  const ids = ALL_OPERATIONS.map(({ id }) => id);
  for (const id of Object.keys(EVENT_OF)) expect(ids).toContain(id);
  // An account is linked where somebody comes back from the provider, which is one operation for all purposes.
  expect(new Set([...Object.values(EVENT_OF), 'account_linked'])).toEqual(
    new Set(Object.keys(SECURITY_EVENTS)),
  );
  const docs = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8');
  for (const [event, text] of Object.entries(SECURITY_EVENTS))
    expect(docs).toContain(`| \`${event}\` | ${text} |`);
});

test('sign-ins, keys and removals are logged with who, address and result, without what was typed', async () => {
  const { ann } = household;
  const typed = 'a secret that was typed as a name';
  await household.post('/v1/session', { name: typed, password: PASSWORD });
  await household.signIn('Ann');
  await ann.ask('POST', '/v1/people/me/keys', { scopes: ['foods:read'] });
  const bob = await household.invite('Bob');
  await bob.ask('DELETE', `/v1/people/${ann.id}`);
  await expect
    .poll(() => events().map(({ event, result, who }) => [event, result, who]))
    .toEqual([
      ['person_joined', 'ok', `person:${ann.id}`],
      ['sign_in', 'refused', undefined],
      ['sign_in', 'ok', `person:${ann.id}`],
      ['key_created', 'ok', `person:${ann.id}`],
      ['invitation_created', 'ok', `person:${ann.id}`],
      ['person_joined', 'ok', `person:${bob.id}`],
      ['person_removed', 'refused', `person:${bob.id}`],
    ]);
  for (const event of events()) expect(event).toMatchObject({ level: 'info', address: '127.0.0.1' });
  expect(lines().join('')).not.toContain(typed);
});

test('the filter of fail2ban finds the address of each failed sign-in, and no other', async () => {
  const filter = readFileSync(join(ROOT, 'deploy', 'fail2ban', 'larder.conf'), 'utf8');
  const failed = lines().filter((line) => line.includes('"event":"sign_in","result":"refused"'));
  expect(failed).toHaveLength(1);
  const written = /^failregex = (.*)$/m.exec(filter)![1]!;
  const pattern = new RegExp(written.replace('<HOST>', '(?<host>[0-9a-f.:]+)'));
  for (const line of lines())
    expect(pattern.exec(line)?.groups?.['host']).toBe(failed.includes(line) ? '127.0.0.1' : undefined);
  if (!existsSync('/usr/bin/fail2ban-regex')) return;
  const dir = mkdtempSync(join(tmpdir(), 'larder-fail2ban-'));
  try {
    const log = join(dir, 'larder.log');
    writeFileSync(
      log,
      lines()
        .map((line) => `${line.trim()}\n`)
        .join(''),
    );
    const told = execFileSync(
      '/usr/bin/fail2ban-regex',
      [log, join(ROOT, 'deploy', 'fail2ban', 'larder.conf')],
      { encoding: 'utf8' },
    );
    expect(told).toContain(`Lines: ${lines().length} lines, 0 ignored, 1 matched`);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('the latest events are listed for operators in pages, by name and result', async () => {
  const { ann, fixture } = household;
  await ann.confirm();
  const key = await ann.ask('POST', '/v1/keys', { tenant: 'default', scopes: ['operator'] });
  const list = async (query: string) => {
    const headers = { authorization: `Bearer ${key.json().key}` };
    const answer = await fixture.ask({ url: `/v1/operator/events${query}`, headers });
    expect(answer.statusCode).toBe(200);
    return answer;
  };
  const signIns = async (query: string) => (await list(`?event=sign_in&${query}`)).json() as { id: string }[];
  await expect.poll(async () => (await list('?event=key_created')).json().length).toBe(2);
  const [newest] = (await list('')).json();
  expect(newest).toMatchObject({
    event: 'key_created',
    result: 'ok',
    who: `person:${ann.id}`,
    address: '127.0.0.1',
  });
  const all = await signIns('');
  expect(all).toMatchObject([
    { event: 'sign_in', result: 'ok', who: `person:${ann.id}` },
    { event: 'sign_in', result: 'refused', code: 'forbidden' },
  ]);
  const first = await list('?event=sign_in&limit=1');
  expect([first.json(), first.headers.link]).toEqual([
    [all[0]],
    expect.stringContaining(`after=${all[0]!.id}`),
  ]);
  expect(await signIns(`after=${all[0]!.id}`)).toEqual([all[1]]);
  expect(await signIns('result=refused,limited')).toEqual([all[1]]);
  const bad = await ann.ask('GET', '/v1/operator/events?event=nonsense');
  expect([bad.statusCode, bad.json().error.code]).toEqual([400, 'invalid_query']);
});

test('floods of refusals are kept up to a limit, and push out nothing that succeeded', async () => {
  const { database } = household.fixture;
  let nowMs = Date.now();
  const store = new SecurityEventStore({
    ...database,
    nowMs: () => nowMs,
    onError: (error) => expect(error).toBe('none'),
  });
  const event = { event: 'sign_in', address: '192.0.2.1', requestId: 'flood' } as const;
  const count = async (results: readonly SecurityResult[]) =>
    (await store.list({ after: '', limit: 20_000, results })).length;
  const succeeded = await count(['ok']);
  for (let at = 0; at < 100; at++) store.keep({ ...event, result: 'refused' });
  await store.settled();
  expect(await count(['refused'])).toBeLessThanOrEqual(60 + 5);
  nowMs += 60_000;
  store.keep({ ...event, result: 'limited' });
  await store.settled();
  expect([await count(['limited']), await count(['ok'])]).toEqual([1, succeeded]);
  for (let round = 0; round < 12; round++) {
    for (let at = 0; at < 500; at++) store.keep({ ...event, result: 'ok' });
    await store.settled();
  }
  // PostgreSQL removes with a batch what was too much before it.
  expect(await count(['ok'])).toBeGreaterThanOrEqual(MAX_EVENTS);
  expect(await count(['ok'])).toBeLessThan(MAX_EVENTS + STORED_AT_ONCE);
});
