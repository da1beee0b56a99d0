import { openAsBlob, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Larder } from '#larder-client';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'examples', 'photos');
/** The table of `examples/photos/README.md`. */
const SHOWN = {
  'barcode.jpg': { origin: 'barcode', foodId: 'starter:747599322198', macros: { energy: 70 } },
  'label.jpg': {
    origin: 'label',
    servingSize: { value: 0.667, unit: 'cup' },
    macros: { energy: 230, fat: 8 },
  },
  'plate.jpg': { origin: 'dish', foodId: 'starter:orange' },
};

let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess({ LARDER_THREADS: '1' });
});
afterAll(() => service[Symbol.asyncDispose]());

test('the sample photos are those of the table', () => {
  expect(readdirSync(FOLDER).filter((name) => name.endsWith('.jpg'))).toEqual(Object.keys(SHOWN));
});

test.each(Object.entries(SHOWN))('a scan of %s finds its foods', async (name, item) => {
  const larder = new Larder(service);
  const scan = await larder.scans.create(await openAsBlob(join(FOLDER, name), { type: 'image/jpeg' }), {
    clientId: 'test',
  });
  const { items } = await scan.result();
  expect(items).toMatchObject([item]);
  expect(items[0]).not.toHaveProperty('unsure');
});
