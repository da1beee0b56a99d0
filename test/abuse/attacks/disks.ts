import { spawn } from 'node:child_process';
import { chmodSync, closeSync, openSync, readdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { jpeg } from '../../support/image-bytes.ts';
import type { Attack, Scene } from '../attack.ts';
import { inParallel } from '../attacker/in-parallel.ts';
import { RESERVE_MB } from '../target/small-disk.ts';

const IMAGE_BYTES = 10 * 1024 * 1024;
const IMAGES = 60;
const WIDTH = 8;
const MIB = 1024 * 1024;
const HOLD_MS = 4_000;
const PROGRAM = join(import.meta.dirname, '..', '..', '..', 'bin', 'larder.mjs');
const START_WITHIN_MS = 30_000;

/** More images than the disk has room for: uploads have to be refused before the diary is. */
export const imagesOnSmallDisk: Attack = {
  name: 'images on a small disk',
  setup: 'small disk',
  async run(scene) {
    const { client, key, dataDir, mode } = scene;
    const image = Buffer.concat([jpeg({ width: 640, height: 480 }), Buffer.alloc(IMAGE_BYTES)]).subarray(
      0,
      IMAGE_BYTES,
    );
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ clientId: 'abuse', contentType: 'image/jpeg' });
    const refusals: number[] = [];
    const sent = await inParallel({ count: IMAGES, width: WIDTH, endsAtMs: scene.endsAtMs }, async () => {
      const created = await client.send('/v1/scan/image', { method: 'POST', headers, body });
      if (created.status !== 201) return refusals.push(created.status);
      const { uploadUrl } = JSON.parse(created.body);
      const upload = await client.send(uploadUrl, {
        method: 'PUT',
        headers: { 'content-type': 'image/jpeg' },
        body: image,
      });
      return upload.status === 200 || upload.status === 201 || refusals.push(upload.status);
    });
    const free = freeBytes(dataDir);
    const isRefused = refusals.some((status) => status === 507 || status === 403);
    const hasRoom = free > (RESERVE_MB / 2) * MIB;
    return {
      sent: `${sent} images of 10 MiB, ${refusals.length} refused, ${Math.round(free / MIB)} MiB left`,
      breaches: mode === 'cluster' || (isRefused && hasRoom) ? [] : ['uploads took the room of the diary'],
    };
  },
};

/** Another program fills the disk to its last byte, and makes room again. */
export const fullDisk: Attack = {
  name: 'a full disk',
  setup: 'small disk',
  allows: { 'diary write': [503, 507] },
  async run(scene) {
    const file = join(scene.dataDir, 'of-another-program');
    const filler = openSync(file, 'w');
    fill(filler);
    const { client, key } = scene;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ clientId: 'abuse', contentType: 'image/jpeg' });
    const until = performance.now() + HOLD_MS;
    let sent = 0;
    for (; performance.now() < until; sent++) {
      const created = await client.send('/v1/scan/image', { method: 'POST', headers, body });
      if (created.status !== 201) continue;
      const { uploadUrl } = JSON.parse(created.body);
      await client.send(uploadUrl, {
        method: 'PUT',
        headers: { 'content-type': 'image/jpeg' },
        body: jpeg({ width: 8, height: 8 }),
      });
    }
    closeSync(filler);
    rmSync(file);
    const meal = {
      date: '2020-01-01',
      mealType: 'lunch',
      foodName: 'x',
      calories: 1,
      protein: 1,
      carbs: 1,
      fat: 1,
    };
    const isBack = await eventually(async () => {
      const { status } = await client.send('/v1/users/dana/diary', {
        method: 'POST',
        headers,
        body: JSON.stringify(meal),
      });
      return status === 201;
    });
    return {
      sent: `no byte left for ${HOLD_MS / 1_000} s, ${sent} uploads`,
      breaches: isBack ? [] : ['the diary does not come back'],
    };
  },
};

/** The folder and all in it may not be written to for a while; then services are started on folders that they cannot write to. */
export const readOnlyFolder: Attack = {
  name: 'a read-only data folder',
  setup: 'unprivileged',
  allows: { 'diary write': [503, 507] },
  async run(scene) {
    const { client, key, dataDir, folder } = scene;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const folders = [dataDir, ...foldersIn(dataDir)];
    for (const each of folders) chmodSync(each, 0o500);
    const until = performance.now() + HOLD_MS;
    let sent = 0;
    for (; performance.now() < until; sent++) {
      const body = JSON.stringify({ clientId: 'abuse', contentType: 'image/jpeg' });
      const created = await client.send('/v1/scan/image', { method: 'POST', headers, body });
      if (created.status !== 201) continue;
      const { uploadUrl } = JSON.parse(created.body);
      await client.send(uploadUrl, {
        method: 'PUT',
        headers: { 'content-type': 'image/jpeg' },
        body: jpeg({ width: 8, height: 8 }),
      });
      await pause(10);
    }
    for (const each of folders) chmodSync(each, 0o700);
    chmodSync(folder, 0o555);
    const starts = await Promise.all(
      [join(folder, 'data'), '/proc/larder'].map((path) => startAt(scene, path)),
    );
    chmodSync(folder, 0o700);
    return { sent: `${sent} uploads, 2 starts`, breaches: starts.flat() };
  },
};

/** Breaches of a start on this folder: it has to end in time, with a sentence that names the folder. */
async function startAt({ settings }: Scene, dataDir: string): Promise<string[]> {
  const env = { PATH: process.env['PATH'] ?? '', LARDER_PORT: '0', ...settings, LARDER_DATA_DIR: dataDir };
  const words = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, PROGRAM, 'serve'];
  const child = spawn('setpriv', words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), START_WITHIN_MS);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  if (code === null) return [`a start on ${dataDir} did not end within ${START_WITHIN_MS / 1_000} s`];
  const isClear = code !== 0 && said.includes(dataDir) && !/\n\s+at /.test(said);
  return isClear ? [] : [`a start on ${dataDir} ended with ${code}: ${said.slice(0, 200)}`];
}

function fill(file: number): void {
  for (let piece = MIB; piece >= 1; ) {
    try {
      writeSync(file, Buffer.alloc(piece));
    } catch {
      piece = Math.floor(piece / 2);
    }
  }
}

async function eventually(isTrue: () => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + HOLD_MS;
  while (performance.now() < until) {
    if (await isTrue()) return true;
    await pause(100);
  }
  return false;
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}
