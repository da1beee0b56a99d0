import { REGISTRY } from '@larder/core/nutrients.ts';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Member, type OpenHousehold, openHousehold } from '../support/household.ts';
import { type ImportedProducts, importProducts } from '../support/imported-products.ts';
import { VARIANTS } from './variants.ts';

const READ = { ingredients_text: 'Something', lang: 'en', countries_tags: ['en:germany'] };
const PRODUCTS = [
  {
    code: '4006381333931',
    product_name: 'Bar of oats',
    ...READ,
    allergens_tags: ['en:gluten'],
    traces_tags: ['en:milk'],
    ingredients_analysis_tags: ['en:vegan', 'en:vegetarian'],
    categories_tags: ['en:snacks', 'en:cereal-bars'],
    nutriscore_grade: 'b',
  },
  {
    code: '3017620422003',
    product_name: 'Bar of chocolate',
    ...READ,
    allergens_tags: ['en:milk', 'en:soybeans'],
    ingredients_analysis_tags: ['en:non-vegan', 'en:vegetarian'],
    categories_tags: ['en:snacks', 'en:chocolates'],
    countries_tags: ['en:france'],
    nutriscore_grade: 'e',
  },
  {
    code: '5901234123457',
    product_name: 'Bar of dates',
    ...READ,
    ingredients_analysis_tags: ['en:vegan'],
    categories_tags: ['en:snacks'],
    countries_tags: ['en:world'],
    nutriments: {
      'energy-kcal_100g': 300,
      proteins_100g: 2,
      fat_100g: 1,
      carbohydrates_100g: 70,
      magnesium_100g: 0.054,
    },
  },
  // The word for its allergen is not known, so it may be any.
  { code: '9780201379624', product_name: 'Bar of seeds', ...READ, allergens_tags: ['de:irgendwas'] },
  { code: '8711000530085', product_name: 'Bar of secrets' },
];

let products: ImportedProducts;
let household: OpenHousehold;
let ann: Member;
beforeAll(async () => {
  products = await importProducts(PRODUCTS);
  household = await openHousehold({ catalogue: products });
  ({ ann } = household);
});
afterAll(async () => {
  await household[Symbol.asyncDispose]();
  await products[Symbol.asyncDispose]();
});

const get = (url: string) =>
  household.fixture.ask({ url, headers: { authorization: `Bearer ${household.fixture.key}` } });

test('the facts of a food, with its nutrients, their source and licence', async () => {
  const answer = await get('/v1/foods/off:5901234123457/facts');
  expect([answer.statusCode, answer.headers['etag']]).toEqual([200, expect.stringMatching(/^"/)]);
  expect(answer.json()).toEqual({
    foodId: 'off:5901234123457',
    per: 'g',
    nutrients: { energy: 300, protein: 2, fat: 1, carbohydrates: 70, magnesium: 54 },
    ingredients: { en: 'Something' },
    categories: ['en:snacks'],
    countries: ['en:world'],
    vegan: 'yes',
    vegetarian: 'yes',
    sources: [
      {
        id: 'off:5901234123457',
        licence: 'Open Database License 1.0 (ODbL); photos CC BY-SA 3.0',
        link: 'https://world.openfoodfacts.org/product/5901234123457',
      },
    ],
  });
  const again = await household.fixture.ask({
    url: '/v1/foods/off:5901234123457/facts',
    headers: {
      authorization: `Bearer ${household.fixture.key}`,
      'if-none-match': String(answer.headers['etag']),
    },
  });
  expect(again.statusCode).toBe(304);
});

test('a food without facts and an unknown food are two errors', async () => {
  const own = await ann.ask('POST', '/v1/foods', {
    name: 'Own bar',
    servingSize: { value: 100, unit: 'g' },
    macros: { energy: 1, protein: 0, fat: 0, carbohydrates: 0 },
  });
  for (const [id, code] of [
    ['off:8711000530085', 'facts_not_found'],
    [own.json().id, 'facts_not_found'],
    ['off:1', 'food_not_found'],
  ]) {
    const answer = await ann.ask('GET', `/v1/foods/${id}/facts`);
    expect([id, answer.statusCode, answer.json().error.code]).toEqual([id, 404, code]);
  }
});

test('a food by id includes its facts where it is asked to', async () => {
  const facts = (await get('/v1/foods/off:4006381333931/facts')).json();
  expect((await get('/v1/foods/off:4006381333931?include=facts')).json().facts).toEqual(facts);
  expect((await get('/v1/foods/off:4006381333931')).json()).not.toHaveProperty('facts');
  expect((await get('/v1/foods/off:8711000530085?include=facts')).json()).not.toHaveProperty('facts');
});

test('a barcode look-up includes the facts where it is asked to', async () => {
  const food = (await get('/v1/foods/barcode/4006381333931?include=servings,facts')).json();
  expect(food.facts).toMatchObject({ allergens: ['en:gluten'], traces: ['en:milk'], nutriScore: 'b' });
  expect(food.servings).toHaveLength(1);
  expect((await get('/v1/foods/barcode/4006381333931')).json()).not.toHaveProperty('facts');
  expect((await get('/v1/foods/barcode/4006381333931?include=fact')).statusCode).toBe(400);
});

test('the unversioned look-up, whose document is frozen, has no facts', async () => {
  const answer = await household.fixture.ask({
    url: '/foods/barcode/4006381333931?include=facts',
    headers: { 'x-api-key': household.fixture.key },
  });
  expect([answer.statusCode, answer.json().error.details.parameter]).toEqual([400, 'include']);
});

describe.each(VARIANTS)('$name', ({ prefix, credential }) => {
  const ask = (path: string) =>
    household.fixture.ask({ url: `${prefix}${path}`, headers: credential(household.fixture.key) });
  const found = async (filters: string) => {
    const answer = await ask(`/foods/search?q=bar&${filters}`);
    expect(answer.statusCode).toBe(200);
    return answer
      .json()
      .map(({ name }: { name: string }) => name.replace('Bar of ', ''))
      .toSorted();
  };

  it.each([
    ['diet=vegan', ['dates', 'oats']],
    ['diet=vegetarian', ['chocolate', 'dates', 'oats']],
    ['without=milk', ['dates']],
    ['without=soy', ['dates', 'oats']],
    ['without=gluten,milk', ['dates']],
    ['country=de', ['dates', 'oats', 'seeds']],
    ['country=FR', ['chocolate', 'dates']],
    ['category=en:cereal-bars', ['oats']],
    ['category=snacks', ['chocolate', 'dates', 'oats']],
    ['grade=a,b', ['oats']],
    ['source=off', ['chocolate', 'dates', 'oats', 'secrets', 'seeds']],
    ['source=fdc', []],
    ['diet=vegan&country=de&grade=b', ['oats']],
    ['category=no-such-thing', []],
  ])('%s finds %j', async (filters, names) => {
    expect(await found(filters)).toEqual(names);
    // The second answer may come from the cache.
    expect(await found(filters)).toEqual(names);
  });

  it('says for which filters foods of unknown facts are left out', async () => {
    for (let time = 0; time < 2; time++) {
      const answer = await ask('/foods/search?q=bar&diet=vegan&without=milk&source=off');
      expect(answer.headers['unknown-excluded']).toBe('diet, without');
    }
    expect((await ask('/foods/search?q=bar&source=off')).headers).not.toHaveProperty('unknown-excluded');
    expect((await ask('/foods/search?q=bar')).headers).not.toHaveProperty('unknown-excluded');
  });

  it.each([
    'diet=carnivore',
    'without=plastic',
    'country=xx',
    'grade=z',
    'source=web',
    'category=',
    'without=',
  ])('%s is refused', async (filters) => {
    const answer = await ask(`/foods/search?q=bar&${filters}`);
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'invalid_query']);
    expect(answer.json().error.details.parameter).toBe(filters.split('=')[0]);
  });

  it('the pages of a filtered search keep the filters', async () => {
    const first = await ask('/foods/search?q=bar&without=soy&country=de&limit=1&offset=0');
    const next = /<([^>]+)>/.exec(String(first.headers['link']))![1]!;
    const second = await household.fixture.ask({ url: next, headers: credential(household.fixture.key) });
    const names = [...first.json(), ...second.json()].map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(['Bar of dates', 'Bar of oats']);
    expect(second.headers).not.toHaveProperty('link');
  });
});

test('own foods are found where no filter asks for facts', async () => {
  await ann.ask('POST', '/v1/foods', {
    name: 'Bar of mine',
    servingSize: { value: 100, unit: 'g' },
    macros: { energy: 1, protein: 0, fat: 0, carbohydrates: 0 },
  });
  const names = async (filters: string) =>
    (await ann.ask('GET', `/v1/foods/search?q=bar&${filters}`))
      .json()
      .map(({ name }: { name: string }) => name);
  expect((await names('source=manual_entry')).toSorted()).toEqual(['Bar of mine', 'Own bar']);
  expect(await names('source=off')).not.toContain('Bar of mine');
  expect(await names('diet=vegan')).not.toContain('Bar of mine');
});

test('the nutrients have reference values, by authority, sex and age', async () => {
  const all = (await get('/v1/nutrients')).json();
  expect(all[0]).toMatchObject({ nutrient: 'energy', unit: 'kcal', inFoods: true, references: [] });
  const iron = (await get('/v1/nutrients?source=efsa&sex=female&age=30'))
    .json()
    .find(({ nutrient }: { nutrient: string }) => nutrient === 'iron');
  expect(iron.references).toEqual([
    { source: 'efsa', kind: 'recommended', sex: 'female', fromAge: 18, toAge: 50, value: 16 },
  ]);
  const asked = '/v1/nutrients?source=efsa&sex=female&age=30';
  const next = /<([^>]+)>; rel="next"/.exec(String((await get(asked)).headers['link']))![1]!;
  const rest = (await get(next.slice(next.indexOf('/v1/')))).json();
  expect(new Set([...all, ...rest].map(({ nutrient }) => nutrient)).size).toBe(REGISTRY.length);
  expect(rest.every(({ references }: { references: object[] }) => references.length < 2)).toBe(true);
  for (const age of ['-1', '', '%205', '0x10', '1e1', '3.5', '500'])
    expect([age, (await get(`/v1/nutrients?age=${age}`)).json().error?.code]).toEqual([age, 'invalid_query']);
});
