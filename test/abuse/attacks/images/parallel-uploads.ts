import { readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from '../../attack.ts';

const CONNECTIONS = 2_000;
/** Usually, in a cluster: there the address leads to the object store, which is not ours to attack. */
const CONNECTIONS_TO_STORE = 100;
const AT_ONCE = 50;
const CLAIMED_BYTES = 10 * 1024 * 1024;
const SENT_BYTES = 256 * 1024;
const HOLD_MS = 4_000;
/** Maximum growth by one upload URL: one upload, and as much again for other writes meanwhile. */
const MAX_GROWTH_BYTES = 64 * 1024 * 1024;

/** Sends parts of as many images to one upload address, all at the same time. */
export const parallelUploads: Attack = {
  name: 'parallel uploads',
  async run({ client, key, dataDir, mode, count }) {
    const created = await client.send('/v1/scan/image', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ clientId: 'abuse', contentType: 'image/jpeg' }),
    });
    const { hostname: host, port, pathname, search } = new URL(JSON.parse(created.body).uploadUrl);
    const before = folderBytes(dataDir);
    const connections = count(CONNECTIONS, mode === 'cluster' ? CONNECTIONS_TO_STORE : CONNECTIONS);
    const head = `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}:${port}\r\nContent-Type: image/jpeg\r\nContent-Length: ${CLAIMED_BYTES}\r\n\r\n`;
    const body = Buffer.alloc(SENT_BYTES, 0xff);
    const opened = [];
    while (opened.length < connections) {
      for (let at = 0; at < AT_ONCE; at++) {
        const socket = connect({ host, port: Number(port) });
        socket
          .on('error', () => {})
          .on('data', (data) => client.count(Number(data.toString('latin1', 9, 12))));
        socket.write(head);
        socket.write(body);
        opened.push(socket);
      }
      await pause(50);
    }
    await pause(HOLD_MS);
    const grown = folderBytes(dataDir) - before;
    for (const socket of opened) socket.destroy();
    const megabytes = Math.round(grown / 1024 / 1024);
    return {
      sent: `${opened.length} uploads to one address, ${megabytes} MiB written`,
      breaches: grown > MAX_GROWTH_BYTES ? [`${megabytes} MiB of one address on the disk`] : [],
    };
  },
};

/** Adds up the sizes of all files below; files that disappear meanwhile count as empty. */
function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
