import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Larder } from '#larder-client';
import { writeClassifierFolder } from '../support/classifier-folder.ts';
import { sampleFood } from '../support/sample-foods.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTestService, type TestService } from '../support/test-service.ts';

const CLASSES = [
  { label: 'tomato', food: 'tomato', rgb: [1, 0, 0] },
  { label: 'lettuce', food: 'lettuce', rgb: [0, 1, 0] },
  { label: 'not-food', food: '', rgb: [0, 0, 1] },
] as const;
const SIDE_PX = 64;

describe.each(['on', 'off'])('a photo of two foods, with LARDER_SEVERAL_FOODS=%s', (severalFoods) => {
  const folder = tempFolder();
  let service: TestService;

  beforeAll(async () => {
    const dir = join(folder.path, 'model');
    await writeClassifierFolder(dir, CLASSES, { plates: true });
    const foods = ['tomato', 'lettuce'].map((key) => sampleFood('starter', key));
    const settings = { LARDER_DISH_MODEL: dir, LARDER_SEVERAL_FOODS: severalFoods };
    service = await openTestService({ foods, settings });
  });
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test(severalFoods === 'on' ? 'has an item and a box for each' : 'has one item', async () => {
    const tomato = await sharp({
      create: { width: SIDE_PX, height: 2 * SIDE_PX, channels: 3, background: '#ff0000' },
    })
      .png()
      .toBuffer();
    const lettuce = { width: 2 * SIDE_PX, height: 2 * SIDE_PX, channels: 3, background: '#00ff00' } as const;
    const photo = await sharp({ create: lettuce })
      .composite([{ input: tomato, left: 0, top: 0 }])
      .png()
      .toBuffer();
    const larder = new Larder({ url: service.url, key: service.key });
    const scan = await larder.scans.create(photo, { clientId: 'phone-1', contentType: 'image/png' });
    const result = await scan.result();
    const places = result.items.map(({ foodId, box }) => ({ foodId, box }));
    if (severalFoods === 'off') {
      expect(places).toEqual([{ foodId: expect.any(String), box: undefined }]);
      return;
    }
    expect(places).toHaveLength(2);
    expect(places).toContainEqual({
      foodId: 'starter:tomato',
      box: { left: 0, top: 0, width: 0.5, height: 1 },
    });
    expect(places).toContainEqual({
      foodId: 'starter:lettuce',
      box: { left: 0.5, top: 0, width: 0.5, height: 1 },
    });
    const calories = result.items.reduce((sum, { macros }) => sum + macros.energy, 0);
    expect(result.calories).toBeCloseTo(calories, 3);
  });
});
