import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ean13Bars } from '../support/barcode-bars.ts';
import { barcodePicture } from '../support/barcode-picture.ts';
import { findServer } from '../support/bring-servers.ts';
import { freePort } from '../support/free-port.ts';
import { PATIENCE } from '../support/patience.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PROXIES = join(import.meta.dirname, '../../deploy/proxies');
const HOST = 'food.example.org';

interface Setup {
  readonly folder: string;
  readonly port: number;
  readonly backend: string;
}

/** The shipped files, with a certificate, a port and an address of Larder for this test. */
const proxies = [
  {
    name: 'nginx',
    end: 'SIGTERM',
    start({ folder, port, backend }: Setup): ChildProcess {
      const shipped = readFileSync(join(PROXIES, 'nginx.conf'), 'utf8')
        .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
        .replaceAll(`/etc/letsencrypt/live/${HOST}`, folder)
        .replace('http://127.0.0.1:8080', backend);
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${folder};`)
        .join(' ');
      const main = `daemon off; user root; pid ${folder}/pid; events {} http { access_log off; ${paths} ${shipped} }`;
      writeFileSync(join(folder, 'main.conf'), main);
      return spawn(findServer('nginx')!, ['-c', join(folder, 'main.conf'), '-e', join(folder, 'errors')]);
    },
  },
  {
    name: 'caddy',
    // Otherwise it would wait for open connections.
    end: 'SIGKILL',
    start({ folder, port, backend }: Setup): ChildProcess {
      const shipped = readFileSync(join(PROXIES, 'Caddyfile'), 'utf8')
        .replace(
          `${HOST} {`,
          `https://${HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`,
        )
        .replace('127.0.0.1:8080', new URL(backend).host);
      writeFileSync(
        join(folder, 'Caddyfile'),
        `{\n\tadmin off\n\tauto_https off\n\tservers {\n\t\tprotocols h1 h2\n\t}\n}\n${shipped}`,
      );
      const config = ['--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
      return spawn(findServer('caddy')!, ['run', ...config], {
        env: { PATH: process.env['PATH'], HOME: folder },
      });
    },
  },
] as const;

let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess({ LARDER_TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => service[Symbol.asyncDispose]());

describe.each(proxies)('behind $name, set up as its file says', ({ name, start, end }) => {
  test.skipIf(findServer(name) === undefined)(
    'a photo is scanned over TLS and its stream is not buffered',
    async () => {
      using folder = tempFolder();
      makeCertificate(folder.path);
      const port = await freePort();
      const proxy = start({ folder: folder.path, port, backend: service.url });
      try {
        await vi.waitFor(() => answersAt(port), PATIENCE);
        const client = clientOf(port, readFileSync(join(folder.path, 'fullchain.pem')), service.key);

        const created = await client('POST', '/v1/scan/image', {
          clientId: 'phone',
          contentType: 'image/jpeg',
        });
        expect(created.statusCode).toBe(201);
        const { uploadUrl, streamUrl } = JSON.parse(await text(created));
        expect(uploadUrl).toMatch(`https://${HOST}/`);

        const stream = await client('GET', pathOf(streamUrl));
        const messages = stream.setEncoding('utf8')[Symbol.asyncIterator]();
        expect((await messages.next()).value).toContain('upload_pending');

        const picture = await barcodePicture({ bars: ean13Bars('3017620422003') });
        const sent = await client('PUT', pathOf(uploadUrl), await picture.jpeg().toBuffer());
        expect(sent.statusCode).toBe(200);
        let rest = '';
        for (let next = await messages.next(); next.done !== true; next = await messages.next())
          rest += next.value;
        expect(rest).toMatch(/"status":"(completed|failed)"/);
      } finally {
        proxy.kill(end);
        if (proxy.exitCode === null && proxy.signalCode === null) await once(proxy, 'exit');
      }
    },
  );
});

function pathOf(address: string): string {
  return address.slice(new URL(address).origin.length);
}

function makeCertificate(folder: string): void {
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
  const name = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...files, ...name],
    {
      stdio: 'ignore',
    },
  );
}

async function answersAt(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}

function clientOf(port: number, ca: Buffer, key: string) {
  return async (method: string, path: string, body?: object | Buffer): Promise<IncomingMessage> => {
    const type = Buffer.isBuffer(body) ? 'image/jpeg' : 'application/json';
    const asked = request({
      host: '127.0.0.1',
      port,
      ca,
      servername: HOST,
      method,
      path,
      headers: {
        host: HOST,
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': type }),
      },
    });
    asked.end(body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body));
    const [answer] = await once(asked, 'response');
    return answer;
  };
}
