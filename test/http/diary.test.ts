import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { todayIn } from '../../src/diary/records/day.ts';
import { type DiaryUsers, openDiaryUsers, SOUP } from '../support/diary-users.ts';
import { KNOWN, SPREAD } from '../support/foods.ts';
import { answered } from '../support/nutrients.ts';

const PLACE = { date: '2026-01-31', mealType: 'lunch' };

let users: DiaryUsers;
let newUser: DiaryUsers['newUser'];
beforeAll(async () => {
  users = await openDiaryUsers();
  ({ newUser } = users);
});
afterAll(() => users[Symbol.asyncDispose]());

describe('entries', () => {
  it('a new entry is returned with 201, Location and ETag, and is read back unchanged', async () => {
    const { path, id, send } = newUser();
    const created = await send('POST', '/diary', SOUP);
    expect(created.statusCode).toBe(201);
    const entry = created.json();
    expect(entry).toEqual({
      ...answered(SOUP),
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      version: 1,
      userId: id,
      addedMethod: 'manual',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: entry.createdAt,
    });
    expect(created.headers['location']).toBe(`${path}/diary/${entry.id}`);
    const read = await send('GET', `/diary/${entry.id}`);
    expect([read.statusCode, read.json(), read.headers['etag']]).toEqual([200, entry, '"1"']);
    expect((await send('GET', '/diary?date=2026-01-31')).json()).toEqual([entry]);
  });

  it('an entry without a food gets the list of possible sources, and a batch the address of its own', async () => {
    const { send } = newUser();
    const { date, mealType } = SOUP;
    const sources = ['foodName', 'foodId', 'barcode', 'recipeId'];
    const one = (await send('POST', '/diary', { date, mealType })).json().error;
    expect(one.message).toBe('Give exactly one of foodName, foodId, barcode, recipeId.');
    expect(one.details.fields).toEqual(sources);
    const inList = (await send('POST', '/diary/batch', [{ date, mealType }])).json().error;
    expect(inList.details.fields).toEqual(sources.map((field) => `[0].${field}`));
    expect(inList.details.index).toBe(0);
    const several = await send('POST', '/diary', [SOUP]);
    expect([several.statusCode, several.json().error.message]).toEqual([
      400,
      'The body does not fit: an array of entries must be sent to POST …/diary/batch.',
    ]);
  });

  it('an entry from a food is computed from it', async () => {
    const { send } = newUser();
    const { date, mealType } = SOUP;
    const made = await send('POST', '/diary', {
      date,
      mealType,
      foodId: SPREAD.id,
      quantity: 2,
      unit: 'serving',
    });
    expect(made.json()).toMatchObject({
      foodName: SPREAD.name,
      calories: 161.7,
      quantity: 2,
      unit: 'serving',
    });
    const scanned = { date, mealType, barcode: '3017620422003', quantity: 15, unit: 'g' };
    expect((await send('POST', '/diary', scanned)).json()).toMatchObject({
      addedMethod: 'barcode',
      calories: 80.85,
    });
  });

  it('an entry has the time eaten and a note until null removes them', async () => {
    const { send } = newUser();
    const details = { eatenAt: '2026-02-01T00:30:00.5+05:45', note: 'At Luigi’s,\n"no sauce"' };
    const { id } = (await send('POST', '/diary', { ...SOUP, ...details, note: ` ${details.note}\n` })).json();
    const read = async () => (await send('GET', '/diary?date=2026-01-31')).json()[0];
    expect(await read()).toMatchObject({ ...SOUP, ...details });
    const csv = (await send('GET', '/diary/export?format=csv')).body;
    expect(csv).toContain(`,${details.eatenAt},"At Luigi’s,\n""no sauce""",`.slice(0, -1));
    const later = { eatenAt: '2026-01-31T23:30:00Z' };
    expect((await send('PATCH', `/diary/${id}`, later)).json()).toMatchObject({ ...details, ...later });
    expect((await send('PATCH', `/diary/${id}`, { fat: 1 })).json()).toMatchObject({ ...details, ...later });
    const { eatenAt: _, ...noted } = (await send('PATCH', `/diary/${id}`, { eatenAt: null })).json();
    expect(noted).toMatchObject({ note: details.note });
    expect(await read()).toEqual(noted);
    await send('PATCH', `/diary/${id}`, { note: null });
    expect(await read()).not.toHaveProperty('note');
  });

  it.each([
    { eatenAt: '2026-01-31T12:30:00' },
    { eatenAt: '2026-02-30T12:30:00Z' },
    { note: ' ' },
    { note: 'x'.repeat(501) },
  ])('a time without an offset, an empty note and a long note are rejected: %j', async (details) => {
    const { send } = newUser();
    const { id } = (await send('POST', '/diary', SOUP)).json();
    const fields = Object.keys(details);
    for (const refused of [
      await send('POST', '/diary', { ...SOUP, ...details }),
      await send('PATCH', `/diary/${id}`, details),
    ]) {
      expect([refused.statusCode, refused.json().error.details.fields]).toEqual([400, fields]);
    }
  });

  it('a unit that does not fit the food is rejected with the list of possible units', async () => {
    const { date, mealType } = SOUP;
    const refused = await newUser().send('POST', '/diary', {
      date,
      mealType,
      foodId: SPREAD.id,
      quantity: 2,
      unit: 'slices',
    });
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error).toMatchObject({
      code: 'invalid_request',
      details: { fields: ['unit'], possible: expect.arrayContaining(['g', 'oz', 'serving']) },
    });
  });

  it.each(['9999999999994', KNOWN.barcode, '20-1234-512345'])(
    'an unknown barcode, %s, gets the same error as GET of that barcode',
    async (barcode) => {
      const { send } = newUser();
      const { fixture } = users;
      const asked = await fixture.ask({
        url: `/v1/foods/barcode/${barcode}`,
        headers: { authorization: `Bearer ${fixture.key}` },
      });
      const { code, details } = asked.json().error;
      const { date, mealType } = SOUP;
      const eaten = { barcode, quantity: 1, unit: 'serving' };
      const refused = [
        await send('POST', '/diary', { date, mealType, ...eaten }),
        await send('POST', '/diary/batch', [SOUP, { date, mealType, ...eaten }]),
        await send('POST', '/recipes', { name: 'Jam', servings: 1, ingredients: [eaten] }),
      ];
      const places = [
        { fields: ['barcode'] },
        { fields: ['[1].barcode'], index: 1 },
        { fields: ['ingredients[0].barcode'], index: 0 },
      ];
      expect(refused.map((answer) => [answer.statusCode, answer.json().error])).toEqual(
        places.map((place) => [
          asked.statusCode,
          expect.objectContaining({ code, details: { ...details, ...place } }),
        ]),
      );
      expect([asked.statusCode, code]).toEqual([404, 'barcode_not_found']);
    },
  );

  it('an array is written as a whole or not at all', async () => {
    const { send } = newUser();
    const written = await send('POST', '/diary/batch', [SOUP, { ...SOUP, mealType: 'dinner' }]);
    expect([written.statusCode, written.json().length]).toEqual([201, 2]);
    const refused = await send('POST', '/diary/batch', [SOUP, { ...SOUP, fat: -1 }]);
    expect([refused.statusCode, refused.json().error.details]).toEqual([400, { fields: ['[1].fat'] }]);
    expect((await send('POST', '/diary', Array(101).fill(SOUP))).statusCode).toBe(400);
    expect((await send('POST', '/diary/batch', [])).statusCode).toBe(400);
    expect((await send('GET', '/diary?date=2026-01-31')).json()).toHaveLength(2);
  });

  it.each([
    ['an unknown field', { ...SOUP, colour: 'red' }, ['colour']],
    ['text for a number', { ...SOUP, fat: '5' }, ['fat']],
    [
      'a number that no JSON has',
      '{"date":"2026-01-31","mealType":"lunch","foodName":"x","calories":1e999,"protein":0,"carbs":0,"fat":0}',
      ['calories'],
    ],
    ['too many calories', { ...SOUP, calories: 20_001 }, ['calories']],
    ['a meal that is none', { ...SOUP, mealType: 'brunch' }, ['mealType']],
    ['no such day', { ...SOUP, date: '2025-02-29' }, ['date']],
    ['nothing to eat', { date: SOUP.date, mealType: 'lunch' }, ['foodName', 'foodId', 'barcode', 'recipeId']],
  ])('%s: 400 with the name of the field', async (_what, payload, fields) => {
    const refused = await newUser().send('POST', '/diary', payload, { 'content-type': 'application/json' });
    expect([refused.statusCode, refused.json().error.details.fields]).toEqual([400, fields]);
  });

  it.each(['entry', 'recipe'])('a conditional GET of an unchanged resource returns 304: %s', async (kind) => {
    const { send } = newUser();
    const { date, mealType, ...ingredient } = SOUP;
    const [place, made] =
      kind === 'entry'
        ? ['/diary', await send('POST', '/diary', SOUP)]
        : [
            '/recipes',
            await send('POST', '/recipes', { name: 'Soup', servings: 1, ingredients: [ingredient] }),
          ];
    const read = (tags: string) =>
      send('GET', `${place}/${made.json().id}`, undefined, { 'if-none-match': tags });
    for (const tags of ['"1"', 'W/"1"', '*', '"other", "1"']) {
      const { statusCode, body, headers } = await read(tags);
      expect([statusCode, body, headers['etag'], headers['content-length']]).toEqual([
        304,
        '',
        '"1"',
        undefined,
      ]);
    }
    for (const tags of ['"2"', '1', '"0", W/"11"']) expect((await read(tags)).statusCode).toBe(200);
  });

  it("two devices cannot overwrite each other's changes unnoticed", async () => {
    const { send } = newUser();
    const { id } = (await send('POST', '/diary', SOUP)).json();
    const change = (payload: object, tag?: string) =>
      send('PATCH', `/diary/${id}`, payload, tag === undefined ? {} : { 'if-match': tag });
    const first = await change({ foodName: 'Stew' }, '"1"');
    expect([first.statusCode, first.headers['etag'], first.json().foodName]).toEqual([200, '"2"', 'Stew']);
    for (const stale of ['"1"', 'W/"2"', '"nonsense"']) {
      const second = await change({ foodName: 'Broth' }, stale);
      expect([second.statusCode, second.json().error.code]).toEqual([412, 'version_conflict']);
      expect((await send('DELETE', `/diary/${id}`, undefined, { 'if-match': stale })).statusCode).toBe(412);
    }
    expect((await change({ fat: 1 }, '2')).statusCode).toBe(400);
    expect((await change({ fat: 1 }, '*')).statusCode).toBe(200);
    expect((await change({ fiber: 3 })).json()).toMatchObject({ foodName: 'Stew', fat: 1, fiber: 3 });
    const removed = await send('DELETE', `/diary/${id}`, undefined, { 'if-match': '"4"' });
    expect([removed.statusCode, removed.body]).toEqual([204, '']);
    for (const method of ['GET', 'DELETE'] as const) {
      const gone = await send(method, `/diary/${id}`);
      expect([gone.statusCode, gone.json().error.code]).toEqual([404, 'diary_entry_not_found']);
    }
  });
});

describe('a value that a database cannot store', () => {
  it.each(['nothing\0more', 'half a pair \ud83e'])('is rejected in names and units: %j', async (text) => {
    const { send } = newUser();
    const { json } = await send('POST', '/diary', SOUP);
    const ingredients = [{ foodName: 'Toast', calories: 100, protein: 3, carbs: 20, fat: 1 }];
    const answers = [
      await send('POST', '/diary', { ...SOUP, foodName: text }),
      await send('POST', '/diary', { ...SOUP, quantity: 1, unit: text }),
      await send('PATCH', `/diary/${json().id}`, { foodName: text }),
      await send('POST', '/recipes', { name: text, servings: 1, ingredients }),
    ];
    expect(answers.map((answer) => [answer.statusCode, answer.json().error.details.fields])).toEqual([
      [400, ['foodName']],
      [400, ['unit']],
      [400, ['foodName']],
      [400, ['name']],
    ]);
  });

  it('is rejected in an address', async () => {
    const { send } = newUser();
    expect((await send('GET', '/recipes?after=%00')).json().error.details).toEqual({ parameter: 'after' });
    expect((await send('GET', '/recipes/%00')).statusCode).toBe(404);
  });

  it('is rejected as a record version, however large', async () => {
    const { send } = newUser();
    const { id } = (await send('POST', '/diary', SOUP)).json();
    const far = { 'if-match': '"99999999999"' };
    expect((await send('DELETE', `/diary/${id}`, undefined, far)).statusCode).toBe(412);
    expect((await send('PATCH', `/diary/${id}`, { calories: 1 }, far)).statusCode).toBe(412);
  });

  it('is rejected as an amount: zero times an infinite factor', async () => {
    const { send } = newUser();
    const nothing = { ...SOUP, calories: 0, protein: 0, carbs: 0, fat: 0, quantity: 5e-324, unit: 'g' };
    const { id } = (await send('POST', '/diary', nothing)).json();
    const changed = await send('PATCH', `/diary/${id}`, { quantity: 1 });
    expect([changed.statusCode, changed.json().error.code]).toEqual([400, 'invalid_request']);
  });
});

describe('an entry that is sent back as it was read', () => {
  it.each([
    ['with amounts', SOUP],
    ['with unknown amounts', { ...PLACE, foodName: 'Soup', calories: 200 }],
    ['of a food', { ...PLACE, foodId: SPREAD.id, quantity: 37, unit: 'g' }],
    ['with a note and a time', { ...SOUP, note: 'hot', eatenAt: '2026-01-31T12:30:00+01:00' }],
  ])('%s does not change', async (_, body) => {
    const { send } = newUser();
    const entry = (await send('POST', '/diary', body)).json();
    const changed = await send('PATCH', `/diary/${entry.id}`, entry);
    expect([changed.statusCode, changed.json()]).toEqual([
      200,
      { ...entry, version: 2, updatedAt: expect.any(String) },
    ]);
    // The exact amounts are still there, not the rounded ones that were sent.
    const twice = await send('PATCH', `/diary/${entry.id}`, { quantity: 74, unit: 'g' });
    const { id: __, ...fields } = body as { id?: string };
    const other = (await send('POST', '/diary', { ...fields, quantity: 74, unit: 'g' })).json();
    if ('foodId' in body) expect(twice.json().calories).toBe(other.calories);
  });

  it('is added once more, without what only the service writes', async () => {
    const { send } = newUser();
    const { id, ...entry } = (
      await send('POST', '/diary', { ...PLACE, foodName: 'Soup', calories: 200 })
    ).json();
    const again = await send('POST', '/diary', entry);
    expect([again.statusCode, again.json()]).toEqual([
      201,
      {
        ...entry,
        id: expect.not.stringMatching(id),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
  });

  it.each([
    ['id', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['userId', 'somebody'],
    ['foodId', 'fdc:1'],
    ['createdAt', '2020-01-01T00:00:00.000Z'],
  ])('with another %s is rejected', async (field, value) => {
    const { send } = newUser();
    const entry = (await send('POST', '/diary', SOUP)).json();
    const refused = await send('PATCH', `/diary/${entry.id}`, { ...entry, [field]: value });
    expect([refused.statusCode, refused.json().error.details]).toEqual([400, { fields: [field] }]);
  });

  it('after another change is a conflict', async () => {
    const { send } = newUser();
    const entry = (await send('POST', '/diary', SOUP)).json();
    const current = (await send('PATCH', `/diary/${entry.id}`, { fat: 7 })).json();
    const refused = await send('PATCH', `/diary/${entry.id}`, entry);
    expect([refused.statusCode, refused.json().error.details]).toEqual([412, { current }]);
  });
});

describe('days', () => {
  it('totals are exact sums, zero on an empty day, with one object per day of a range', async () => {
    const { send } = newUser();
    await send('POST', '/diary/batch', [
      { ...SOUP, fat: 0.1, sodium: 0.3 },
      { ...SOUP, fat: 0.2, fiber: 1.005 },
    ]);
    const sums = answered({
      ...{ calories: 461, protein: 24.8, carbs: 62, fat: 0.3, fiber: 1.005, sodium: 0.3 },
      unknown: ['fiber', 'sodium'],
      statedBy: { fiber: 1, sodium: 1 },
      entries: 2,
    });
    const zero = answered({ calories: 0, protein: 0, carbs: 0, fat: 0, fiber: 0, sodium: 0 });
    expect((await send('GET', '/diary/totals?date=2026-01-31')).json()).toEqual(sums);
    expect((await send('GET', '/diary/totals?date=2026-02-01')).json()).toEqual({ ...zero, entries: 0 });
    expect((await send('GET', '/diary/totals/days?from=2026-01-30&to=2026-01-31')).json()).toEqual([
      { date: '2026-01-30', entries: 0, ...zero },
      { date: '2026-01-31', ...sums },
    ]);
  });

  it('totals include the sums per meal on request', async () => {
    const { send } = newUser();
    await send('POST', '/diary/batch', [
      SOUP,
      { ...SOUP, fat: 1, sodium: 2 },
      { ...SOUP, mealType: 'snacks', fat: 0.1 },
    ]);
    const ask = async (query: string) => (await send('GET', `/diary/totals?${query}`)).json();
    const sums = { calories: 230.5, protein: 12.4, carbs: 31, fiber: 0 };
    const zero = answered({ calories: 0, protein: 0, carbs: 0, fat: 0, fiber: 0, sodium: 0 });
    const twice = { calories: 461, protein: 24.8, carbs: 62, fat: 6.2, fiber: 0, sodium: 2 };
    const unknown = ['fiber', 'sodium'];
    const day = await ask('date=2026-01-31&by=meal');
    expect(day).toEqual({
      ...(await ask('date=2026-01-31')),
      meals: {
        breakfast: zero,
        lunch: answered({ ...twice, unknown, statedBy: { fiber: 0, sodium: 1 } }),
        dinner: zero,
        snacks: answered({ ...sums, fat: 0.1, sodium: 0, unknown, statedBy: { fiber: 0, sodium: 0 } }),
      },
    });
    const range = 'from=2026-01-30&to=2026-01-31&by=meal&remaining=true';
    expect((await send('GET', `/diary/totals/days?${range}`)).json()).toEqual([
      expect.objectContaining({ date: '2026-01-30', meals: expect.objectContaining({ lunch: zero }) }),
      { date: '2026-01-31', ...day, goals: answered({}), remaining: answered({}) },
    ]);
    expect((await send('GET', '/diary/totals?date=2026-01-31&by=day')).statusCode).toBe(400);
  });

  it.each([
    '',
    '?date=',
    '?date=2026-02-30',
    '?date=2026-01-01&date=2026-01-02',
    '?from=2026-01-01&to=2026-01-01',
    '?date=2026-01-01&to=2026-01-01',
  ])('"%s" is rejected as a day with 400', async (query) => {
    await expectWrongDays(['/diary', '/diary/totals'], query);
  });

  it.each([
    '',
    '?from=2026-01-01',
    '?to=2026-01-01',
    '?date=2026-01-01',
    '?from=2026-01-02&to=2026-01-01',
    '?from=2025-01-01&to=2026-01-02',
    '?from=2026-02-30&to=2026-03-01',
  ])('"%s" is rejected as a range with 400', async (query) => {
    await expectWrongDays(['/diary/entries', '/diary/totals/days'], query);
  });

  async function expectWrongDays(paths: readonly string[], query: string): Promise<void> {
    const { send } = newUser();
    for (const path of paths) {
      const refused = await send('GET', path + query);
      expect([refused.statusCode, refused.json().error]).toEqual([
        400,
        expect.objectContaining({
          code: 'invalid_query',
          details: expect.objectContaining({ parameter: expect.stringMatching(/^(?:date|from|to)$/) }),
        }),
      ]);
    }
  }

  it('a meal is copied to another day', async () => {
    const { send } = newUser();
    await send('POST', '/diary/batch', [SOUP, { ...SOUP, mealType: 'dinner' }]);
    const copy = { from: '2026-01-31', to: '2026-02-01', mealType: 'lunch', toMealType: 'snacks' };
    const copied = await send('POST', '/diary/copy', copy);
    expect([copied.statusCode, copied.json()]).toMatchObject([
      201,
      [{ date: '2026-02-01', mealType: 'snacks' }],
    ]);
    expect((await send('GET', '/diary?date=2026-02-01')).json()).toEqual(copied.json());
    expect((await send('POST', '/diary/copy', { ...copy, to: 'tomorrow' })).statusCode).toBe(400);
  });

  it('the export contains every entry, as JSON and as CSV', async () => {
    const { send } = newUser();
    expect((await send('GET', '/diary/export')).json()).toEqual([]);
    const [first, second] = (
      await send('POST', '/diary/batch', [SOUP, { ...SOUP, date: '2026-02-01' }])
    ).json();
    const json = await send('GET', '/diary/export?format=json');
    expect([json.headers['content-type'], json.json()]).toEqual([
      'application/json; charset=utf-8',
      [first, second],
    ]);
    const csv = await send('GET', '/diary/export?format=csv&from=2026-02-01&to=2026-02-28');
    expect(csv.headers['content-type']).toMatch(/^text\/csv/);
    expect(csv.body.split('\r\n')).toHaveLength(3);
    expect(csv.body).toContain(
      '\r\n2026-02-01,lunch,"Lentil soup ""de luxe""",230.5,12.4,31,5.2,,,,,manual,',
    );
    expect((await send('GET', '/diary/export?format=xml')).statusCode).toBe(400);
  });

  it('goals apply from their day on, and totals state what remains', async () => {
    const { send } = newUser();
    expect((await send('GET', '/goals')).json()).toEqual({});
    const first = { from: '2026-01-01', calories: 2000, protein: 100 };
    const put = await send('PUT', '/goals', first);
    expect([put.statusCode, put.json()]).toEqual([200, answered({ ...first, version: 1 })]);
    await send('PUT', '/goals', { from: '2026-02-01', calories: 1800 });
    expect((await send('GET', '/goals?date=2026-01-31')).json()).toEqual(answered({ ...first, version: 2 }));
    expect((await send('GET', '/goals')).json()).toEqual(
      answered({ from: '2026-02-01', calories: 1800, version: 2 }),
    );
    expect((await send('GET', '/goals?date=2026-01-31&history=true')).json()).toEqual({
      ...answered({ ...first, version: 2 }),
      all: [answered(first), answered({ from: '2026-02-01', calories: 1800 })],
    });
    await send('POST', '/diary', SOUP);
    expect((await send('GET', '/diary/totals?date=2026-01-31&remaining=true')).json()).toMatchObject({
      calories: 230.5,
      goals: { calories: 2000, protein: 100 },
      remaining: { calories: 1769.5, protein: 87.6 },
    });
    expect((await send('PUT', '/goals', { calories: -1 })).statusCode).toBe(400);
    expect((await send('PUT', '/goals', { water: 1 })).json().error.details.fields).toEqual(['water']);
  });

  it("goals without a day apply from today in the request's time zone and keep earlier goals", async () => {
    const { send } = newUser();
    const before = { from: '2026-01-01', calories: 2000 };
    await send('PUT', '/goals', before);
    const bounds = () => ['Etc/GMT+12', 'UTC', 'Pacific/Kiritimati'].map((zone) => todayIn(zone, Date.now()));
    for (const [at, timeZone] of ['Etc/GMT+12', undefined, 'Pacific/Kiritimati'].entries()) {
      const earliest = bounds()[at]!;
      const { from } = (await send('PUT', '/goals', { calories: 1800, timeZone })).json();
      expect(from >= earliest && from <= bounds()[at]!).toBe(true);
      expect((await send('GET', '/goals?date=2026-01-31')).json()).toMatchObject(before);
      expect((await send('GET', `/goals?date=${from}`)).json()).toEqual(
        answered({ from, calories: 1800, version: at + 2 }),
      );
    }
    const wrong = await send('PUT', '/goals', { calories: 1800, timeZone: 'Mars/Olympus' });
    expect([wrong.statusCode, wrong.json().error.details.fields]).toEqual([400, ['timeZone']]);
    expect((await send('PUT', '/goals', {})).statusCode).toBe(400);
    expect((await send('GET', '/goals?date=2026-01-31')).json()).toMatchObject(before);
  });

  it('goals replace their history on request', async () => {
    const { send } = newUser();
    await send('PUT', '/goals', { from: '2026-01-01', calories: 2000 });
    await send('PUT', '/goals', { from: '2026-02-01', calories: 1900 });
    const always = await send('PUT', '/goals', { calories: 1800, replaceHistory: true });
    expect([always.statusCode, always.json()]).toEqual([200, answered({ calories: 1800, version: 3 })]);
    expect((await send('GET', '/goals?date=2020-01-01')).json()).toEqual(
      answered({ calories: 1800, version: 3 }),
    );
    await send('PUT', '/goals', { from: '2026-03-01', calories: 1700, replaceHistory: true });
    expect((await send('GET', '/goals?date=2026-02-28')).json()).toEqual({ version: 4 });
    expect((await send('PUT', '/goals', { replaceHistory: true })).json()).toEqual(answered({ version: 5 }));
    expect((await send('GET', '/goals')).json()).toEqual(answered({ version: 5 }));
  });
});

describe('retries', () => {
  it('a repeated POST with one Idempotency-Key writes once and gets the same response', async () => {
    const { send } = newUser();
    const named = { 'idempotency-key': 'lunch' };
    const [first, second] = [
      await send('POST', '/diary', SOUP, named),
      await send('POST', '/diary', SOUP, named),
    ];
    expect([second.statusCode, second.body]).toEqual([201, first.body]);
    expect([second.headers['etag'], second.headers['location']]).toEqual(['"1"', first.headers['location']]);
    expect((await send('POST', '/diary', { ...SOUP, fat: 1 }, named)).statusCode).toBe(409);
    expect((await send('GET', '/diary?date=2026-01-31')).json()).toHaveLength(1);
  });
});
