import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ScanHabits } from '../../src/app/processes/scan-habits.ts';
import { createIds } from '../../src/base/time-ordered-id.ts';
import { DiaryStore } from '../../src/diary/store/diary-store.ts';
import { writeClassifierFolder } from '../support/classifier-folder.ts';
import { newEntry } from '../support/diary-entries.ts';
import { openHousehold } from '../support/household.ts';
import { sampleFood } from '../support/sample-foods.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTestService, type TestService } from '../support/test-service.ts';

const LUNCH = { date: '2026-11-12', mealType: 'lunch' };
const MUESLI = {
  name: "Granny's muesli",
  macros: { energy: 234, protein: 6, carbohydrates: 36, fat: 5 },
  servingSize: { value: 60, unit: 'g' },
};

describe('a photo of a food that no label names', () => {
  const folder = tempFolder();
  let service: TestService;
  let tomatoRed: Uint8Array<ArrayBuffer>;
  let lettuceGreen: Uint8Array<ArrayBuffer>;

  beforeAll(async () => {
    const dir = join(folder.path, 'model');
    const classes = [
      { label: 'tomato', food: 'tomato', rgb: [1, 0, 0] },
      { label: 'lettuce', food: 'lettuce', rgb: [0, 1, 0] },
      { label: 'not-food', food: '', rgb: [0, 0, 1] },
    ] as const;
    await writeClassifierFolder(dir, classes, { memory: true });
    const foods = ['tomato', 'lettuce'].map((key) => sampleFood('starter', key));
    service = await openTestService({ foods, settings: { LARDER_DISH_MODEL: dir } });
    const image = async (background: string) => {
      const create = { width: 64, height: 64, channels: 3, background } as const;
      return new Uint8Array(await sharp({ create }).png().toBuffer());
    };
    [tomatoRed, lettuceGreen] = [await image('#c07050'), await image('#408840')];
  });
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const send = (credential: string, method: string, path: string, body?: object) =>
    fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const ask = async (credential: string, method: string, path: string, body?: object) => {
    const response = await send(credential, method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text === '' ? undefined : JSON.parse(text);
  };
  let users = 0;
  const newUser = async () => {
    const id = `user-${++users}`;
    return { id, token: await tokenOf(id), diary: `/v1/users/${id}/diary` };
  };
  const tokenOf = async (user: string, scope?: string): Promise<string> => {
    const body = { client_secret: service.key, user_id: user, ...(scope && { scope }) };
    return (await ask(service.key, 'POST', '/v1/auth/token', body)).access_token;
  };
  const scan = async (credential: string, photo = tomatoRed) => {
    const body = { clientId: 'phone-1', contentType: 'image/png' };
    const { jobId, uploadUrl } = await ask(credential, 'POST', '/v1/scan/image', body);
    await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: photo });
    const job = await expect
      .poll(() => ask(credential, 'GET', `/v1/scan/image/${jobId}`), { timeout: 30_000 })
      .toMatchObject({ status: 'completed' })
      .then(() => ask(credential, 'GET', `/v1/scan/image/${jobId}`));
    return { jobId, item: job.result.items[0], resultUrl: job.resultUrl };
  };
  type User = Awaited<ReturnType<typeof newUser>>;
  const confirm = (user: User, jobId: string, change: object) =>
    ask(user.token, 'POST', `${user.diary}/scan`, {
      ...LUNCH,
      scanJobId: jobId,
      items: [{ index: 0, ...change }],
    });
  /** A user who confirmed a food of their own on a photo that the network takes for a tomato. */
  const withMuesli = async () => {
    const user = await newUser();
    const { id: foodId } = await ask(service.key, 'POST', '/v1/foods', { ...MUESLI, userId: user.id });
    const before = await scan(user.token);
    expect(before.item).toMatchObject({ foodId: 'starter:tomato' });
    const [entry] = await confirm(user, before.jobId, { foodId, quantity: 60, unit: 'g' });
    return { user, foodId, before: before.item, entry };
  };

  test('proposes it for the next photo like it, says why, and saves nothing unasked', async () => {
    const { user, foodId, before } = await withMuesli();
    const again = await scan(user.token);
    expect(again.item).toMatchObject({
      name: MUESLI.name,
      foodId,
      unsure: true,
      likePhoto: { date: LUNCH.date },
      servingSize: { value: 60, unit: 'g' },
    });
    expect(again.item.alternatives[0]).toMatchObject({ foodId: 'starter:tomato' });
    const body = { ...LUNCH, scanJobId: again.jobId };
    expect((await send(user.token, 'POST', `${user.diary}/scan`, body)).status).toBe(400);

    // Neither whoever cannot read the diary, nor the analysis, whose address needs no credential, learns why.
    expect(await (await fetch(again.resultUrl)).text()).not.toContain('likePhoto');
    const narrow = await tokenOf(user.id, 'scan');
    const read = await ask(narrow, 'GET', `/v1/scan/image/${again.jobId}`);
    expect(JSON.stringify(read)).not.toContain('likePhoto');
    expect((await scan(narrow)).item).toEqual(before);
    expect((await scan((await newUser()).token)).item).toEqual(before);
    expect((await scan(service.key)).item).toEqual(before);

    const other = await scan(user.token, lettuceGreen);
    expect(other.item).toMatchObject({ foodId: 'starter:lettuce' });
    expect(JSON.stringify(other.item)).not.toContain('likePhoto');
  });

  test('keeps it with the entry, and until the user is erased', async () => {
    const { user, foodId, before, entry } = await withMuesli();
    const second = await scan(user.token);
    const [accepted] = await confirm(user, second.jobId, {});
    expect(accepted).toMatchObject({ foodId, quantity: 60, unit: 'g' });
    const lines = async () => {
      const response = await send(user.token, 'GET', `/v1/users/${user.id}/export`);
      return (await response.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .flatMap(({ photo }) => (photo === undefined ? [] : [photo]));
    };
    const kept = { foodId, date: LUNCH.date, network: expect.stringContaining('colours 1') };
    const [first, next] = await lines();
    expect([first, next]).toMatchObject([
      { entryId: entry.id, ...kept },
      { entryId: accepted.id, ...kept },
    ]);
    expect(Buffer.from(first.vector, 'base64')).toHaveLength(8);

    await ask(user.token, 'DELETE', `${user.diary}/${entry.id}`);
    expect(await lines()).toEqual([next]);
    await ask(user.token, 'DELETE', `${user.diary}/${accepted.id}`);
    expect(await lines()).toEqual([]);
    expect((await scan(user.token)).item).toEqual(before);

    await confirm(user, second.jobId, {});
    expect(await lines()).toHaveLength(1);
    await ask(service.key, 'DELETE', `/v1/users/${user.id}`);
    expect(await lines()).toEqual([]);
  });

  test('keeps nothing of a food that the network sees, of what nobody chose, and of a food without an id', async () => {
    const { user, foodId, before } = await withMuesli();
    const fresh = await newUser();
    const { jobId } = await scan(fresh.token);
    await confirm(fresh, jobId, { foodId: 'starter:lettuce' });
    await confirm(fresh, jobId, { name: 'Ragout' });
    await ask(fresh.token, 'POST', `${fresh.diary}/scan`, { ...LUNCH, scanJobId: jobId, saveUnsure: true });
    const response = await send(fresh.token, 'GET', `/v1/users/${fresh.id}/export`);
    expect(await response.text()).not.toContain('"photo"');

    const again = await scan(user.token);
    await ask(service.key, 'DELETE', `/v1/foods/${encodeURIComponent(foodId)}`);
    expect(again.item.foodId).toBe(foodId);
    expect((await scan(user.token)).item).toEqual(before);
  });

  test('does neither where the user turned it off', async () => {
    const { user, foodId, before } = await withMuesli();
    const settings = `/v1/users/${user.id}/settings`;
    const remembered = await scan(user.token);
    await ask(user.token, 'PATCH', settings, { eatenFirst: false });
    const off = await scan(user.token);
    expect(off.item).toEqual(before);
    await confirm(user, off.jobId, { foodId, quantity: 60, unit: 'g' });
    await confirm(user, remembered.jobId, {});
    const response = await send(user.token, 'GET', `/v1/users/${user.id}/export`);
    expect((await response.text()).match(/"photo"/g)).toHaveLength(1);
    await ask(user.token, 'PATCH', settings, { eatenFirst: null });
    expect((await scan(user.token)).item).toMatchObject({ foodId });
  });

  test('proposes a recipe in servings, and an entry of it is one of the recipe', async () => {
    const user = await newUser();
    const { id: recipeId } = await ask(user.token, 'POST', `/v1/users/${user.id}/recipes`, {
      name: 'Ratatouille',
      servings: 4,
      ingredients: [{ foodId: 'starter:tomato', quantity: 800, unit: 'g' }],
    });
    const { jobId } = await scan(user.token);
    const [entry] = await confirm(user, jobId, {
      foodId: `recipe:${recipeId}`,
      quantity: 1,
      unit: 'serving',
    });
    expect(entry).toMatchObject({ recipeId });
    const again = await scan(user.token);
    expect(again.item).toMatchObject({
      name: 'Ratatouille',
      foodId: `recipe:${recipeId}`,
      servingSize: { value: 1, unit: 'serving' },
      weightUnknown: true,
      likePhoto: { date: LUNCH.date },
    });
    const [accepted] = await confirm(user, again.jobId, { quantity: 2 });
    expect(accepted).toMatchObject({ recipeId, quantity: 2, unit: 'serving', calories: 2 * entry.calories });
  });
});

describe('the photos of a household', () => {
  test('are those of people who share their diary now, without their days, and of one network', async () => {
    await using household = await openHousehold();
    const { ann, fixture } = household;
    const bob = await household.invite('Bob');
    const diary = new DiaryStore(fixture.database);
    const keep = async ({ id: userId }: { id: string }, foodId: string) => {
      const [id] = createIds(1, Date.now(), (size) => new Uint8Array(size));
      const entry = newEntry({ id: id! });
      const photo = {
        id: id!,
        foodId,
        date: entry.date,
        network: 'net 1',
        vector: Uint8Array.from([128, 1]),
      };
      await diary.addEntries({ tenant: 'default', userId }, [entry], undefined, undefined, photo);
      return entry.date;
    };
    const date = await keep(ann, 'manual:own');
    await keep(bob, 'manual:of-bob');
    const habits = new ScanHabits({
      sql: fixture.database,
      foods: { findById: async () => undefined },
      nowMs: Date.now,
    });
    const photosOf = async (network: string, diaries: 'own' | 'shared' = 'shared') =>
      (await habits.of({ tenant: 'default', userId: ann.id, diaries }))?.memory?.photosOf(network);
    const own = { foodId: 'manual:own', date, vector: Int8Array.from([-128, 1]) };
    const ofBob = { foodId: 'manual:of-bob', vector: Int8Array.from([-128, 1]) };
    expect(await photosOf('net 1')).toEqual([own, ofBob]);
    expect(await photosOf('net 1', 'own')).toEqual([own]);

    await bob.ask('PUT', '/v1/people/me/sharing', { default: 'none', people: {} });
    expect(await photosOf('net 1')).toEqual([own]);
    await bob.ask('PUT', '/v1/people/me/sharing', { default: 'read', people: {} });
    expect(await photosOf('net 2')).toEqual([]);
    // What another network left of one's own photos is dropped.
    expect(await photosOf('net 1')).toEqual([ofBob]);
  });
});
