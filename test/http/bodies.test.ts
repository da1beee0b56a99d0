import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/access/api-key.ts';
import { MAX_BODY_BYTES } from '../../src/api/body-limits.ts';
import { type CallerAccess, isCallerAccess, type OperationDeclaration } from '../../src/api/operation.ts';
import { IMPORT_PART_BYTES } from '../../src/foods/import/catalogue-imports.ts';
import { MAX_FILE_BYTES } from '../../src/foods/import/table/table-limits.ts';
import { ALL_OPERATIONS } from '../../src/http/all-operations.ts';
import {
  MAX_DROPPED_BYTES,
  MAX_FORM_FIELDS,
  MAX_JSON_VALUES,
  MAX_SMALL_PIECES,
} from '../../src/http/server/connection/limits.ts';
import { SOUP } from '../support/diary-users.ts';
import { rawRequest } from '../support/raw-request.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const FORM = 'application/x-www-form-urlencoded';
const KIB = 1024;

let fixture: TestServer;
let port: number;
let key: string;
beforeAll(async () => {
  fixture = await openTestServer();
  port = fixture.port;
  key = await fixture.createKey(SCOPES);
});
afterAll(() => fixture[Symbol.asyncDispose]());

interface Head {
  readonly start: string;
  readonly headers?: readonly string[];
}

/** The response to a request whose announced body is never sent. */
async function announce({ start, headers = [] }: Head, at = port) {
  const lines = [
    `${start} HTTP/1.1`,
    'Host: larder',
    'Connection: close',
    'Content-Length: 1000',
    ...headers,
  ];
  const { status, headers: answered, body } = await rawRequest(at, [...lines, '', ''].join('\r\n'));
  return { status, headers: answered, error: JSON.parse(body).error };
}

const credentialLine = ({ credential }: CallerAccess, text: string) =>
  credential === 'bearer' ? `Authorization: Bearer ${text}` : `X-Api-Key: ${text}`;

const pathOf = ({ path }: OperationDeclaration) => path.replace(/:\w+/g, 'none');

/** Excludes operations for object stores. */
const operations: readonly OperationDeclaration[] = ALL_OPERATIONS.filter(
  ({ counts }) => counts !== 'uncounted',
);

describe('before a body is read', () => {
  it('every operation requires its credential', async () => {
    const asked = operations.filter(
      ({ method, access }) =>
        method !== 'GET' && isCallerAccess(access) && access.credential !== 'client-secret',
    );
    expect(asked.length).toBeGreaterThan(10);
    for (const operation of asked) {
      const start = `${operation.method} ${pathOf(operation)}`;
      const json = 'Content-Type: application/json';
      expect((await announce({ start, headers: [json] })).status).toBe(401);
      const wrong = credentialLine(operation.access as CallerAccess, 'nope');
      expect((await announce({ start, headers: [json, wrong] })).status).toBe(401);
    }
  });

  it.each<[number, string, Head]>([
    [404, 'an unknown path', { start: 'POST /v1/nowhere' }],
    [405, 'a wrong method', { start: 'PUT /v1/foods/search' }],
    [405, 'a method that no path has', { start: 'PROPFIND /v1/foods' }],
    [
      415,
      'a type that no operation takes',
      { start: 'POST /v1/users/ann/diary', headers: ['Content-Type: text/xml'] },
    ],
    [
      415,
      'a form where JSON is wanted',
      { start: 'POST /v1/users/ann/diary', headers: [`Content-Type: ${FORM}`] },
    ],
    [413, 'a body where none is wanted', { start: 'DELETE /v1/users/ann/diary/none' }],
  ])('the status is %i for %s', async (status, _, { start, headers = [] }) => {
    const authorization = `Authorization: Bearer ${key}`;
    expect((await announce({ start, headers: [authorization, ...headers] })).status).toBe(status);
  });
});

describe('POST /v1/auth/token', () => {
  const tokenRequest = (payload: object | string, contentType = 'application/json') => ({
    method: 'POST' as const,
    url: '/v1/auth/token',
    headers: { 'content-type': contentType },
    payload,
  });

  it('is rejected before the body is read when the address has no requests left', async () => {
    await using limited = await openTestServer({ limited: true });
    const at = limited.port;
    const failing = [
      tokenRequest({ client_secret: 'nope', user_id: 'ann' }),
      tokenRequest('{'),
      tokenRequest('<a/>', 'text/xml'),
      tokenRequest({ a: 'x'.repeat(9 * KIB) }),
      tokenRequest('a&'.repeat(MAX_FORM_FIELDS + 1), FORM),
      tokenRequest({ user_id: 'ann' }),
    ];
    for (let asked = 0; asked < 60; asked++) {
      const answer = await limited.ask(failing[asked % failing.length]!);
      expect([400, 401, 413, 415]).toContain(answer.statusCode);
      expect(answer.headers['x-ratelimit-remaining']).toBe(String(59 - asked));
    }
    const start = 'POST /v1/auth/token';
    for (const headers of [['Content-Type: application/json'], [`Content-Type: ${FORM}`], []]) {
      const refused = await announce({ start, headers }, at);
      expect([refused.status, refused.error.code]).toEqual([429, 'rate_limit_exceeded']);
      expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
  });

  it('counts only for the key when it succeeds, however many users share an address', async () => {
    await using limited = await openTestServer({ limited: true });
    for (let asked = 0; asked < 75; asked += 25) {
      const own = await limited.createKey(['foods:read']);
      for (let user = 0; user < 25; user++) {
        const answer = await limited.ask(tokenRequest({ client_secret: own, user_id: `u${user}` }));
        expect([answer.statusCode, answer.headers['x-ratelimit-remaining']]).toEqual([
          200,
          String(29 - user),
        ]);
      }
    }
    const nobody = await limited.ask(tokenRequest({ user_id: 'ann' }));
    expect([nobody.statusCode, nobody.headers['x-ratelimit-remaining']]).toEqual([401, '59']);
  });

  it('accepts forms of up to 32 fields and 8 KiB, and states these limits', async () => {
    const form = (fields: number) => `client_secret=${key}&user_id=ann${'&scope='.repeat(fields - 2)}`;
    const most = await fixture.ask(tokenRequest(form(MAX_FORM_FIELDS), FORM));
    expect(most.json().error).toBe('invalid_scope');
    const tooMany = await fixture.ask(tokenRequest(form(MAX_FORM_FIELDS + 1), FORM));
    expect([tooMany.statusCode, tooMany.json()]).toEqual([
      400,
      {
        error: 'invalid_request',
        error_description: `The form has more than ${MAX_FORM_FIELDS} fields.`,
      },
    ]);
    const tooLong = await fixture.ask(tokenRequest('x'.repeat(8 * KIB + 1), FORM));
    expect([tooLong.statusCode, tooLong.json().error]).toMatchObject([
      413,
      { message: 'The body is larger than 8192 bytes.', details: { limitBytes: 8 * KIB } },
    ]);
  });

  it('a form of 180,000 names is rejected at once', async () => {
    const names = Array.from({ length: 180_000 }, (_, i) => i.toString(36)).join('&');
    for (let time = 0; time < 20; time++)
      expect((await fixture.ask(tokenRequest(names, FORM))).statusCode).toBe(413);
  });
});

describe('the size limit of a body', () => {
  const LIMITS: Readonly<Record<string, number>> = {
    'POST /mcp': 1024 * 1024,
    'POST /v1/auth/token': 8 * KIB,
    'POST /v1/keys': 8 * KIB,
    'PATCH /v1/keys/:keyId': 8 * KIB,
    'POST /v1/keys/:keyId/rotate': 8 * KIB,
    'POST /v1/operator/imports': 64 * KIB,
    'PUT /v1/operator/imports/:importId/file': IMPORT_PART_BYTES,
    'POST /v1/scan/image': 8 * KIB,
    'POST /scan/image': 8 * KIB,
    'POST /v1/users/:userId/diary/copy': 8 * KIB,
    'POST /v1/users/:userId/diary/text': 64 * KIB,
    'POST /v1/users/:userId/diary/scan': 64 * KIB,
    'PUT /v1/users/:userId/goals': 64 * KIB,
    'PATCH /v1/users/:userId/goals': 64 * KIB,
    'POST /v1/users/:userId/measurements': 8 * KIB,
    'PATCH /v1/users/:userId/measurements/:measurementId': 8 * KIB,
    'PUT /v1/users/:userId/diary/days/:date': 64 * KIB,
    'PATCH /v1/users/:userId/diary/days/:date': 64 * KIB,
    'POST /v1/users/:userId/meals': 1024 * KIB,
    'PATCH /v1/users/:userId/meals/:mealId': 1024 * KIB,
    'POST /v1/users/:userId/meals/:mealId/log': 8 * KIB,
    'POST /v1/users/:userId/favourites': 8 * KIB,
    'PATCH /v1/users/:userId/favourites/:favouriteId': 8 * KIB,
    'PUT /v1/users/:userId/settings': 64 * KIB,
    'PATCH /v1/users/:userId/settings': 64 * KIB,
    'POST /v1/people': 8 * KIB,
    'POST /v1/session': 8 * KIB,
    'POST /v1/session/openid': 8 * KIB,
    'PATCH /v1/people/me': 8 * KIB,
    'PATCH /v1/people/:personId': 8 * KIB,
    'POST /v1/session/confirm': 8 * KIB,
    'PUT /v1/people/me/password': 8 * KIB,
    'POST /v1/people/password': 8 * KIB,
    'POST /v1/session/passkey': 8 * KIB,
    'POST /v1/session/confirm/passkey': 8 * KIB,
    'POST /v1/people/me/passkeys': 8 * KIB,
    'PATCH /v1/people/me/passkeys': 8 * KIB,
    'PUT /v1/people/me/sharing': 8 * KIB,
    'POST /v1/people/me/keys': 8 * KIB,
    'POST /v1/invitations': 8 * KIB,
    'POST /v1/webhooks': 8 * KIB,
    'PATCH /v1/webhooks/:webhookId': 8 * KIB,
    'POST /v1/foods/parse': 64 * KIB,
    'POST /foods/parse': 64 * KIB,
    'POST /v1/foods': 64 * KIB,
    'PATCH /v1/foods/:id': 64 * KIB,
    'PATCH /v1/users/:userId/diary/:entryId': 64 * KIB,
    'POST /v1/users/:userId/recipes': 1024 * KIB,
    'PATCH /v1/users/:userId/recipes/:recipeId': 1024 * KIB,
    'POST /v1/users/:userId/diary': 64 * KIB,
    'POST /v1/users/:userId/diary/batch': MAX_BODY_BYTES,
    'PATCH /v1/users/:userId/diary/batch': MAX_BODY_BYTES,
    'POST /v1/users/:userId/diary/batch/delete': MAX_BODY_BYTES,
    'POST /v1/users/:userId/import': MAX_FILE_BYTES,
    'POST /v1/foods/import': MAX_FILE_BYTES,
  };

  it('is declared by every operation with a body', () => {
    const declared = operations.flatMap(({ method, path, body }) =>
      body === undefined ? [] : [[`${method} ${path}`, body === 'raw' ? body : body.limit]],
    );
    expect(Object.fromEntries(declared)).toEqual(LIMITS);
  });

  // An unknown import is rejected before its file is read: operator-imports.test.ts tests the limit for an
  // existing one.
  const limits = Object.entries(LIMITS).filter(([name]) => !name.endsWith('/imports/:importId/file'));
  it.each(limits)('of %s is %i bytes, announced or not', async (name, limitBytes) => {
    const operation = operations.find(({ method, path }) => name === `${method} ${path}`)!;
    const access = operation.access as CallerAccess;
    const { body: declared } = operation;
    const isFile = typeof declared === 'object' && 'file' in declared;
    const type = isFile ? declared.file[0] : 'application/json';
    const send = (body: string, headers: readonly string[], end = '') =>
      rawRequest(
        port,
        [
          `${operation.method} ${pathOf(operation)} HTTP/1.1`,
          'Host: larder',
          'Connection: close',
          `Content-Type: ${type}`,
          ...(access.credential === 'client-secret' ? [] : [credentialLine(access, key)]),
          ...headers,
          '',
          body + end,
        ].join('\r\n'),
      );
    const [open, close] = limitBytes === MAX_BODY_BYTES ? '[]' : '{}';
    const long = `${open}${' '.repeat(limitBytes - 1)}${close}`;
    const tooLong = [
      await send('', [`Content-Length: ${long.length}`]),
      await send(`${long.length.toString(16)}\r\n${long}`, ['Transfer-Encoding: chunked']),
    ];
    for (const { status, body } of tooLong)
      expect([status, JSON.parse(body).error.details]).toEqual([413, { limitBytes }]);
    const longest = ` ${open}${' '.repeat(limitBytes - 3)}${close}`;
    expect((await send(longest, [`Content-Length: ${longest.length}`])).status).not.toBe(413);
  });

  it('is 64 KiB for a diary entry, and a longer announced body is rejected at its first byte', async () => {
    const limitBytes = 64 * KIB;
    const start = (header: string) =>
      [
        'POST /v1/users/ann/diary HTTP/1.1',
        'Host: larder',
        'Connection: close',
        'Content-Type: application/json',
      ]
        .concat(`Authorization: Bearer ${key}`, header, '', '')
        .join('\r\n');
    const long = ` {${' '.repeat(limitBytes - 2)}}`;
    const refused = [
      await rawRequest(port, `${start(`Content-Length: ${long.length}`)} {`),
      await rawRequest(port, `${start('Transfer-Encoding: chunked')}${long.length.toString(16)}\r\n${long}`),
    ];
    for (const { status, body } of refused)
      expect([status, JSON.parse(body).error.details]).toEqual([413, { limitBytes }]);
    const longest = long.replace('  ', ' ');
    expect((await rawRequest(port, start(`Content-Length: ${longest.length}`) + longest)).status).toBe(400);
  });

  it('is zero for operations without a body, which accept an empty body', async () => {
    const removals = operations.filter(({ method }) => method === 'DELETE');
    expect(removals.length).toBeGreaterThan(4);
    for (const operation of removals) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const url = pathOf(operation);
      const refused = await fixture.ask({ method: 'DELETE', url, headers, payload: '{}' });
      expect([refused.statusCode, refused.json().error]).toMatchObject([
        413,
        { message: 'This address takes no body.', details: { limitBytes: 0 } },
      ]);
      expect([204, 404]).toContain((await fixture.ask({ method: 'DELETE', url, headers })).statusCode);
    }
  });
});

it('a client that keeps sending a rejected body is disconnected', async () => {
  const socket = connect({ host: '127.0.0.1', port });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {}).resume();
  const head = 'POST /v1/users/ann/diary HTTP/1.1\r\nHost: larder\r\nContent-Type: application/json\r\n';
  socket.write(`${head}Content-Length: 1000000000000\r\n\r\n`);
  const mebibyte = Buffer.alloc(MAX_BODY_BYTES);
  const sendOn = () => {
    if (!socket.destroyed) socket.write(mebibyte, () => setImmediate(sendOn));
  };
  sendOn();
  await closed;
  // The time limit of the request would end it too, but much later.
  expect(socket.bytesWritten).toBeLessThan(16 * MAX_DROPPED_BYTES);
});

it('after a rejected body the connection accepts the next request', async () => {
  const body = '{}';
  const refused = `POST /v1/users/ann/diary HTTP/1.1\r\nHost: larder\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const answer = await rawRequest(
    port,
    `${refused}GET /healthz HTTP/1.1\r\nHost: larder\r\nConnection: close\r\n\r\n`,
  );
  expect(answer.status).toBe(401);
  expect(answer.body).toContain('HTTP/1.1 200 OK');
});

describe('a body in chunks of one byte', () => {
  const send = (chunks: number) =>
    rawRequest(
      port,
      [
        'POST /v1/users/ann/diary HTTP/1.1',
        'Host: larder',
        'Connection: close',
        'Content-Type: application/json',
        `Authorization: Bearer ${key}`,
        'Transfer-Encoding: chunked',
        '',
        `${'1\r\n \r\n'.repeat(chunks)}2\r\n{}\r\n0\r\n\r\n`,
      ].join('\r\n'),
    );

  it('is read with up to 20,000 chunks', async () => {
    const { status, body } = await send(MAX_SMALL_PIECES - 1);
    expect([status, JSON.parse(body).error.details.fields]).toEqual([400, ['date', 'mealType']]);
  });

  it('is rejected with more chunks', async () => {
    const { status, body } = await send(MAX_SMALL_PIECES);
    expect([status, JSON.parse(body).error.details]).toEqual([400, { limit: MAX_SMALL_PIECES }]);
  });
});

describe('a body of JSON', () => {
  const post = (payload: string | object, url = '/v1/users/ann/diary/batch') =>
    fixture.ask({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      payload,
    });
  const unknown = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, 0]));

  it.each([
    ['unknown fields', JSON.stringify([unknown(90_000)])],
    ['one field, over and over', `[{${'"date":0,'.repeat(100_000)}"date":0}]`],
    ['entries', `[${'{},'.repeat(200_000)}{}]`],
    ['arrays beside each other', `[[${'[],'.repeat(200_000)}0]]`],
  ])('is rejected with too many values: %s', async (_, body) => {
    const { statusCode, json } = await post(body);
    expect([statusCode, json().error]).toMatchObject([
      400,
      {
        code: 'invalid_request',
        message: `The body has more than ${MAX_JSON_VALUES} values.`,
        details: { limit: MAX_JSON_VALUES },
      },
    ]);
  });

  it('gets an error that names only the first unknown fields', async () => {
    const many = await post({ ...SOUP, ...unknown(1_000) }, '/v1/users/ann/diary');
    expect(many.json().error.details.fields).toEqual(Array.from({ length: 20 }, (_, i) => `f${i}`));
    const long = await post({ ...SOUP, ['x'.repeat(60_000)]: 0 }, '/v1/users/ann/diary');
    expect(long.json().error.details.fields).toEqual([`${'x'.repeat(100)}…`]);
    expect(long.body.length).toBeLessThan(500);
  });

  it('can hold the largest batch', async () => {
    const entry = { ...SOUP, foodName: '\u{1f34c}'.repeat(150), fiber: 1, sodium: 1, addedMethod: 'manual' };
    const created = await post(Array(100).fill(entry));
    expect(created.statusCode).toBe(201);
    expect(created.json()).toHaveLength(100);
  });
});
