import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { backUpDatabase } from '../../src/db/sqlite/backup.ts';
import { Household } from '../../src/people/household.ts';
import { HouseholdStore } from '../../src/people/household-store.ts';
import { openHousehold } from '../support/household.ts';
import { PATIENCE } from '../support/patience.ts';

/** Part of every text that the person and the devices of the person send. */
const MARK = 'Qzmark';
const NONE = { files: [] };

const household = await openHousehold();
afterAll(() => household[Symbol.asyncDispose]());
const { fixture, ann } = household;

/** Files of the data folder, and of a new backup, that contain one of these texts. */
async function filesWith(...texts: string[]): Promise<{ files: string[] }> {
  const backup = join(fixture.dataDir, `backup-${crypto.randomUUID()}.db`);
  await backUpDatabase({ file: join(fixture.dataDir, 'larder.db'), backup });
  const files = readdirSync(fixture.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => {
      const bytes = readFileSync(path);
      return texts.some((text) => path.includes(text) || bytes.includes(text));
    });
  rmSync(backup);
  return { files };
}

test('after a person is removed, no byte of the data folder or of a backup names the person or says what was written', async () => {
  const bob = await household.invite(`${MARK} Bob`);
  const at = (path: string) => `/v1/users/${bob.id}${path}`;
  const marked = (number: number) => `${MARK} ${number} ${'x'.repeat((number * 37) % 150)}`;
  const write = async (method: string, url: string, body: object, named = true) => {
    const key: Record<string, string> = named ? { 'idempotency-key': `${MARK}-${crypto.randomUUID()}` } : {};
    const answer = await bob.ask(method, url, body, key);
    expect([answer.statusCode, answer.body]).toEqual([expect.toBeOneOf([200, 201, 204]), answer.body]);
    return answer.body === '' ? {} : answer.json();
  };
  // Rows of Ann lie between those of Bob, so that pages are divided and merged.
  for (let day = 1; day <= 28; day++) {
    const date = `2026-10-${String(day).padStart(2, '0')}`;
    const entry = { date, mealType: 'lunch', calories: day, protein: 1, carbs: 1, fat: 1 };
    const entries = Array.from({ length: 40 }, (_, number) => ({
      ...entry,
      foodName: marked(day * 40 + number),
      note: marked(number),
    }));
    await write('POST', at('/diary/batch'), entries);
    await ann.ask(
      'POST',
      `/v1/users/${ann.id}/diary/batch`,
      entries.map((one) => ({ ...one, foodName: 'x', note: 'y' })),
    );
  }
  const listed = (await bob.ask('GET', at('/diary?date=2026-10-03'))).json() as { id: string }[];
  for (const [index, { id }] of listed.entries()) {
    if (index % 2 === 0) await bob.ask('DELETE', at(`/diary/${id}`));
    else await write('PATCH', at(`/diary/${id}`), { note: marked(index + 5), foodName: marked(index) });
  }
  const food = (shared: boolean) => ({
    name: marked(1),
    brand: marked(2),
    servingSize: { value: 100, unit: 'g', label: `${MARK} bar` },
    macros: { energy: 100, protein: 1, fat: 1, carbohydrates: 20 },
    shared,
  });
  const foods = [
    await write('POST', '/v1/foods', food(false)),
    await write('POST', '/v1/foods', food(false)),
  ];
  await bob.ask('DELETE', `/v1/foods/${foods[0].id}`);
  await write('POST', at('/recipes'), {
    name: marked(4),
    servings: 2,
    ingredients: [{ foodName: marked(5), calories: 1, protein: 1, carbs: 1, fat: 1 }],
  });
  await write('POST', at('/measurements'), {
    name: 'weight',
    value: 71,
    unit: 'kg',
    measuredAt: '2026-10-01T08:00:00+02:00',
  });
  await write('PUT', at('/goals'), { calories: 2000 }, false);
  await write('POST', '/v1/people/me/keys', { name: marked(6), scopes: ['diary:read'] }, false);
  await write('PUT', '/v1/people/me/sharing', { default: 'read', people: { [ann.id]: 'write' } }, false);
  await bob.ask('POST', at('/import'), { not: marked(7) });
  // Another person writes in this diary, with answers that are kept.
  const answer = await ann.ask(
    'POST',
    at('/diary'),
    {
      date: '2026-10-01',
      mealType: 'dinner',
      foodName: marked(8),
      calories: 3,
      protein: 1,
      carbs: 1,
      fat: 1,
    },
    { 'idempotency-key': `${MARK}-ann` },
  );
  expect(answer.statusCode).toBe(201);
  const scan = await write('POST', '/v1/scan/image', { clientId: marked(9), contentType: 'image/jpeg' });
  await fetch(scan.uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(MARK)]),
  });
  await household.signIn(`${MARK} Bob`, { 'user-agent': `${MARK} phone` });
  expect((await filesWith(MARK)).files).not.toEqual([]);

  expect((await bob.ask('DELETE', `/v1/people/${bob.id}`)).statusCode).toBe(204);
  // The log of events stores the removal a moment later; it is erased with the rest.
  const removals = '/v1/operator/events?event=person_removed';
  await vi.waitFor(async () => expect((await ann.ask('GET', removals)).json()).toHaveLength(1), PATIENCE);
  // The note that somebody left is kept until all sessions have ended everywhere.
  const later = new Household({
    store: new HouseholdStore(fixture.database),
    nowMs: () => Date.now() + 60_000,
    erase: async () => {},
  });
  await later.eraseDeparted();
  await vi.waitFor(async () => expect(await filesWith(MARK, bob.id)).toEqual(NONE), PATIENCE);
  const kept = await ann.ask('GET', `/v1/users/${ann.id}/diary?date=2026-10-03`);
  expect(kept.json()).toHaveLength(40);
});
