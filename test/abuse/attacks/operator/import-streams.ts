import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from '../../attack.ts';
import { issueKey } from '../../attacker/household.ts';

const STREAMS = 2_000;
/** Opened over some seconds: what is tried is holding them, not the work of opening. */
const AT_ONCE = 20;
const HOLD_MS = 4_000;

/** Streams of an import that waits for its file, held by an operator. A cluster takes no files, and answers 404. */
export const importStreams: Attack = {
  name: 'streams of imports',
  async run(scene) {
    const { client } = scene;
    const { key } = await issueKey(scene, ['operator']);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ source: 'off', file: { name: 'products.jsonl', bytes: 1_000 } });
    const started = await client.send('/v1/operator/imports', { method: 'POST', headers, body });
    const id = started.status === 201 ? JSON.parse(started.body).id : 'none';
    const request = `GET /v1/operator/imports/${id}/stream HTTP/1.1\r\nHost: larder\r\nAuthorization: Bearer ${key}\r\n\r\n`;
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
    await client.send(`/v1/operator/imports/${id}`, { method: 'DELETE', headers });
    return { sent: `${STREAMS} streams of one import`, breaches: [] };
  },
};
