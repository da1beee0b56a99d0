import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from '../attack.ts';

const CONNECTIONS = 900;
const DRIP_EVERY_MS = 500;
/** Headers have 10 s, and connections are looked at every 5 s (`connection/limits.ts`); the rest is patience. */
const CUT_WITHIN_MS = 20_000;

/** A byte at a time: of headers without end, of a body that was announced, of chunks without end. */
export const slowSenders: Attack = {
  name: 'slow senders',
  async run({ client, key }) {
    const opened = Array.from({ length: CONNECTIONS }, () => client.connect());
    const third = (rest: number) => opened.filter((_, at) => at % 3 === rest);
    const post = `POST /v1/users/slow/diary HTTP/1.1\r\nHost: larder\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
    for (const socket of third(0)) socket.write('GET /v1/foods/search?q=banana HTTP/1.1\r\nX-Slow: ');
    for (const socket of third(1)) socket.write(`${post}Content-Length: 5000\r\n\r\n`);
    for (const socket of third(2)) socket.write(`${post}Transfer-Encoding: chunked\r\n\r\n`);
    const endsAt = performance.now() + CUT_WITHIN_MS;
    while (performance.now() < endsAt && third(0).some(isOpen)) {
      for (const socket of [...third(0), ...third(1)].filter(isOpen)) socket.write('a');
      for (const socket of third(2).filter(isOpen)) socket.write('1\r\na\r\n');
      await pause(DRIP_EVERY_MS);
    }
    const open = third(0).filter(isOpen).length;
    for (const socket of opened) socket.destroy();
    return {
      sent: `${CONNECTIONS} connections that drip headers and bodies`,
      breaches: open > 0 ? [`${open} connections whose headers never end are still open`] : [],
    };
  },
};

function isOpen(socket: Socket): boolean {
  socket.resume();
  return socket.writable && !socket.destroyed;
}
