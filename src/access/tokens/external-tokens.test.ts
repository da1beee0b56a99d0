import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '@larder/core/errors.ts';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
// @ts-expect-error It brings no types.
import Provider from 'oidc-provider';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OutgoingAddresses } from '../../outgoing/outgoing-addresses.ts';
import { Authentication } from './bearer.ts';
import { ExternalTokenVerifier } from './external-token-verifier.ts';
import { IssuerKeys } from './issuer-keys.ts';

const AUDIENCE = 'https://larder.example.org';
const CLIENT = { client_id: 'app', client_secret: 'app-secret' };
const refusal = (code: string) => expect.objectContaining({ code, constructor: AppError });

let signing: Awaited<ReturnType<typeof generateKeyPair>>;
let server: Server;
let issuer: string;
let nowMs: number;
beforeAll(async () => {
  signing = await generateKeyPair('ES256', { extractable: true });
  server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('request', await provider());
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  nowMs = Date.now();
});

/** A real OpenID provider whose access tokens are JWTs. */
async function provider() {
  const jwk = { ...(await exportJWK(signing.privateKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
  const resource = {
    scope: 'foods:read diary:read admin metrics',
    audience: AUDIENCE,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256' } },
  };
  const client = {
    ...CLIENT,
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    id_token_signed_response_alg: 'ES256',
    token_endpoint_auth_method: 'client_secret_post',
  };
  const instance = new Provider(issuer, {
    clients: [client],
    jwks: { keys: [jwk] },
    ttl: { ClientCredentials: 600 },
    extraTokenClaims: () => ({ org: 'acme' }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => AUDIENCE,
        getResourceServerInfo: () => resource,
      },
    },
  });
  return instance.callback();
}

async function mint(): Promise<string> {
  const form = new URLSearchParams({
    ...CLIENT,
    grant_type: 'client_credentials',
    scope: 'foods:read admin metrics',
  });
  const answer = await fetch(`${issuer}/token`, { method: 'POST', body: form });
  return ((await answer.json()) as { access_token: string }).access_token;
}

function verifierOf(
  more: { audience?: string; tenantClaim?: string; userClaim?: string; issuer?: string } = {},
) {
  const settings = { issuer, audience: AUDIENCE, userClaim: 'client_id', scopeClaim: 'scope', ...more };
  const addresses = new OutgoingAddresses({ allowed: ['127.0.0.1'] });
  const keys = new IssuerKeys({ issuer: settings.issuer, addresses, nowMs: () => nowMs });
  return new ExternalTokenVerifier({ issuer: settings, keys: keys.find, nowMs: () => nowMs });
}

const sign = (claims: object, header: object = {}) =>
  new SignJWT({ iss: issuer, aud: AUDIENCE, client_id: 'ann', exp: nowMs / 1000 + 60, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1', ...header })
    .sign(signing.privateKey);

test('a token of a real issuer stands for its user, without admin or metrics', async () => {
  expect(await verifierOf().verify(await mint())).toMatchObject({
    tenant: 'default',
    userId: 'app',
    scopes: ['foods:read'],
  });
});

test('the tenant comes from the configured claim', async () => {
  expect(await verifierOf({ tenantClaim: 'org' }).verify(await mint())).toHaveProperty('tenant', 'acme');
});

test('scopes may be an array, and unknown ones are ignored', async () => {
  const token = await sign({ scope: ['openid', 'diary:read', 7] });
  expect((await verifierOf().verify(token)).scopes).toEqual(['diary:read']);
});

test('the claimed issuer selects the verifier', async () => {
  const ours = { known: () => undefined, verify: () => Promise.reject(new Error('taken for ours')) };
  const keys = { known: () => undefined, authenticate: () => Promise.reject(new Error('taken for a key')) };
  const authentication = new Authentication({
    authenticator: keys,
    verifier: ours,
    external: { issuer, known: () => undefined, verify: (token: string) => verifierOf().verify(token) },
  });
  expect(await authentication.authenticate(await mint(), 'bearer')).toHaveProperty('userId', 'app');
  await expect(authentication.authenticate(await sign({ iss: 'larder' }), 'bearer')).rejects.toThrow(
    'taken for ours',
  );
  await expect(authentication.authenticate('lrd_x', 'bearer')).rejects.toThrow('taken for a key');
  await expect(authentication.authenticate('a.b.c', 'bearer')).rejects.toEqual(refusal('invalid_token'));
});

describe('a token is refused', () => {
  test('for another audience, or without the configured claim', async () => {
    const token = await mint();
    for (const more of [{ audience: 'larder' }, { tenantClaim: 'tenant' }, { userClaim: 'email' }]) {
      await expect(verifierOf(more).verify(token)).rejects.toEqual(refusal('invalid_token'));
    }
  });

  test('after it expired, although it was accepted before', async () => {
    const verifier = verifierOf();
    const token = await sign({});
    await verifier.verify(token);
    nowMs += 119_000;
    await verifier.verify(token);
    await verifierOf().verify(token);
    nowMs += 2_000;
    await expect(verifier.verify(token)).rejects.toEqual(refusal('expired_token'));
    await expect(verifierOf().verify(token)).rejects.toEqual(refusal('expired_token'));
  });

  test.each([
    ['another issuer', { iss: 'https://elsewhere.example.org' }],
    ['no expiry', { exp: undefined }],
    ['a time that has not come', { nbf: 9_999_999_999 }],
    ['a user that is no text', { client_id: 7 }],
    ['a user with a space', { client_id: 'a b' }],
  ])('if it says %s', async (_, claims) => {
    await expect(verifierOf().verify(await sign(claims))).rejects.toEqual(refusal('invalid_token'));
  });

  test.each(['nbf', 'iat'])(
    'if its %s is more than a minute ahead, and the clocks are named',
    async (claim) => {
      const at = Math.floor(nowMs / 1000);
      for (const ahead of [1, 59]) {
        const token = await sign({ [claim]: at + ahead, exp: at + 300 });
        expect(await verifierOf().verify(token)).toHaveProperty('userId', 'ann');
      }
      const token = await sign({ [claim]: at + 180, exp: at + 300 });
      await expect(verifierOf().verify(token)).rejects.toEqual(refusal('invalid_token'));
      const seen = new Date(nowMs).toISOString();
      await expect(verifierOf().verify(token)).rejects.toThrow(
        `its ${claim} is ${new Date((at + 180) * 1000).toISOString()}, the clock of this service says ${seen}. It is 180 s ahead`,
      );
    },
  );

  test('if it names an unknown key of the issuer, or another key signed it', async () => {
    const foreign = await generateKeyPair('ES256');
    const forged = new SignJWT({ iss: issuer, aud: AUDIENCE, client_id: 'ann', exp: nowMs / 1000 + 60 });
    const token = await forged.setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(foreign.privateKey);
    for (const bad of [token, await sign({}, { kid: 'k2' }), `${await sign({})}x`, 'a.b.c']) {
      await expect(verifierOf().verify(bad)).rejects.toEqual(refusal('invalid_token'));
    }
  });
});

test('an outage of the issuer is reported, and a request a second later asks again', async () => {
  let isDown = true;
  const proxy = createServer((_request, response) => {
    if (isDown) response.writeHead(502).end();
    else response.end(JSON.stringify({ issuer: address, jwks_uri: `${issuer}/jwks` }));
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => proxy.once('listening', listening));
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const verifier = verifierOf({ issuer: address });
  const token = await sign({ iss: address });
  await expect(verifier.verify(token)).rejects.toEqual(refusal('unavailable'));
  isDown = false;
  nowMs += 1_000;
  expect(await verifier.verify(token)).toHaveProperty('userId', 'ann');
  proxy.closeAllConnections();
  proxy.close();
});

test('a discovery document of another issuer is rejected', async () => {
  await expect(
    verifierOf({ issuer: `${issuer}/` }).verify(await sign({ iss: `${issuer}/` })),
  ).rejects.toEqual(refusal('unavailable'));
});
