import { MAX_LINE_LENGTH, MAX_LINES, MAX_TEXT_LENGTH } from '@larder/text/parse/read-text.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { starterCatalogue } from '../support/compiled-foods.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { VARIANTS } from './variants.ts';

let fixture: TestServer;
let key: string;
beforeAll(async () => {
  fixture = await openTestServer({ catalogue: await starterCatalogue() });
  key = await fixture.createKey(['foods:read', 'diary:read', 'diary:write'], undefined, 'acme');
});
afterAll(() => fixture[Symbol.asyncDispose]());

const bearer = (as: string) => ({ authorization: `Bearer ${as}` });

function parse(payload: object, as = key) {
  return fixture.ask({ method: 'POST', url: '/v1/foods/parse', headers: bearer(as), payload });
}

describe.each(VARIANTS)('$name', ({ prefix, credential }) => {
  const ask = (payload: object, as = key) =>
    fixture.ask({ method: 'POST', url: `${prefix}/foods/parse`, headers: credential(as), payload });

  it('reads foods, amounts and their sums', async () => {
    const text = 'For breakfast I had 200 g rice and a banana.';
    const answer = await ask({ text });
    expect(answer.statusCode).toBe(200);
    const { items, totals, unresolvedCount } = answer.json();
    expect(items).toMatchObject([
      { text: 'rice', quantity: 200, unit: 'g', grams: 200, note: 'weight', start: 26, end: 30 },
      { text: 'banana', quantity: 1, grams: 118, note: 'serving "1 medium (118 g)"' },
    ]);
    for (const item of items) {
      expect(text.slice(item.start, item.end)).toBe(item.text);
      expect(item).not.toHaveProperty('line');
      expect(item.confidence).toBeGreaterThan(0);
      expect(item.confidence).toBeLessThanOrEqual(1);
      expect(item.alternatives.length).toBeLessThanOrEqual(4);
    }
    expect(unresolvedCount).toBe(0);
    const energies = items.map(({ food }: { food: { macros: Record<string, number> } }) =>
      prefix === '' ? food.macros['calories'] : food.macros['energy'],
    );
    expect(totals.calories).toBeCloseTo(energies[0] + energies[1], 9);
    const { nutrients, ...fields } = totals;
    expect(Object.keys(fields)).toEqual(['calories', 'protein', 'carbs', 'fat', 'fiber', 'sodium']);
    expect(nutrients.carbohydrates).toBe(totals.carbs);
    const serving = items[0].food[prefix === '' ? 'serving' : 'servingSize'];
    expect(serving).toEqual(prefix === '' ? { amount: 200, unit: 'g' } : { value: 200, unit: 'g' });
  });

  it('scales the alternatives to the same amount', async () => {
    const [item] = (await ask({ text: '200 g chicken' })).json().items;
    expect(item.alternatives.length).toBeGreaterThan(0);
    for (const food of item.alternatives) {
      expect(food[prefix === '' ? 'serving' : 'servingSize']).toMatchObject({ unit: 'g' });
      expect(prefix === '' ? food.serving.amount : food.servingSize.value).toBe(200);
    }
  });

  it('reads lines separately, with offsets in the text or in the line of an array', async () => {
    const lines = ['2 eggs', '', '100 g cheddar, grated'];
    const read = [
      { line: 0, quantity: 2, text: 'eggs' },
      { line: 2, quantity: 100, grams: 100, text: 'cheddar' },
    ];
    const ofArray = (await ask({ text: lines })).json().items;
    const ofText = (await ask({ text: lines.join('\r\n') })).json().items;
    expect(ofArray).toMatchObject(read);
    expect(ofText).toMatchObject(read);
    expect(ofArray[1].start).toBe(lines[2]!.indexOf('cheddar'));
    expect(ofText[1].start).toBe(lines.join('\r\n').indexOf('cheddar'));
  });

  it('lists ignored words, and states the context of the text', async () => {
    const text = '2 onions, finely chopped\n100 g rice';
    const answer = (await ask({ text })).json();
    const ignored = { text: 'finely chopped', start: 10, end: 24, line: 0 };
    expect(answer).toMatchObject({ ignored: [ignored], context: 'recipe', unresolvedCount: 0 });
    expect((await ask({ text, context: 'meal' })).json().context).toBe('meal');
    expect((await ask({ text: ['rice'] })).json().context).toBe('recipe');
    expect((await ask({ text: 'rice, 2 eggs' })).json()).toMatchObject({ ignored: [], context: 'meal' });
    expect((await ask({ text, context: 'supper' })).statusCode).toBe(400);
  });

  it('lists unresolved parts and leaves them out of the totals', async () => {
    const { items, totals, unresolvedCount } = (
      await ask({ text: ['100 g xqzvw', 'rice 900000 kg', '0 g rice', '1e9 g rice'] })
    ).json();
    expect(items).toMatchObject([
      { unresolved: 'food', confidence: 0, alternatives: [] },
      { unresolved: 'amount' },
      { unresolved: 'amount', quantity: 0 },
      { unresolved: 'amount', quantity: 1e9 },
    ]);
    expect(unresolvedCount).toBe(4);
    expect(totals.calories).toBe(0);
  });

  it('states its assumptions', async () => {
    const [item] = (await ask({ text: 'a handful of almonds' })).json().items;
    expect(item).toMatchObject({ grams: 30, assumed: ['typical handful of 30 g (USDA SR Legacy)'] });
  });

  it('needs the scope of a search', async () => {
    const other = await fixture.createKey(['diary:read']);
    expect((await ask({ text: 'rice' }, other)).statusCode).toBe(403);
  });

  it('counts as several searches by its length, and is rejected without enough left', async () => {
    await using limited = await openTestServer({ limited: true });
    const headers = credential(await limited.createKey(['foods:read']));
    const count = (payload: object) =>
      limited.ask({ method: 'POST', url: `${prefix}/foods/parse`, headers, payload });
    const lines = (count: number) => ({ text: Array.from({ length: count }, () => 'rice') });
    const left = ({ headers }: Awaited<ReturnType<typeof count>>) => Number(headers['x-ratelimit-remaining']);
    const counts: readonly [object, number][] = [
      [lines(10), 1],
      [lines(11), 2],
      [lines(MAX_LINES), 10],
      [{ text: 'rice '.repeat(100) }, 1],
      [{ text: 'rice '.repeat(101) }, 2],
      [{ text: Array.from({ length: 20 }, () => 'rice '.repeat(100)) }, 20],
    ];
    const searched = await limited.ask({ url: `${prefix}/foods/search?q=rice`, headers });
    let before = left(searched);
    expect(before).toBe(99);
    for (const [payload, times] of counts) {
      const answer = await count(payload);
      expect(answer.statusCode).toBe(200);
      expect(left(answer)).toBe(before - times);
      before -= times;
    }
    for (; before > 10; before -= 10) await count(lines(MAX_LINES));
    const refused = await count({ text: Array.from({ length: 20 }, () => 'rice '.repeat(100)) });
    expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // Rejected requests did not count.
    expect(left(await count({ text: 'rice' }))).toBe(before - 1);
  });

  it.each([
    [{}, 'text'],
    [{ text: '' }, 'text'],
    [{ text: 'x'.repeat(MAX_TEXT_LENGTH + 1) }, 'text'],
    [{ text: ['x'.repeat(MAX_LINE_LENGTH + 1)] }, 'text'],
    [{ text: Array.from({ length: MAX_LINES + 1 }, () => 'rice') }, 'text'],
    [{ text: Array.from({ length: 30 }, () => 'x'.repeat(MAX_LINE_LENGTH)) }, 'text'],
    [{ text: 'rice', lang: 'xx' }, 'lang'],
    [{ text: 'rice', language: 'en' }, 'language'],
  ])('rejects malformed bodies: %#', async (payload, field) => {
    const answer = await ask(payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.code).toBe('invalid_request');
    expect(JSON.stringify(answer.json().error.details)).toContain(`"${field}`);
  });
});

describe('what users eat', () => {
  const ids = async (payload: object, as = key) =>
    (await parse(payload, as)).json().items.map(({ food }: { food: { id: string } | null }) => food?.id);

  it('prefers foods that the user eats, and needs diary:read for that', async () => {
    const without = await fixture.createKey(['foods:read'], undefined, 'acme');
    expect((await parse({ text: 'rice', userId: 'ann' }, without)).statusCode).toBe(403);
    const [oil] = (await parse({ text: '10 g oil' })).json().items;
    const eaten = oil.alternatives[0].id;
    expect(oil.food.id).not.toBe(eaten);
    await fixture.ask({
      method: 'POST',
      url: '/v1/users/eva/diary',
      headers: bearer(key),
      payload: { date: '2026-01-31', mealType: 'lunch', foodId: eaten, quantity: 1, unit: 'serving' },
    });
    expect(await ids({ text: '10 g oil', userId: 'eva' })).toEqual([eaten]);
    expect(await ids({ text: '10 g oil', userId: 'other' })).toEqual([oil.food.id]);
  });
});

describe('custom foods', () => {
  const PER_SERVING = {
    servingSize: { value: 150, unit: 'g' },
    macros: { energy: 300, protein: 3, fat: 9, carbohydrates: 50 },
  };

  it.each(['Tarte aux pommes', 'Café', 'Fish & chips'])(
    'are chosen by their exact name: %s',
    async (name) => {
      const writer = await fixture.createKey(['foods:read', 'foods:write', 'diary:read'], undefined, 'pie');
      const enter = async (body: object) => {
        const answer = await fixture.ask({
          method: 'POST',
          url: '/v1/foods',
          headers: bearer(writer),
          payload: body,
        });
        return answer.json().id as string;
      };
      const ids = async (text: string, userId?: string) =>
        (await parse({ text, ...(userId !== undefined && { userId }) }, writer))
          .json()
          .items.map(({ food }: { food: { id: string } | null }) => food?.id);
      const before = await ids(`200 g ${name}`);
      const ofAnn = await enter({ ...PER_SERVING, name, userId: 'ann' });
      expect(await ids(`200 g ${name}`)).toEqual(before);
      expect(await ids(`200 g ${name}`, 'ann')).toEqual([ofAnn]);
      expect(await ids(`200 g ${name}`, 'bob')).toEqual(before);
      const shared = await enter({ ...PER_SERVING, name: name.toUpperCase() });
      expect(await ids(name.toLowerCase())).toEqual([shared]);
      expect(await ids(name, 'ann')).toEqual([ofAnn]);
      for (const id of [ofAnn, shared])
        await fixture.ask({ method: 'DELETE', url: `/v1/foods/${id}`, headers: bearer(writer) });
      expect(await ids(`200 g ${name}`, 'ann')).toEqual(before);
    },
  );
});
