import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DiaryUsers, openDiaryUsers } from '../support/diary-users.ts';

let users: DiaryUsers;
let newUser: DiaryUsers['newUser'];
beforeAll(async () => {
  users = await openDiaryUsers();
  ({ newUser } = users);
});
afterAll(() => users[Symbol.asyncDispose]());

const WEIGHT = { name: 'weight', value: 72.4, unit: 'kg', measuredAt: '2026-01-31T07:00:00+01:00' };

it('a measurement is written, read, changed and deleted', async () => {
  const { send, id: userId } = newUser();
  const created = await send('POST', '/measurements', WEIGHT);
  expect([created.statusCode, created.headers['etag']]).toEqual([201, '"1"']);
  const measurement = created.json();
  expect(measurement).toMatchObject({ ...WEIGHT, version: 1, userId });
  const at = `/measurements/${measurement.id}`;
  expect(created.headers['location']).toMatch(new RegExp(`${at}$`));
  expect((await send('GET', at)).json()).toEqual(measurement);
  expect((await send('GET', at, undefined, { 'if-none-match': '"1"' })).statusCode).toBe(304);
  const change = { ...measurement, value: 71.95, measuredAt: '2026-01-31T07:30:00+01:00' };
  const changed = await send('PATCH', at, change, { 'if-match': '"1"' });
  expect([changed.statusCode, changed.headers['etag']]).toEqual([200, '"2"']);
  expect(changed.json()).toMatchObject({ value: 71.95, measuredAt: '2026-01-31T07:30:00+01:00', unit: 'kg' });
  const refused = await send('PATCH', at, { value: 70 }, { 'if-match': '"1"' });
  expect(refused.statusCode).toBe(412);
  expect(refused.json().error.details.current).toEqual(changed.json());
  expect((await send('DELETE', at, undefined, { 'if-match': '"1"' })).statusCode).toBe(412);
  expect((await send('DELETE', at, undefined, { 'if-match': '"2"' })).statusCode).toBe(204);
  expect((await send('GET', at)).json().error.code).toBe('measurement_not_found');
  expect((await send('DELETE', at)).statusCode).toBe(404);
});

it('decimals are returned as written', async () => {
  const { send } = newUser();
  const values = ['0', '0.1', '72.4', '159.61', '0.000001', '123456.789012345', '1000000'];
  for (const value of values) {
    const answer = await send('POST', '/measurements', { ...WEIGHT, value: Number(value) });
    expect(answer.body).toContain(`"value":${value},`);
  }
  const listed = await send('GET', '/measurements?limit=100');
  expect(
    listed
      .json()
      .map(({ value }: { value: number }) => value)
      .toSorted(),
  ).toEqual(values.map(Number).toSorted());
});

it('without a time a measurement gets the current time', async () => {
  const { send } = newUser();
  const { measuredAt: _, ...now } = WEIGHT;
  const { measuredAt, createdAt } = (await send('POST', '/measurements', now)).json();
  expect(measuredAt).toBe(createdAt);
});

it('the former name of the time is refused with the name of today', async () => {
  const { send } = newUser();
  const { measuredAt: time, ...others } = WEIGHT;
  const { error } = (await send('POST', '/measurements', { ...others, time })).json();
  expect([error.code, error.details.fields, error.message]).toEqual([
    'invalid_request',
    ['time'],
    expect.stringContaining('"measuredAt"'),
  ]);
});

it('the newest come first, by name and by days of the stated clock, in pages', async () => {
  const { send, path } = newUser();
  const times = [
    '2026-01-30T07:00:00Z',
    // It belongs to the 31st by the user's clock, although to the 30th in UTC.
    '2026-01-31T00:30:00+02:00',
    '2026-01-31T07:00:00Z',
    '2026-02-01T07:00:00Z',
  ];
  for (const measuredAt of times) await send('POST', '/measurements', { ...WEIGHT, measuredAt });
  await send('POST', '/measurements', { name: 'waist', value: 84, unit: 'cm', measuredAt: times[2] });
  const timesOf = async (query: string) =>
    (await send('GET', `/measurements?${query}`))
      .json()
      .map(({ measuredAt }: { measuredAt: string }) => measuredAt);
  expect(await timesOf('name=weight')).toEqual(times.toReversed());
  expect(await timesOf('name=weight&from=2026-01-31&to=2026-01-31')).toEqual([times[2], times[1]]);
  expect(await timesOf('from=2026-02-01')).toEqual([times[3]]);
  expect(await timesOf('to=2026-01-30')).toEqual([times[0]]);
  expect(await timesOf('name=hips')).toEqual([]);
  const first = await send('GET', '/measurements?name=weight&from=2026-01-31&limit=2');
  const next = /^<([^>]+)>; rel="next"$/.exec(String(first.headers['link']))![1]!;
  const last = await send('GET', next.slice(path.length));
  expect([...first.json(), ...last.json()].map(({ measuredAt }) => measuredAt)).toEqual(
    times.toReversed().slice(0, 3),
  );
  for (const after of ['x', '2026-01-31', `x.0.${first.json()[0].id}`]) {
    const answer = await send('GET', `/measurements?after=${after}`);
    expect([answer.statusCode, answer.json().error.details]).toEqual([400, { parameter: 'after' }]);
  }
});

it.each([
  ['name', { name: ' ' }],
  ['name', { name: 'x'.repeat(65) }],
  ['name', { name: 'two\nlines' }],
  ['value', { value: -1 }],
  ['value', { value: 1_000_001 }],
  ['value', { value: '72' }],
  ['unit', { unit: 'stone' }],
  ['measuredAt', { measuredAt: '2026-01-31T07:00:00' }],
  ['measuredAt', { measuredAt: '2026-02-30T07:00:00Z' }],
])('an invalid %s is rejected: %j', async (field, wrong) => {
  const { send } = newUser();
  const { id } = (await send('POST', '/measurements', WEIGHT)).json();
  for (const answer of [
    await send('POST', '/measurements', { ...WEIGHT, ...wrong }),
    await send('PATCH', `/measurements/${id}`, wrong),
  ])
    expect([answer.statusCode, answer.json().error.details.fields]).toEqual([400, [field]]);
});

it('the feed of changes includes measurements', async () => {
  const { send } = newUser();
  const measurement = (await send('POST', '/measurements', WEIGHT)).json();
  const begun = (await send('GET', '/changes')).json();
  const upsert = { kind: 'measurement', op: 'upsert', id: measurement.id, value: measurement };
  expect(begun.changes).toEqual([upsert]);
  const changed = (await send('PATCH', `/measurements/${measurement.id}`, { value: 72 })).json();
  const page = (await send('GET', `/changes?after=${begun.cursor}`)).json();
  expect(page.changes).toEqual([{ ...upsert, value: changed }]);
  await send('DELETE', `/measurements/${measurement.id}`);
  expect((await send('GET', `/changes?after=${page.cursor}`)).json().changes).toEqual([
    { kind: 'measurement', op: 'delete', id: measurement.id },
  ]);
});
