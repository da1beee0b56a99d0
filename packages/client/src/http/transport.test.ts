import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  brokenConnection,
  type Fate,
  refusal,
  ScriptedFetch,
  silence,
} from '../../../../test/support/scripted-fetch.ts';
import { Larder, LarderError, versionOf } from '../index.ts';
import type { LarderOptions, Retry } from './options.ts';

const URL = 'http://food.test/larder/';
const ENTRY = { date: '2026-01-31', mealType: 'lunch', foodId: 'fdc:1', quantity: 1, unit: 'cup' } as const;
const AT_ONCE = { 'retry-after': '0' };
const busy = () => refusal(503, 'unavailable', AT_ONCE);

function open(fates: readonly Fate[], options: Partial<LarderOptions> = {}) {
  const script = new ScriptedFetch(fates);
  const retries: Retry[] = [];
  const larder = new Larder({
    url: URL,
    key: 'lrd_key',
    fetch: script.fetch,
    onRetry: (retry) => retries.push(retry),
    ...options,
  } as LarderOptions);
  return { larder, sent: script.sent, retries };
}

async function errorOf(promise: Promise<unknown>): Promise<LarderError> {
  const error = await promise.then(
    () => undefined,
    (cause) => cause,
  );
  expect(error).toBeInstanceOf(LarderError);
  return error;
}

describe('requests', () => {
  it('keep the path of the service and carry the key', async () => {
    const { larder, sent } = open([Response.json([])]);
    expect(await larder.foods.search({ q: 'crème & co', limit: 3 })).toEqual([]);
    expect(sent[0]).toMatchObject({
      method: 'GET',
      url: 'http://food.test/larder/v1/foods/search?q=cr%C3%A8me+%26+co&limit=3',
    });
    expect(sent[0]!.headers.get('authorization')).toBe('Bearer lrd_key');
  });

  it('encode ids and reject those that would change the path', async () => {
    const { larder, sent } = open([Response.json({})]);
    await larder.user('a/b?c').diary.get('..%2f');
    expect(sent[0]!.url).toBe('http://food.test/larder/v1/users/a%2Fb%3Fc/diary/..%252f');
    for (const id of ['', '.', '..']) expect(() => larder.user(id)).toThrow(TypeError);
  });

  it('to unversioned paths send the key as x-api-key, and take no token', async () => {
    const { larder, sent } = open([Response.json([])]);
    await larder.unversioned.search({ q: 'banana' });
    expect(sent[0]!.headers.get('x-api-key')).toBe('lrd_key');
    expect(sent[0]!.headers.has('authorization')).toBe(false);
    const other = open([], { key: undefined, token: 'jwt' } as Partial<LarderOptions>);
    await expect(other.larder.unversioned.search({ q: 'banana' })).rejects.toThrow('API key');
  });
});

describe('repetitions', () => {
  it('send a POST with the same key, so that it is executed once', async () => {
    const { larder, sent, retries } = open([brokenConnection(), busy(), Response.json({ id: '1' })]);
    expect(await larder.user('ann').diary.add(ENTRY)).toEqual({ id: '1' });
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(1);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(retries.map(({ attempt, error: { code } }) => [attempt, code])).toEqual([
      [1, 'connection_failed'],
      [2, 'unavailable'],
    ]);
  });

  it('have another key for each call, or the given one', async () => {
    const { larder, sent } = open([1, 2, 3].map(() => Response.json({})));
    const { diary } = larder.user('ann');
    await diary.add(ENTRY);
    await diary.add(ENTRY);
    await diary.add(ENTRY, { idempotencyKey: 'mine' });
    const [first, second, third] = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(first).not.toBe(second);
    expect(third).toBe('mine');
  });

  it('end after maxRetries with the last error', async () => {
    const { larder, sent } = open([busy(), busy(), busy()]);
    expect(await errorOf(larder.service.health())).toMatchObject({
      code: 'unavailable',
      status: 503,
      requestId: 'r1',
    });
    expect(sent).toHaveLength(3);
    const once = open([busy()], { maxRetries: 0 });
    await errorOf(once.larder.service.health());
    expect(once.sent).toHaveLength(1);
  });

  it('wait as long as the service asks, but not longer than a minute', async () => {
    const { larder, retries } = open([
      refusal(429, 'rate_limit_exceeded', { 'retry-after': '1' }),
      Response.json([]),
    ]);
    await larder.foods.search({ q: 'banana' });
    expect(retries).toMatchObject([{ waitMs: 1_000 }]);
    const long = open([refusal(429, 'rate_limit_exceeded', { 'retry-after': '61' })]);
    expect(await errorOf(long.larder.foods.search({ q: 'banana' }))).toMatchObject({
      code: 'rate_limit_exceeded',
      retryAfterMs: 61_000,
    });
  });

  it('read a Retry-After that is a date', async () => {
    const date = new Date(Date.now() - 5_000).toUTCString();
    const { larder, retries } = open([
      refusal(503, 'unavailable', { 'retry-after': date }),
      Response.json({}),
    ]);
    await larder.service.health();
    expect(retries).toMatchObject([{ waitMs: 0 }]);
  });

  it('wait longer each time if the service names no time', async () => {
    const { larder, retries } = open([brokenConnection(), brokenConnection(), Response.json({})]);
    await larder.service.health();
    const [first, second] = retries.map(({ waitMs }) => waitMs);
    expect(first).toBeGreaterThanOrEqual(250);
    expect(first).toBeLessThanOrEqual(500);
    expect(second).toBeGreaterThanOrEqual(500);
    expect(second).toBeLessThanOrEqual(1_000);
  });

  it.each([400, 403, 404, 409, 412, 422, 500, 507])('do not follow a refusal with %i', async (status) => {
    const { larder, sent } = open([refusal(status, 'invalid_request', AT_ONCE)]);
    await errorOf(larder.user('ann').diary.add(ENTRY));
    expect(sent).toHaveLength(1);
  });

  it('create an API key by one Idempotency-Key, and do not rotate one twice, which may have ended itself', async () => {
    const { larder, sent } = open([brokenConnection(), Response.json({ id: 'k' })]);
    expect(await larder.keys.create({ scopes: ['scan'] })).toEqual({ id: 'k' });
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    for (const fate of [brokenConnection(), busy()]) {
      const rotating = open([fate]);
      await errorOf(rotating.larder.keys.rotate('k'));
      expect(rotating.sent).toHaveLength(1);
    }
    const limited = open([refusal(429, 'rate_limit_exceeded', AT_ONCE), Response.json({ id: 'k' })]);
    expect(await limited.larder.keys.rotate('k')).toEqual({ id: 'k' });
  });

  it('do not change a version twice, since the second change would be refused', async () => {
    const { larder, sent } = open([brokenConnection()]);
    const change = larder.user('ann').diary.change('1', { quantity: 2 }, { ifMatch: '"1"' });
    expect((await errorOf(change)).code).toBe('connection_failed');
    expect(sent[0]!.headers.get('if-match')).toBe('"1"');
    const free = open([brokenConnection(), Response.json({ id: '1' })]);
    expect(await free.larder.user('ann').diary.change('1', { quantity: 2 })).toEqual({ id: '1' });
  });

  it('name the version of any object as its tag, and refuse one that is undefined', async () => {
    const { larder, sent } = open([Response.json([{ id: '1', version: 7 }]), Response.json({ id: '1' })]);
    const { diary } = larder.user('ann');
    const [entry] = await diary.list({ date: '2026-01-31' });
    await diary.change('1', { quantity: 2 }, { ifMatch: versionOf(entry!) });
    expect(sent[1]!.headers.get('if-match')).toBe('"7"');
    const unknown = { ifMatch: undefined } as unknown as { ifMatch: number };
    for (const wrong of [
      () => diary.change('1', { quantity: 2 }, unknown),
      () => diary.remove('1', unknown),
      () => larder.foods.change('1', { name: 'Broth' }, { ifMatch: Number.NaN }),
      () => larder.user('ann').goals.set({ calories: 1 }, unknown),
    ])
      await expect(wrong()).rejects.toThrow('"ifMatch" is no version');
    expect(() => versionOf({})).toThrow('has no version');
    expect(sent).toHaveLength(2);
  });

  it('treat a missing object as deleted only after an attempt without a response', async () => {
    const { larder } = open([brokenConnection(), refusal(404, 'diary_entry_not_found')]);
    await larder.user('ann').diary.remove('1');
    const other = open([refusal(404, 'diary_entry_not_found')]);
    expect((await errorOf(other.larder.user('ann').diary.remove('1'))).code).toBe('diary_entry_not_found');
  });

  it('wait for the first attempt if it still runs on the service', async () => {
    const fates = [
      brokenConnection(),
      refusal(409, 'idempotency_conflict', AT_ONCE),
      Response.json({ id: '1' }),
    ];
    expect(await open(fates).larder.user('ann').diary.add(ENTRY)).toEqual({ id: '1' });
    const { larder } = open([refusal(409, 'idempotency_conflict', AT_ONCE)]);
    expect((await errorOf(larder.user('ann').diary.add(ENTRY))).code).toBe('idempotency_conflict');
  });
});

describe('tokens', () => {
  const expired = () => refusal(401, 'expired_token');

  it('are requested once for all requests, and again after they expire', async () => {
    let count = 0;
    const token = async () => `t${++count}`;
    const fates = [Response.json({}), Response.json({}), expired(), Response.json({}), Response.json({})];
    const { larder, sent } = open(fates, { key: undefined, token } as Partial<LarderOptions>);
    const get = () => larder.foods.get('fdc:1');
    await Promise.all([get(), get()]);
    await get();
    await get();
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(
      ['t1', 't1', 't1', 't2', 't2'].map((text) => `Bearer ${text}`),
    );
  });

  it('are renewed once for requests that were rejected together', async () => {
    let count = 0;
    const token = () => `t${++count}`;
    const fates = [expired(), expired(), Response.json({}), Response.json({})];
    const { larder } = open(fates, { key: undefined, token } as Partial<LarderOptions>);
    await Promise.all([larder.foods.get('fdc:1'), larder.foods.get('fdc:1')]);
    expect(count).toBe(2);
  });

  it('that are rejected twice end the call', async () => {
    const { larder, sent } = open([expired(), expired()], {
      key: undefined,
      token: () => 'old',
    } as Partial<LarderOptions>);
    expect((await errorOf(larder.foods.get('fdc:1'))).code).toBe('expired_token');
    expect(sent).toHaveLength(2);
  });

  it('that could not be obtained are requested again by the next call', async () => {
    let count = 0;
    const token = async () => {
      if (++count === 1) throw new Error('backend away');
      return 'jwt';
    };
    const { larder } = open([Response.json({})], { key: undefined, token } as Partial<LarderOptions>);
    await expect(larder.foods.get('fdc:1')).rejects.toThrow('backend away');
    await larder.foods.get('fdc:1');
  });
});

describe('time limits and signals', () => {
  it('end an attempt without a response', async () => {
    const { larder } = open([silence], { timeoutMs: 20, maxRetries: 0 });
    expect(await errorOf(larder.service.health())).toMatchObject({
      code: 'timeout',
      details: { timeoutMs: 20 },
    });
  });

  it('end an attempt whose body does not end', async () => {
    const endless = ({ signal }: { signal: AbortSignal }) =>
      new Response(
        new ReadableStream({
          start: (body) => signal.addEventListener('abort', () => body.error(signal.reason)),
        }),
      );
    const { larder } = open([endless], { timeoutMs: 20, maxRetries: 0 });
    expect((await errorOf(larder.service.health())).code).toBe('timeout');
  });

  it("end a wait for a response or for the next attempt with the caller's reason", async () => {
    const reason = new Error('the page was left');
    const early = AbortSignal.abort(reason);
    await expect(open([]).larder.service.health({ signal: early })).rejects.toBe(reason);

    const asking = new AbortController();
    const waiting = open([silence]).larder.service.health({ signal: asking.signal });
    asking.abort(reason);
    await expect(waiting).rejects.toBe(reason);

    const between = new AbortController();
    const stopping = open([busy()], {
      onRetry: () => {
        throw reason;
      },
    });
    await expect(stopping.larder.service.health()).rejects.toBe(reason);

    const { larder } = open([refusal(429, 'rate_limit_exceeded', { 'retry-after': '50' })], {
      onRetry: () => queueMicrotask(() => between.abort(reason)),
    });
    await expect(larder.service.health({ signal: between.signal })).rejects.toBe(reason);
  });

  it('leave no listener on a signal that outlives the call', async () => {
    const { signal } = new AbortController();
    await open([busy(), Response.json({})]).larder.service.health({ signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('request', () => {
  it('gives any response, with the credential on paths of the service alone', async () => {
    const { larder, sent } = open([refusal(418, 'teapot'), new Response('image'), Response.json({})]);
    expect((await larder.request('/v1/new', { method: 'POST', body: '{}' })).status).toBe(418);
    expect(await (await larder.request('https://objects.test/j?sig=1')).text()).toBe('image');
    await larder.request('/v1/new', { headers: { authorization: 'Bearer other' } });
    expect(sent.map(({ url, headers }) => [url, headers.get('authorization')])).toEqual([
      ['http://food.test/larder/v1/new', 'Bearer lrd_key'],
      ['https://objects.test/j?sig=1', null],
      ['http://food.test/larder/v1/new', 'Bearer other'],
    ]);
  });
});

describe('responses of other servers', () => {
  it.each([
    [502, 'text/html'],
    [413, 'text/html'],
    [200, 'text/html'],
  ])('are reported as unexpected: %i', async (status, type) => {
    const page = () =>
      new Response('<html>no</html>', { status, headers: { 'content-type': type, ...AT_ONCE } });
    const { larder } = open([page(), page(), page()]);
    const error = await errorOf(larder.service.health());
    expect(error).toMatchObject({
      code: 'unexpected_response',
      status,
      details: { body: '<html>no</html>' },
    });
  });

  it('that redirect are not followed', async () => {
    const { larder } = open([
      new Response(null, { status: 301, headers: { location: 'https://food.test/' } }),
    ]);
    const error = await errorOf(larder.service.health());
    expect(error.message).toContain('leads to https://food.test/');
  });
});

it('the code determines the type of the details', async () => {
  const details = { candidates: ['00000000000017'] };
  const error = { code: 'barcode_not_found', message: 'No food.', requestId: 'r', details };
  const { larder } = open([Response.json({ error }, { status: 404 })]);
  const thrown = await errorOf(larder.foods.byBarcode('17'));
  expect(thrown.code === 'barcode_not_found' && thrown.details.candidates).toEqual(details.candidates);
});
