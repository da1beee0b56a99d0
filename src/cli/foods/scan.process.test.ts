import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { png, webp, webpLossy } from '../../../test/support/image-bytes.ts';
import { startLocalServer } from '../../../test/support/local-server.ts';
import { BANANA_RESULT, settleNextScan } from '../../../test/support/settle-scan.ts';
import { openTestServer, type TestServer } from '../../../test/support/test-server.ts';
import { createProgram } from '../program.ts';

const PHOTO = png({ width: 8, height: 8 });
const EVENT_STREAM = { 'content-type': 'text/event-stream' };
const FAILURE = { code: 'no_food_detected', message: 'There is no food.', retryable: false } as const;

let dir: string;
let service: TestServer;
let url: string;
let key: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'larder-scan-'));
  service = await openTestServer();
  url = `http://127.0.0.1:${service.port}`;
  key = await service.createKey(['scan']);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(dir, { recursive: true });
});
beforeEach(() => {
  process.exitCode = undefined;
  return () => {
    process.exitCode = undefined;
  };
});

async function image(name: string, bytes: Uint8Array = PHOTO): Promise<string> {
  await writeFile(join(dir, name), bytes);
  return join(dir, name);
}

async function larder(words: readonly string[], env: Record<string, string> = {}) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const [printed, told] = [text(out), text(err)];
  const program = await createProgram({ env: { LARDER_DATA_DIR: dir, LARDER_KEY: key, ...env }, out, err });
  await program.parseAsync(['node', 'larder', 'scan', ...words]);
  out.end();
  err.end();
  return { out: await printed, err: await told, exitCode: process.exitCode };
}

describe('larder scan', () => {
  test('sends the image, waits for the result, and prints a table', async () => {
    const file = await image('lunch.png');
    const [shown] = await Promise.all([
      larder([file, '--url', url]),
      settleNextScan(service.database, { result: BANANA_RESULT }),
    ]);
    expect(shown.exitCode).toBeUndefined();
    expect(shown.err).toMatch(/^\S+lunch\.png: done in \d+\.\d s\n$/);
    expect(shown.out).toMatch(/^food +amount +kcal +protein +carbs +fat +how +sure\n/);
    expect(shown.out).toMatch(/\nBanana +118 g +105 +1\.3 +27\.0 +0\.4 +dish +92 %\n$/);
  });

  test('marks unsure items, and names unknown barcodes', async () => {
    const [item] = BANANA_RESULT.items;
    const unsure = { ...item!, unsure: true, confidence: 0.2 } as const;
    const unknownProducts = [{ barcode: '4006381333931', name: 'Mystery bar' }, { barcode: '96385074' }];
    const [shown] = await Promise.all([
      larder([await image('dim.png'), '--url', url]),
      settleNextScan(service.database, { result: { ...BANANA_RESULT, items: [unsure], unknownProducts } }),
    ]);
    expect(shown.out).toMatch(/\nBanana .* 20 %, unsure\n/);
    expect(shown.out).toMatch(
      /\nno food has the barcode 4006381333931 \(Mystery bar\)\nno food has the barcode 96385074\n$/,
    );
  });

  test('escapes characters that would control the terminal', async () => {
    const [item] = BANANA_RESULT.items;
    const named = { ...item!, name: 'Tea\u001b]0;owned\u0007\nCake' };
    const unknownProducts = [{ barcode: '96385074', name: 'Bar\u009b2J' }];
    const [shown] = await Promise.all([
      larder([await image('act.png'), '--url', url]),
      settleNextScan(service.database, { result: { ...BANANA_RESULT, items: [named], unknownProducts } }),
    ]);
    expect(shown.out).toMatch(/\nTea\\u001b\]0;owned\\u0007\\u000aCake +118 g/);
    expect(shown.out).toMatch(/\(Bar\\u009b2J\)\n$/);
  });

  test('with --json prints a line for each image in order, and exits with 3 if one has no result', async () => {
    const files = [
      await image('a.webp', webp(webpLossy(8, 8))),
      await image('b.png'),
      await image('c.txt', PHOTO.subarray(4)),
    ];
    const [shown] = await Promise.all([
      larder(['--json', '--url', url, ...files, join(dir, 'none.png')]),
      settleNextScan(service.database, { result: BANANA_RESULT }).then(() =>
        settleNextScan(service.database, { failure: FAILURE }),
      ),
    ]);
    const lines = shown.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { file: files[0], status: 'completed', result: { name: 'Banana', items: [{ origin: 'dish' }] } },
      { file: files[1], status: 'failed', error: FAILURE },
      { file: files[2], error: { code: 'unsupported_image' } },
      { file: join(dir, 'none.png'), error: { code: 'file_unreadable' } },
    ]);
    expect(lines[0].resultUrl).toContain(lines[0].jobId);
    expect(shown.err).toContain('There is no food. (no_food_detected)');
    expect(shown.exitCode).toBe(3);
  });

  test('polls if the stream is unavailable', async () => {
    const file = await image('polled.png');
    // A proxy blocks streams.
    await using proxy = await startLocalServer(async (request, response) => {
      if (request.url!.endsWith('/stream')) {
        response.writeHead(502).end('no streams here');
        return;
      }
      const answer = await fetch(url + request.url, {
        method: request.method!,
        headers: { authorization: request.headers.authorization!, 'content-type': 'application/json' },
        ...(request.method === 'POST' && { body: await text(request) }),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(await answer.text());
    });
    const [shown] = await Promise.all([
      larder([file, '--url', proxy.base]),
      settleNextScan(service.database, { result: BANANA_RESULT }),
    ]);
    expect(shown.out).toContain('Banana');
  });

  test('sends requests again that the service rejected for exceeded limits', async () => {
    const file = await image('limited.png');
    let asked = 0;
    await using busy = await startLocalServer((request, response) => {
      request.resume();
      const uploadUrl = `http://${request.headers.host}/upload`;
      const failed = `data: ${JSON.stringify({ jobId: '1', status: 'failed', error: FAILURE })}\n\n`;
      if (request.method === 'PUT') response.end();
      else if (request.method === 'GET') response.writeHead(200, EVENT_STREAM).end(failed);
      else if (++asked <= 3) response.writeHead(429, { 'retry-after': '0' }).end('{}');
      else response.writeHead(201).end(JSON.stringify({ jobId: '1', uploadUrl }));
    });
    const shown = await larder([file, '--url', busy.base]);
    expect(shown.err).toContain('There is no food. (no_food_detected)');
    expect(asked).toBe(4);
  });

  test('gives up on an image over the time limit, and names the option to extend it', async () => {
    const file = await image('slow.png');
    // No worker analyses this image, so there is no result within this second.
    await using slow = await startLocalServer((request, response) => {
      request.resume();
      const uploadUrl = `http://${request.headers.host}/upload`;
      if (request.method === 'POST') response.writeHead(201).end(JSON.stringify({ jobId: '1', uploadUrl }));
      else if (request.method === 'PUT') response.end();
      else response.writeHead(200, EVENT_STREAM).flushHeaders();
    });
    const shown = await larder([file, '--url', slow.base, '--timeout', '1']);
    expect(shown.err).toMatch(/no result within 1 s; --timeout/);
    expect(shown.exitCode).toBe(3);
  });

  test.each<[string, string[], Record<string, string>, RegExp]>([
    [
      'nobody answers',
      ['--url', 'http://127.0.0.1:1'],
      {},
      /127\.0\.0\.1:1 does not answer.*larder serve.*address/,
    ],
    [
      'the key is unknown',
      ['--key', 'nope'],
      {},
      /refuses the key of --key, which .*--key takes a key with the scope scan/,
    ],
    ['there is no key', [], { LARDER_KEY: '' }, /Give an API key/],
    ['the address is none', ['--url', 'food.example'], {}, /is not an address/],
    ['the time is none', ['--timeout', 'soon'], {}, /whole number from 1 to 3600/],
  ])('the error for %s says what to do', async (_, words, env, message) => {
    const at = words.includes('--url') ? [] : ['--url', url];
    await expect(larder([await image('x.png'), ...at, ...words], env)).rejects.toThrow(message);
  });

  test('the error says so if no service was started here', async () => {
    await expect(larder([await image('x.png')], { LARDER_KEY: '' })).rejects.toThrow(
      /data folder .* has no first key; start a service with "larder serve"/,
    );
  });

  test('the key of the data folder is sent only to this machine’s service', async () => {
    await writeFile(join(dir, 'first-key.txt'), `${key}\n`);
    const file = await image('own.png');
    const env = { LARDER_KEY: '', LARDER_PORT: String(service.port) };
    const [shown] = await Promise.all([
      larder([file], env),
      settleNextScan(service.database, { result: BANANA_RESULT }),
    ]);
    expect(shown.out).toContain('Banana');
    await expect(larder([file, '--url', url], env)).rejects.toThrow(/Give an API key/);
  });
});
