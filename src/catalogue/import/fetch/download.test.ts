import { appendFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Download, download } from './download.ts';
import type { DownloadProgress } from './download-attempt.ts';
import { fetchExport } from './fetch-export.ts';
import type { DownloadLimits } from './limits.ts';

const BYTES = Uint8Array.from({ length: 50_000 }, (_, at) => (at * 7919) % 251);
const CONTENT = gzipSync(BYTES, { level: 0 });
const OTHER = gzipSync(Buffer.from('another version of the file'));

const LIMITS: DownloadLimits = {
  answerTimeoutMs: 60_000,
  idleTimeoutMs: 60_000,
  maxRedirects: 3,
  maxAttempts: 20,
  maxFruitlessAttempts: 3,
  firstRetryDelayMs: 1_000,
  maxRetryDelayMs: 8_000,
};

type Handler = (request: IncomingMessage, response: ServerResponse, call: number) => void;

let folder: string;
let server: Server;
let base: string;
let handler: Handler;
/** Ends the answer under way once so many bytes of the file have arrived. */
let cut: { atBytes: number; now: () => void } | undefined;
let ranges: (string | undefined)[];
let waits: number[];
let troubles: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-download-'));
  cut = undefined;
  ranges = [];
  waits = [];
  troubles = [];
  server = createServer((request, response) => {
    ranges.push(request.headers.range);
    handler(request, response, ranges.length);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  await rm(folder, { recursive: true });
});

function get(options: Partial<Download> = {}): Promise<void> {
  return download({
    url: new URL(`${base}/export.gz`),
    target: join(folder, 'export.gz'),
    onProgress: ({ receivedBytes }) => {
      if (receivedBytes === cut?.atBytes) cut.now();
    },
    onTrouble: (message) => troubles.push(message),
    limits: LIMITS,
    free: async () => Number.MAX_SAFE_INTEGER,
    wait: async (delayMs) => void waits.push(delayMs),
    ...options,
  });
}

async function expectReceived(content: Buffer): Promise<void> {
  const received = await readFile(join(folder, 'export.gz'));
  expect({ bytes: received.length, same: received.equals(content) }).toEqual({
    bytes: content.length,
    same: true,
  });
}

/** A well-behaved server of one version of a file, which may break off after some bytes of each answer. */
function serve(content: Buffer, etag: string, breakAfter = Number.POSITIVE_INFINITY): Handler {
  return (request, response) => {
    const asked = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
    const same = request.headers['if-range'] === etag;
    const from = asked !== null && same ? Number(asked[1]) : 0;
    if (from >= content.length) {
      response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
      return;
    }
    response.writeHead(from > 0 ? 206 : 200, {
      etag,
      'content-length': content.length - from,
      ...(from > 0 && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
    });
    const body = content.subarray(from);
    if (body.length <= breakAfter) return void response.end(body);
    response.write(body.subarray(0, breakAfter));
    cut = { atBytes: from + breakAfter, now: () => response.socket?.destroy() };
  };
}

describe('a good server', () => {
  test('the file arrives whole, with progress', async () => {
    handler = serve(CONTENT, '"a"');
    const seen: DownloadProgress[] = [];
    await get({ onProgress: (progress) => seen.push(progress) });
    await expectReceived(CONTENT);
    expect(seen.at(-1)).toEqual({ receivedBytes: CONTENT.length, totalBytes: CONTENT.length });
  });

  test('a length that is not announced is no obstacle', async () => {
    handler = (_, response) => response.writeHead(200).end(CONTENT);
    await get();
    await expectReceived(CONTENT);
  });

  test('redirects are followed, with the range', async () => {
    const good = serve(CONTENT, '"a"', 10_000);
    handler = (request, response, call) => {
      if (request.url === '/export.gz') response.writeHead(302, { location: '/moved/1' }).end();
      else good(request, response, call);
    };
    await get();
    await expectReceived(CONTENT);
    expect(ranges.at(-1)).toMatch(/^bytes=\d0000-$/);
  });

  test('a finished download that is asked for again costs one request', async () => {
    handler = serve(CONTENT, '"a"');
    await get();
    await get();
    await expectReceived(CONTENT);
    expect(ranges).toEqual([undefined, `bytes=${CONTENT.length}-`]);
  });
});

describe('a bad day', () => {
  test('a download that breaks off again and again is continued each time', async () => {
    handler = serve(CONTENT, '"a"', 9_000);
    await get();
    await expectReceived(CONTENT);
    expect(ranges.slice(0, 3)).toEqual([undefined, 'bytes=9000-', 'bytes=18000-']);
  });

  test('a later run continues where an earlier one gave up', async () => {
    const breaking = serve(CONTENT, '"a"', 9_000);
    handler = (request, response, call) => {
      if (call === 1) breaking(request, response, call);
      else response.writeHead(503).end();
    };
    await expect(get()).rejects.toThrow(/status 503.*run the command again to continue/);
    handler = serve(CONTENT, '"a"');
    await get();
    await expectReceived(CONTENT);
    expect(ranges.at(-1)).toBe('bytes=9000-');
  });

  test('a file that changes in between is fetched anew, never glued together', async () => {
    handler = serve(CONTENT, '"a"', 9_000);
    const first = handler;
    const second = serve(OTHER, '"b"');
    handler = (request, response, call) => (call === 1 ? first : second)(request, response, call);
    await get();
    await expectReceived(OTHER);
  });

  test('a server that answers a range of the changed file is not believed', async () => {
    const first = serve(CONTENT, '"a"', 9_000);
    const changed = Buffer.concat([CONTENT.subarray(0, 100), Buffer.alloc(20_000)]);
    handler = (request, response, call) => {
      if (call === 1) return first(request, response, call);
      if (request.headers.range === undefined) return void response.writeHead(200).end(changed);
      response.writeHead(206, { 'content-range': `bytes 9000-${changed.length - 1}/${changed.length}` });
      response.end(changed.subarray(9_000));
    };
    await get();
    await expectReceived(changed);
  });

  test('a server that ignores ranges sends everything again', async () => {
    const breaking = serve(CONTENT, '"a"', 9_000);
    handler = (request, response, call) => {
      if (call === 1) breaking(request, response, call);
      else response.writeHead(200, { etag: '"a"' }).end(CONTENT);
    };
    await get();
    await expectReceived(CONTENT);
  });

  test('a 416 for a part that is longer than the file starts anew', async () => {
    handler = serve(CONTENT, '"a"', 9_000);
    const breaking = handler;
    handler = (request, response, call) => {
      if (call === 1) return breaking(request, response, call);
      if (request.headers.range === undefined) return void response.writeHead(200).end(OTHER);
      response.writeHead(416, { 'content-range': `bytes */${OTHER.length}` }).end();
    };
    await get();
    await expectReceived(OTHER);
  });

  test('fewer bytes than announced are never taken for the file', async () => {
    handler = (_, response) => {
      response.writeHead(200, { 'content-length': CONTENT.length + 500 });
      response.write(CONTENT);
      cut = { atBytes: CONTENT.length, now: () => response.socket?.destroy() };
    };
    await expect(get()).rejects.toThrow(/broke off/);
    expect(await readdir(folder)).not.toContain('export.gz');
  });

  test('more bytes than announced are never taken for the file', async () => {
    const breaking = serve(CONTENT, '"a"', 9_000);
    handler = (request, response, call) => {
      if (request.headers.range === undefined) return breaking(request, response, call);
      // Chunked, so that the body can be longer than what Content-Range says.
      response.writeHead(206, { 'content-range': `bytes 9000-${CONTENT.length - 1}/${CONTENT.length}` });
      response.end(Buffer.concat([CONTENT.subarray(9_000), CONTENT]));
    };
    await expect(get()).rejects.toThrow(/more bytes than it announced/);
    expect(await readdir(folder)).not.toContain('export.gz');
  });

  test('bytes behind the announced end are left alone, and nothing crashes', async () => {
    handler = (_, response) => {
      const head = `HTTP/1.1 200 OK\r\nContent-Length: ${CONTENT.length}\r\n\r\n`;
      response.socket?.end(Buffer.concat([Buffer.from(head), CONTENT, CONTENT]));
    };
    await get();
    await expectReceived(CONTENT);
  });

  test('silence before and within an answer ends the attempt', async () => {
    const good = serve(CONTENT, '"a"');
    const isTold = (trouble: string) => troubles.some((told) => told.includes(trouble));
    // On a busy machine a good answer may take too long as well, so it is given until it gets through.
    handler = (request, response, call) => {
      if (!isTold('no answer within 150 ms')) return;
      if (isTold('sent nothing for 150 ms')) return good(request, response, call);
      response.writeHead(200, { etag: '"a"', 'content-length': CONTENT.length });
      response.write(CONTENT.subarray(0, 5_000));
    };
    const patient = { maxAttempts: 1_000, maxFruitlessAttempts: 1_000 };
    await get({ limits: { ...LIMITS, ...patient, answerTimeoutMs: 150, idleTimeoutMs: 150 } });
    await expectReceived(CONTENT);
  });

  test('waits double, obey Retry-After and stay within their bound', async () => {
    const answers = [503, 503, 429, 200];
    handler = (request, response, call) => {
      const status = answers[call - 1]!;
      if (status === 200) return serve(CONTENT, '"a"')(request, response, call);
      response.writeHead(status, status === 429 ? { 'retry-after': '600' } : {}).end();
    };
    await get({ limits: { ...LIMITS, maxFruitlessAttempts: 9 } });
    expect(waits).toEqual([1_000, 2_000, 8_000]);
  });

  test('attempts that bring nothing are bounded', async () => {
    handler = (_, response) => void response.socket?.destroy();
    await expect(get()).rejects.toThrow(/Tried 3 times/);
    expect(ranges).toHaveLength(3);
  });

  test('a server that knows no ranges and never gets to the end is given up', async () => {
    const reached = [9_000, 3_000, 8_000, 5_000];
    handler = (request, response, call) => {
      request.headers = {};
      serve(CONTENT, '"a"', reached[call - 1] ?? 1_000)(request, response, call);
    };
    await expect(get()).rejects.toThrow(/broke off. Tried 4 times/);
  });

  test('an endless chain of redirects is cut', async () => {
    handler = (request, response) => response.writeHead(302, { location: `${request.url}x` }).end();
    await expect(get({ limits: { ...LIMITS, maxFruitlessAttempts: 1 } })).rejects.toThrow(/3 redirects/);
  });
});

test.each(['within an answer', 'between two attempts'])(
  'an abort %s ends it and keeps what arrived',
  async (when) => {
    handler = when === 'within an answer' ? serve(CONTENT, '"a"') : serve(CONTENT, '"a"', 9_000);
    const controller = new AbortController();
    const abort = async () => controller.abort(new Error('stop'));
    const options = when === 'within an answer' ? { onProgress: abort } : { wait: abort };
    await expect(get({ ...options, signal: controller.signal })).rejects.toThrow('stop');
    expect(ranges).toHaveLength(1);
    handler = serve(CONTENT, '"a"');
    await get();
    await expectReceived(CONTENT);
    expect(ranges.at(-1)).toMatch(/^bytes=\d+-$/);
  },
);

describe('what is refused at once', () => {
  test.each([
    ['a missing file', 404, { 'content-type': 'text/plain' }, 'no', /status 404/],
    ['a web page by its type', 200, { 'content-type': 'text/html' }, '<html>', /web page/],
    ['a web page by its bytes', 200, {}, '<!doctype html><title>Sorry</title>', /does not hold a gzip file/],
  ])('%s', async (_, status, headers, body, message) => {
    handler = (_request, response) => response.writeHead(status, headers).end(body);
    await expect(get()).rejects.toThrow(message);
    expect(ranges).toHaveLength(1);
    expect(await readdir(folder)).not.toContain('export.gz');
  });

  test('a disk that is too small, before a byte of the body is written', async () => {
    handler = serve(CONTENT, '"a"');
    await expect(get({ free: async () => CONTENT.length * 2 })).rejects.toThrow(/Free some space/);
  });
});

test('a sidecar cut short by a crash starts the download anew', async () => {
  await writeFile(join(folder, 'export.gz.part'), CONTENT.subarray(0, 700));
  await writeFile(join(folder, 'export.gz.from.json'), '{"url":"http');
  handler = serve(CONTENT, '"a"');
  await get();
  await expectReceived(CONTENT);
});

test('a part that another command wrote into as well is never taken for the file', async () => {
  handler = serve(CONTENT, '"a"');
  const disturb = () => appendFileSync(join(folder, 'export.gz.part'), 'x');
  await expect(get({ onProgress: disturb })).rejects.toThrow(/at once/);
  await get();
  await expectReceived(CONTENT);
});

test('the newest FDC export is found on its page, fetched, and removed without a trace', async () => {
  const zip = Buffer.from('PK\x03\x04 as if');
  handler = (request, response) => {
    if (request.url === '/datasets') {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<a href="files/FoodData_Central_csv_2026-04-30.zip">Full</a>');
    } else if (request.url === '/files/FoodData_Central_csv_2026-04-30.zip') response.end(zip);
    else response.writeHead(404).end();
  };
  await mkdir(join(folder, 'downloads', 'fdc'), { recursive: true });
  await writeFile(join(folder, 'downloads', 'fdc', 'FoodData_Central_csv_2025-12-18.zip.part'), 'broke off');
  const fetched = await fetchExport({
    origin: 'fdc',
    address: `${base}/datasets`,
    folder: join(folder, 'downloads'),
    onProgress: () => {},
    onTrouble: () => {},
    limits: LIMITS,
  });
  expect(await readFile(fetched.file)).toEqual(zip);
  await fetched.remove();
  expect(await readdir(join(folder, 'downloads', 'fdc'))).toEqual([]);
});
