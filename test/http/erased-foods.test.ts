import { expect, test, vi } from 'vitest';
import { EXAMPLE_NEW_FOOD } from '../../src/api/foods/food-input.ts';
import { PATIENCE } from '../support/patience.ts';
import { openTestService } from '../support/test-service.ts';

/** More connections than threads, so that each thread has at least one. */
const CONNECTIONS = 16;

test("a user's food can be eaten on every thread after its response, and on none after the user is erased", async () => {
  await using service = await openTestService();
  // Each request has its own connection, and so reaches any of the threads.
  const ask = (method: string, path: string, body?: object) =>
    fetch(`${service.url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${service.key}`,
        connection: 'close',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const statuses = async (method: string, path: string, body?: object) =>
    new Set(
      await Promise.all(
        Array.from({ length: CONNECTIONS }, async () => (await ask(method, path, body)).status),
      ),
    );
  const barcode = '60000001';
  const entry = { date: '2030-01-01', mealType: 'lunch', quantity: 20, unit: 'g', barcode };
  for (let round = 0; round < 3; round++) {
    const created = await ask('POST', '/foods', { ...EXAMPLE_NEW_FOOD, barcode, userId: 'ann' });
    expect(created.status).toBe(201);
    expect(await statuses('POST', '/users/ann/diary', entry)).toEqual(new Set([201]));
    expect(await statuses('POST', '/users/bob/diary', entry)).toEqual(new Set([404]));
    // A look-up does not wait long for a database, so it may find the food a moment later.
    const look = () => statuses('GET', `/foods/barcode/${barcode}?userId=ann`);
    await vi.waitFor(async () => expect(await look()).toEqual(new Set([200])), PATIENCE);
    expect((await ask('DELETE', '/users/ann')).status).toBe(204);
    expect(await statuses('POST', '/users/ann/diary', entry)).toEqual(new Set([404]));
    await vi.waitFor(async () => expect(await look()).toEqual(new Set([404])), PATIENCE);
  }
});
