import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Scene } from '../attack.ts';
import { inParallel } from '../attacker/in-parallel.ts';
import { leakIn } from '../attacker/leaks.ts';

const WIDTH = 16;
const CONNECTIONS = 400;
const HOLD_MS = 5_000;
const SECRETS = /root:|SQLite format 3|lrd_|"scripts":/;
const FIRST_FAULT = 500;
/** Names that lead out of a folder, in forms that parsers differ about. */
const PATHS = [
  ...[
    '..%2Fpackage.json',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '..%5c..%5cetc%5cpasswd',
  ],
  ...['%252e%252e%252fetc%252fpasswd', '..%c0%af..%c0%afetc%c0%afpasswd', '/etc/passwd', '%2Fetc%2Fpasswd'],
  ...[
    '..',
    '.',
    '',
    '%00',
    'x%00.js',
    '__proto__',
    'constructor',
    'toString',
    'files.json',
    'index.html',
    '~',
    '*',
  ],
  ...[
    '%E0%80%AE%E0%80%AE/',
    '....//....//etc/passwd',
    'x'.repeat(7_000),
    '../../../../etc/passwd',
    '%2e%2e/%2e%2e/package.json',
    '%',
    '%zz',
    'main.js.map',
    'main.js.br',
  ],
];
const BASES = ['/assets/', '/app/', '/console/', '/', '/docs/', '//assets/', '/assets//', '/app/../assets/'];
const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { range: 'bytes=0-0' },
  { range: `bytes=${Array.from({ length: 1_000 }, (_, at) => `${at}-`).join()}` },
  { range: 'bytes=-1,0-,9e99-' },
  { 'accept-encoding': 'br;q=0.0001, gzip;q=1e9, identity;q=0' },
  { 'accept-encoding': `br${';q=0'.repeat(3_000)}` },
  { 'accept-encoding': `${'b'.repeat(5_000)}br, ${'gzip,'.repeat(1_500)}` },
  { 'if-none-match': '*'.repeat(5_000), 'if-modified-since': 'x', 'if-range': '"x"' },
  {
    'x-forwarded-prefix': '/../../etc',
    'x-original-url': '/v1/operator/status',
    'x-forwarded-host': 'evil.example',
  },
];

/** Paths that lead out of the page's folder, ranges and encodings without end, then its largest file to many who do not read. */
export const pageFiles: Attack = {
  name: 'files of the page',
  async run(scene) {
    const { client, endsAtMs } = scene;
    const breaches = new Set<string>();
    const files = await filesOf(scene);
    const sent = await inParallel(
      { count: scene.count(40_000, 2_000), width: WIDTH, endsAtMs },
      async (at) => {
        const isFile = at % 3 === 0;
        const path = isFile
          ? files[at % files.length]!
          : BASES[at % BASES.length]! + PATHS[Math.floor(at / BASES.length) % PATHS.length]!;
        const answer = await client.send(path, {
          method: at % 5 === 4 ? 'HEAD' : 'GET',
          headers: HEADERS[at % HEADERS.length]!,
          isRaw: true,
          localAddress: `127.2.${at % 240}.${1 + (at % 250)}`,
        });
        const leak = leakIn(answer) ?? SECRETS.exec(isFile ? '' : answer.body)?.[0];
        if (leak !== undefined) breaches.add(`${path.slice(0, 60)} tells of ${leak}`);
        if (answer.status >= FIRST_FAULT) breaches.add(`${path.slice(0, 60)} answered ${answer.status}`);
        if (isFile && answer.status !== 200) breaches.add(`${path} answered ${answer.status}`);
      },
    );
    const largest = await largestOf(scene, files);
    const request = `GET ${largest} HTTP/1.1\r\nHost: larder\r\n\r\n`;
    const opened = Array.from({ length: CONNECTIONS }, (_, at) => {
      const socket = client.connect(`127.0.14.${1 + (at % 250)}`);
      socket.pause();
      socket.write(request.repeat(4));
      return socket;
    });
    await pause(HOLD_MS);
    for (const socket of opened) socket.destroy();
    return { sent: `${sent} requests, ${CONNECTIONS} that do not read ${largest}`, breaches: [...breaches] };
  },
};

/** Addresses of the scripts and styles of the page and its console. */
async function filesOf({ client }: Scene): Promise<readonly string[]> {
  const files = new Set(['/sw.js', '/icon.svg', '/manifest.webmanifest']);
  for (const path of ['/', '/console']) {
    const { body } = await client.send(path, {
      headers: { accept: 'text/html' },
      localAddress: '127.0.14.1',
    });
    for (const [, name] of body.matchAll(/"\.\/(assets\/[^"]+)"/g)) files.add(`/${name}`);
  }
  for (const file of [...files]) {
    const { body } = await client.send(file, { localAddress: '127.0.14.1' });
    for (const [, name] of body.matchAll(/["'`/](?:\.\/|assets\/)?([\w.-]+-[\w-]+\.(?:js|css|wasm))["'`]/g)) {
      const found = await client.send(`/assets/${name}`, { method: 'HEAD', localAddress: '127.0.14.1' });
      if (found.status === 200) files.add(`/assets/${name}`);
    }
  }
  return [...files];
}

async function largestOf({ client }: Scene, files: readonly string[]): Promise<string> {
  let [largest, most] = ['', 0];
  for (const file of files) {
    const { headers } = await client.send(file, { method: 'HEAD', localAddress: '127.0.14.1' });
    const bytes = Number(headers['content-length'] ?? 0);
    if (bytes > most) [largest, most] = [file, bytes];
  }
  return largest;
}
