import { describe, expect, it } from 'vitest';
import { SCOPES, type Scope } from '../../src/access/api-key.ts';
import { ERAS, openMcpSession } from '../support/mcp-client.ts';
import { openTestServer } from '../support/test-server.ts';

const READING = ['foods:read', 'diary:read'] as const;
const READ_TOOLS = [
  ...['search_foods', 'lookup_barcode', 'read_meal', 'get_custom_foods'],
  ...['get_day', 'get_trend', 'recent_foods', 'get_saved', 'get_recipes'],
];

const server = await openTestServer();
const address = (query = '') => `http://127.0.0.1:${server.port}/mcp${query}`;
const keyWith = (...scopes: readonly Scope[]) => server.createKey(scopes);
const allScopes = await keyWith(...SCOPES);

async function tokenOf(user: string): Promise<string> {
  const payload = { client_secret: allScopes, user_id: user };
  return (await server.ask({ method: 'POST', url: '/v1/auth/token', payload })).json().access_token;
}

async function write(user: string, entries: readonly object[]) {
  const headers = { authorization: `Bearer ${allScopes}` };
  const answer = await server.ask({
    method: 'POST',
    url: `/v1/users/${user}/diary/batch`,
    headers,
    payload: entries,
  });
  expect(answer.statusCode).toBe(201);
}

describe.each(ERAS)('in the revision %s', (era) => {
  const open = (credential: string, query?: string) => openMcpSession(address(query), credential, era);

  it('lists the tools that the scopes of a key allow, each with a complete description', async () => {
    await using session = await open(await keyWith(...READING));
    const { tools } = await session.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(READ_TOOLS);
    for (const tool of tools) {
      expect(tool).toMatchObject({
        title: expect.any(String),
        description: expect.any(String),
        annotations: { readOnlyHint: true },
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
      });
      expect(tool.description!.length).toBeLessThan(300);
    }
    await using ofFoods = await open(server.key);
    expect((await ofFoods.client.listTools()).tools).toHaveLength(4);
    expect(await ofFoods.call('get_day', { userId: 'ann', date: '2026-01-31' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/scope diary:read.*code: forbidden/),
    });
  });

  it('finds foods, with a unit in the name of each number', async () => {
    await using session = await open(server.key);
    const { foods } = await session.result('search_foods', { query: 'spread' });
    expect(foods[0]).toMatchObject({
      foodId: 'off:3017620422003',
      serving: '1 tbsp (15 g)',
      nutrients: { energy: 81, protein: 0.95, sodium: 6.45 },
      per100Unit: 'g',
    });
    const { food } = await session.result('lookup_barcode', { barcode: '3017620422003' });
    expect(food).toEqual(foods[0]);
    expect(await session.call('lookup_barcode', { barcode: '96385074' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('code: barcode_not_found'),
    });
  });

  it('finds own recipes, reads them in a text, and logs them by their food', async () => {
    const user = `cook-${era}`;
    const made = await server.ask({
      method: 'POST',
      url: `/v1/users/${user}/recipes`,
      headers: { authorization: `Bearer ${allScopes}` },
      payload: {
        name: 'Grandma spread',
        servings: 4,
        ingredients: [{ foodName: 'Cocoa', calories: 400, protein: 20 }],
      },
    });
    const { id: recipeId } = made.json();
    await using session = await open(await tokenOf(user));
    const { foods } = await session.result('search_foods', { query: 'grandma spread' });
    expect(foods[0]).toMatchObject({
      foodId: `recipe:${recipeId}`,
      serving: '1 serving',
      nutrients: { energy: 100, protein: 5 },
      servings: [{ quantity: 1, unit: 'serving' }],
    });
    const read = await session.result('read_meal', { text: '2 servings of grandma spread' });
    expect(read.items[0]).toMatchObject({ servings: 2, food: { foodId: foods[0].foodId } });
    expect(read.items[0]).not.toHaveProperty('grams');
    expect(read.totals[0]).toMatchObject({ nutrient: 'energy', amount: 200 });
    const day = { date: '2026-01-31', mealType: 'lunch' };
    const amount = { foodId: foods[0].foodId, quantity: 2, unit: 'serving' };
    const logged = await session.result('log_meal', { ...day, foods: [amount] });
    expect(logged.written[0]).toMatchObject({ recipeId, quantity: 2, unit: 'serving' });
    const told = await session.result('log_meal', { ...day, text: 'a serving of grandma spread' });
    expect(told.written[0]).toMatchObject({ recipeId, quantity: 1 });
    const starred = await session.result('add_favourite', {
      name: 'Grandma spread',
      foodId: foods[0].foodId,
    });
    expect(starred.favourite).toMatchObject({ recipeId });
    expect(starred.favourite).not.toHaveProperty('foodId');
    expect(told.understood[0]).not.toHaveProperty('grams');
  });

  it('saves, reads, changes and deletes recipes, each of their user', async () => {
    await using session = await open(allScopes, `?userId=baker-${era}`);
    const ingredients = ['200 g banana', { foodName: 'Stock', nutrients: { energy: 30 } }];
    const written = { name: 'Stew', servings: 2, ingredients };
    const { recipe } = await session.result('save_recipe', written);
    expect(recipe).toMatchObject({
      ...{ version: 1, name: 'Stew', servings: 2 },
      ingredients: [
        { text: '200 g banana', quantity: 200, unit: 'g' },
        { name: 'Stock', nutrients: { energy: 30 } },
      ],
    });
    const { recipeId } = recipe;
    expect((await session.result('save_recipe', written)).repeated).toBeDefined();
    const listed = await session.result('get_recipes', {});
    expect(listed.recipes).toEqual([expect.objectContaining({ recipeId, perServing: recipe.perServing })]);
    expect(listed.recipes[0]).not.toHaveProperty('ingredients');
    const changed = await session.result('save_recipe', { recipeId, version: 1, servings: 4 });
    expect(changed.recipe).toMatchObject({ version: 2, servings: 4, ingredients: recipe.ingredients });
    expect((await session.result('get_recipes', { recipeId })).recipes).toEqual([changed.recipe]);
    for (const [tool, given, code] of [
      ['save_recipe', { recipeId, version: 1, servings: 3 }, 'version_conflict'],
      ['save_recipe', { name: 'x', servings: 1, ingredients: ['200 g zzxqy'] }, 'unresolved_items'],
      ['save_recipe', { name: 'x' }, 'invalid_request'],
      ['delete_recipe', { recipeId, version: 1 }, 'version_conflict'],
    ] as const) {
      const answer = await session.call(tool, given);
      expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(`code: ${code}`) });
    }
    const unclear = { name: 'y', servings: 1, ingredients: ['200 g banana', '200 g zzxqy'], partial: true };
    const partly = await session.result('save_recipe', unclear);
    expect(partly.unresolvedItems).toMatchObject([{ unresolved: 'food' }]);
    await using other = await open(await tokenOf(`stranger-${era}`));
    expect(await other.call('delete_recipe', { recipeId })).toMatchObject({
      isError: true,
      text: expect.stringContaining('code: recipe_not_found'),
    });
    expect(await session.result('delete_recipe', { recipeId })).toEqual({ deleted: recipeId });
    expect((await session.result('get_recipes', {})).recipes).toHaveLength(1);
  });

  it('saves, reads, changes and deletes custom foods, each of their user unless it is shared', async () => {
    const user = `grower-${era}`;
    await using session = await open(allScopes, `?userId=${user}`);
    const jam = {
      ...{ name: `Jam of ${era}`, brand: 'Aunt', aliases: ['Powidl'] },
      serving: { quantity: 20, unit: 'g' },
      nutrients: { energy: 48, sugars: 11 },
    };
    const { food } = await session.result('save_food', jam);
    expect(food).toMatchObject({
      ...{ version: 1, brand: 'Aunt', aliases: ['Powidl'], serving: '20 g' },
      nutrients: { energy: 48, sugars: 11 },
    });
    const { foodId } = food;
    expect((await session.result('save_food', jam)).repeated).toBeDefined();
    await using other = await open(allScopes, `?userId=neighbour-${era}`);
    const idsOf = async (of: typeof session) =>
      (await of.result('get_custom_foods', {})).foods.map((each: { foodId: string }) => each.foodId);
    expect(await idsOf(session)).toContain(foodId);
    expect(await idsOf(other)).not.toContain(foodId);
    const change = { foodId, version: 1, brand: '', nutrients: { sugars: null }, shared: true };
    const changed = (await session.result('save_food', change)).food;
    expect(changed).toMatchObject({ version: 2, nutrients: { energy: 48 } });
    expect(changed.nutrients).not.toHaveProperty('sugars');
    expect(changed).not.toHaveProperty('brand');
    expect(await idsOf(other)).toContain(foodId);
    for (const [tool, given, code] of [
      ['save_food', { foodId, version: 1, name: 'x' }, 'version_conflict'],
      ['save_food', { name: 'x', serving: { quantity: 1, unit: 'g' } }, 'invalid_request'],
      ['save_food', { ...jam, name: 'z', barcode: '12' }, 'invalid_barcode'],
      ['delete_food', { foodId: 'manual:none' }, 'food_not_found'],
    ] as const) {
      const answer = await session.call(tool, given);
      expect([given, answer]).toMatchObject([
        given,
        { isError: true, text: expect.stringContaining(`code: ${code}`) },
      ]);
    }
    await using token = await open(await tokenOf(user));
    expect(await token.call('save_food', jam)).toMatchObject({ isError: true });
    expect(await session.result('delete_food', { foodId, version: 2 })).toEqual({ deleted: foodId });
    expect(await idsOf(other)).not.toContain(foodId);
  });

  it('keeps saved meals and favourites, and logs a saved meal once', async () => {
    await using session = await open(await tokenOf(`saver-${era}`));
    const items = [
      { foodName: 'Spread', foodId: 'off:3017620422003', quantity: 30, unit: 'g' },
      { foodName: 'Tea', nutrients: { energy: 2 } },
    ];
    const { meal } = await session.result('save_meal', { name: 'Usual breakfast', items });
    expect(meal).toMatchObject({ version: 1, items: [{ quantity: 30 }, { nutrients: { energy: 2 } }] });
    const { mealId } = meal;
    expect((await session.result('save_meal', { name: 'Usual breakfast', items })).repeated).toBeDefined();
    const renamed = await session.result('save_meal', { mealId, version: 1, name: 'Breakfast' });
    expect(renamed.meal).toMatchObject({ name: 'Breakfast', version: 2, items: [{}, {}] });
    expect(await session.call('save_meal', { mealId, version: 1, name: 'x' })).toMatchObject({
      isError: true,
    });
    const { favourite } = await session.result('add_favourite', { name: 'Breakfast', mealId });
    const saved = await session.result('get_saved', {});
    expect(saved).toMatchObject({
      meals: [{ mealId, name: 'Breakfast' }],
      favourites: [{ ...favourite, mealId }],
    });
    const place = { date: '2026-01-31', mealType: 'breakfast', mealId };
    const logged = await session.result('log_saved_meal', place);
    expect(logged.written).toMatchObject([
      { foodName: expect.any(String), quantity: 30 },
      { foodName: 'Tea' },
    ]);
    expect((await session.result('log_saved_meal', place)).repeated).toBeDefined();
    const { favouriteId } = favourite;
    expect(await session.result('delete_saved', { favouriteId })).toEqual({ deleted: favouriteId });
    expect(await session.result('delete_saved', { mealId })).toEqual({ deleted: mealId });
    expect(await session.result('get_saved', {})).toEqual({ meals: [], favourites: [] });
    expect(await session.call('delete_saved', {})).toMatchObject({ isError: true });
  });

  it('notes about a day and logs water, of which nothing logged is not 0', async () => {
    await using session = await open(await tokenOf(`drinker-${era}`));
    const day = { date: '2026-01-31' };
    const before = await session.result('get_day', day);
    expect(before).not.toHaveProperty('waterMl');
    const noted = await session.result('note_day', { ...day, note: 'Long hike.', complete: true });
    expect(noted).toMatchObject({ note: 'Long hike.', complete: true });
    expect(await session.result('note_day', { ...day, complete: false })).toMatchObject({
      note: 'Long hike.',
    });
    expect((await session.result('log_water', { ...day, milliliters: 250 })).waterMl).toBe(250);
    const again = await session.result('log_water', { ...day, milliliters: 250, idempotencyKey: 'second' });
    expect(again).toMatchObject({ addedMl: 250, waterMl: 500 });
    expect(await session.result('get_day', day)).toMatchObject({
      note: 'Long hike.',
      complete: false,
      waterMl: 500,
    });
    const removed = await session.result('note_day', { ...day, note: null });
    expect(removed).not.toHaveProperty('note');
  });

  it('reads a meal without writing it', async () => {
    await using session = await open(server.key);
    const read = await session.result('read_meal', { text: '100 g banana and a xyzzyq' });
    expect(read.items[0]).toMatchObject({ text: 'banana', grams: 100, food: { name: 'Banana, raw' } });
    expect(read.unresolvedCount + read.ignored.length).toBeGreaterThan(0);
    expect(read.totals[0]).toMatchObject({ nutrient: 'energy', unit: 'kcal', statedBy: 1, foods: 1 });
  });

  it('returns the sums of a day, and which amounts are unknown', async () => {
    const user = `ann-${era}`;
    const soup = { date: '2026-01-31', mealType: 'lunch', foodName: 'Soup', calories: 100 };
    await write(user, [
      { ...soup, protein: 5, sodium: 61 },
      { ...soup, protein: 5 },
      { ...soup, mealType: 'dinner' },
    ]);
    await using session = await open(await keyWith(...READING), `?userId=${user}`);
    const { day, meals, totals } = await session.result('get_day', { date: '2026-01-31' });
    expect(day).toEqual({ date: '2026-01-31', weekday: 'Saturday', understoodAs: 'as given' });
    expect(
      meals.map(({ mealType, entries }: { mealType: string; entries: [] }) => [mealType, entries.length]),
    ).toEqual([
      ['lunch', 2],
      ['dinner', 1],
    ]);
    const texts = Object.fromEntries(
      totals.map(({ nutrient, text }: { nutrient: string; text: string }) => [nutrient, text]),
    );
    expect(texts).toMatchObject({
      energy: '300 kcal',
      protein: 'at least 10 g; 2 of 3 foods state it',
      fat: 'unknown; 0 of 3 foods state it',
      sodium: 'at least 61 mg; 1 of 3 foods state it',
    });
    const trend = await session.result('get_trend', { to: '2026-02-01', days: 3 });
    expect(trend).toMatchObject({
      from: '2026-01-30',
      daysWithEntries: 1,
      averages: { energy: 300 },
    });
    expect(trend.days).toEqual([
      { date: '2026-01-30', entries: 'no entries' },
      {
        date: '2026-01-31',
        entries: 3,
        nutrients: { energy: 300, protein: 10, sodium: 61 },
        unknown: ['protein', 'sodium'],
      },
      { date: '2026-02-01', entries: 'no entries' },
    ]);
    expect(trend.averages).toEqual({ energy: 300, protein: 10, sodium: 61 });
    expect(trend.unknown).toContain('protein');
    expect(trend.unknown).not.toContain('energy');
    const { foods } = await session.result('recent_foods', {});
    expect(foods[0]).toMatchObject({ foodName: 'Soup', timesEaten: 3, nutrients: { energy: 100 } });
  });

  it('reads a bounded part of a day with many entries', async () => {
    const user = `many-${era}`;
    const entry = { date: '2026-01-31', mealType: 'lunch', foodName: 'Soup', calories: 1 };
    await write(
      user,
      Array.from({ length: 100 }, () => ({ ...entry, protein: 1 })),
    );
    await using session = await open(await keyWith(...READING), `?userId=${user}`);
    const full = await session.result('get_day', { date: entry.date });
    expect(full.hasMore).toBeUndefined();
    expect(full.totals[0].text).toBe('100 kcal');
    await write(user, [entry]);
    const { meals, hasMore, totals } = await session.result('get_day', { date: entry.date });
    expect([meals[0].entries.length, hasMore]).toEqual([100, true]);
    expect(totals.slice(0, 2).map(({ text }: { text: string }) => text)).toEqual([
      '101 kcal',
      'at least 100 g; not all foods state it',
    ]);
  });

  it('asks for the time zone rather than guess the current day', async () => {
    await using session = await open(await keyWith(...READING), '?userId=ann');
    expect(await session.call('get_day')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/give "timeZone".*code: invalid_request/),
    });
    const { day } = await session.result('get_day', { timeZone: 'Pacific/Kiritimati' });
    expect(day.understoodAs).toMatch(/^today in Pacific\/Kiritimati, where it is \d\d:\d\d$/);
    await using zoned = await open(await keyWith(...READING), '?userId=ann&timeZone=Pacific/Pago_Pago');
    const west = (await zoned.result('get_day')).day;
    // Both zones are 25 hours apart.
    expect(west.date < day.date).toBe(true);
    expect((await zoned.call('get_day', { timeZone: 'Mars' })).text).toContain('IANA name');
  });

  it('a token acts for its own user only, a key for a named user', async () => {
    await using session = await open(await tokenOf('bob'));
    const { tools } = await session.client.listTools();
    expect(JSON.stringify(tools)).not.toContain('userId');
    expect(await session.call('get_day', { userId: 'ann', date: '2026-01-31' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('there is no field "userId"'),
    });
    expect((await session.result('get_day', { date: '2026-01-31' })).meals).toEqual([]);
    await using ofKey = await open(await keyWith(...READING));
    expect(await ofKey.call('get_day', { date: '2026-01-31' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('"userId" is missing'),
    });
  });

  it('a credential that may only write gets no data of the day', async () => {
    await using session = await open(await keyWith('diary:write'), `?userId=cid-${era}`);
    expect((await session.client.listTools()).tools.map(({ name }) => name)).toEqual([
      'log_meal',
      'change_entry',
      'delete_entry',
      'copy_meal',
      ...[
        'log_saved_meal',
        'log_water',
        'save_recipe',
        'delete_recipe',
        'save_meal',
        'add_favourite',
        'delete_saved',
        'note_day',
      ],
      'set_goals',
    ]);
    const foods = [{ foodName: 'Soup', nutrients: { energy: 100 } }];
    const logged = await session.result('log_meal', { date: '2026-01-31', mealType: 'lunch', foods });
    expect(logged.totals).toBeUndefined();
    expect(logged.totalsMissing).toContain('diary:read');
    const { entryId } = logged.written[0];
    const noted = await session.result('change_entry', { entryId, note: 'late' });
    expect(noted.entry.note).toBe('late');
    expect((await session.result('change_entry', { entryId, note: '' })).entry.note).toBeUndefined();
    expect(await session.result('delete_entry', { entryId })).toEqual({ deletedId: entryId });
  });

  it('reports errors in the arguments and in the name of a tool', async () => {
    await using session = await open(server.key);
    expect((await session.call('search_foods', { q: 'x' })).text).toMatch(/arguments do not fit/);
    await expect(session.call('find_food')).rejects.toThrow(/There is no tool "find_food"/);
  });
});

describe('the endpoint', () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const post = (headers: Record<string, string>, payload: object = message, query = '') =>
    server.ask({
      method: 'POST',
      url: `/mcp${query}`,
      headers: {
        authorization: `Bearer ${server.key}`,
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      payload,
    });

  it('rejects pages of other origins, and a host name that only the request states', async () => {
    const refused: Record<string, string>[] = [
      { origin: 'http://evil.example' },
      { origin: 'http://evil.example:8080', host: 'evil.example:8080' },
      { origin: 'null' },
      { origin: 'http://localhost:1', host: `localhost:${server.port}` },
    ];
    for (const headers of refused) {
      const answer = await post(headers);
      expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'forbidden']);
    }
    const own = `localhost:${server.port}`;
    expect((await post({ origin: `http://${own}`, host: own })).statusCode).toBe(200);
    expect((await post({})).statusCode).toBe(200);
  });

  it('allows pages of configured origins and of the configured address', async () => {
    await using configured = await openTestServer({
      corsOrigins: ['https://app.example'],
      settings: { LARDER_PUBLIC_URL: 'https://food.example' },
    });
    const from = async (origin: string) =>
      (
        await configured.ask({
          method: 'POST',
          url: '/mcp',
          headers: {
            authorization: `Bearer ${configured.key}`,
            accept: 'application/json, text/event-stream',
            origin,
          },
          payload: message,
        })
      ).statusCode;
    expect([await from('https://app.example'), await from('https://food.example')]).toEqual([200, 200]);
    expect(await from(`http://127.0.0.1:${configured.port}`)).toBe(403);
  });

  it('rejects batches, other methods, long bodies and the user of another token', async () => {
    expect((await post({}, [message, message])).statusCode).toBe(400);
    const headers = { authorization: `Bearer ${server.key}` };
    expect((await server.ask({ url: '/mcp', headers })).statusCode).toBe(405);
    expect((await server.ask({ method: 'DELETE', url: '/mcp', headers })).statusCode).toBe(405);
    expect((await post({}, { ...message, params: 'x'.repeat(2 ** 20) })).statusCode).toBe(413);
    const authorization = `Bearer ${await tokenOf('bob')}`;
    expect((await post({ authorization }, message, '?userId=ann')).statusCode).toBe(403);
  });

  it('keeps no stream open for subscriptions', async () => {
    const answer = await post(
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
      {
        ...message,
        method: 'subscriptions/listen',
        params: {
          notifications: { toolsListChanged: true },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
    );
    expect(answer.json().error.message).toBe('Subscription limit reached');
  });
});

it('counts a tool call as its operation, for the same limit', async () => {
  await using limited = await openTestServer({ limited: true });
  const headers = { authorization: `Bearer ${limited.key}` };
  const first = await limited.ask({ url: '/v1/foods/search?q=banana', headers });
  await using session = await openMcpSession(
    `http://127.0.0.1:${limited.port}/mcp`,
    limited.key,
    '2026-07-28',
  );
  for (let i = 0; i < 5; i++) await session.result('search_foods', { query: 'banana' });
  const last = await limited.ask({ url: '/v1/foods/search?q=banana', headers });
  const remaining = ({ headers: of }: typeof first) => Number(of['x-ratelimit-remaining']);
  // A new window may have begun meanwhile.
  if (last.headers['x-ratelimit-reset'] === first.headers['x-ratelimit-reset'])
    expect(remaining(first) - remaining(last)).toBe(6);
  let answer = await session.call('search_foods', { query: 'banana' });
  for (let i = 0; i < 200 && !answer.isError; i++)
    answer = await session.call('search_foods', { query: 'banana' });
  expect(answer.text).toMatch(/Too many requests; wait \d+ seconds?\. \(code: rate_limit_exceeded\)/);
});
