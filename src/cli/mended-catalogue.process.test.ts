import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServiceProcess } from '../../test/support/service-process.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { openCatalogueStore } from '../app/catalogue-store.ts';
import { ProcessLock } from '../files/process-lock.ts';

const ENTRY = { date: '2026-01-31', mealType: 'lunch', foodName: 'Lentil soup', calories: 230 };

test.each([
  ['missing', (file: string) => rmSync(file)],
  ['damaged', (file: string) => truncateSync(file, 100_000)],
])('the diary is served while a catalogue that is %s is compiled again', async (_, harm) => {
  using folder = tempFolder();
  const settings = { LARDER_THREADS: '1', LARDER_DATA_DIR: folder.path };
  const ask = async (url: string, key: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.text() };
  };
  const store = openCatalogueStore({ dataDir: folder.path, diskReserveMb: 0, meaning: 'on' });
  {
    await using first = await startServiceProcess(settings);
    expect((await ask(first.url, first.key, '/v1/users/ann/diary', ENTRY)).status).toBe(201);
  }
  harm(store.pathOf((await store.current())!));
  // Nobody can compile meanwhile, so that the service has no catalogue for as long as the test needs.
  const lock = ProcessLock.acquire({
    file: join(folder.path, 'catalogues', 'import.lock'),
    refusal: () => 'locked',
  });
  await using service = await startServiceProcess(settings);
  const { url, key } = service;
  await expect.poll(() => service.err.join('\n')).toContain('serves the diary; foods follow');
  const diary = await ask(url, key, '/v1/users/ann/diary?date=2026-01-31');
  expect([diary.status, diary.body]).toEqual([200, expect.stringContaining('Lentil soup')]);
  expect((await ask(url, key, '/v1/users/ann/diary', ENTRY)).status).toBe(201);
  const search = () => ask(url, key, '/v1/foods/search?q=banana');
  expect(await search()).toMatchObject({ status: 503, body: expect.stringContaining('try again') });
  const ready = await ask(url, key, '/readyz');
  expect([ready.status, ready.body]).toEqual([503, expect.stringContaining('the diary works')]);

  lock.release();
  await expect.poll(() => service.out.join('\n')).toContain('answering from another catalogue');
  await expect.poll(async () => (await ask(url, key, '/readyz')).status, { interval: 250 }).toBe(200);
  expect((await search()).status).toBe(200);
  expect(service.out.join('\n')).toContain('its imports are compiled again');
});
