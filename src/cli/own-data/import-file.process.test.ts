import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { OperatorError } from '@larder/core/errors.ts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestServer } from '../../../test/support/test-server.ts';
import { SCOPES } from '../../access/api-key.ts';
import { createProgram } from '../program.ts';

const SAMPLES = join(import.meta.dirname, '..', '..', '..', 'test', 'support', 'diary-exports');
const service = await openTestServer();
afterAll(() => service[Symbol.asyncDispose]());
const url = `http://127.0.0.1:${service.port}`;
const key = await service.createKey(SCOPES);
beforeEach(() => {
  process.exitCode = undefined;
  return () => {
    process.exitCode = undefined;
  };
});

const larder = (...words: readonly string[]) => run('diary', ...words);

async function run(what: string, ...words: readonly string[]) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const [printed, told] = [text(out), text(err)];
  const program = await createProgram({ env: { LARDER_KEY: key }, out, err }, 'import');
  try {
    await program.parseAsync(['node', 'larder', 'import', what, '--url', url, ...words]);
  } finally {
    out.end();
    err.end();
  }
  return { out: await printed, err: await told, exitCode: process.exitCode };
}
const sample = (name: string) => join(SAMPLES, `${name}.csv`);

test('larder import foods previews and imports a table', async () => {
  const file = join(service.dataDir, 'family.csv');
  await writeFile(file, 'Name,kcal\nCake,350\nPie,many\n');
  const preview = await run('foods', file, '--user', 'ann', '--preview');
  expect([preview.exitCode, preview.out]).toEqual([3, expect.stringContaining('  2: Cake')]);
  expect((await run('foods', file, '--user', 'ann')).out).toContain('foods    1 added, 1 with a problem');
});

describe('larder import diary', () => {
  test('previews, imports, and writes nothing twice', async () => {
    const preview = await larder(sample('fatsecret'), '--user', 'ann', '--preview');
    expect(preview.out).toContain('6 to add');
    expect(preview.out).toContain('2025-03-01 breakfast Goats Cheese (Soft) 56 g 80 kcal');
    const { out, err, exitCode } = await larder(sample('fatsecret'), '--user', 'ann');
    expect([exitCode, out.split('\n').slice(0, 2)]).toEqual([
      undefined,
      ['fatsecret, 2025-03-01 to 2025-03-02', 'entries  6 added'],
    ]);
    expect(err).toContain('100 %');
    expect((await larder(sample('fatsecret'), '--user', 'ann')).out).toContain('0 added, 6 there already');
  });

  test('names problems by line, and ends with 3', async () => {
    const { out, exitCode } = await larder(
      sample('opennutritracker'),
      '--user',
      'bob',
      '--time-zone',
      'Europe/Berlin',
    );
    expect([exitCode, out]).toEqual([3, expect.stringContaining('line 4: ')]);
  });

  test('prints the response of the API', async () => {
    const { out } = await larder(sample('table-de'), '--user', 'bob', '--dry-run', '--json');
    expect(JSON.parse(out)).toMatchObject({ format: 'table', preview: true, entries: { added: 2 } });
  });

  test.each([
    [['no-such-file.csv', '--user', 'ann'], 'no-such-file.csv'],
    [[sample('table-de'), '--user', 'ann', '--time-zone', 'Mars'], 'IANA'],
    [[sample('table-de'), '--user', 'ann', '--key', 'lrd_nope'], 'refuses'],
  ])('%j is rejected with the reason', async (words, reason) => {
    const error = await larder(...words).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OperatorError);
    expect((error as Error).message).toContain(reason);
  });
});
