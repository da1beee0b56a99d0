import { expect, it } from 'vitest';
import { refusal, ScriptedFetch } from '../../../../test/support/scripted-fetch.ts';
import { Larder, LarderError } from '../index.ts';

const page = (items: readonly number[], next?: string) =>
  Response.json(
    items.map((id) => ({ id })),
    next === undefined ? {} : { headers: { link: `<${next}>; rel="next"` } },
  );

function open(pages: readonly Response[]) {
  const script = new ScriptedFetch(pages);
  return {
    larder: new Larder({ url: 'http://food.test/api', key: 'k', fetch: script.fetch }),
    queries: () => script.sent.map(({ url }) => url.replace('http://food.test/api/v1/foods', '')),
  };
}

it('await returns one page and sends one request', async () => {
  const { larder, queries } = open([page([1, 2], '/v1/foods?after=b')]);
  const list = larder.foods.list({ limit: 2 });
  expect(await list).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await list).toHaveLength(2);
  expect(queries()).toEqual(['?limit=2']);
});

it('for await follows Link to the end, below the path of the service', async () => {
  const { larder, queries } = open([
    page([1, 2], '/v1/foods?limit=2&after=b%3Ac'),
    page([], '/v1/foods?limit=2&after=d'),
    page([3]),
  ]);
  const ids = [];
  for await (const { id } of larder.foods.list({ limit: 2 })) ids.push(id);
  expect(ids).toEqual([1, 2, 3]);
  expect(queries()).toEqual(['?limit=2', '?limit=2&after=b%3Ac', '?limit=2&after=d']);
});

it('a search asks for the next page only if its elements are wanted', async () => {
  const { larder, queries } = open([page([1, 2], '/v1/foods/search?q=rice&offset=2')]);
  for await (const { id } of larder.foods.search({ q: 'rice' })) if (String(id) === '2') break;
  expect(queries()).toEqual(['/search?offset=0&q=rice']);
});

it('all returns the elements of all pages', async () => {
  const { larder } = open([page([1], '/v1/foods?after=1'), page([2])]);
  expect(await larder.foods.list().all()).toEqual([{ id: 1 }, { id: 2 }]);
});

it('behaves as a promise when it fails', async () => {
  const { larder } = open([refusal(403, 'forbidden'), refusal(403, 'forbidden'), refusal(403, 'forbidden')]);
  await expect(larder.foods.list()).rejects.toBeInstanceOf(LarderError);
  expect(await larder.foods.list().catch(({ code }) => code)).toBe('forbidden');
  let isOver = false;
  await larder.foods
    .list()
    .finally(() => {
      isOver = true;
    })
    .catch(() => {});
  expect(isOver).toBe(true);
});
