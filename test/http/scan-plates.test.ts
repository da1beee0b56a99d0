import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: each answer has its own form
    return (await response.json()) as any;
  };

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
    const { jobId, uploadUrl } = await ask('POST', '/v1/scan/image', {
      clientId: 'phone-1',
      contentType: 'image/png',
    });
    const headers = { 'content-type': 'image/png' };
    await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(photo) });
    await expect
      .poll(() => ask('GET', `/v1/scan/image/${jobId}`), { timeout: 30_000 })
      .toMatchObject({ status: 'completed' });
    const { result } = await ask('GET', `/v1/scan/image/${jobId}`);
    const places = result.items.map(({ foodId, box }: { foodId: string; box?: object }) => ({ foodId, box }));
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
    const calories = result.items.reduce(
      (sum: number, { macros }: { macros: { energy: number } }) => sum + macros.energy,
      0,
    );
    expect(result.calories).toBeCloseTo(calories, 3);
  });
});
