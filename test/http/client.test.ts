import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Larder, LarderError, versionOf } from '#larder-client';
import { ean13Bars } from '../support/barcode-bars.ts';
import { barcodePicture } from '../support/barcode-picture.ts';
import { COLA, SPREAD } from '../support/foods.ts';
import { openTestService, type TestService } from '../support/test-service.ts';

const DAY = { date: '2026-01-31', mealType: 'lunch' } as const;
const SOUP = { ...DAY, foodName: 'Soup', calories: 100, protein: 4, carbs: 10, fat: 2 } as const;

let service: TestService;
let larder: Larder;
let photo: Blob;
beforeAll(async () => {
  service = await openTestService();
  larder = new Larder({ url: service.url, key: service.key });
  const picture = await barcodePicture({ bars: ean13Bars(SPREAD.barcode!) });
  photo = new Blob([new Uint8Array(await picture.jpeg().toBuffer())], { type: 'image/jpeg' });
});
afterAll(() => service[Symbol.asyncDispose]());

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error) => (error instanceof LarderError ? error.code : error),
  );

describe('foods', () => {
  it('are found by text, barcode, id and in texts', async () => {
    expect(await larder.foods.search({ q: 'hazelnut', limit: 3 })).toMatchObject([{ id: SPREAD.id }]);
    expect(await larder.foods.byBarcode(SPREAD.barcode!)).toMatchObject({ id: SPREAD.id });
    const scanned = await larder.foods.byBarcode(`https://id.test/01/0${SPREAD.barcode}/10/AB12`);
    expect(scanned).toMatchObject({ id: SPREAD.id, scanned: { batch: 'AB12' } });
    expect(await larder.foods.get(COLA.id)).toMatchObject({ name: COLA.name });
    expect(await larder.foods.batch([COLA.id, 'off:1'])).toMatchObject({
      foods: [{ id: COLA.id }],
      missing: ['off:1'],
    });
    expect((await larder.foods.parse({ text: '15 g hazelnut spread' })).items).toHaveLength(1);
  });

  it('that do not exist cause errors with a code and details', async () => {
    const error = await larder.foods.byBarcode('4006381333931').catch((cause: unknown) => cause);
    if (!(error instanceof LarderError) || error.code !== 'barcode_not_found') throw error;
    expect(error).toMatchObject({ status: 404, details: { candidates: ['04006381333931'] } });
    expect(error.requestId).toMatch(/./);
  });

  it('of a tenant are added, listed page by page, changed by version and removed', async () => {
    const macros = { energy: 250, protein: 10, fat: 8, carbohydrates: 30 };
    const ids: string[] = [];
    for (const name of ['Rye loaf', 'Oat loaf', 'Corn loaf']) {
      ids.push((await larder.foods.add({ name, servingSize: { value: 50, unit: 'g' }, macros })).id);
    }
    const listed = [];
    for await (const { id } of larder.foods.list({ limit: 2 })) listed.push(id);
    expect(listed).toEqual(expect.arrayContaining(ids));
    expect(await larder.foods.list({ limit: 2 })).toHaveLength(2);

    const read = await larder.foods.get(ids[0]!);
    const ifMatch = versionOf(read);
    expect(ifMatch).toBeGreaterThan(0);
    expect(await larder.foods.change(read.id, { name: 'Rye bread' }, { ifMatch })).toMatchObject({
      name: 'Rye bread',
    });
    expect(await codeOf(larder.foods.change(read.id, { name: 'Old' }, { ifMatch }))).toBe('version_conflict');
    for (const id of ids) await larder.foods.remove(id);
    expect(await codeOf(larder.foods.remove(ids[0]!))).toBe('food_not_found');
  });
});

describe('a user', () => {
  it('has a diary of entries, arrays, texts and totals', async () => {
    const { diary } = larder.user('ann');
    const entry = await diary.add({ ...DAY, foodId: SPREAD.id, quantity: 2, unit: 'serving' });
    expect(entry).toMatchObject({ userId: 'ann', calories: 161.7 });
    expect(await diary.add([SOUP, { ...SOUP, foodName: 'Stew' }])).toHaveLength(2);
    const { entries } = await diary.add({ ...DAY, text: '15 g hazelnut spread' });
    expect(entries).toMatchObject([{ calories: 80.85 }]);
    expect(await diary.list({ date: DAY.date })).toHaveLength(4);
    const ofDay = { from: DAY.date, to: DAY.date };
    const names = [];
    for await (const { foodName } of diary.list({ ...ofDay, limit: 1 })) names.push(foodName);
    expect(names).toHaveLength(4);
    expect((await diary.totals({ date: DAY.date })).calories).toBe(442.55);
    expect(await diary.totals({ from: DAY.date, to: '2026-02-01' })).toMatchObject([{ date: DAY.date }, {}]);

    const changed = await diary.change(entry.id, { quantity: 1 }, { ifMatch: versionOf(entry) });
    expect(changed.calories).toBe(80.85);
    const stale = diary.change(entry.id, { quantity: 3 }, { ifMatch: versionOf(entry) });
    expect(await codeOf(stale)).toBe('version_conflict');
    await diary.remove(entry.id);
    expect(await codeOf(diary.get(entry.id))).toBe('diary_entry_not_found');
    expect(await diary.copy({ from: DAY.date, to: '2026-02-02' })).toHaveLength(3);
    expect(await diary.export('csv')).toContain('Stew');
    expect(await diary.export('json', { from: '2026-02-02', to: '2026-02-03' })).toHaveLength(3);
  });

  it('has one entry after a request that is sent twice', async () => {
    const { diary } = larder.user('twice');
    const first = await diary.add(SOUP, { idempotencyKey: 'soup-1' });
    expect(await diary.add(SOUP, { idempotencyKey: 'soup-1' })).toEqual(first);
    expect(await codeOf(diary.add({ ...SOUP, fat: 3 }, { idempotencyKey: 'soup-1' }))).toBe(
      'idempotency_conflict',
    );
    expect(await diary.list({ date: DAY.date })).toHaveLength(1);
  });

  it('has one entry after a request whose response was lost', async () => {
    let requests = 0;
    const losing: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      if (++requests > 1) return response;
      await response.text();
      throw new TypeError('fetch failed', { cause: new Error('socket hang up') });
    };
    const { diary } = new Larder({ url: service.url, key: service.key, fetch: losing }).user('unlucky');
    const entry = await diary.add(SOUP);
    expect(requests).toBe(2);
    expect(await diary.list({ date: DAY.date })).toEqual([entry]);
  });

  it('has recipes, from lines and from web pages, goals and foods eaten before', async () => {
    const { recipes, goals, foods, diary } = larder.user('bea');
    const recipe = await recipes.add({ name: 'Toast', servings: 2, ingredients: ['30 g hazelnut spread'] });
    const changed = await recipes.change(recipe.id, { servings: 4 }, { ifMatch: versionOf(recipe) });
    expect(changed.servings).toBe(4);
    await recipes.add({ '@type': 'Recipe', name: 'Web', recipeIngredient: ['15 g hazelnut spread'] });
    expect((await recipes.list().all()).map(({ name }) => name)).toEqual(['Toast', 'Web']);
    await recipes.remove(recipe.id);
    expect(await codeOf(recipes.get(recipe.id))).toBe('recipe_not_found');

    await goals.set({ from: DAY.date, calories: 2_000 });
    expect(await goals.get({ date: DAY.date })).toMatchObject({ calories: 2_000 });
    expect((await diary.totals({ date: DAY.date, remaining: true })).remaining).toMatchObject({
      calories: 2_000,
    });

    await diary.add({ ...DAY, foodId: SPREAD.id, quantity: 1, unit: 'serving' });
    expect(await foods.recent()).toMatchObject([{ foodId: SPREAD.id }]);
    expect(await foods.frequent()).toMatchObject([{ foodId: SPREAD.id }]);
    await larder.user('bea').erase();
    expect(await diary.list({ date: DAY.date })).toEqual([]);
  });
});

it('yields changes, first all existing objects and then each change', async () => {
  const fay = larder.user('fay');
  const { diary } = fay;
  const entry = await diary.add(SOUP);
  const seen: unknown[] = [];
  let cursor: string | undefined;
  for await (const page of fay.changes()) {
    cursor = page.cursor;
    for (const { kind, op, id } of page.changes) seen.push([kind, op, id]);
    if (seen.length === 1) await diary.remove(entry.id);
    if (seen.length === 2) break;
  }
  expect(seen).toEqual([
    ['entry', 'upsert', entry.id],
    ['entry', 'delete', entry.id],
  ]);
  const { value } = await fay.changes({ after: cursor }).next();
  expect(value?.changes).toEqual([]);
});

describe('a scan', () => {
  it('is created, followed and logged', async () => {
    const uploads: number[] = [];
    const scan = await larder.scans.create(photo, {
      clientId: 'test',
      onUpload: ({ sentBytes }) => uploads.push(sentBytes),
    });
    expect(uploads).toEqual([0, photo.size]);
    const statuses = [];
    for await (const { status } of scan.states()) statuses.push(status);
    expect(statuses.at(-1)).toBe('completed');
    expect(await scan.result()).toMatchObject({ calories: 80.85, servingSize: 15 });
    const { diary } = larder.user('cleo');
    expect(await diary.add({ ...DAY, scanJobId: scan.jobId })).toMatchObject([{ foodName: SPREAD.name }]);
    await scan.remove();
    expect(await codeOf(scan.get())).toBe('scan_job_not_found');
  });

  it('is polled if streams fail', async () => {
    const withoutStreams: typeof fetch = (input, init) =>
      String(input).endsWith('/stream')
        ? Promise.reject(new TypeError('no streams here'))
        : fetch(input, init);
    const polling = new Larder({ url: service.url, key: service.key, fetch: withoutStreams });
    const scan = await polling.scans.create(photo, { clientId: 'test' });
    expect(await scan.result()).toMatchObject({ calories: 80.85 });
  });

  it('of another file fails with the reason', async () => {
    const text = new TextEncoder().encode('this is no image');
    const scan = await larder.scans.create(text, { clientId: 'test', contentType: 'image/png' });
    await expect(scan.result()).rejects.toMatchObject({
      code: 'scan_failed',
      details: { code: 'unsupported_image', retryable: false },
    });
  });
});

describe('access', () => {
  it('creates tokens, which a function renews when they expire', async () => {
    let made = 0;
    const token = async () => {
      made++;
      return made === 1 ? 'eyJ.not.valid' : (await larder.tokens.create({ userId: 'dan' })).access_token;
    };
    const app = new Larder({ url: service.url, token });
    const entry = await app.user('dan').diary.add(SOUP);
    expect([entry.userId, made]).toEqual(['dan', 2]);
    expect(await codeOf(app.user('eve').diary.list({ date: DAY.date }))).toBe('forbidden');
    expect((await larder.tokens.publicKeys()).keys.length).toBeGreaterThan(0);
  });

  it('has the errors of OAuth for tokens', async () => {
    expect(await codeOf(larder.tokens.create({ userId: 'dan', scope: 'operator' }))).toBe('invalid_scope');
    const stranger = new Larder({ url: service.url, key: 'nope' });
    const error = await stranger.tokens.create({ userId: 'dan' }).catch((thrown) => thrown);
    expect(error).toMatchObject({
      code: 'invalid_client',
      status: 401,
      message: 'The API key is not valid.',
      requestId: expect.stringMatching(/./),
    });
  });

  it('creates, rotates and revokes keys', async () => {
    const issued = await larder.keys.create({ scopes: ['foods:read'], name: 'reader' });
    const reader = new Larder({ url: service.url, key: issued.key });
    expect(await reader.foods.search({ q: 'hazelnut' })).toHaveLength(1);
    expect(await codeOf(reader.user('ann').diary.list({ date: DAY.date }))).toBe('forbidden');
    const next = await larder.keys.rotate(issued.id);
    expect(await larder.keys.get(next.id)).toMatchObject({ name: 'reader' });
    await larder.keys.revoke(next.id);
    const listed = await larder.keys.list().all();
    expect(listed.find(({ id }) => id === next.id)).toHaveProperty('revokedAt');
  });

  it('without a credential is rejected, and health is open', async () => {
    const stranger = new Larder({ url: service.url });
    expect(await codeOf(stranger.foods.get(SPREAD.id))).toBe('invalid_api_key');
    expect(await stranger.service.health()).toMatchObject({ status: expect.any(String) });
    expect(await stranger.service.readiness()).toHaveProperty('catalogue');
    expect(await larder.service.metrics()).toContain('larder_');
  });
});

it('the unversioned paths have their own field names', async () => {
  const { unversioned } = larder;
  expect(await unversioned.search({ q: 'hazelnut' })).toMatchObject([{ serving: { amount: 15, unit: 'g' } }]);
  expect(await unversioned.byBarcode(SPREAD.barcode!)).toMatchObject({ macros: { calories: 80.85 } });
  const { jobId } = await unversioned.createScan(photo, { clientId: 'test' });
  await expect
    .poll(() => unversioned.scan(jobId))
    .toMatchObject({
      status: 'complete',
      result: { items: [{ name: SPREAD.name }] },
    });
});
