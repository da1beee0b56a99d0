import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../../test/support/local-server.ts';
import { OutgoingAddresses } from '../../outgoing/outgoing-addresses.ts';
import { IssuerKeys } from './issuer-keys.ts';

const unavailable = expect.objectContaining({ code: 'unavailable' });
const MINUTE_MS = 60_000;

let nowMs: number;
let server: LocalServer;
/** Responses of the issuer; by default its document and one key, `k1`. */
let answers: Record<string, () => { status?: number; location?: string; body?: unknown }>;
let asked: string[];
const pair = await generateKeyPair('ES256');
const jwk = await exportJWK(pair.publicKey);

beforeEach(async () => {
  nowMs = Date.now();
  asked = [];
  server = await startLocalServer((request, response) => {
    asked.push(request.url!);
    const { status = 200, location, body } = answers[request.url!]?.() ?? { status: 404 };
    response.writeHead(status, location === undefined ? {} : { location });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  answers = {
    '/.well-known/openid-configuration': () => ({
      body: { issuer: server.base, jwks_uri: `${server.base}/jwks` },
    }),
    '/jwks': () => ({ body: { keys: [{ ...jwk, kid: 'k1', alg: 'ES256' }] } }),
  };
  return () => server[Symbol.asyncDispose]();
});

const open = (...allowed: string[]) =>
  new IssuerKeys({
    issuer: server.base,
    addresses: new OutgoingAddresses({ allowed }),
    nowMs: () => nowMs,
  });

async function verify(keys: IssuerKeys, kid = 'k1') {
  const token = await new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid }).sign(pair.privateKey);
  return jwtVerify(token, keys.find).then(() => 'good');
}

test('keys are fetched once, then every ten minutes', async () => {
  const keys = open();
  await Promise.all(Array.from({ length: 20 }, () => verify(keys)));
  expect(asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
  nowMs += 10 * MINUTE_MS;
  await verify(keys);
  expect(asked).toHaveLength(4);
});

test('unknown key ids cause one request to the issuer in half a minute', async () => {
  const keys = open();
  await verify(keys);
  nowMs += MINUTE_MS;
  for (let at = 0; at < 50; at++) {
    await expect(verify(keys, `unknown-${at}`)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  }
  expect(asked).toHaveLength(4);
});

test('a token with a new key id causes a reload', async () => {
  const keys = open();
  await verify(keys);
  answers['/jwks'] = () => ({ body: { keys: [{ ...jwk, kid: 'k2', alg: 'ES256' }] } });
  nowMs += MINUTE_MS;
  expect(await verify(keys, 'k2')).toBe('good');
});

test.each([
  ['is away', () => ({ status: 502 })],
  ['answers something else', () => ({ body: '<html>' })],
  ['answers no set of keys', () => ({ body: { keys: 'none' } })],
  ['answers without end', () => ({ body: 'x'.repeat(100_001) })],
])('while the issuer %s, known keys stay valid for an hour', async (_, answer) => {
  const keys = open();
  await verify(keys);
  answers['/jwks'] = answer;
  for (let minutes = 10; minutes < 60; minutes += 10) {
    nowMs += 10 * MINUTE_MS;
    expect(await verify(keys)).toBe('good');
    await expect(verify(keys, 'unknown')).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  }
  nowMs += 10 * MINUTE_MS;
  await expect(verify(keys)).rejects.toEqual(unavailable);
});

describe('the keys are not fetched', () => {
  test.each(['http://localhost:PORT/jwks', 'http://127.0.0.1:1/jwks', 'http://[::1]:PORT/jwks'])(
    'from another server in a private network: %s',
    async (address) => {
      const other = address.replace('PORT', new URL(server.base).port);
      answers['/.well-known/openid-configuration'] = () => ({
        body: { issuer: server.base, jwks_uri: other },
      });
      await expect(verify(open())).rejects.toMatchObject({
        code: 'unavailable',
        cause: { message: expect.stringContaining('LARDER_OUTGOING_NETWORKS') },
      });
      expect(asked).toEqual(['/.well-known/openid-configuration']);
    },
  );

  test.each(['/.well-known/openid-configuration', '/jwks'])('through a redirect of %s', async (path) => {
    answers['/elsewhere'] = answers[path]!;
    answers[path] = () => ({ status: 302, location: '/elsewhere' });
    await expect(verify(open())).rejects.toEqual(unavailable);
    expect(asked).not.toContain('/elsewhere');
  });
});

test('keys may be in a network that the operator allows', async () => {
  await using other = await startLocalServer((_request, response) =>
    response.end(JSON.stringify(answers['/jwks']!().body)),
  );
  answers['/.well-known/openid-configuration'] = () => ({
    body: { issuer: server.base, jwks_uri: other.base },
  });
  await expect(verify(open())).rejects.toEqual(unavailable);
  expect(await verify(open('127.0.0.0/8'))).toBe('good');
});
