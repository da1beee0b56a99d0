import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { parseObjectKey } from '../../src/blobs/object-store.ts';
import { UPLOAD_STALL_MS } from '../../src/http/server/connection/limits.ts';
import { imageKey, type ScanId } from '../../src/scan/scan-job.ts';
import { EventReader } from '../support/event-reader.ts';
import { rawRequest } from '../support/raw-request.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTestServer } from '../support/test-server.ts';
import { openTestService } from '../support/test-service.ts';

const PHOTO = Buffer.alloc(10_000, 7);
const HALF = PHOTO.subarray(0, 5_000);

const fixture = await openTestServer({
  settings: { LARDER_UPLOADS: '4' },
  trustedProxies: ['127.0.0.1'],
});
const port = fixture.port;
afterAll(() => fixture[Symbol.asyncDispose]());

const incoming = (dataDir = fixture.dataDir) => readdirSync(join(dataDir, 'objects', '.incoming'));

function newAddress(): Promise<string> {
  return fixture.objects.uploadAddress({
    key: parseObjectKey(`images/${randomUUID()}`),
    contentType: 'image/jpeg',
    size: { maxBytes: PHOTO.length },
    expiresAtMs: Date.now() + 900_000,
  });
}

function head(address: string, client: string): string {
  const headers = ['Host: larder', 'Content-Type: image/jpeg', `Content-Length: ${PHOTO.length}`];
  return [
    `PUT ${address} HTTP/1.1`,
    ...headers,
    `X-Forwarded-For: ${client}`,
    'Connection: close',
    '',
    '',
  ].join('\r\n');
}

/** An upload of which half has arrived and is being written. */
async function beginUpload(
  address: string,
  { client = '192.0.2.1', to = port, dataDir = fixture.dataDir } = {},
) {
  const before = incoming(dataDir).length;
  const socket = connect({ host: '127.0.0.1', port: to });
  onTestFinished(() => void socket.destroy());
  socket.write(Buffer.concat([Buffer.from(head(address, client)), HALF]));
  await expect.poll(() => incoming(dataDir)).toHaveLength(before + 1);
  return socket;
}

async function endUpload(socket: Socket): Promise<string> {
  socket.write(PHOTO.subarray(HALF.length));
  return (await text(socket)).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
}

/** Sends no body, so that only a service that does not wait for it can respond. */
async function ask(address: string, client = '192.0.2.2', to = port) {
  const { status, headers, body } = await rawRequest(to, head(address, client));
  return { status, headers, error: body === '' ? undefined : JSON.parse(body).error };
}

it('during an upload other uploads to its URL are rejected before their bodies', async () => {
  const address = await newAddress();
  const first = await beginUpload(address);
  const others = await Promise.all(
    Array.from({ length: 20 }, (_, at) => ask(address, `192.0.2.${100 + at}`)),
  );
  for (const { status, headers, error } of others) {
    expect([status, error.code, error.details]).toEqual([503, 'unavailable', { reason: 'busy' }]);
    expect(error.message).toMatch(/^Another upload to this address/);
    expect(headers['retry-after']).toBe('1');
  }
  expect(incoming()).toHaveLength(1);
  expect(await endUpload(first)).toBe('200');
  const late = await ask(address);
  expect([late.status, late.error.code, late.error.details]).toEqual([
    403,
    'forbidden',
    { reason: 'already_uploaded' },
  ]);
  expect(late.error.message).toMatch(/has succeeded already/);
});

it('an interrupted upload leaves no file, and its URL accepts the next upload', async () => {
  const address = await newAddress();
  (await beginUpload(address)).destroy();
  await expect.poll(() => incoming()).toEqual([]);
  expect(await endUpload(await beginUpload(address))).toBe('200');
});

it('a stalled upload is aborted, and its URL accepts the next upload', async () => {
  const address = await newAddress();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const socket = await beginUpload(address);
  const answer = text(socket);
  // Time advances only after all sent bytes have been processed.
  const stalled = setInterval(() => vi.advanceTimersByTime(UPLOAD_STALL_MS), 20);
  onTestFinished(() => clearInterval(stalled));
  expect(await answer).toMatch(/^HTTP\/1.1 400 .*\r\nconnection: close\r\n.*took too long/s);
  clearInterval(stalled);
  vi.useRealTimers();
  await expect.poll(() => incoming()).toEqual([]);
  expect(await endUpload(await beginUpload(address))).toBe('200');
});

it('an upload URL is invalid after its scan is deleted, so that no untracked image is stored', async () => {
  const bearer = { authorization: `Bearer ${await fixture.createKey(['scan'])}` };
  const begin = async () => {
    const created = await fixture.ask({
      method: 'POST',
      url: '/v1/scan/image',
      headers: { ...bearer, host: 'larder' },
      payload: { clientId: 'phone', contentType: 'image/jpeg', contentLength: PHOTO.length },
    });
    const { pathname, search } = new URL(created.json().uploadUrl);
    return { id: created.json().jobId as ScanId, address: pathname + search };
  };
  const erase = async (id: ScanId) => {
    const url = `/v1/scan/image/${id}`;
    expect((await fixture.ask({ method: 'DELETE', url, headers: bearer })).statusCode).toBe(204);
  };
  const [before, meanwhile, after] = [await begin(), await begin(), await begin()];
  await erase(before.id);
  const refused = await ask(before.address);
  expect([refused.status, refused.error.code]).toEqual([403, 'forbidden']);

  const socket = await beginUpload(meanwhile.address);
  await erase(meanwhile.id);
  expect(await endUpload(socket)).toBe('403');

  expect(await endUpload(await beginUpload(after.address))).toBe('200');
  // Simulates the end of retention, which may come before the URL expires.
  await fixture.objects.delete(imageKey(after.id));
  expect((await ask(after.address)).status).toBe(403);
  for (const { id } of [before, meanwhile, after]) {
    expect(await fixture.objects.find(imageKey(id))).toBeUndefined();
  }
  expect(incoming()).toEqual([]);
});

it('a received image counts with its size', async () => {
  await using strict = await openTestServer({ settings: { LARDER_STORED_IMAGES_MB_PER_TENANT: '11' } });
  const headers = { authorization: `Bearer ${await strict.createKey(['scan'])}` };
  const payload = { clientId: 'phone-1', contentType: 'image/jpeg' };
  const create = () => strict.ask({ method: 'POST', url: '/v1/scan/image', headers, payload });
  for (const isChunked of [false, true]) {
    const created = await create();
    expect([created.statusCode, (await create()).statusCode]).toEqual([201, 403]);
    const url = new URL(created.json().uploadUrl, `http://127.0.0.1:${strict.port}`);
    const sent = await fetch(url, {
      method: 'PUT',
      headers: { 'content-type': 'image/jpeg' },
      body: isChunked ? new Blob([PHOTO]).stream() : PHOTO,
      duplex: 'half',
    });
    expect(sent.status).toBe(200);
  }
  expect((await create()).statusCode).toBe(201);
});

it('one client gets at most half of the free upload slots, and all clients together at most all', async () => {
  const [one, two] = ['192.0.2.1', '192.0.2.2'];
  const held = [
    await beginUpload(await newAddress(), { client: one }),
    await beginUpload(await newAddress(), { client: one }),
  ];
  const refused = await ask(await newAddress(), one);
  expect([refused.status, refused.error.details]).toEqual([503, { reason: 'busy' }]);
  expect(refused.error.message).toMatch(/^Too many uploads/);
  held.push(await beginUpload(await newAddress(), { client: two }));
  held.push(await beginUpload(await newAddress(), { client: '192.0.2.3' }));
  expect((await ask(await newAddress(), '192.0.2.4')).status).toBe(503);
  for (const socket of held) expect(await endUpload(socket)).toBe('200');
  expect(await endUpload(await beginUpload(await newAddress(), { client: one }))).toBe('200');
});

it('files of uploads interrupted by a crash are deleted at the next start', async () => {
  using folder = tempFolder();
  const left = join(folder.path, 'objects', '.incoming');
  mkdirSync(left, { recursive: true });
  for (const name of ['upload-0-a', 'upload-7-b']) writeFileSync(join(left, name), HALF);
  await using _ = await openTestServer({ dataDir: folder.path });
  expect(incoming(folder.path)).toEqual([]);
});

it('all threads of a service share the state of uploads', async () => {
  await using service = await openTestService();
  const { dataDir } = service.config;
  const created = await fetch(`${service.url}/v1/scan/image`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ clientId: 'phone', contentType: 'image/jpeg' }),
  });
  const { uploadUrl } = (await created.json()) as { uploadUrl: string };
  const { pathname, search, port: text } = new URL(uploadUrl);
  const [address, to] = [pathname + search, Number(text)];
  const first = await beginUpload(address, { to, dataDir });
  // The kernel distributes connections to the threads.
  const others = await Promise.all(Array.from({ length: 200 }, () => ask(address, '', to)));
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([503]));
  expect(incoming(dataDir)).toHaveLength(1);
  const ended = once(first, 'close');
  expect(await endUpload(first)).toBe('200');
  await ended;
});

it.each([
  ['of another type', 'image/png', PHOTO, 415, 'unsupported_image'],
  ['over the limit', 'image/jpeg', Buffer.alloc(11_000_000), 413, 'image_too_large'],
  ['without a byte', 'image/jpeg', Buffer.alloc(0), 400, 'image_unreadable'],
])(
  'a stream reports an upload %s at once, and another scan is needed',
  async (_what, type, body, status, code) => {
    const authorization = `Bearer ${await fixture.createKey(['scan'])}`;
    const created = await fixture.ask({
      method: 'POST',
      url: '/v1/scan/image',
      headers: { authorization },
      payload: { clientId: 'phone', contentType: 'image/jpeg' },
    });
    const { uploadUrl, streamUrl } = created.json() as Record<string, string>;
    const reader = await EventReader.open(streamUrl!, {});
    expect((await reader.next())?.data.status).toBe('upload_pending');
    const put = (contentType: string, bytes: Buffer<ArrayBuffer>) =>
      fetch(uploadUrl!, { method: 'PUT', headers: { 'content-type': contentType }, body: bytes });
    expect((await put(type, body)).status).toBe(status);
    let last: unknown;
    for (let event = await reader.next(); event !== undefined; event = await reader.next()) last = event.data;
    expect(last).toMatchObject({ status: 'failed', error: { code, retryable: false } });
    const again = await put('image/jpeg', PHOTO);
    expect(again.status).toBe(403);
    expect(await again.text()).toContain('The scan of this address is gone; create another one.');
  },
);
