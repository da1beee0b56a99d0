import { expect } from 'vitest';
import { COLA, SPREAD } from '../support/foods.ts';
import type { TestServer } from '../support/test-server.ts';

/** Differences between the two API variants, for the scenarios. */
export interface Variant {
  readonly name: string;
  readonly prefix: '' | '/v1';
  readonly challenge: RegExp;
  readonly credential: (key: string) => Record<string, string>;
  readonly spread: unknown;
  readonly cola: unknown;
}

/** Of 15 g. */
const SPREAD_NUTRIENTS = {
  energy: 80.85,
  protein: 0.945,
  fat: 4.635,
  carbohydrates: 8.625,
  sugars: 8.445,
  sodium: 6.45,
};

export const VARIANTS: readonly Variant[] = [
  {
    name: 'v1',
    prefix: '/v1',
    challenge: /^Bearer /,
    credential: (key) => ({ authorization: `Bearer ${key}` }),
    spread: {
      id: SPREAD.id,
      name: 'Hazelnut "cocoa" spread',
      brand: 'Nutty',
      barcode: '3017620422003',
      servingSize: { value: 15, unit: 'g', label: '1 tbsp (15 g)' },
      macros: SPREAD_NUTRIENTS,
      nutrients: SPREAD_NUTRIENTS,
      source: 'public_dataset',
      created_at: '2023-11-14T22:13:20.000Z',
      createdAt: '2023-11-14T22:13:20.000Z',
      updatedAt: '2023-11-14T22:13:21.000Z',
    },
    cola: expect.objectContaining({ id: COLA.id, servingSize: { value: 12, unit: 'fl_oz' } }),
  },
  {
    name: 'unversioned',
    prefix: '',
    challenge: /^ApiKey /,
    credential: (key) => ({ 'x-api-key': key }),
    spread: {
      id: SPREAD.id,
      name: 'Hazelnut "cocoa" spread',
      brand: 'Nutty',
      serving: { amount: 15, unit: 'g' },
      macros: { calories: 80.85, protein: 0.945, carbs: 8.625, fat: 4.635 },
      nutrients: SPREAD_NUTRIENTS,
    },
    cola: expect.objectContaining({ id: COLA.id, serving: { amount: 12, unit: 'fl_oz' } }),
  },
];

/** Names of the foods that a search finds, best first. */
export async function namesFound(
  server: TestServer,
  { prefix, credential }: Variant,
  key: string,
  query: string,
): Promise<string[]> {
  const url = `${prefix}/foods/search?q=${encodeURIComponent(query)}`;
  const answer = await server.ask({ url, headers: credential(key) });
  expect(answer.statusCode).toBe(200);
  return answer.json().map(({ name }: { name: string }) => name);
}
