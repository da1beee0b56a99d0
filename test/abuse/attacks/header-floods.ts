import { once } from 'node:events';
import type { Attack } from '../attack.ts';
import { inParallel } from '../attacker/in-parallel.ts';

const COUNT = 2_000;
const WIDTH = 40;
const PATIENCE_MS = 5_000;
const LINE = 'GET /v1/foods/search?q=banana HTTP/1.1\r\n';

const FLOODS: readonly string[] = [
  // Just within 16 KiB, and far above.
  `${LINE}Host: larder\r\n${'X-A: b\r\n'.repeat(1_900)}\r\n`,
  `${LINE}Host: larder\r\nX-Long: ${'a'.repeat(15_000)}\r\n\r\n`,
  `${LINE}Host: larder\r\nX-Long: ${'a'.repeat(2_000_000)}\r\n\r\n`,
  `${LINE}Host: larder\r\nCookie: ${'a=b; '.repeat(3_000)}\r\n\r\n`,
  `${LINE}Host: larder\r\nX-Forwarded-For: ${'1.2.3.4, '.repeat(1_500)}\r\n\r\n`,
  `${LINE}Host: larder\r\nAccept: ${'a/b;q=0.1, '.repeat(1_300)}\r\n\r\n`,
  `${LINE}Host: larder\r\nAuthorization: Bearer ${' '.repeat(14_000)}x\r\n\r\n`,
  `${LINE}Host: larder\r\nIf-None-Match: ${'"a", '.repeat(2_800)}\r\n\r\n`,
  // Without, with two and with odd hosts; with both ways to tell a length.
  `${LINE}\r\n`,
  `${LINE}Host: a\r\nHost: b\r\n\r\n`,
  `${LINE}Host: ${'a.'.repeat(5_000)}\r\n\r\n`,
  'POST /v1/auth/token HTTP/1.1\r\nHost: larder\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /v1/auth/token HTTP/1.1\r\nHost: larder\r\nContent-Length: 5, 6\r\n\r\nhello',
  // An address without end, a chunk with an extension without end.
  `GET /v1/foods/search?q=${'%41'.repeat(100_000)} HTTP/1.1\r\nHost: larder\r\n\r\n`,
  `GET /${'../'.repeat(2_500)} HTTP/1.1\r\nHost: larder\r\n\r\n`,
  `POST /v1/auth/token HTTP/1.1\r\nHost: larder\r\nTransfer-Encoding: chunked\r\n\r\n1;${'e'.repeat(200_000)}\r\n`,
  // Not HTTP.
  '\r\n'.repeat(100_000),
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.repeat(100),
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
];

/** Headers of all sizes and forms that a client can make up, each on a connection of its own. */
export const headerFloods: Attack = {
  name: 'header floods',
  async run({ client, endsAtMs }) {
    const sent = await inParallel({ count: COUNT, width: WIDTH, endsAtMs }, async (at) => {
      const socket = client.connect(`127.0.4.${1 + (at % 250)}`);
      socket.on('data', (data) => client.count(statusOf(data)));
      socket.end(FLOODS[at % FLOODS.length]!, 'latin1');
      await once(socket, 'close', { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => socket.destroy());
    });
    return { sent: `${sent} requests with ${FLOODS.length} kinds of headers`, breaches: [] };
  },
};

function statusOf(data: Buffer): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1', 0, 20))?.[1] ?? 0);
}
