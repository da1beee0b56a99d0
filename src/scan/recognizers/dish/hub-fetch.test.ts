import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { env } from '@huggingface/transformers';
import { OperatorError } from '@larder/core/errors.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeImageTextModel } from '../../../../test/support/image-text-model.ts';
import { type LocalServer, startLocalServer } from '../../../../test/support/local-server.ts';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import { DiskReserve } from '../../../files/disk-reserve.ts';
import { OutgoingAddresses } from '../../../outgoing/outgoing-addresses.ts';
import { hubFetch } from './hub-fetch.ts';
import { ImageTextModel } from './image-text-model.ts';

const MEBIBYTE = 1024 * 1024;
const FILE = Buffer.alloc(40 * MEBIBYTE, 'x');
const REAL_HOST = env.remoteHost;

let folder: ReturnType<typeof tempFolder>;
let hub: LocalServer;
let elsewhere: LocalServer;
let asked: IncomingMessage[];

beforeEach(async () => {
  folder = tempFolder();
  asked = [];
  elsewhere = await startLocalServer((request, response) => {
    asked.push(request);
    response.end('from elsewhere');
  });
  await writeImageTextModel(join(folder.path, 'hub'), [{ word: 'tomato', rgb: [1, 0, 0] }]);
  hub = await startLocalServer(async (request, response) => {
    asked.push(request);
    if (request.url === '/elsewhere') return response.writeHead(302, { location: elsewhere.base }).end();
    if (request.url === '/file') return response.end(FILE);
    if (request.url === '/endless') return response.write(FILE, () => response.end(FILE));
    const file = request.url!.replace('/acme/colours/resolve/main/', '');
    const content = await readFile(join(folder.path, 'hub', file)).catch(() => undefined);
    return content === undefined ? response.writeHead(404).end() : response.end(content);
  });
  env.remoteHost = `${hub.base}/`;
});
afterEach(async () => {
  env.remoteHost = REAL_HOST;
  await hub[Symbol.asyncDispose]();
  await elsewhere[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const addresses = (...allowed: string[]) => new OutgoingAddresses({ allowed });
const disk = (freeBytes = Number.POSITIVE_INFINITY) =>
  new DiskReserve({ folder: folder.path, reserveBytes: MEBIBYTE, free: async () => freeBytes });

test('a model is downloaded from Hugging Face once and then opened offline', async () => {
  const cacheDir = join(folder.path, 'models');
  const source = { hubId: 'acme/colours', cacheDir, hub: { addresses: addresses(), disk: disk() } };
  const model = await ImageTextModel.open(source);
  expect((await model.embedTexts(['tomato']))[0]).toHaveLength(3);
  await model.close();
  const models = () => asked.filter(({ url }) => url!.endsWith('.onnx')).length;
  expect(models()).toBe(2);
  await (await ImageTextModel.open(source)).close();
  expect(models()).toBe(2);
});

test('an unsuitable model is rejected with an error for the operator, and leaves no files', async () => {
  const cacheDir = join(folder.path, 'models');
  const source = { hubId: 'acme/colours', cacheDir, hub: { addresses: addresses(), disk: disk(MEBIBYTE) } };
  const failure = await ImageTextModel.open(source).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(OperatorError);
  expect((failure as Error).message).toMatch(/LARDER_DISK_RESERVE_MB/);
});

test('a redirect leads only to allowed addresses, and carries no credential', async () => {
  const url = `${hub.base}/elsewhere`;
  const headers = { authorization: 'Bearer secret', range: 'bytes=0-' };
  await expect(hubFetch({ addresses: addresses(), disk: disk() })(url, { headers })).rejects.toThrow(
    /LARDER_OUTGOING_NETWORKS/,
  );
  const allowed = hubFetch({ addresses: addresses('127.0.0.0/8'), disk: disk() });
  expect(await (await allowed(url, { headers })).text()).toBe('from elsewhere');
  expect(asked.at(-2)!.headers).toMatchObject(headers);
  expect(asked.at(-1)!.headers).not.toHaveProperty('authorization');
  expect(asked.at(-1)!.headers).toHaveProperty('range');
});

test('a file is downloaded completely if there is room, and refused if it would use the disk reserve', async () => {
  const fetchWith = (freeBytes: number) => hubFetch({ addresses: addresses(), disk: disk(freeBytes) });
  const answer = await fetchWith(42 * MEBIBYTE)(`${hub.base}/file`);
  expect(Buffer.from(await answer.arrayBuffer()).equals(FILE)).toBe(true);
  await expect(fetchWith(40 * MEBIBYTE)(`${hub.base}/file`)).rejects.toThrow(OperatorError);
  // This response has no Content-Length.
  const endless = await fetchWith(2 * MEBIBYTE)(`${hub.base}/endless`);
  await expect(endless.arrayBuffer()).rejects.toThrow(OperatorError);
});
