import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createKeyText } from '../../../src/access/key-format.ts';
import type { Attack, Scene } from '../attack.ts';
import { inParallel } from '../attacker/in-parallel.ts';

const WIDTH = 8;
const HOUR_SECONDS = 3_600;
/** Tokens are counted by address, too. */
const OWN_ADDRESS = '127.0.8.1';

type Claims = Record<string, unknown>;

/** Keys and tokens that nobody issued, for the diary of another tenant's user. */
export const forgedTokens: Attack = {
  name: 'forged tokens and keys',
  async run(scene) {
    const { client, endsAtMs } = scene;
    const forgeries = await makeForgeries(scene);
    let accepted = 0;
    const wanted = { count: scene.count(50_000, 3_000), width: WIDTH, endsAtMs };
    const sent = await inParallel(wanted, async (at) => {
      const credential = forgeries[at % forgeries.length]!();
      const { status } = await client.send('/v1/users/careful/diary?date=2030-01-01', {
        headers: { authorization: `Bearer ${credential}` },
        localAddress: `127.0.5.${1 + (at % 250)}`,
      });
      if (![0, 400, 401, 429].includes(status)) accepted++;
    });
    return {
      sent: `${sent} requests with ${forgeries.length} kinds of forgeries`,
      breaches: accepted > 0 ? [`${accepted} forgeries were accepted`] : [],
    };
  },
};

async function makeForgeries({ client, key }: Scene): Promise<(() => string)[]> {
  const { body } = await client.send('/v1/auth/token', {
    method: 'POST',
    localAddress: OWN_ADDRESS,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_secret: key, user_id: 'eve', scope: 'diary:read' }),
  });
  const real = JSON.parse(body).access_token as string;
  const [head = '', payload = '', signature = ''] = real.split('.');
  const [header, claims] = [head, payload].map((part) =>
    JSON.parse(Buffer.from(part, 'base64url').toString()),
  ) as [Claims, Claims];
  const published = (await client.send('/.well-known/jwks.json', { localAddress: OWN_ADDRESS })).body;
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const others = { ...claims, sub: 'careful', tenant: 'victim', user: 'careful' };
  const signed = (own: Claims, told: Claims) => {
    const text = `${encode({ ...header, ...own })}.${encode(told)}`;
    return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
  };
  const hmac = (secret: string) => {
    const text = `${encode({ ...header, alg: 'HS256' })}.${encode(others)}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const nowSeconds = () => Math.floor(Date.now() / 1_000);
  return [
    () => `${encode({ ...header, alg: 'none' })}.${encode(others)}.`,
    () => hmac(published),
    () => hmac(JSON.parse(published).keys[0].x),
    () => signed({}, others),
    () => signed({ kid: randomBytes(8).toString('hex') }, others),
    () => signed({ jwk: publicKey.export({ format: 'jwk' }) }, others),
    () => signed({ jku: 'http://127.0.0.1:1/jwks.json', x5u: 'http://127.0.0.1:1/' }, others),
    () => signed({ kid: '../../../dev/null', crit: ['exp'] }, others),
    () => signed({}, { ...others, exp: nowSeconds() - HOUR_SECONDS, iat: nowSeconds() - 2 * HOUR_SECONDS }),
    () => signed({}, { ...others, exp: 9e15, nbf: -1 }),
    () => `${head}.${encode(others)}.${signature}`,
    () => `${head}.${payload}.${randomBytes(64).toString('base64url')}`,
    () => `${real.slice(0, -4)}AAAA`,
    () => `${head}.${payload}.${'A'.repeat(6_000)}`,
    () => `${encode({ ...header, pad: 'x'.repeat(5_000) })}.${payload}.${signature}`,
    // A key in every form but issued: each is looked for.
    () => createKeyText(nowSeconds(), randomBytes),
    () => `${createKeyText(nowSeconds(), randomBytes).slice(0, -1)}~`,
    () => key.slice(0, 20) + createKeyText(nowSeconds(), randomBytes).slice(20),
    () => 'lrd_',
    () => `${key}${key}`,
  ];
}
