import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findServer } from '../../test/support/bring-servers.ts';
import { runLarder } from '../../test/support/run-larder.ts';
import { type ServiceProcess, startServiceProcess } from '../../test/support/service-process.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';

const folder = tempFolder();
afterAll(() => folder[Symbol.dispose]());
const certificate = join(folder.path, 'cert.pem');
const key = join(folder.path, 'key.pem');
const SETTINGS = { LARDER_THREADS: '1', LARDER_SCAN_WORKERS: '0' };
const TLS = { LARDER_TLS_CERT: certificate, LARDER_TLS_KEY: key };

function makeCertificate(days: number): void {
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days ${days} -subj /CN=localhost -addext ${names}`;
  execFileSync(findServer('openssl')!, [...words.split(' '), '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
}

describe.skipIf(findServer('openssl') === undefined)('with its own certificate', () => {
  let service: ServiceProcess;
  beforeAll(async () => {
    makeCertificate(2);
    service = await startServiceProcess({ ...SETTINGS, ...TLS });
  });
  afterAll(() => service?.[Symbol.asyncDispose]());

  async function ask(path: string, options: RequestOptions = {}, body?: object) {
    const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>();
    const call = request(
      `${service.url}${path}`,
      { ...options, ca: readFileSync(certificate), agent: false },
      resolve,
    );
    call.on('error', reject).end(body && JSON.stringify(body));
    const response = await promise;
    return { status: response.statusCode, headers: response.headers, body: await json(response) };
  }

  async function fetchText(path: string, headers: Record<string, string>): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>();
    const options = { headers, ca: readFileSync(certificate), agent: false };
    request(`${service.url}${path}`, options, resolve).on('error', reject).end();
    return text(await promise);
  }

  test('the service speaks https', async () => {
    expect(service.url).toMatch(/^https:/);
    expect(await ask('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  test('browsers are told to use TLS alone, and ciphers without forward secrecy are refused', async () => {
    const { headers } = await ask('/readyz');
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    const old = { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256:AES256-SHA' } as const;
    await expect(ask('/readyz', old)).rejects.toThrow(/handshake failure/);
    await expect(ask('/readyz', { maxVersion: 'TLSv1.2' })).resolves.toMatchObject({ status: 200 });
    await expect(ask('/readyz', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })).rejects.toThrow();
  });

  test('session cookies are for https only', async () => {
    const link = readFileSync(join(service.dataDir, 'owner-link.txt'), 'utf8').trim();
    expect(link).toMatch(/^https:/);
    const { status, headers } = await ask(
      '/v1/people',
      { method: 'POST', headers: { 'content-type': 'application/json', origin: service.url } },
      { link: link.split('#link=')[1], name: 'Ann', password: 'eggs and toast' },
    );
    expect(status).toBe(201);
    expect(headers['set-cookie']![0]).toMatch(/^__Host-larder=.*; Secure/);
  });

  test('commands trust the certificate of their own service', async () => {
    const { port } = new URL(service.url);
    const env = { ...TLS, LARDER_DATA_DIR: service.dataDir, LARDER_PORT: port };
    expect(await runLarder(env, 'status')).toContain('ready');
  });

  test('a request without TLS gets no answer, and the service continues', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    get(service.url.replace('https:', 'http:'), { agent: false }, resolve).on('error', resolve);
    expect(await promise).toBeInstanceOf(Error);
    expect((await ask('/readyz')).status).toBe(200);
  });

  test('the health check of the Compose file asks by TLS, too', () => {
    const { port } = new URL(service.url);
    const compose = parse(readFileSync(join(import.meta.dirname, '../../compose.yaml'), 'utf8'));
    const [, command, ...words] = compose.services.larder.healthcheck.test as string[];
    const check = (at: string) =>
      spawnSync(command === 'node' ? process.execPath : command!, [words[0]!, words[1]!.replace('8080', at)]);
    expect(check(port).status).toBe(0);
    expect(check('1').status).toBe(1);
  });

  test('a certificate that ends soon is told, and a new one is used without a restart', async () => {
    expect(service.out.some((line) => line.includes('the certificate of LARDER_TLS_CERT expires soon'))).toBe(
      true,
    );
    const expiry = async () => {
      const headers = {
        authorization: `Bearer ${readFileSync(join(service.dataDir, 'first-key.txt'), 'utf8').trim()}`,
      };
      const response = await fetchText('/metrics', headers);
      return Number(/larder_tls_certificate_expiry_timestamp_seconds\{[^}]*\} (\d+)/.exec(response)![1]);
    };
    const before = await expiry();
    writeFileSync(key, 'not a key');
    makeCertificate(90);
    // Only the new certificate is trusted from here on.
    await expect.poll(() => ask('/readyz').then(({ status }) => status, String)).toBe(200);
    expect(await expiry()).toBeGreaterThan(before + 80 * 86_400);
    await expect
      .poll(() =>
        service.out.some((line) => line.includes('the new certificate is used for new connections')),
      )
      .toBe(true);
  });

  test('mismatched files prevent the start; the error names their settings', async () => {
    const start = startServiceProcess({
      ...SETTINGS,
      LARDER_TLS_CERT: certificate,
      LARDER_TLS_KEY: certificate,
    });
    await expect(start).rejects.toThrow(/LARDER_TLS_CERT and LARDER_TLS_KEY are no certificate/);
  });
});

test.each([
  [{ LARDER_TLS_CERT: '/nowhere/cert.pem' }, /LARDER_TLS_CERT serves TLS, which needs LARDER_TLS_KEY/],
  [
    { LARDER_TLS_CERT: '/nowhere/cert.pem', LARDER_TLS_KEY: '/nowhere/key.pem' },
    /LARDER_TLS_CERT cannot be read/,
  ],
])('a start with %j says what is missing', async (settings, message) => {
  await expect(startServiceProcess({ ...SETTINGS, ...settings })).rejects.toThrow(message);
});
