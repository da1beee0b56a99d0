import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MAX_OBJECT_BYTES, parseObjectKey, type UploadGrant } from '../../src/blobs/object-store.ts';
import { rawRequest } from '../support/raw-request.ts';
import { openTestServer } from '../support/test-server.ts';

const fixture = await openTestServer();
const port = fixture.port;
afterAll(() => fixture[Symbol.asyncDispose]());

const SOON = Date.now() + 900_000;
const NEXT = 'GET /healthz HTTP/1.1\r\nHost: larder\r\nConnection: close\r\n\r\n';
const PHOTO = 'a photo';
const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

function newGrant(changes: Partial<UploadGrant> = {}): UploadGrant {
  const key = parseObjectKey(`images/${randomUUID()}`);
  return { key, contentType: 'image/jpeg', size: { maxBytes: 100 }, expiresAtMs: SOON, ...changes };
}

/** Sends the upload and immediately another request, on the same connection. */
async function upload(address: string, headers: Record<string, string | number>, body: string) {
  const lines = Object.entries({ Host: 'larder', 'Content-Type': 'image/jpeg', ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const answer = await rawRequest(port, `PUT ${address} HTTP/1.1\r\n${head}\r\n${body}${NEXT}`);
  const ownLength = Number(answer.headers['content-length']);
  return { ...answer, body: answer.body.slice(0, ownLength), next: answer.body.slice(ownLength) };
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const changeEnd = (text: string) => text.replace(/.$/, (letter) => (letter === '0' ? '1' : '0'));
const lengthOf = (body: string) => ({ 'Content-Length': body.length });
const CHUNKED = { 'Transfer-Encoding': 'chunked' };
const LONG = 'x'.repeat(300_000);

describe('a rejected upload gets the error body, stores nothing and keeps the connection', () => {
  it.each([
    ['too large', {}, lengthOf(LONG), LONG, 413, 'payload_too_large'],
    ['too large in chunks', {}, CHUNKED, chunked(LONG), 413, 'payload_too_large'],
    [
      'of another length than granted',
      { size: { maxBytes: 100, exactBytes: 8 } },
      CHUNKED,
      chunked(PHOTO),
      400,
      'invalid_request',
    ],
    ['empty', {}, lengthOf(''), '', 400, 'invalid_request'],
    ['of another type', { contentType: 'image/png' }, lengthOf(LONG), LONG, 415, 'unsupported_media_type'],
    ['expired', { expiresAtMs: Date.now() - 1 }, lengthOf(LONG), LONG, 403, 'forbidden'],
  ])('%s', async (_, changes, headers, body, status, code) => {
    const grant = newGrant(changes);
    const answer = await upload(await fixture.objects.uploadAddress(grant), headers, body);
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([
      status,
      {
        code,
        message: expect.any(String),
        requestId: answer.headers['x-request-id'],
        details: expect.any(Object),
      },
    ]);
    expect(answer.next).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(await fixture.objects.find(grant.key)).toBeUndefined();
  });

  it.each([
    ['key', (address: string) => address.replace(/images\/./, changeEnd)],
    ['folder', (address: string) => address.replace('images', 'analyses')],
    ['type', (address: string) => address.replace('jpeg', 'webp')],
    ['size', (address: string) => address.replace('max=100', 'max=1000')],
    ['no size', (address: string) => address.replace('max=100&', '')],
    ['added length', (address: string) => `${address}&length=7`],
    ['time', (address: string) => address.replace(/expires=\d+/, 'expires=99999999999')],
    ['endless time', (address: string) => address.replace(/expires=\d+/, 'expires=Infinity')],
    ['signature', (address: string) => address.replace(/signature=./, changeEnd)],
    ['signature of another length', (address: string) => address.slice(0, -1)],
    [
      'another letter for the same bits',
      (address: string) => address.replace(/.$/, (end) => BASE64URL[BASE64URL.indexOf(end) ^ 1]!),
    ],
    ['padding', (address: string) => `${address}=`],
    [
      'the same time in another form',
      (address: string) => address.replace(/expires=(\d+)/, (_, time) => `expires=0x${(+time).toString(16)}`),
    ],
    ['two signatures', (address: string) => `${address}&signature=AA`],
    ['no signature', (address: string) => address.replace(/&signature.*/, '')],
    ['a key that climbs', (address: string) => address.replace(/images\/[^?]*/, 'images/..%2Fobject-secret')],
  ])('tampered: %s', async (_, tamper) => {
    const grant = newGrant();
    const answer = await upload(tamper(await fixture.objects.uploadAddress(grant)), lengthOf(PHOTO), PHOTO);
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([403, 'forbidden']);
    expect(answer.next).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(await fixture.objects.find(grant.key)).toBeUndefined();
  });

  it('used again: the first body is kept', async () => {
    const grant = newGrant();
    const address = await fixture.objects.uploadAddress(grant);
    const first = await upload(address, CHUNKED, chunked(PHOTO));
    expect([first.status, first.body]).toEqual([200, '']);
    expect(first.next).toMatch(/^HTTP\/1\.1 200 OK/);
    const second = await upload(address, lengthOf('other'), 'other');
    expect([second.status, JSON.parse(second.body).error.code]).toEqual([403, 'forbidden']);
    expect((await fixture.objects.find(grant.key))!.sizeBytes).toBe(PHOTO.length);
  });
});

it('an upload that ends before its announced length stores nothing', async () => {
  const grant = newGrant();
  const head = `PUT ${await fixture.objects.uploadAddress(grant)} HTTP/1.1\r\nHost: larder\r\n`;
  const bytes = `${head}Content-Type: image/jpeg\r\nContent-Length: 50\r\n\r\n${PHOTO}`;
  await rawRequest(port, bytes, { halfClose: true });
  await expect.poll(incoming).toEqual([]);
  expect(await fixture.objects.find(grant.key)).toBeUndefined();
  expect(fixture.log.filter((line) => line.includes('"error"'))).toEqual([]);
});

it('a client that keeps sending a rejected body is disconnected', async () => {
  const address = await fixture.objects.uploadAddress(newGrant());
  const socket = connect({ host: '127.0.0.1', port });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {}).resume();
  socket.write(`PUT ${address} HTTP/1.1\r\nHost: larder\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const mebibyte = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x10_0000), Buffer.from('\r\n')]);
  const sendOn = () => {
    if (!socket.destroyed) socket.write(mebibyte, () => setImmediate(sendOn));
  };
  sendOn();
  await closed;
});

it('bytes beyond the announced length are never stored', async () => {
  const grant = newGrant();
  const address = await fixture.objects.uploadAddress(grant);
  // The following bytes are not a request, and the connection ends.
  expect((await upload(address, { 'Content-Length': 3 }, PHOTO)).status).toBe(400);
  await expect.poll(incoming).toEqual([]);
  expect([undefined, 3]).toContain((await fixture.objects.find(grant.key))?.sizeBytes);
});

it('an object of the maximum size can be stored and read, a larger one cannot', async () => {
  const grant = newGrant({ size: { maxBytes: MAX_OBJECT_BYTES } });
  const url = `http://127.0.0.1:${port}${await fixture.objects.uploadAddress(grant)}`;
  const put = (body: Buffer) =>
    fetch(url, { method: 'PUT', body, headers: { 'content-type': 'image/jpeg' } });
  expect((await put(Buffer.alloc(MAX_OBJECT_BYTES + 1))).status).toBe(413);
  expect((await put(Buffer.alloc(MAX_OBJECT_BYTES, 7))).status).toBe(200);
  const reading = await fixture.objects.readAddress(grant);
  const answer = await fetch(`http://127.0.0.1:${port}${reading}`);
  expect(answer.headers.get('content-length')).toBe(String(MAX_OBJECT_BYTES));
  expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.alloc(MAX_OBJECT_BYTES, 7))).toBe(true);
  await expect.poll(incoming).toEqual([]);
});

it('signed URLs are exempt from rate limits, but not their other methods', async () => {
  const address = await fixture.objects.readAddress(newGrant());
  const absent = await fixture.ask(address);
  expect([absent.statusCode, absent.json().error.code]).toEqual([404, 'not_found']);
  const head = await fixture.ask({ method: 'HEAD', url: address });
  const wrong = await fixture.ask({ method: 'PUT', url: address, payload: {} });
  for (const { headers } of [absent, head, wrong]) {
    expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    expect(headers['x-request-id']).toBeDefined();
  }
  const patch = await fixture.ask({ method: 'PATCH', url: address });
  expect([patch.statusCode, patch.headers['allow']]).toEqual([405, 'GET, HEAD, PUT']);
});

it('no other route accepts a body of an image type', async () => {
  const answer = await fixture.ask({
    method: 'POST',
    url: '/v1/auth/token',
    headers: { 'content-type': 'image/jpeg' },
    payload: PHOTO,
  });
  expect([answer.statusCode, answer.json().error.code]).toEqual([415, 'unsupported_media_type']);
});

it('only the owner can read the files of the secret and the objects', async () => {
  const grant = newGrant();
  await upload(await fixture.objects.uploadAddress(grant), lengthOf(PHOTO), PHOTO);
  const modes = ['object-secret', `objects/${grant.key}`].map(
    (path) => statSync(join(fixture.dataDir, path)).mode,
  );
  expect(modes.map((mode) => mode & 0o777)).toEqual([0o600, 0o600]);
});

function incoming(): readonly string[] {
  return readdirSync(join(fixture.dataDir, 'objects', '.incoming'));
}
