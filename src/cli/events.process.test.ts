import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runLarder } from '../../test/support/run-larder.ts';
import { startServiceProcess } from '../../test/support/service-process.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';

const PASSWORD = 'eggs and toast';

test('larder events lists what a running service kept, the latest first, by name and number', async () => {
  using folder = tempFolder();
  const settings = { LARDER_DATA_DIR: folder.path, LARDER_THREADS: '1' };
  await using service = await startServiceProcess(settings);
  const events = (...words: string[]) => runLarder(settings, 'events', ...words);
  const lines = async (...words: string[]) =>
    (await events('--json', ...words))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', origin: service.url };
    const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return answer.status;
  };
  expect(await events()).toBe('');

  const link = readFileSync(join(folder.path, 'owner-link.txt'), 'utf8').split('#link=')[1]!.trim();
  expect(await post('/v1/people', { link, name: 'Ann', password: PASSWORD })).toBe(201);
  expect(await post('/v1/session', { name: 'Ann', password: 'a wrong one' })).toBe(403);
  expect(await post('/v1/session', { name: 'Ann', password: PASSWORD })).toBe(201);
  // They are written after the answers.
  await expect.poll(() => lines()).toHaveLength(3);

  const address = '127.0.0.1';
  expect(await lines()).toEqual([
    expect.objectContaining({
      event: 'sign_in',
      result: 'ok',
      address,
      who: expect.stringMatching(/^person:/),
    }),
    expect.objectContaining({ event: 'sign_in', result: 'refused', address, code: expect.any(String) }),
    expect.objectContaining({ event: 'person_joined', result: 'ok', address }),
  ]);
  expect(await lines('--event', 'sign_in', '--limit', '1')).toEqual([
    expect.objectContaining({ event: 'sign_in', result: 'ok' }),
  ]);
  const table = await events('--event', 'sign_in');
  expect(table).toMatch(/^at +event +result +address +who\n/);
  expect(table).toMatch(/\n\S+Z +sign_in +refused \(\w+\) +127\.0\.0\.1/);
  expect(table).not.toContain(PASSWORD);
  await expect(events('--event', 'sleep')).rejects.toThrow(/sign_in/);
});
