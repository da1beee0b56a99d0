import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from '../attack.ts';

const STREAMS = 2_000;
/** Opened over some seconds: what is tried is holding them, not the work of opening. */
const AT_ONCE = 20;
const HOLD_MS = 3_000;

/** Opens streams of one scan that never ends, and reads none. */
export const openStreams: Attack = {
  name: 'streams',
  async run({ client, key }) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ clientId: 'abuse', contentType: 'image/jpeg' });
    const created = await client.send('/v1/scan/image', { method: 'POST', headers, body });
    const { jobId } = JSON.parse(created.body);
    const request = `GET /v1/scan/image/${jobId}/stream HTTP/1.1\r\nHost: larder\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const opened = [];
    while (opened.length < STREAMS) {
      for (let at = 0; at < AT_ONCE; at++) {
        const socket = client.connect();
        socket.once('data', (data) => client.count(Number(data.toString('latin1', 9, 12))));
        socket.write(request);
        opened.push(socket);
      }
      await pause(50);
    }
    await pause(HOLD_MS);
    for (const socket of opened) socket.destroy();
    return { sent: `${STREAMS} streams of one scan`, breaches: [] };
  },
};
