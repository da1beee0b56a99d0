import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ExportServer, LIMITS } from '../../../test/support/export-server.ts';
import { DiskReserve } from '../../files/disk-reserve.ts';
import { OutgoingAddresses } from '../../outgoing/outgoing-addresses.ts';
import { fetchExport } from './fetch-export.ts';

let server: ExportServer;
beforeEach(async () => {
  server = await ExportServer.open();
});
afterEach(() => server[Symbol.asyncDispose]());

test.each([
  ['100%.jsonl.gz', '100_.jsonl.gz'],
  ['..%2F..%2Fa%20b.jsonl.gz', '_2F.._2Fa_20b.jsonl.gz'],
])('an export at %s is stored as a file in its folder', async (name, fileName) => {
  server.handler = (_request, response) => response.end(Buffer.of(0x1f, 0x8b, 8, 0));
  const folder = join(server.folder, 'downloads');
  const address = `${server.base}/${name}`;
  await fetchExport({
    origin: 'off',
    address,
    addresses: new OutgoingAddresses({ allowed: [] }),
    disk: new DiskReserve({ folder: server.folder, reserveBytes: 0 }),
    folder,
    onProgress: () => {},
    onTrouble: () => {},
    limits: LIMITS,
  });
  expect(await readdir(join(folder, 'off'))).toContain(fileName);
});

test('the newest FDC export is found on its page, downloaded, and removed without leftovers', async () => {
  const zip = Buffer.from('PK\x03\x04 as if');
  server.handler = (request, response) => {
    if (request.url === '/datasets') {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<a href="files/FoodData_Central_csv_2026-04-30.zip">Full</a>');
    } else if (request.url === '/files/FoodData_Central_csv_2026-04-30.zip') response.end(zip);
    else response.writeHead(404).end();
  };
  await mkdir(join(server.folder, 'downloads', 'fdc'), { recursive: true });
  await writeFile(
    join(server.folder, 'downloads', 'fdc', 'FoodData_Central_csv_2025-12-18.zip.part'),
    'broke off',
  );
  const fetched = await fetchExport({
    origin: 'fdc',
    address: `${server.base}/datasets`,
    addresses: new OutgoingAddresses({ allowed: [] }),
    disk: new DiskReserve({ folder: server.folder, reserveBytes: 0 }),
    folder: join(server.folder, 'downloads'),
    onProgress: () => {},
    onTrouble: () => {},
    limits: LIMITS,
  });
  expect(await readFile(fetched.file)).toEqual(zip);
  await fetched.remove();
  expect(await readdir(join(server.folder, 'downloads', 'fdc'))).toEqual([]);
});
