/**
 * Counts units of shipped foods of which one, logged through the API, is what the label in the page's list of units says, and of which the
 * page's preview is what is logged. Goal: all.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Ask, logShippedUnits } from '../test/support/shipped-units.ts';
import { openPageService } from '../tools/page/page-service.ts';

const PROGRAM = join(import.meta.dirname, '../bin/larder.mjs');
const SCOPES = 'foods:read,diary:read,diary:write';
const LIMITS = 'diaryRead=1000000,diaryWrite=1000000,other=1000000';

await using service = await openPageService();
const issued = execFileSync(
  process.execPath,
  [PROGRAM, 'key', 'create', '--tenant', 'default', '--scopes', SCOPES, '--limits', LIMITS, '--json'],
  { env: { PATH: process.env['PATH'], LARDER_DATA_DIR: service.dataDir }, encoding: 'utf8' },
);
const { key } = JSON.parse(issued) as { key: string };
const ask: Ask = async (method, path, payload) => {
  const response = await fetch(service.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(payload !== undefined && { body: JSON.stringify(payload) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as never;
};
const { foods, units, wrong, previewedWrong } = await logShippedUnits(ask);
console.log(`${foods} shipped foods, ${units} units`);
console.log(`as their label says: ${units - wrong.length} of ${units}`);
console.log(`as previewed: ${units - previewedWrong.length} of ${units}`);
for (const name of [...wrong, ...previewedWrong].slice(0, 20)) console.log(`  ${name}`);
