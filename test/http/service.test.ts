import { truncateSync } from 'node:fs';
import { toFoodId } from '@larder/core/food.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFoods } from '../../src/foods/import/complete-foods.ts';
import { REFUSED } from '../../src/http/service/health.ts';
import { SPREAD } from '../support/foods.ts';
import { openTestService, type TestService } from '../support/test-service.ts';

const SWAPS = 20;
const CLIENTS = 4;

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

let published = 0;
/** Compiles one more food and adds the catalogue to the catalogue store, without activating it. */
function publishAnother(): Promise<string> {
  const id = toFoodId('starter', `extra-${++published}`);
  const { barcode: _barcode, gtin: _gtin, ...food } = SPREAD;
  return addFoods({
    catalogueStore: service.catalogueStore,
    origin: 'starter',
    sources: ['test'],
    foods: [{ ...food, id, name: `Extra ${published}` }],
    nowMs: () => Date.now() + published,
  });
}

const get = (path: string) =>
  fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${service.key}` } });

interface Readiness {
  readonly catalogue: { readonly name: string };
  readonly catalogueProblem?: string;
}

async function readiness(): Promise<Readiness> {
  return (await (await get('/readyz')).json()) as Readiness;
}

describe('a running service', () => {
  it(`swaps catalogues ${SWAPS} times under load without a failed request`, async () => {
    let isOver = false;
    const statuses = new Map<number, number>();
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isOver) {
        const answer = await get('/v1/foods/barcode/3017620422003');
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        expect(await answer.json()).toMatchObject({ id: SPREAD.id });
      }
    });
    for (let swap = 0; swap < SWAPS; swap++) {
      const name = await publishAnother();
      service.announce(name);
      await service.log.until(({ catalogue }) => (catalogue as { name?: string } | undefined)?.name === name);
      const found = await get(`/v1/foods/starter:extra-${published}`);
      expect(found.status).toBe(200);
    }
    isOver = true;
    await Promise.all(clients);
    expect([...statuses.keys()]).toEqual([200]);
  });

  it('rejects a damaged catalogue with a log message and keeps the previous one', async () => {
    const before = await readiness();
    const name = await publishAnother();
    truncateSync(service.catalogueStore.pathOf(name), 1000);
    service.announce(name);
    await service.log.until(({ catalogue }) => catalogue === name);
    const state = await readiness();
    expect(state.catalogue).toEqual(before.catalogue);
    expect(state.catalogueProblem).toBe(REFUSED);
    expect(JSON.stringify(state)).not.toContain(service.config.dataDir);
    expect((await get('/v1/foods/barcode/3017620422003')).status).toBe(200);
    expect(service.log.messages('error')).toEqual([
      'a catalogue was rejected, the previous one is still served',
    ]);
    expect(await (await get('/metrics')).text()).toContain(
      'larder_catalogue_loads_total{result="refused"} 1',
    );
  });

  it('reports the requests of all threads', async () => {
    const text = await (await get('/metrics')).text();
    const counted = /^larder_http_request_duration_seconds_count\{.*barcode.*status="200"\} (\d+)$/m.exec(
      text,
    );
    expect(Number(counted?.[1])).toBeGreaterThan(SWAPS);
    expect(text).toContain('larder_event_loop_lag_seconds{thread="0"}');
    expect(text).toContain('larder_event_loop_lag_seconds{thread="1"}');
    expect(text).toMatch(/^larder_catalogue_foods \d+$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  });

  it('does not share its port with a second service', async () => {
    const { port } = new URL(service.url);
    await expect(openTestService({ port })).rejects.toThrow(/in use.*LARDER_PORT/);
  });
});

it('a service without a catalogue does not start and says what to do', async () => {
  await expect(openTestService({ foods: [] })).rejects.toThrow(/no catalogue.*import/i);
});
