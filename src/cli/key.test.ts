import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { OperatorError } from '@larder/core/errors.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { createAuthenticator, openKeyStore } from '../app/keys.ts';
import { openDatabase } from '../app/open-backend.ts';
import { readConfig } from '../config/config.ts';
import { sql } from '../db/sql.ts';
import { writeOne } from '../db/writer.ts';
import { createProgram } from './program.ts';

let env: Record<string, string>;
beforeEach(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'larder-key-'));
  env = { LARDER_DATA_DIR: dir };
  await (await openDatabase(readConfig(env))).close();
  return () => rm(dir, { recursive: true });
});

let told: string;
async function larder(...words: string[]): Promise<string> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  await (await createProgram({ env, out, err })).parseAsync(['node', 'larder', ...words]);
  told = err.setEncoding('utf8').read() ?? '';
  return out.setEncoding('utf8').read() ?? '';
}

async function create(...words: string[]) {
  return JSON.parse(
    await larder('key', 'create', '--tenant', 'acme', '--scopes', 'foods:read', ...words, '--json'),
  );
}

async function authenticate(text: string) {
  const database = await openDatabase(readConfig(env));
  try {
    return await createAuthenticator(openKeyStore(database)).authenticate(text);
  } finally {
    await database.close();
  }
}

test('a created key works, and its JSON lists its rights', async () => {
  const words = ['--expires', '30d', '--name', 'CI', '--limits', 'search=5,barcode=7'];
  const created = await create(...words);
  expect(Object.keys(created).slice(0, 4)).toEqual(['id', 'key', 'tenant', 'scopes']);
  expect(created).toMatchObject({
    tenant: 'acme',
    scopes: ['foods:read'],
    name: 'CI',
    limits: { search: 5, barcode: 7 },
    expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  expect(await authenticate(created.key)).toMatchObject({ tenant: 'acme', key: { id: created.id } });
});

test('without --json the output is only the key', async () => {
  const text = await larder('key', 'create', '--tenant', 'acme', '--scopes', 'scan, foods:read,scan');
  expect((await authenticate(text.trim())).scopes).toEqual(['foods:read', 'scan']);
});

test('a tenant’s quota limits its keys unless the operator overrides it', async () => {
  env['LARDER_KEYS_PER_TENANT'] = '2';
  await create();
  const { id } = await create();
  await expect(create()).rejects.toThrow(/acme has 2 live keys.*LARDER_KEYS_PER_TENANT.*--beyond-quota/);
  expect(await create('--beyond-quota')).toHaveProperty('key');
  await larder('key', 'rotate', id);
  expect((await larder('key', 'list')).trim().split('\n')).toHaveLength(5);
});

test('an empty list says how to create a key', async () => {
  expect(await larder('key', 'list', '--tenant', 'nobody')).toBe('');
  expect(told).toMatch(/^Tenant nobody has no keys; `larder key create`/);
  expect(JSON.parse(await larder('key', 'list', '--json'))).toEqual([]);
});

test('a command that expects the text of a key rejects its id, and does not print its secret', async () => {
  const { id, key } = await create();
  const error = await larder('key', 'revoke', key).catch((thrown) => thrown);
  expect(error.message).toContain(id);
  expect(error.message).not.toContain(key);
});

test('a list shows every key but never its text', async () => {
  const keys = [await create(), await create('--name', 'second')];
  await larder('key', 'create', '--tenant', 'other', '--new-tenant', '--scopes', 'admin');
  const asJson = await larder('key', 'list', '--tenant', 'acme', '--json');
  expect(
    JSON.parse(asJson)
      .map(({ id }: { id: string }) => id)
      .toSorted(),
  ).toEqual(keys.map(({ id }) => id).toSorted());
  const asText = await larder('key', 'list');
  const [head, ...rows] = asText.trim().split('\n');
  expect(head).toMatch(/^id +created +state +last used +tenant +scopes +name$/);
  expect(rows).toHaveLength(3);
  for (const { key } of keys) expect(asJson + asText).not.toContain(key);
});

test('an empty list is valid JSON', async () => {
  expect(JSON.parse(await larder('key', 'list', '--json'))).toEqual([]);
});

test('a revoked key is rejected and listed as revoked', async () => {
  const { id, key } = await create();
  await larder('key', 'revoke', id);
  await expect(authenticate(key)).rejects.toMatchObject({ code: 'invalid_api_key' });
  expect(await larder('key', 'list')).toContain('revoked');
});

test('a rotated key ends when its successor exists, or after an overlap', async () => {
  const first = await create();
  const second = JSON.parse(await larder('key', 'rotate', first.id, '--overlap', '1h', '--json'));
  await authenticate(first.key);
  const third = JSON.parse(await larder('key', 'rotate', second.id, '--json'));
  await expect(authenticate(second.key)).rejects.toMatchObject({ code: 'invalid_api_key' });
  expect(await authenticate(third.key)).toMatchObject({ tenant: 'acme', scopes: ['foods:read'] });
});

test('limits are shown and changed one by one, also for a running service', async () => {
  const { id, key } = await create('--limits', 'search=5,barcode=7');
  const database = await openDatabase(readConfig(env));
  try {
    let nowMs = Date.now();
    const authenticator = createAuthenticator(openKeyStore(database), () => nowMs);
    expect((await authenticator.authenticate(key)).key.limits).toEqual({ search: 5, barcode: 7 });
    const changed = JSON.parse(await larder('key', 'limits', id, 'search=1000,barcode=default', '--json'));
    expect(changed).toMatchObject({ id, limits: { search: 1_000 } });
    nowMs += 1_000;
    expect((await authenticator.authenticate(key)).key.limits).toEqual({ search: 1_000 });
  } finally {
    await database.close();
  }
  const shown = (await larder('key', 'limits', id)).split('\n');
  expect(shown).toContain('search          1000 a minute  (default 100)');
  expect(shown).toContain('barcode          100 a minute');
});

test.each([
  ['an unknown scope', ['create', '--tenant', 'a', '--scopes', 'foods:eat'], /foods:eat.*foods:read/],
  ['a bad tenant', ['create', '--tenant', 'a b', '--scopes', 'scan'], /tenant/],
  [
    'an unknown operation',
    ['create', '--tenant', 'a', '--scopes', 'scan', '--limits', 'eat=5'],
    /eat=5.*search/,
  ],
  ['a limit of nothing', ['create', '--tenant', 'a', '--scopes', 'scan', '--limits', 'search=0'], /search=0/],
  ['a name of two lines', ['create', '--tenant', 'a', '--scopes', 'scan', '--name', 'a\nb'], /one line/],
  ['an unknown key to revoke', ['revoke', 'nope'], /no key "nope"/],
  ['an unknown key to limit', ['limits', 'nope', 'search=5'], /no key "nope"/],
  ['limits of an unknown key', ['limits', 'nope'], /no key "nope"/],
  ['a limit that is neither', ['limits', 'nope', 'search=none'], /search=none.*not a limit/],
  ['an unknown key to rotate', ['rotate', 'nope'], /no key "nope"/],
])('%s is refused in words', async (_, words, message) => {
  const refused = larder('key', ...words);
  await expect(refused).rejects.toThrow(OperatorError);
  await expect(refused).rejects.toThrow(message);
});

test('a revoked key cannot be rotated', async () => {
  const { id } = await create();
  await larder('key', 'revoke', id);
  await expect(larder('key', 'rotate', id)).rejects.toThrow(/is revoked; create a new one/);
});

describe('a new tenant', () => {
  const words = ['key', 'create', '--scopes', 'scan', '--tenant'];

  test('needs --new-tenant, except the first; the error names similar tenants', async () => {
    await larder(...words, 'family');
    await larder(...words, 'family');
    await expect(larder(...words, 'famly')).rejects.toThrow(
      /no tenant famly yet\. Similar: family\. .*--new-tenant/,
    );
    await expect(larder(...words, 'work')).rejects.toThrow(/no tenant work yet\. Existing: family\./);
    await larder(...words, 'work', '--new-tenant');
    await larder(...words, 'work');
    expect(await larder('tenant', 'list')).toBe(
      'tenant  valid keys  users\nfamily  2           0\nwork    2           0\n',
    );
  });

  test.each([
    ['y\n', true],
    ['YES\n', true],
    ['\n', false],
    ['no\n', false],
  ])('is confirmed on a terminal; %j means %s', async (answer, isMade) => {
    await larder(...words, 'family');
    const terminal = { env, in: asTerminal(), out: new PassThrough(), err: asTerminal() };
    terminal.in.write(answer);
    const made = (await createProgram(terminal)).parseAsync(['node', 'larder', ...words, 'famly']);
    if (isMade) await made;
    else await expect(made).rejects.toThrow(/To create it, add --new-tenant/);
    expect(String(terminal.err.setEncoding('utf8').read())).toContain('Similar: family. Create it? [y/N] ');
    expect(JSON.parse(await larder('tenant', 'list', '--json'))).toHaveLength(isMade ? 2 : 1);
  });

  test('is not created if the question ends without an answer', async () => {
    await larder(...words, 'family');
    const terminal = { env, in: asTerminal(), out: new PassThrough(), err: asTerminal() };
    terminal.in.end();
    const made = (await createProgram(terminal)).parseAsync(['node', 'larder', ...words, 'famly']);
    await expect(made).rejects.toThrow(/add --new-tenant/);
  });
});

function asTerminal(): PassThrough {
  return Object.assign(new PassThrough(), { isTTY: true });
}

test('the users of a tenant are listed by id, and no others', async () => {
  await create();
  const database = await openDatabase(readConfig(env));
  const users = [
    ['acme', 'cem'],
    ['acme', 'ann'],
    ['acme', ''],
    ['other', 'bob'],
  ];
  for (const [tenant = '', user = ''] of users) {
    const row = sql`insert into change_heads (tenant_id, user_id, start, seq) values (${tenant}, ${user}, 0, 1)`;
    await writeOne(database.writer, row);
  }
  await database.close();
  expect(await larder('user', 'list', '--tenant', 'acme')).toBe('ann\ncem\n');
  expect(await larder('user', 'list', '--tenant', 'acme', '--json')).toBe('{"id":"ann"}\n{"id":"cem"}\n');
  expect(await larder('user', 'list', '--tenant', 'none')).toBe('');
  expect(told).toBe('Tenant none has no users with a diary.\n');
  expect(JSON.parse(await larder('tenant', 'list', '--json'))).toEqual([
    { name: 'acme', liveKeys: 1, users: 2 },
    { name: 'other', liveKeys: 0, users: 1 },
  ]);
});
