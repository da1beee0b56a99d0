import { appendFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CONTENT, ExportServer } from '../../test/support/export-server.ts';
import { DiskReserve } from '../files/disk-reserve.ts';
import type { DownloadProgress } from './download-attempt.ts';
import { OutgoingAddresses } from './outgoing-addresses.ts';

let server: ExportServer;
beforeEach(async () => {
  server = await ExportServer.open();
});
afterEach(() => server[Symbol.asyncDispose]());

describe('a correct server', () => {
  test('the file is complete, with progress', async () => {
    server.handler = server.serve(CONTENT, '"a"');
    const seen: DownloadProgress[] = [];
    await server.download({ onProgress: (progress) => seen.push(progress) });
    await server.expectReceived(CONTENT);
    expect(seen.at(-1)).toEqual({ receivedBytes: CONTENT.length, totalBytes: CONTENT.length });
  });

  test('the length need not be announced', async () => {
    server.handler = (_, response) => response.writeHead(200).end(CONTENT);
    await server.download();
    await server.expectReceived(CONTENT);
  });

  test('redirects are followed, with the range', async () => {
    const good = server.serve(CONTENT, '"a"', 10_000);
    server.handler = (request, response, call) => {
      if (request.url === '/export.gz') response.writeHead(302, { location: '/moved/1' }).end();
      else good(request, response, call);
    };
    await server.download();
    await server.expectReceived(CONTENT);
    expect(server.ranges.at(-1)).toMatch(/^bytes=\d0000-$/);
  });

  test.each(['localhost', '[::1]', '127.0.0.2'])(
    'a redirect to %s, which is not a public address, is rejected at once',
    async (host) => {
      const location = `${server.base.replace('127.0.0.1', host)}/moved`;
      server.handler = (_, response) => response.writeHead(302, { location }).end();
      await expect(server.download()).rejects.toThrow(/LARDER_OUTGOING_NETWORKS/);
      expect(server.ranges).toHaveLength(1);
    },
  );

  test('a redirect to a network that the operator allows is followed', async () => {
    await using other = await ExportServer.open();
    other.handler = other.serve(CONTENT, '"a"');
    const location = `${other.base}/moved`;
    server.handler = (_, response) => response.writeHead(302, { location }).end();
    const home = new URL(server.base);
    const addresses = new OutgoingAddresses({ allowed: ['127.0.0.0/8'] });
    await server.download({ reach: { home, addresses } });
    await server.expectReceived(CONTENT);
  });

  test('repeating a finished download costs one request', async () => {
    server.handler = server.serve(CONTENT, '"a"');
    await server.download();
    await server.download();
    await server.expectReceived(CONTENT);
    expect(server.ranges).toEqual([undefined, `bytes=${CONTENT.length}-`]);
  });
});

test.each(['within an answer', 'between two attempts'])(
  'an abort %s stops it and keeps the received bytes',
  async (when) => {
    server.handler =
      when === 'within an answer' ? server.serve(CONTENT, '"a"') : server.serve(CONTENT, '"a"', 9_000);
    const controller = new AbortController();
    const abort = async () => controller.abort(new Error('stop'));
    const options = when === 'within an answer' ? { onProgress: abort } : { pause: abort };
    await expect(server.download({ ...options, signal: controller.signal })).rejects.toThrow('stop');
    expect(server.ranges).toHaveLength(1);
    server.handler = server.serve(CONTENT, '"a"');
    await server.download();
    await server.expectReceived(CONTENT);
    expect(server.ranges.at(-1)).toMatch(/^bytes=\d+-$/);
  },
);

describe('errors that are not retried', () => {
  test.each([
    ['a missing file', 404, { 'content-type': 'text/plain' }, 'no', /status 404/],
    ['a web page by its type', 200, { 'content-type': 'text/html' }, '<html>', /web page/],
    ['a web page by its bytes', 200, {}, '<!doctype html><title>Sorry</title>', /is not a gzip file/],
  ])('%s', async (_, status, headers, body, message) => {
    server.handler = (_request, response) => response.writeHead(status, headers).end(body);
    await expect(server.download()).rejects.toThrow(message);
    expect(server.ranges).toHaveLength(1);
    expect(await readdir(server.folder)).not.toContain('export.gz');
  });

  test('a disk that is too small is rejected before a byte of the body is written', async () => {
    server.handler = server.serve(CONTENT, '"a"');
    const { folder } = server;
    const free = async () => CONTENT.length * 5;
    const fits = new DiskReserve({ folder, reserveBytes: 0, free });
    await server.download({ disk: fits });
    const disk = new DiskReserve({ folder, reserveBytes: 1, free });
    server.handler = server.serve(CONTENT, '"b"');
    await expect(server.download({ disk })).rejects.toThrow(/LARDER_DISK_RESERVE_MB.*Free some space/);
  });
});

test('a download without an announced length ends when it reaches the disk reserve', async () => {
  server.handler = (_, response) => response.writeHead(200).end(CONTENT);
  const { folder } = server;
  const disk = new DiskReserve({ folder, reserveBytes: 1_000, free: async () => 1_000 });
  await expect(server.download({ disk })).rejects.toThrow(/Free some space/);
  expect((await readFile(join(folder, 'export.gz.part'))).length).toBe(0);
});

test('a sidecar file truncated by a crash restarts the download', async () => {
  await writeFile(join(server.folder, 'export.gz.part'), CONTENT.subarray(0, 700));
  await writeFile(join(server.folder, 'export.gz.from.json'), '{"url":"http');
  server.handler = server.serve(CONTENT, '"a"');
  await server.download();
  await server.expectReceived(CONTENT);
});

test('a part that another command wrote to is never accepted', async () => {
  server.handler = server.serve(CONTENT, '"a"');
  const disturb = () => appendFileSync(join(server.folder, 'export.gz.part'), 'x');
  await expect(server.download({ onProgress: disturb })).rejects.toThrow(/at the same time/);
  await server.download();
  await server.expectReceived(CONTENT);
});
