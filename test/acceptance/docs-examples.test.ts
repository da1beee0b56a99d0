import { afterAll, beforeAll, expect, test } from 'vitest';
import versioned from '../../openapi.json' with { type: 'json' };
import unversioned from '../../openapi-unversioned.json' with { type: 'json' };
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: unknown;
  readonly schema?: { readonly example?: unknown; readonly default?: unknown };
}

let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess({ LARDER_THREADS: '1' });
});
afterAll(() => service[Symbol.asyncDispose]());

const described = { ...versioned.paths, ...unversioned.paths };
const FOODS = ['/foods/search', '/foods/barcode/{upc}', '/foods/barcode'];
const paths = [...FOODS, ...FOODS.map((path) => `/v1${path}`), '/v1/foods/{id}', '/v1/foods/batch'];

test.each(paths)('the example of GET %s has a result on a new service', async (path) => {
  const { get } = described[path as keyof typeof described] as { get: { parameters: Parameter[] } };
  const url = new URL(path, service.url);
  for (const { name, in: where, example, schema } of get.parameters) {
    const value = String(example ?? schema?.example ?? schema?.default ?? '');
    if (where === 'path') url.pathname = path.replace(`{${name}}`, value);
    else if (where === 'query' && value !== '') url.searchParams.set(name, value);
  }
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${service.key}`, 'x-api-key': service.key },
  });
  const answer = (await response.json()) as { foods?: unknown[] };
  expect(response.status).toBe(200);
  expect(Array.isArray(answer) ? answer : (answer.foods ?? [answer])).not.toHaveLength(0);
});
