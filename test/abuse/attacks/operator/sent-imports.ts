import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Scene } from '../../attack.ts';
import { issueKey } from '../../attacker/household.ts';
import { inParallel } from '../../attacker/in-parallel.ts';
import { leakIn } from '../../attacker/leaks.ts';
import { writeBrokenExports } from '../../generators/exports.ts';

const WIDTH = 8;
const PART_BYTES = 2 * 1024 * 1024;
const FILE_BYTES = 8 * PART_BYTES;
const TOO_LONG_BYTES = 33 * 1024 * 1024;
const DRIPPING = 200;
const DRIP_EVERY_MS = 500;
const BROKEN_LINES = 2_000;
const FIRST_FAULT = 500;
/** Answered when a limit of the service is reached, by design. */
const BY_DESIGN = [503, 507];
/** A part that is read when the import ends is received, too. */
const MAX_LEFT_BYTES = 2 * FILE_BYTES;
const SETTLE_MS = 3_000;

/** Files of imports in parts that overlap, drip, are too long or begin nowhere, names that lead elsewhere, and what is no export. */
export const sentImports: Attack = {
  name: 'imports that are sent',
  async run(scene) {
    const { client, dataDir, mode, endsAtMs } = scene;
    const { key } = await issueKey(scene, ['operator']);
    const breaches = new Set<string>();
    const send = async (
      method: string,
      path: string,
      body?: string | Uint8Array,
      type = 'application/json',
    ) => {
      const answer = await client.send(`/v1/operator/${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': type },
        ...(body !== undefined && { body }),
      });
      const leak = leakIn(answer);
      if (leak !== undefined) breaches.add(`${method} imports tells of ${leak}`);
      if (answer.status >= FIRST_FAULT && !BY_DESIGN.includes(answer.status))
        breaches.add(`${method} imports answered ${answer.status}`);
      return answer;
    };
    const sendPart = (id: string, offset: string | number, bytes: Uint8Array) =>
      send('PUT', `imports/${id}/file?offset=${offset}`, bytes, 'application/octet-stream');
    const start = async (name: string, bytes: number): Promise<string | undefined> => {
      const answer = await send('POST', 'imports', JSON.stringify({ source: 'off', file: { name, bytes } }));
      return answer.status === 201 ? JSON.parse(answer.body).id : undefined;
    };

    for (const name of ['../../../larder.db', '/etc/passwd', '..', '.', 'a\u0000b', 'x'.repeat(200)]) {
      const id = await start(name, PART_BYTES);
      if (id === undefined) continue;
      await sendPart(id, 0, new Uint8Array(100));
      await send('DELETE', `imports/${id}`);
    }
    if (existsSync(join(dataDir, '..', 'larder.db'))) breaches.add('a file is outside of the data folder');
    await send('DELETE', `imports/${await start('huge.jsonl', 20e9)}`);

    const id = (await start('products.jsonl', FILE_BYTES)) ?? 'none';
    const dripping = dripParts(scene, key, id);
    const part = new Uint8Array(PART_BYTES).fill(0x20);
    const tooLong = new Uint8Array(TOO_LONG_BYTES);
    const offsets = [0, PART_BYTES, -1, 1e30, 'NaN', '0x0', '1;drop', FILE_BYTES, ''];
    const sent = await inParallel({ count: scene.count(2_000, 120), width: WIDTH, endsAtMs }, async (at) => {
      if (at % 30 === 29) await sendPart(id, 0, tooLong);
      else if (at % 2 === 0) await sendPart(id, 0, part);
      else await sendPart(id, offsets[at % offsets.length]!, part);
    });
    const { body } = await send('GET', `imports/${id}`);
    if (mode === 'embedded') {
      const { progress, status } = JSON.parse(body).import;
      if (status !== 'waiting') breaches.add(`an import without all of its file is ${status}`);
      if (progress.bytes > FILE_BYTES) breaches.add(`${progress.bytes} bytes of ${FILE_BYTES} have come`);
    }
    const left = folderBytes(join(dataDir, 'downloads'));
    if (left > MAX_LEFT_BYTES) breaches.add(`${left} bytes of one file`);
    await dripping.end();
    await send('DELETE', `imports/${id}`);

    // What is no export, from its first to its last part.
    const broken = writeBrokenExports(scene.folder, BROKEN_LINES, scene.random).slice(0, 2);
    for (const { words } of broken) {
      const bytes = readFileSync(words.at(-1)!);
      const other = await start('broken.jsonl', bytes.length);
      if (other === undefined) continue;
      await sendPart(other, 0, bytes);
      await send('DELETE', `imports/${other}`);
    }
    await pause(SETTLE_MS);
    const kept = folderBytes(join(dataDir, 'downloads'));
    if (kept > 0) breaches.add(`${kept} bytes are left of cancelled imports`);
    return {
      sent: `${sent} parts of one file, ${DRIPPING} that drip, ${broken.length} broken files`,
      breaches: [...breaches],
    };
  },
};

/** Parts that come a byte at a time. */
function dripParts({ client }: Scene, key: string, id: string) {
  const head =
    `PUT /v1/operator/imports/${id}/file?offset=0 HTTP/1.1\r\nHost: larder\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/octet-stream\r\nContent-Length: ${PART_BYTES}\r\n\r\n`;
  const sockets = Array.from({ length: DRIPPING }, () => client.connect());
  for (const socket of sockets) {
    socket.once('data', (data) => client.count(Number(data.toString('latin1', 9, 12))));
    socket.write(head);
  }
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('x');
  }, DRIP_EVERY_MS);
  return {
    async end() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Adds up the sizes of all files below; 0 for no folder. */
function folderBytes(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) =>
        sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}
