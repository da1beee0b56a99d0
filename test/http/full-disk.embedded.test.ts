import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { SCOPES } from '../../src/access/api-key.ts';
import { mountSmallDisk, whyNoSmallDisk } from '../support/small-disk.ts';
import { openTestServer } from '../support/test-server.ts';

const MEGABYTE = 1_000_000;
const RESERVE_MB = 8;
const PHOTO = Buffer.alloc(3 * MEGABYTE, 7);
const reason = whyNoSmallDisk();
if (reason !== undefined) process.stderr.write(`A full disk is not tested here: ${reason}.\n`);

describe.skipIf(reason !== undefined)('on a disk that fills up', async () => {
  if (reason !== undefined) return;
  const disk = mountSmallDisk(48);
  const fixture = await openTestServer({
    dataDir: disk.path,
    settings: { LARDER_DISK_RESERVE_MB: String(RESERVE_MB) },
  });
  const port = fixture.port;
  const base = `http://127.0.0.1:${port}`;
  const key = await fixture.createKey(SCOPES);
  const json = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
    disk[Symbol.dispose]();
  });

  const incoming = () => readdirSync(join(disk.path, 'objects', '.incoming'));

  async function newAddress(): Promise<string> {
    const body = JSON.stringify({ clientId: 'phone', contentType: 'image/jpeg' });
    const answer = await fetch(`${base}/v1/scan/image`, { method: 'POST', headers: json, body });
    return ((await answer.json()) as { uploadUrl: string }).uploadUrl;
  }

  async function upload(address: string) {
    const answer = await fetch(address, {
      method: 'PUT',
      headers: { 'content-type': 'image/jpeg' },
      body: PHOTO,
    });
    const body = await answer.text();
    return { status: answer.status, code: body === '' ? undefined : JSON.parse(body).error.code };
  }

  async function writeEntry(foodName: string): Promise<number> {
    const entry = {
      date: '2026-01-31',
      mealType: 'lunch',
      foodName,
      calories: 1,
      protein: 1,
      carbs: 1,
      fat: 1,
    };
    const answer = await fetch(`${base}/v1/users/ann/diary`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(entry),
    });
    await answer.arrayBuffer();
    return answer.status;
  }

  const storage = async () => ((await (await fetch(`${base}/readyz`)).json()) as { storage: string }).storage;

  it('images are rejected at the disk reserve while the diary works, and accepted when space is free again', async () => {
    expect(await storage()).toBe('available');
    const address = await newAddress();
    // The space is one byte too small for this image, and then for any.
    for (const [free, seen] of [
      [RESERVE_MB * MEGABYTE + PHOTO.length - 8_192, 'available'],
      [RESERVE_MB * MEGABYTE - 8_192, 'full'],
    ] as const) {
      disk.leaveFree(free);
      expect(await storage()).toBe(seen);
      expect(await upload(address)).toEqual({ status: 507, code: 'storage_full' });
      expect(await writeEntry('Soup')).toBe(201);
      expect(incoming()).toEqual([]);
    }
    for (const [path, credential] of [
      ['/v1/scan/image', json],
      ['/scan/image', { 'x-api-key': key, 'content-type': 'application/json' }],
    ] as const) {
      const body = JSON.stringify({ clientId: 'phone', contentType: 'image/jpeg' });
      const refused = await fetch(base + path, { method: 'POST', headers: credential, body });
      expect([refused.status, await refused.json()]).toMatchObject([
        507,
        { error: { code: 'storage_full' } },
      ]);
    }
    disk.leaveFree(RESERVE_MB * MEGABYTE + 2 * PHOTO.length);
    expect(await upload(address)).toEqual({ status: 200, code: undefined });
  });

  it('concurrent uploads together respect the disk reserve, whether they finish or fail', async () => {
    const addresses = await Promise.all(Array.from({ length: 12 }, newAddress));
    // There is room for four.
    disk.leaveFree(RESERVE_MB * MEGABYTE + 4.5 * PHOTO.length);
    const answers = await Promise.all(addresses.map(upload));
    const stored = answers.filter(({ status }) => status === 200);
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.length).toBeLessThanOrEqual(4);
    expect(answers.filter(({ status }) => status === 507)).toHaveLength(answers.length - stored.length);
    expect(await storage()).toBe('available');
    expect(incoming()).toEqual([]);
  });

  it('an upload fails when the disk fills up, and leaves no file', async () => {
    disk.leaveFree(RESERVE_MB * MEGABYTE + 2 * PHOTO.length);
    const { pathname, search } = new URL(await newAddress());
    const socket = connect({ host: '127.0.0.1', port });
    onTestFinished(() => void socket.destroy());
    const headers = ['Host: larder', 'Content-Type: image/jpeg', `Content-Length: ${PHOTO.length}`];
    socket.write([`PUT ${pathname}${search} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'));
    socket.write(PHOTO.subarray(0, MEGABYTE));
    await expect.poll(incoming).toHaveLength(1);
    disk.leaveFree(RESERVE_MB * MEGABYTE - 8_192);
    socket.write(PHOTO.subarray(MEGABYTE));
    expect(await text(socket)).toMatch(/^HTTP\/1.1 507 .*"storage_full"/s);
    expect(incoming()).toEqual([]);
    expect(await writeEntry('Stew')).toBe(201);
  });
});
