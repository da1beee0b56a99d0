import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const ALGORITHM = 'RS256';
const DRIP_EVERY_MS = 500;
const HUGE_BYTES = 50 * 1024 * 1024;
const PIECE = 'x'.repeat(64 * 1024);
const DISCOVERY = '/.well-known/openid-configuration';

type Claims = Readonly<Record<string, unknown>>;

/** Tokens by the code that is redeemed; `honest` is a valid one. */
const TOKENS: Readonly<Record<string, (claims: Claims) => Claims>> = {
  honest: (claims) => claims,
  issuer: (claims) => ({ ...claims, iss: 'https://evil.example' }),
  audience: (claims) => ({ ...claims, aud: 'another' }),
  nonce: (claims) => ({ ...claims, nonce: 'x' }),
  expired: (claims) => ({ ...claims, exp: 1 }),
  future: (claims) => ({ ...claims, iat: 9e12, nbf: 9e12 }),
  longSubject: (claims) => ({ ...claims, sub: 'x'.repeat(50_000) }),
  binarySubject: (claims) => ({ ...claims, sub: 'a\u0000b' }),
  brokenSubject: (claims) => ({ ...claims, sub: '\ud800' }),
  noSubject: (claims) => ({ ...claims, sub: '' }),
  objectSubject: (claims) => ({ ...claims, sub: { $ne: 1 } }),
  sqlSubject: (claims) => ({ ...claims, sub: "' or 1=1 --" }),
};

/** Answers that are none, by the code that is redeemed. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse, issuer: string) => void>> = {
  silent: () => {},
  slow: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), DRIP_EVERY_MS);
    response.once('close', () => clearInterval(timer));
  },
  huge: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"access_token":"');
    let sent = 0;
    const more = () => {
      while (sent < HUGE_BYTES && response.write(PIECE)) sent += PIECE.length;
      if (sent < HUGE_BYTES) response.once('drain', more);
      else response.end('"}');
      sent += PIECE.length;
    };
    more();
  },
  nested: (response) => json(response, '['.repeat(40_000)),
  prototype: (response) => json(response, '{"__proto__":{"id_token":"x"},"constructor":{"prototype":{}}}'),
  html: (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<script>alert(1)</script>'),
  away: (response, issuer) => response.writeHead(302, { location: `${issuer}/token` }).end(),
  inside: (response) =>
    response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  empty: (response) => response.writeHead(204).end(),
  broken: (response) => response.writeHead(500).end('Error: secret\n    at token (/srv/provider.js:1:1)'),
  refusal: (response) => json(response, '{"error":"invalid_grant","error_description":"<script>"}', 400),
  packed: (response) => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end('no gzip');
  },
  cut: (response) => response.destroy(),
};

export const PROVIDER_TRICKS: readonly string[] = [
  ...Object.keys(TOKENS),
  'unsigned',
  'otherKey',
  ...Object.keys(ANSWERS),
];

export interface HostileProvider extends AsyncDisposable {
  /** Most codes that were being redeemed at one time. */
  readonly most: number;
}

/** An OpenID provider that answers as the code says, `TRICK.NONCE`. Its first documents are hostile as well. */
export async function openHostileProvider(issuer: string, clientId: string): Promise<HostileProvider> {
  const [own, others] = [await generateKeyPair(ALGORITHM), await generateKeyPair(ALGORITHM)];
  const key = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: ALGORITHM, use: 'sig' };
  const documents = hostileDocuments(issuer);
  let [now, most] = [0, 0];
  const redeem = async (response: ServerResponse, code: string) => {
    const [trick = '', nonce = ''] = code.split('.');
    const answer = ANSWERS[trick];
    if (answer !== undefined) return answer(response, issuer);
    const seconds = Math.floor(Date.now() / 1_000);
    const honest = { iss: issuer, aud: clientId, sub: 'nobody', nonce, iat: seconds, exp: seconds + 60 };
    const claims = (TOKENS[trick] ?? TOKENS['honest']!)(honest);
    const header = { alg: ALGORITHM, kid: 'one' };
    const signer = trick === 'otherKey' ? others : own;
    const signed = await new SignJWT(claims as Record<string, never>)
      .setProtectedHeader(header)
      .sign(signer.privateKey);
    const none = `${encoded({ alg: 'none' })}.${encoded(honest)}.`;
    const token = { access_token: 'x', token_type: 'bearer', id_token: trick === 'unsigned' ? none : signed };
    json(response, JSON.stringify(token));
  };
  const server = createServer(async (request, response) => {
    const path = request.url!.split('?')[0];
    if (path === DISCOVERY) return void (documents.shift() ?? honestDocument(issuer))(response);
    if (path === '/jwks') return json(response, JSON.stringify({ keys: [key] }));
    most = Math.max(most, ++now);
    response.once('close', () => now--);
    await redeem(response, new URLSearchParams(await textOf(request)).get('code') ?? '');
  });
  server.listen(Number(new URL(issuer).port), '127.0.0.1');
  await once(server, 'listening');
  return {
    get most() {
      return most;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Answerer = (response: ServerResponse) => unknown;

function honestDocument(issuer: string, more: object = {}): Answerer {
  const document = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    id_token_signing_alg_values_supported: [ALGORITHM],
    ...more,
  };
  return (response) => json(response, JSON.stringify(document));
}

function hostileDocuments(issuer: string): Answerer[] {
  return [
    honestDocument('https://evil.example'),
    (response) => ANSWERS['huge']!(response, issuer),
    (response) => ANSWERS['nested']!(response, issuer),
    (response) => ANSWERS['broken']!(response, issuer),
    honestDocument(issuer, { authorization_endpoint: 'javascript:alert(1)' }),
    honestDocument(issuer, { authorization_endpoint: 7, token_endpoint: null }),
  ];
}

function json(response: ServerResponse, body: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
