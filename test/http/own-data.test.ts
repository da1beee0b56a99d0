import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { FURTHER_KEYS } from '@larder/core/nutrients.ts';
import fc from 'fast-check';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { SCOPES } from '../../src/access/api-key.ts';
import { WEEKDAYS } from '../../src/diary/records/day.ts';
import { ADDED_METHODS, MEAL_TYPES, OTHER_AMOUNTS } from '../../src/diary/records/entry.ts';
import { MEASUREMENT_UNITS } from '../../src/diary/records/measurement.ts';
import { MAX_FILE_BYTES } from '../../src/foods/import/table/table-limits.ts';
import { BANANA, SPREAD } from '../support/foods.ts';
import { runs } from '../support/runs.ts';
import { openTestServer } from '../support/test-server.ts';

const server = await openTestServer();
afterAll(() => server[Symbol.asyncDispose]());
let tenants = 0;

/** A user of an empty tenant. */
async function newUser(userId = 'ann') {
  const key = await server.createKey(SCOPES, undefined, `t${++tenants}`);
  const headers = { authorization: `Bearer ${key}` };
  const ask = (method: string, url: string, payload?: object) =>
    server.ask({ method, url, headers, ...(payload && { payload }) });
  return {
    key,
    userId,
    ask,
    at: (path: string) => `/v1/users/${userId}${path}`,
    export: async () => (await ask('GET', `/v1/users/${userId}/export`)).body,
    import: async (file: string, query = '', type = 'application/x-ndjson', user = userId) =>
      server.ask({
        method: 'POST',
        url: `/v1/users/${user}/import${query}`,
        headers: { ...headers, 'content-type': type },
        payload: file,
      }),
  };
}
type User = Awaited<ReturnType<typeof newUser>>;

async function post(user: User, path: string, body: object) {
  const answer = await user.ask('POST', path, body);
  expect([answer.statusCode, answer.body]).toEqual([201, expect.anything()]);
  return answer.json();
}

const text = (max: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: max })
    .map((value) => `x${value}`.trim())
    .filter((value) => value.isWellFormed() && !/\p{Cc}/u.test(value));
const amount = (max: number) =>
  fc.oneof(
    fc.constant(0),
    fc.double({ min: 0, max, noNaN: true }),
    fc.nat({ max: 999 }).map((n) => n / 8),
  );
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const typed = fc.record({
  foodName: text(40),
  calories: amount(20_000),
  protein: optional(amount(1_000)),
  carbs: optional(amount(1_000)),
  fat: optional(amount(1_000)),
  fiber: optional(amount(1_000)),
  sodium: optional(amount(9_000)),
  nutrients: optional(
    fc
      .dictionary(fc.constantFrom(...OTHER_AMOUNTS, ...FURTHER_KEYS), amount(1_000), { maxKeys: 4 })
      .map((each) => ({ ...each })),
  ),
  quantity: optional(fc.double({ min: 0.01, max: 1_000, noNaN: true })),
  unit: optional(fc.constantFrom('g', 'slice', 'Stück', 'x "y"')),
});
const ofFood = fc.record({
  foodId: fc.constantFrom(BANANA.id, SPREAD.id),
  quantity: fc.double({ min: 0.01, max: 40, noNaN: true }),
  unit: fc.constantFrom('g', 'serving'),
});
const date = fc
  .integer({ min: 0, max: 400 })
  .map((days) => new Date(days * 86_400_000 + 1.7e12).toISOString().slice(0, 10));
const entry = fc
  .tuple(
    fc.record({
      date,
      mealType: fc.constantFrom(...MEAL_TYPES),
      addedMethod: optional(fc.constantFrom(...ADDED_METHODS)),
      note: optional(text(60)),
      eatenAt: optional(date.map((day) => `${day}T12:30:00+01:00`)),
    }),
    fc.oneof(typed, ofFood),
  )
  .map(([when, what]) => ({ ...when, ...what }));
const recipe = fc.record({
  name: text(30),
  servings: fc.integer({ min: 2, max: 50 }),
  yieldGrams: optional(fc.integer({ min: 1, max: 5_000 })),
  ingredients: fc.array(
    fc.oneof(
      typed.map(({ foodName, calories }) => ({ foodName, calories })),
      ofFood,
      fc.constant('2 bananas'),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
});
const food = fc.record({
  name: text(30),
  brand: optional(text(20)),
  barcode: optional(fc.stringMatching(/^[1-9]\d{12}$/)),
  aliases: optional(fc.array(text(20), { maxLength: 3 })),
  servingSize: fc.constantFrom<object>(
    { value: 20, unit: 'g' },
    { value: 1, unit: 'slice', grams: 32.5, label: 'one slice' },
    { value: 200, unit: 'ml' },
    { value: 1, unit: 'oz' },
  ),
  macros: fc.record({
    energy: fc.nat({ max: 100 }),
    protein: optional(fc.nat({ max: 4 })),
    fat: optional(fc.nat({ max: 4 })),
    carbohydrates: optional(fc.nat({ max: 4 })),
    sodium: optional(amount(100)),
  }),
});
const goalAmounts = { calories: fc.nat({ max: 4_000 }), fiber: optional(amount(100)) };
const weekdays = fc.dictionary(fc.constantFrom(...WEEKDAYS), fc.record(goalAmounts));
const goals = fc.record({ from: date, ...goalAmounts, weekdays: optional(weekdays) });
const measurement = fc.record({
  name: text(30),
  value: amount(1_000_000),
  unit: fc.constantFrom(...MEASUREMENT_UNITS),
  measuredAt: optional(date.map((day) => `${day}T07:00:00.5-09:30`)),
});
const everything = fc.record({
  measurements: fc.array(measurement, { maxLength: 4 }),
  entries: fc.array(entry, { maxLength: 12 }),
  recipes: fc.array(recipe, { maxLength: 2 }),
  foods: fc.array(food, { maxLength: 3 }),
  goals: fc.array(goals, { maxLength: 3 }),
});
const known = (record: object) => JSON.parse(JSON.stringify(record));

describe('an export', () => {
  it('returns the same lines again after its import into an empty service', async () => {
    await fc.assert(
      fc.asyncProperty(everything, async (had) => {
        const from = await newUser();
        for (const each of had.foods) {
          const { id } = await post(from, '/v1/foods', { ...known(each), userId: 'ann' });
          await post(from, from.at('/diary'), {
            date: '2026-01-31',
            mealType: 'lunch',
            foodId: id,
            quantity: 2,
            unit: 'serving',
          });
        }
        for (const each of had.recipes) {
          const { id } = await post(from, from.at('/recipes'), known(each));
          const eaten = await post(from, from.at('/diary'), {
            date: '2026-01-30',
            mealType: 'dinner',
            recipeId: id,
            quantity: 1,
            unit: 'serving',
          });
          await from.ask('PATCH', from.at(`/diary/${eaten.id}`), { quantity: 0.7 });
        }
        for (const each of had.goals) await from.ask('PUT', from.at('/goals'), known(each));
        for (const each of had.measurements) await post(from, from.at('/measurements'), known(each));
        for (const each of had.entries) await post(from, from.at('/diary'), known(each));
        const file = await from.export();
        const to = await newUser();
        const preview = (await to.import(file, '?preview=true')).json();
        expect(preview).toMatchObject({ preview: true, problems: [] });
        expect((await to.export()).split('\n')).toHaveLength(2);
        const imported = await to.import(file);
        expect([imported.statusCode, imported.json().problems, imported.json().notes]).toEqual([200, [], []]);
        expect({ ...imported.json(), preview: true }).toEqual(preview);
        expect(await to.export()).toBe(file);
        const again = (await to.import(file)).json();
        expect(again.entries).toMatchObject({ added: 0, present: again.entries.found });
        expect([again.problems, await to.export()]).toEqual([[], file]);
      }),
      { numRuns: runs(12) },
    );
  });

  it('keeps totals and the basis of later changes', async () => {
    const from = await newUser();
    const eaten = { date: '2026-01-31', mealType: 'lunch', barcode: SPREAD.barcode, quantity: 7, unit: 'g' };
    const { id } = await post(from, from.at('/diary'), eaten);
    const to = await newUser();
    await to.import(await from.export());
    const both = [from, to];
    for (const user of both)
      await user.ask('PATCH', user.at(`/diary/${id}`), { quantity: 1, unit: 'serving' });
    const totals = await Promise.all(
      both.map((user) => user.ask('GET', user.at('/diary/totals?date=2026-01-31'))),
    );
    expect(totals[0]!.json().calories).toBeGreaterThan(0);
    expect(totals[1]!.json()).toEqual(totals[0]!.json());
  });
});

const ENTRY = {
  date: '2026-01-31',
  mealType: 'lunch',
  foodName: '=Soup',
  calories: 100,
  fat: 1.25,
  note: '"so", it was\nhot',
};

describe('the import of an export', () => {
  it('reads measurements of a version that named their time `time`', async () => {
    const from = await newUser();
    const measuredAt = '2026-01-31T07:00:00+01:00';
    await post(from, from.at('/measurements'), { name: 'weight', value: 72.4, unit: 'kg', measuredAt });
    const file = await from.export();
    const older = file.replace('"measuredAt":', '"time":');
    expect(older).not.toBe(file);
    const to = await newUser();
    expect((await to.import(older)).json()).toMatchObject({ problems: [], measurements: { added: 1 } });
    expect(await to.export()).toBe(file);
    const both = older.replace('"time":', `"measuredAt":"${measuredAt}","time":`);
    expect((await (await newUser()).import(both)).json().problems).toHaveLength(1);
  });

  it('accepts the diary as JSON', async () => {
    const from = await newUser();
    await post(from, from.at('/diary'), ENTRY);
    const file = (await from.ask('GET', from.at('/diary/export?format=json'))).body;
    const to = await newUser();
    expect((await to.import(file, '', 'application/json')).json()).toMatchObject({
      format: 'larder-json',
      entries: { added: 1 },
    });
    expect((await to.ask('GET', to.at('/diary/export?format=json'))).body).toBe(file);
  });

  it('accepts the diary as CSV, with texts that spreadsheets would run as formulas', async () => {
    const from = await newUser();
    for (const more of [
      {},
      { foodName: 'Stew', nutrients: { saturatedFat: 1.5 }, quantity: 2, unit: 'bowl' },
    ])
      await post(from, from.at('/diary'), { ...ENTRY, ...more });
    const file = (await from.ask('GET', from.at('/diary/export?format=csv'))).body;
    const to = await newUser();
    const answer = (await to.import(file, '', 'text/csv')).json();
    expect(answer).toMatchObject({ format: 'larder-csv', problems: [], entries: { added: 2 } });
    expect((await to.ask('GET', to.at('/diary/export?format=csv'))).body).toBe(file);
  });

  it('accepts the exports of other apps, each once', async () => {
    const user = await newUser();
    for (const name of [
      'myfitnesspal',
      'cronometer',
      'fatsecret',
      'sparkyfitness',
      'opennutritracker',
      'table-de',
    ]) {
      const file = readFileSync(
        join(import.meta.dirname, '..', 'support', 'diary-exports', `${name}.csv`),
        'utf8',
      );
      const preview = (await user.import(file, '?preview=true&timeZone=Europe/Berlin', 'text/csv')).json();
      const { entries, shown } = (await user.import(file, '?timeZone=Europe/Berlin', 'text/csv')).json();
      expect(entries).toEqual(preview.entries);
      expect(entries.added).toBeGreaterThan(0);
      expect(shown).toHaveLength(entries.added);
      const again = (await user.import(file, '?timeZone=Europe/Berlin', 'text/csv')).json();
      expect(again.entries).toMatchObject({ added: 0, present: entries.added });
    }
  });

  it('does not restore deleted objects, and says so', async () => {
    const user = await newUser();
    const { id } = await post(user, user.at('/diary'), ENTRY);
    const food = await post(user, '/v1/foods', {
      name: 'Jam',
      userId: 'ann',
      servingSize: { value: 10, unit: 'g' },
      macros: { energy: 20 },
    });
    const file = await user.export();
    await user.ask('DELETE', user.at(`/diary/${id}`));
    await user.ask('DELETE', `/v1/foods/${food.id}`);
    const answer = (await user.import(file)).json();
    expect(answer).toMatchObject({ entries: { added: 0, deleted: 1 }, foods: { added: 0, deleted: 1 } });
  });

  it('gives a user copies of another user’s foods, also from a file in two parts', async () => {
    const ann = await newUser();
    const { id } = await post(ann, '/v1/foods', {
      name: 'Jam',
      userId: 'ann',
      servingSize: { value: 10, unit: 'g' },
      macros: { energy: 20 },
    });
    await post(ann, ann.at('/diary'), {
      date: '2026-01-31',
      mealType: 'lunch',
      foodId: id,
      quantity: 1,
      unit: 'serving',
    });
    const lines = (await ann.export()).split('\n');
    const foods = lines.filter((line) => line.startsWith('{"food"')).join('\n');
    const entries = lines.filter((line) => line.startsWith('{"entry"')).join('\n');
    for (const part of [foods, entries]) {
      const answer = await ann.import(part, '', 'application/x-ndjson', 'bob');
      expect([answer.statusCode, answer.json().problems]).toEqual([200, []]);
    }
    const [entry] = (await ann.ask('GET', '/v1/users/bob/diary?date=2026-01-31')).json();
    expect(entry.foodId).toMatch(new RegExp(`^${id}\\.`));
    expect((await ann.ask('GET', `/v1/foods/${entry.foodId}`)).json()).toMatchObject({
      name: 'Jam',
      userId: 'bob',
    });
  });

  it('reports the line and the field of a problem, and writes the rest', async () => {
    const user = await newUser();
    await post(user, user.at('/diary'), ENTRY);
    const [head, good] = (await user.export()).split('\n');
    const to = await newUser();
    const change = (field: object) => {
      const { entry } = JSON.parse(good!);
      return JSON.stringify({ entry: { ...entry, id: crypto.randomUUID(), ...field } });
    };
    const file = [
      head,
      good,
      '',
      '{"entry": {',
      change({ date: '2026-02-30' }),
      change({ calories: -1 }),
      change({ basis: { quantity: 0, amounts: {} } }),
      change({ surprise: 1 }),
      '{"other":1}',
    ];
    const answer = (await to.import(file.join('\n'))).json();
    expect(
      answer.problems.map(({ line, column }: { line: number; column?: string }) => [line, column]),
    ).toEqual([
      [4, expect.anything()],
      [5, 'date'],
      [6, 'calories'],
      [7, 'basis.quantity'],
      [8, undefined],
      [9, undefined],
    ]);
    expect(answer.entries).toMatchObject({ found: 5, added: 1, refused: 4 });
  });

  it.each([
    ['', 'application/x-ndjson', 400],
    ['Weight,Waist\n80,90\n', 'text/csv', 400],
    ['PK\u0003\u0004', 'application/octet-stream', 400],
    ['{"larderExport":2}', 'application/json', 400],
    ['{"larderExport":1}', 'image/png', 415],
    ['x'.repeat(MAX_FILE_BYTES + 1), 'text/csv', 413],
  ])('rejects %.20j as %s', async (file, type, status) => {
    const user = await newUser();
    expect((await user.import(file, '', type)).statusCode).toBe(status);
  });

  it('succeeds while bodies of others trickle in', async () => {
    const eve = await newUser();
    const sockets = Array.from({ length: 12 }, () => connect({ host: '127.0.0.1', port: server.port }));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    await Promise.all(
      sockets.map(async (socket, at) => {
        socket.write(
          `POST /v1/users/e${at}/import HTTP/1.1\r\nHost: larder\r\nAuthorization: Bearer ${eve.key}\r\n` +
            'Content-Type: text/csv\r\nContent-Length: 5000\r\nExpect: 100-continue\r\n\r\n',
        );
        // The service has begun to read the body.
        expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 100 /);
        socket.write('D');
      }),
    );
    expect((await eve.import('{"larderExport":1}')).statusCode).toBe(200);
    expect((await (await newUser()).import('{"larderExport":1}')).statusCode).toBe(200);
  });

  it('needs the scope foods:write only for foods', async () => {
    const user = await newUser();
    await post(user, '/v1/foods', {
      name: 'Jam',
      userId: 'ann',
      servingSize: { value: 10, unit: 'g' },
      macros: { energy: 20 },
    });
    const file = await user.export();
    const key = await server.createKey(['diary:read', 'diary:write'], undefined, `t${++tenants}`);
    const ask = (payload: string) =>
      server.ask({
        method: 'POST',
        url: '/v1/users/ann/import',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'text/plain' },
        payload,
      });
    expect((await ask(file)).json().error).toMatchObject({
      code: 'forbidden',
      details: { scope: 'foods:write' },
    });
    expect((await ask('{"larderExport":1}')).statusCode).toBe(200);
  });
});

describe('the import of a table of foods', () => {
  const FAMILY =
    'Name;Marke;EAN;kcal pro 100 g;Eiweiß pro 100 g\nOmas Kuchen;;;350,5;6\nMüsli;Mühle;4006381333931;380;11\nStein;;;0;200\n';
  const foodsOf = async (user: User) => (await user.ask('GET', '/v1/foods')).json();
  const send = async (user: User, query = '', key = user.key) =>
    server.ask({
      method: 'POST',
      url: `/v1/foods/import${query}`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
      payload: FAMILY,
    });

  it('adds foods once, shared or for a user, and reports problems', async () => {
    const user = await newUser();
    expect((await send(user, '?preview=true')).json()).toMatchObject({
      format: 'foods',
      preview: true,
      foods: { added: 2, refused: 1 },
    });
    expect(await foodsOf(user)).toEqual([]);
    const answer = (await send(user)).json();
    expect(answer).toMatchObject({
      foods: { found: 3, added: 2 },
      problems: [{ line: 4, column: 'macros.protein' }],
    });
    expect((await send(user)).json().foods).toMatchObject({ added: 0, present: 2 });
    expect(
      (await foodsOf(user))
        .map(({ name, shared }: { name: string; shared: boolean }) => [name, shared])
        .sort(),
    ).toEqual([
      ['Müsli', true],
      ['Omas Kuchen', true],
    ]);
    expect((await send(user, '?userId=ann')).json().foods).toMatchObject({ added: 2 });
    const found = await user.ask('GET', '/v1/foods/barcode/4006381333931?userId=ann');
    expect(found.json()).toMatchObject({ name: 'Müsli', userId: 'ann', macros: { energy: 380 } });
  });

  it('does not restore deleted foods, and does not change foods of others', async () => {
    const user = await newUser();
    await send(user, '?userId=ann');
    for (const { id } of await foodsOf(user)) await user.ask('DELETE', `/v1/foods/${id}`);
    expect((await send(user, '?userId=ann')).json().foods).toMatchObject({ added: 0, deleted: 2 });
    const token = (
      await user.ask('POST', '/v1/auth/token', {
        client_secret: user.key,
        user_id: 'bob',
        scope: 'foods:write',
      })
    ).json();
    expect((await send(user, '?userId=ann', token.access_token)).statusCode).toBe(403);
    expect((await send(user, '', token.access_token)).json().foods).toMatchObject({ added: 2 });
  });
});

it('an import that reaches the quota says how much is left, and can be continued later', async () => {
  await using small = await openTestServer({ settings: { LARDER_NEW_ENTRIES_PER_USER: '1000' } });
  const key = await small.createKey(SCOPES);
  const entryOf = (at: number) =>
    JSON.stringify({
      entry: {
        id: crypto.randomUUID(),
        date: '2020-01-31',
        mealType: 'lunch',
        foodName: `Soup ${at}`,
        calories: 1,
        createdAt: '2020-01-31T12:00:00.000Z',
        updatedAt: '2020-01-31T12:00:00.000Z',
      },
    });
  const file = Array.from({ length: 1_050 }, (_, at) => entryOf(at)).join('\n');
  const answer = await small.ask({
    method: 'POST',
    url: '/v1/users/ann/import',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/plain' },
    payload: file,
  });
  expect(answer.json()).toMatchObject({
    entries: { found: 1_050, added: 1_000, left: 50 },
    stopped: { code: 'quota_exceeded' },
  });
});
