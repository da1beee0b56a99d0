import { expect, test } from 'vitest';
import { starterCatalogue } from '../support/compiled-foods.ts';
import { type Ask, logShippedUnits } from '../support/shipped-units.ts';
import { openTestServer } from '../support/test-server.ts';

test('one of each unit that the page offers for each shipped food has the energy that its label says, and half of it half', async () => {
  await using fixture = await openTestServer({ catalogue: await starterCatalogue() });
  const key = await fixture.createKey(['diary:read', 'diary:write', 'foods:read']);
  const ask: Ask = async (method, url, payload) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fixture.ask({ method, url, headers, ...(payload !== undefined && { payload }) });
    expect(answer.statusCode).toBeLessThan(300);
    return answer.json();
  };
  const { units, wrong, previewedWrong } = await logShippedUnits(ask);
  expect(units).toBeGreaterThan(8_000);
  expect(wrong).toEqual([]);
  expect(previewedWrong).toEqual([]);
});
