import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../../bench/support/search-random.ts';
import type { Attack } from '../attack.ts';
import { inParallel } from '../attacker/in-parallel.ts';

const WIDTH = 6;
const FILE_BYTES = 12 * 1024 * 1024;
/** What is repeated to fill a file; readers that count rows or records, or look for an end, take long for these. */
const PARTS = [
  '\n',
  '"',
  '"\n',
  'a","b\n',
  ',',
  ',\n',
  'a,b\n',
  `a${','.repeat(250)}\n`,
  '[',
  '[{},',
  '{"entry":{}}\n',
  '{"a":[',
  'é\xff\x81\n',
  'x',
];
const STARTS = [
  '',
  'Date,Meal,Food,kcal,Protein (g)\n',
  'Name;kcal;Protein (g)\n',
  '#\n',
  '[',
  '{"larderExport":1}\n',
];
const QUERIES = [
  '',
  '?preview=true',
  '?format=table',
  '?format=fatsecret',
  '?format=larder',
  '?format=larder-json',
];
const TRICKLES = 200;
const DRIP_EVERY_MS = 500;

/** The longest files that are imported, of any bytes, as each format. */
export const sentFiles: Attack = {
  name: 'files to import',
  async run({ client, key, random, count, endsAtMs }) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' };
    const sent = await inParallel({ count: count(1_000, 60), width: WIDTH, endsAtMs }, async (at) => {
      const path = at % 3 === 0 ? '/v1/foods/import' : `/v1/users/u${at % 5}/import${random.pick(QUERIES)}`;
      await client.send(path, { method: 'POST', headers, body: hostileFile(random) });
    });
    return { sent: `${sent} files of 12 MiB`, breaches: [] };
  },
};

/** Many files that come byte by byte; meanwhile others import. */
export const tricklingFiles: Attack = {
  name: 'files that trickle',
  async run({ client, key, victimKey, endsAtMs }) {
    const sockets = Array.from({ length: TRICKLES }, () => client.connect());
    for (const [at, socket] of sockets.entries()) {
      socket.write(
        `POST /v1/users/t${at}/import HTTP/1.1\r\nHost: larder\r\nAuthorization: Bearer ${key}\r\n` +
          'Content-Type: text/csv\r\nContent-Length: 5000000\r\n\r\n',
      );
    }
    let refused = 0;
    let imports = 0;
    for (; performance.now() < endsAtMs; imports++) {
      for (const socket of sockets.filter(isOpen)) socket.write('a');
      const headers = { authorization: `Bearer ${victimKey}`, 'content-type': 'text/csv' };
      const { status } = await client.send('/v1/users/trickled/import?preview=true', {
        method: 'POST',
        headers,
        body: 'Date,Meal,Food,kcal\n2026-01-31,Lunch,Soup,80\n',
      });
      // The limit of requests is not what this is about.
      if (status !== 200 && status !== 429) refused++;
      await pause(DRIP_EVERY_MS);
    }
    for (const socket of sockets) socket.destroy();
    return {
      sent: `${TRICKLES} files byte by byte, beside ${imports} imports of others`,
      breaches: refused > 0 ? [`${refused} imports of others were refused`] : [],
    };
  },
};

function hostileFile(random: Random): Buffer {
  const file = Buffer.alloc(FILE_BYTES, random.pick(PARTS), 'latin1');
  file.write(random.pick(STARTS), 'latin1');
  return file;
}

function isOpen(socket: Socket): boolean {
  socket.resume();
  return socket.writable && !socket.destroyed;
}
