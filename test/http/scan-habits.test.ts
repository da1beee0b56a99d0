import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ScanHabits } from '../../src/app/processes/scan-habits.ts';
import { writeClassifierFolder } from '../support/classifier-folder.ts';
import { EventReader } from '../support/event-reader.ts';
import { type Member, type OpenHousehold, openHousehold } from '../support/household.ts';
import { sampleFood } from '../support/sample-foods.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTestService, type TestService } from '../support/test-service.ts';

const LUNCH = { date: '2026-11-12', mealType: 'lunch' };

describe('a photo of a dish', () => {
  const folder = tempFolder();
  let service: TestService;
  let photo: Uint8Array<ArrayBuffer>;

  beforeAll(async () => {
    const dir = join(folder.path, 'model');
    await writeClassifierFolder(dir, [
      { label: 'tomato', food: 'tomato', rgb: [1, 0, 0] },
      { label: 'lettuce', food: 'lettuce', rgb: [0, 1, 0] },
      { label: 'not-food', food: '', rgb: [0, 0, 1] },
    ]);
    const foods = ['tomato', 'lettuce'].map((key) => sampleFood('starter', key));
    service = await openTestService({ foods, settings: { LARDER_DISH_MODEL: dir } });
    // A little nearer to red.
    const create = { width: 64, height: 64, channels: 3, background: '#848000' } as const;
    photo = new Uint8Array(await sharp({ create }).png().toBuffer());
  });
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const ask = async (credential: string, method: string, path: string, body?: object) => {
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text === '' ? undefined : JSON.parse(text);
  };
  const tokenOf = async (user: string, scope?: string): Promise<string> => {
    const body = { client_secret: service.key, user_id: user, ...(scope && { scope }) };
    return (await ask(service.key, 'POST', '/v1/auth/token', body)).access_token;
  };
  /** The id and the only item of a new scan of the same photo, as the creator reads it and as the stream says it. */
  const scan = async (credential: string) => {
    const body = { clientId: 'phone-1', contentType: 'image/png' };
    const { jobId, uploadUrl } = await ask(credential, 'POST', '/v1/scan/image', body);
    const headers = { authorization: `Bearer ${credential}` };
    const reader = await EventReader.open(`${service.url}/v1/scan/image/${jobId}/stream`, headers);
    await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: photo });
    let streamed: { result?: { items: object[] } } = {};
    for (let event = await reader.next(); event !== undefined; event = await reader.next())
      streamed = event.data as typeof streamed;
    const job = await ask(credential, 'GET', `/v1/scan/image/${jobId}`);
    expect(job.status).toBe('completed');
    expect(streamed.result).toEqual(job.result);
    return { jobId, item: job.result.items[0], resultUrl: job.resultUrl };
  };

  test('proposes what was confirmed before first, in the usual amount, and says why', async () => {
    const ann = await tokenOf('ann');
    const { jobId, item } = await scan(ann);
    expect(item).toMatchObject({ foodId: 'starter:tomato', servingSize: { value: 100, unit: 'g' } });
    expect(item.alternatives).toMatchObject([{ foodId: 'starter:lettuce' }]);
    expect(item).not.toHaveProperty('because');
    const items = [{ index: 0, foodId: 'starter:lettuce', quantity: 80, unit: 'g' }];
    await ask(ann, 'POST', '/v1/users/ann/diary/scan', { ...LUNCH, scanJobId: jobId, items });

    const again = await scan(ann);
    expect(again.item).toMatchObject({
      foodId: 'starter:lettuce',
      because: { kind: 'you_eat_this', times: 1, last: LUNCH.date },
      servingSize: { value: 80, unit: 'g' },
      servingRange: { low: 50, high: 200 },
      alternatives: [{ foodId: 'starter:tomato' }],
    });
    // The address of the analysis needs no credential.
    expect(await (await fetch(again.resultUrl)).text()).not.toContain('you_eat_this');
    const narrow = await tokenOf('ann', 'scan');
    const read = await ask(narrow, 'GET', `/v1/scan/image/${again.jobId}`);
    expect(read.result.items[0]).not.toHaveProperty('because');

    expect((await scan(narrow)).item).toEqual(item);
    expect((await scan(await tokenOf('bob'))).item).toEqual(item);
    expect((await scan(service.key)).item).toEqual(item);

    await ask(ann, 'PATCH', '/v1/users/ann/settings', { eatenFirst: false });
    expect((await scan(ann)).item).toEqual(item);
    await ask(ann, 'PATCH', '/v1/users/ann/settings', { eatenFirst: null });
    expect((await scan(ann)).item).toEqual(again.item);

    for (const { id } of await ask(ann, 'GET', `/v1/users/ann/diary?date=${LUNCH.date}`))
      await ask(ann, 'DELETE', `/v1/users/ann/diary/${id}`);
    expect((await scan(ann)).item).toEqual(item);
  });
});

describe('the habits of a household', () => {
  let nowMs = Date.parse('2026-12-01T12:00:00Z');
  let household: OpenHousehold;
  let habits: ScanHabits;
  let ann: Member;

  beforeAll(async () => {
    household = await openHousehold({ nowMs: () => nowMs });
    ({ ann } = household);
    const { database: sql } = household.fixture;
    habits = new ScanHabits({ sql, foods: { findById: async () => undefined }, nowMs: () => nowMs });
  });
  afterAll(() => household[Symbol.asyncDispose]());

  const eat = async (member: Member) => {
    const body = { ...LUNCH, foodId: 'starter:banana', quantity: 1, unit: 'piece' };
    const answer = await member.ask('POST', `/v1/users/${member.id}/diary`, body);
    if (answer.statusCode !== 201) throw new Error(answer.body);
  };
  /** What an analysis of a new scan would know of bananas. */
  const knownTo = async (ask: Member['ask']) => {
    // Sessions and rights are cached for half a second.
    nowMs += 1_000;
    const created = await ask('POST', '/v1/scan/image', { clientId: 'phone-1', contentType: 'image/png' });
    const [job] = await household.fixture.scanStore.findByIds([created.json().jobId]);
    return (await habits.of(job!))?.foods.get('starter:banana');
  };
  const withKey = async (member: Member, scopes: readonly string[]): Promise<Member['ask']> => {
    const made = await member.ask('POST', '/v1/people/me/keys', { scopes });
    const authorization = `Bearer ${made.json().key}`;
    return (method, url, payload) =>
      household.fixture.ask({
        method: method as 'GET',
        url,
        headers: { authorization },
        ...(payload && { payload }),
      });
  };

  test('are those of people who share their diary now, and of nobody who left', async () => {
    const bob = await household.invite('Bob');
    expect(await knownTo(ann.ask)).toBeUndefined();
    await eat(bob);
    expect(await knownTo(ann.ask)).toEqual({ strength: expect.any(Number) });
    expect(await knownTo(bob.ask)).toMatchObject({ own: { times: 1, last: LUNCH.date } });

    const share = (general: string, people = {}) =>
      bob.ask('PUT', '/v1/people/me/sharing', { default: general, people });
    await share('none');
    expect(await knownTo(ann.ask)).toBeUndefined();
    await share('none', { [ann.id]: 'read' });
    expect(await knownTo(ann.ask)).toBeDefined();
    await share('read', { [ann.id]: 'none' });
    expect(await knownTo(ann.ask)).toBeUndefined();
    await share('read');
    expect(await knownTo(ann.ask)).toBeDefined();

    expect((await ann.ask('DELETE', `/v1/people/${bob.id}`)).statusCode).toBe(204);
    expect(await knownTo(ann.ask)).toBeUndefined();
  });

  test('are not read with a key, which reaches the diary of one person, or none', async () => {
    const cem = await household.invite('Cem');
    await eat(cem);
    expect(await knownTo(ann.ask)).toBeDefined();
    expect(await knownTo(await withKey(ann, ['scan', 'diary:read']))).toBeUndefined();
    expect(await knownTo(await withKey(cem, ['scan', 'diary:read']))).toMatchObject({ own: { times: 1 } });
    expect(await knownTo(await withKey(cem, ['scan']))).toBeUndefined();
  });

  test('of a scan whose owner left meanwhile, or that an older version made, are unknown', async () => {
    const dan = await household.invite('Dan');
    const { id: userId } = dan;
    const of = (more: object) => habits.of({ tenant: 'default', userId, diaries: 'shared', ...more });
    expect((await of({}))?.foods.size).toBe(1);
    expect(await of({ diaries: undefined })).toBeUndefined();
    expect((await of({ tenant: 'other' }))?.foods.size).toBe(0);
    expect((await ann.ask('DELETE', `/v1/people/${userId}`)).statusCode).toBe(204);
    expect((await of({}))?.foods.size).toBe(0);
  });
});
