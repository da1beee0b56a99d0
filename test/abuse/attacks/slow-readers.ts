import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from '../attack.ts';

const CONNECTIONS = 300;
const PIPELINED = 4;
const HOLD_MS = 8_000;

/** Asks for the largest answers there are, many times on each connection, and reads none of them. */
export const slowReaders: Attack = {
  name: 'slow readers',
  async run({ client, key }) {
    const search = `GET /v1/foods/search?q=milk&limit=100 HTTP/1.1\r\nHost: larder\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const document = 'GET /openapi.json HTTP/1.1\r\nHost: larder\r\n\r\n';
    const script = 'GET /docs/reference.js HTTP/1.1\r\nHost: larder\r\n\r\n';
    const requests = [search, document, script];
    const opened = Array.from({ length: CONNECTIONS }, (_, at) => {
      const socket = client.connect(`127.0.1.${1 + (at % 200)}`);
      socket.pause();
      socket.write(requests[at % requests.length]!.repeat(PIPELINED));
      return socket;
    });
    await pause(HOLD_MS);
    for (const socket of opened) socket.destroy();
    return { sent: `${CONNECTIONS * PIPELINED} requests whose answers nobody reads`, breaches: [] };
  },
};
