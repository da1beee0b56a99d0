import { NUTRIENT_KEYS, type NutrientKey } from '@larder/core/nutrients.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE_NEW_FOOD } from '../../src/api/foods/food-input.ts';
import { type FoodOwners, openFoodOwners } from '../support/food-owners.ts';
import { BANANA } from '../support/foods.ts';
import { runs } from '../support/runs.ts';

let owners: FoodOwners;
let ask: FoodOwners['ask'];
beforeAll(async () => {
  owners = await openFoodOwners();
  ({ ask } = owners);
});
afterAll(() => owners[Symbol.asyncDispose]());

const text = (maxLength: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength })
    .map((typed) => typed.replace(/\p{Cc}/gu, '').trim())
    .filter((typed) => typed.isWellFormed() && typed !== '' && [...typed].length <= maxLength);
const amount = (max: number) => fc.double({ min: 0, max, noNaN: true });
const household = fc.record(
  {
    value: amount(50).map((n) => n + 0.001),
    unit: text(20),
    label: text(40),
    grams: amount(900).map((n) => n + 1),
  },
  { requiredKeys: ['value', 'unit', 'grams'] },
);
const measured = fc.record(
  {
    value: amount(40).map((n) => n + 0.001),
    unit: fc.constantFrom('g', 'oz', 'ml', 'fl_oz', 'cup', 'tbsp', 'tsp'),
    label: text(40),
    grams: amount(900).map((n) => n + 1),
  },
  { requiredKeys: ['value', 'unit'] },
);
/** Amounts so small that any serving can contain them. */
const macros = fc.record(
  {
    ...(Object.fromEntries(NUTRIENT_KEYS.map((key) => [key, amount(0.0002)])) as Record<
      NutrientKey,
      fc.Arbitrary<number>
    >),
    energy: fc.oneof(amount(0.1), amount(5)),
  },
  { requiredKeys: ['energy', 'protein', 'fat', 'carbohydrates'] },
);
const owner = fc.constantFrom({}, { shared: true }, { userId: 'ann' }, { shared: false, userId: 'bob' });
const newFood = fc
  .tuple(
    fc.record(
      {
        name: text(60),
        brand: text(30),
        barcode: fc.stringMatching(/^[0-9]( ?[0-9]){5,13}$/),
        aliases: fc.array(text(30), { maxLength: 4 }),
        servingSize: fc.oneof(household, measured),
        macros,
      },
      { requiredKeys: ['name', 'servingSize', 'macros'] },
    ),
    owner,
  )
  .map(([food, whose]) => ({ ...food, ...whose }));

/** Removes fields that a new food gets itself. */
function content({
  id: _id,
  version: _v,
  created_at: _c,
  createdAt: _d,
  updatedAt: _u,
  ...rest
}: Record<string, unknown>) {
  return rest;
}

const lasting = ({ updatedAt: _, version: _v, ...rest }: Record<string, unknown>) => rest;

it('a food as returned can be sent back unchanged, as a change and as a new food', async () => {
  await fc.assert(
    fc.asyncProperty(newFood, async (food) => {
      const created = await ask('key', 'POST', '/foods', food);
      expect([created.status, created.text]).toEqual([201, created.text]);
      const path = `/foods/${created.body.id}`;
      const read = (await ask('key', 'GET', path)).body;
      expect(read).toEqual(created.body);
      expect(read.aliases ?? []).toEqual(food.aliases ?? []);
      expect(read.servingSize).toMatchObject({ value: food.servingSize.value, unit: food.servingSize.unit });
      expect(read.macros).toEqual(JSON.parse(JSON.stringify(food.macros)));
      const patched = await ask('key', 'PATCH', path, read);
      expect([patched.status, lasting(patched.body)]).toEqual([200, lasting(read)]);
      expect(lasting((await ask('key', 'GET', path)).body)).toEqual(lasting(read));
      const copied = await ask('key', 'POST', '/foods', read);
      const { warnings = [], ...copy } = copied.body;
      expect(warnings.at(-1)).toMatchObject({ code: 'entered_before', foodId: created.body.id });
      const others = warnings.slice(0, -1);
      expect([copied.status, content({ ...copy, ...(others.length > 0 && { warnings: others }) })]).toEqual([
        201,
        content(read),
      ]);
      for (const { id } of [read, copied.body]) await ask('key', 'DELETE', `/foods/${id}`);
    }),
    { numRuns: runs(60) },
  );
});

it("a user can send back a food read with the user's token", async () => {
  const { body } = await ask('ann', 'POST', '/foods', EXAMPLE_NEW_FOOD);
  const read = (await ask('ann', 'GET', `/foods/${body.id}`)).body;
  expect(read).toMatchObject({ shared: false, userId: 'ann', aliases: EXAMPLE_NEW_FOOD.aliases });
  const changed = await ask('ann', 'PATCH', `/foods/${body.id}`, { ...read, name: 'Prune jam' });
  expect([changed.status, lasting(changed.body)]).toEqual([200, { ...lasting(read), name: 'Prune jam' }]);
});

it('a food of the catalogue as returned can be sent as a new food', async () => {
  const read = (await ask('key', 'GET', `/foods/${BANANA.id}`)).body;
  expect(read.servingSize).toEqual({ value: 1, unit: 'piece', label: '1 medium (118 g)', grams: 118 });
  const copied = await ask('key', 'POST', '/foods', read);
  expect(copied.status).toBe(201);
  expect(copied.body).toMatchObject({
    servingSize: read.servingSize,
    macros: read.macros,
    source: 'manual_entry',
  });
  expect(copied.body.id).toMatch(/^manual:/);
});

it('read-only fields are ignored, and unknown fields are rejected', async () => {
  const { body } = await ask('key', 'POST', '/foods', {
    ...EXAMPLE_NEW_FOOD,
    id: 'off:1',
    source: 'x',
    per100: 1,
  });
  expect(body).toMatchObject({ id: expect.stringMatching(/^manual:/), source: 'manual_entry' });
  const refused = await ask('key', 'PATCH', `/foods/${body.id}`, { id: body.id, name: 'x', ids: 1 });
  expect([refused.status, refused.body.error.details]).toEqual([400, { fields: ['ids'] }]);
  const nothing = await ask('key', 'PATCH', `/foods/${body.id}`, { id: body.id });
  expect([nothing.status, nothing.body.error.code]).toEqual([400, 'invalid_request']);
});

describe('doubtful values are accepted with a warning', () => {
  const doubtful = {
    ...EXAMPLE_NEW_FOOD,
    barcode: '4006381333932',
    macros: { ...EXAMPLE_NEW_FOOD.macros, energy: 150 },
  };
  const codes = (body: { warnings?: { code: string; field: string }[] }) =>
    body.warnings?.map(({ code, field }) => [code, field]);
  const BOTH = [
    ['wrong_check_digit', 'barcode'],
    ['implausible_energy', 'macros.energy'],
  ];

  it('of a new food, in its response and wherever it is read', async () => {
    const created = await ask('key', 'POST', '/foods', doubtful);
    expect([created.status, codes(created.body)]).toEqual([201, BOTH]);
    expect(codes((await ask('key', 'GET', `/foods/${created.body.id}`)).body)).toEqual(BOTH);
    expect((await ask('key', 'GET', '/foods/barcode/4006381333932')).body.id).toBe(created.body.id);
    const mended = { barcode: EXAMPLE_NEW_FOOD.barcode, macros: { energy: 48 } };
    const { body } = await ask('key', 'PATCH', `/foods/${created.body.id}`, mended);
    expect(body).not.toHaveProperty('warnings');
  });

  it('of a change', async () => {
    const { body } = await ask('key', 'POST', '/foods', { ...EXAMPLE_NEW_FOOD, name: 'Rowan jam' });
    expect(body).not.toHaveProperty('warnings');
    const changed = await ask('key', 'PATCH', `/foods/${body.id}`, { macros: { energy: 150 } });
    expect([changed.status, codes(changed.body)]).toEqual([200, BOTH.slice(1)]);
  });
});
