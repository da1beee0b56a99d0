import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importProducts } from '../support/imported-products.ts';
import { openTestServer } from '../support/test-server.ts';

test('the product in docs/facts.md has the facts that the page shows', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/facts.md'), 'utf8');
  const [product, facts] = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, json]) => JSON.parse(json!));
  const path = /`GET (\/v1\/foods\/off:[^`]+)`/.exec(page)![1]!;
  await using products = await importProducts([product]);
  await using server = await openTestServer({ catalogue: products });
  const answer = await server.ask({ url: path, headers: { authorization: `Bearer ${server.key}` } });
  expect(answer.json()).toEqual(facts);
});
