import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkIn, type Member, type OpenHousehold, openHousehold, PASSWORD } from '../support/household.ts';

const DAY_MS = 86_400_000;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SOUP = { date: '2030-01-01', mealType: 'lunch', foodName: 'Soup', calories: 100 };
let nowMs = Date.now();
let household: OpenHousehold;
let ann: Member;
let bob: Member;

beforeAll(async () => {
  household = await openHousehold({ nowMs: () => nowMs });
  ({ ann } = household);
  nowMs += 1_000;
  bob = await household.invite('Bob');
});
afterAll(() => household[Symbol.asyncDispose]());

/** Sessions and rights are cached for half a second. */
const laterAsk: Member['ask'] = (...words) => {
  nowMs += 1_000;
  return bob.ask(...words);
};
const codeOf = (answer: Awaited<ReturnType<Member['ask']>>) => [answer.statusCode, answer.json().error.code];

test('an invitation is used once, within 7 days, and only owners create and see them', async () => {
  const made = await ann.ask('POST', '/v1/invitations', undefined);
  expect([made.statusCode, made.json().role]).toEqual([201, 'member']);
  expect(made.json().url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/welcome#link=[\w-]{43}$/);
  expect(Date.parse(made.json().expiresAt)).toBe(nowMs + 7 * DAY_MS);
  const { url: _, ...listed } = made.json();
  expect((await ann.ask('GET', '/v1/invitations')).json()).toEqual([listed]);
  for (const [method, path] of [
    ['POST', ''],
    ['GET', ''],
    ['DELETE', `/${listed.id}`],
  ] as const)
    expect(codeOf(await bob.ask(method, `/v1/invitations${path}`))).toEqual([403, 'forbidden']);
  const join = () =>
    household.post('/v1/people', { link: linkIn(made.json().url), name: 'Dan', password: PASSWORD });
  const [one, other] = await Promise.all([join(), join()]);
  expect([one.statusCode, other.statusCode].sort()).toEqual([201, 404]);
  const dan = [one, other].find(({ statusCode }) => statusCode === 201)!.json();
  expect(dan).toMatchObject({ name: 'Dan', role: 'member', access: 'own' });
  expect((await ann.ask('DELETE', `/v1/people/${dan.id}`)).statusCode).toBe(204);

  const late = (await ann.ask('POST', '/v1/invitations', { role: 'owner' })).json();
  nowMs += 7 * DAY_MS;
  const joined = await household.post('/v1/people', {
    link: linkIn(late.url),
    name: 'X',
    password: PASSWORD,
  });
  expect(joined.statusCode).toBe(404);
});

test('a revoked invitation is useless, and at most 20 are open', async () => {
  const made = [];
  for (let at = 0; at < 20; at++) made.push((await ann.ask('POST', '/v1/invitations')).json());
  const refused = await ann.ask('POST', '/v1/invitations');
  expect([...codeOf(refused), refused.json().error.details.limit]).toEqual([403, 'quota_exceeded', 20]);
  for (const { id } of made) expect((await ann.ask('DELETE', `/v1/invitations/${id}`)).statusCode).toBe(204);
  expect((await ann.ask('DELETE', `/v1/invitations/${made[0].id}`)).statusCode).toBe(404);
  const link = linkIn(made[0].url);
  expect((await household.post('/v1/people', { link, name: 'X', password: PASSWORD })).statusCode).toBe(404);
});

test('people see each other, and what they may do with the diaries', async () => {
  const people = (await ann.ask('GET', '/v1/people')).json();
  expect(people).toMatchObject([
    { id: ann.id, name: 'Ann', role: 'owner', access: 'own' },
    { id: bob.id, name: 'Bob', role: 'member', access: 'read' },
  ]);
});

test('short lists are whole without a limit, and come in pages with one', async () => {
  const whole = await ann.ask('GET', '/v1/people');
  expect(whole.headers['link']).toBeUndefined();
  const found: unknown[] = [];
  let next: string | undefined = '/v1/people?limit=1';
  while (next !== undefined) {
    const page = await ann.ask('GET', next);
    expect(page.json()).toHaveLength(1);
    found.push(...page.json());
    next = /^<([^>]+)>; rel="next"$/.exec(String(page.headers['link'] ?? ''))?.[1];
  }
  expect(found).toEqual(whole.json());
  const refused = await ann.ask('GET', '/v1/people?limit=0');
  expect([refused.statusCode, refused.json().error.details]).toEqual([400, { parameter: 'limit' }]);
});

test('sessions are listed by device, and ended one by one', async () => {
  const phone = await household.signIn('Bob', { 'user-agent': FIREFOX });
  const sessions = (await bob.ask('GET', '/v1/sessions')).json();
  expect(sessions).toHaveLength(2);
  const other = sessions.find(({ current }: { current: boolean }) => !current);
  expect(other).toMatchObject({ device: 'Firefox on Linux', current: false });
  expect((await ann.ask('DELETE', `/v1/sessions/${other.id}`)).statusCode).toBe(404);
  expect((await bob.ask('DELETE', `/v1/sessions/${other.id}`)).statusCode).toBe(204);
  nowMs += 1_000;
  const refused = await phone.ask('GET', '/v1/session');
  expect([refused.statusCode, refused.json().error.details]).toEqual([401, { session: 'ended' }]);
  expect((await bob.ask('GET', '/v1/session')).statusCode).toBe(200);
});

test('a device is told whether its session was ended or has expired, and forgets its cache at the sign-out', async () => {
  const left = await household.signIn('Bob');
  const out = await left.ask('DELETE', '/v1/session');
  expect([out.statusCode, out.headers['clear-site-data']]).toEqual([204, '"cache"']);
  const old = await household.signIn('Bob');
  const before = nowMs;
  nowMs += 91 * DAY_MS;
  const refused = await old.ask('GET', '/v1/session');
  expect([refused.statusCode, refused.json().error.details]).toEqual([401, { session: 'expired' }]);
  nowMs = before;
});

test('a new password ends all other sessions', async () => {
  const cem = await household.invite('Cem');
  const phone = await household.signIn('Cem');
  const change = (current: string) =>
    cem.ask('PUT', '/v1/people/me/password', { current, new: 'porridge with plums' });
  expect(codeOf(await change('wrong password'))).toEqual([403, 'forbidden']);
  expect((await phone.ask('GET', '/v1/session')).statusCode).toBe(200);
  expect((await change(PASSWORD)).statusCode).toBe(204);
  nowMs += 1_000;
  expect((await phone.ask('GET', '/v1/session')).statusCode).toBe(401);
  expect((await cem.ask('GET', '/v1/session')).statusCode).toBe(200);
  const old = await household.post('/v1/session', { name: 'Cem', password: PASSWORD });
  expect(old.statusCode).toBe(403);
  await household.signIn('Cem', {}, 'porridge with plums');
  expect((await cem.ask('DELETE', `/v1/people/${cem.id}`)).statusCode).toBe(204);
});

test('a name can be changed, but not to an existing one', async () => {
  const rename = (name: string) => bob.ask('PATCH', '/v1/people/me', { name });
  const taken = await rename('ánn');
  expect([...codeOf(taken), taken.json().error.details]).toEqual([
    400,
    'invalid_request',
    { fields: ['name'] },
  ]);
  expect((await rename('Bobby')).json()).toMatchObject({ id: bob.id, name: 'Bobby' });
  await household.signIn('bobby');
  await rename('Bob');
});

test('each person decides who may read and write the diary, and changes apply within a second', async () => {
  const { id } = (await ann.ask('POST', `/v1/users/${ann.id}/diary`, SOUP)).json();
  const day = `/v1/users/${ann.id}/diary?date=2030-01-01`;
  const share = async (sharing: object) =>
    expect((await ann.ask('PUT', '/v1/people/me/sharing', sharing)).json()).toEqual(sharing);
  expect((await ann.ask('GET', '/v1/people/me/sharing')).json()).toEqual({ default: 'read', people: {} });

  expect((await bob.ask('GET', day)).json()).toMatchObject([{ id, userId: ann.id }]);
  const refused = await bob.ask('POST', `/v1/users/${ann.id}/diary`, SOUP);
  expect([...codeOf(refused), refused.json().error.message]).toEqual([
    403,
    'forbidden',
    'You may read the diary of this person, but not change it.',
  ]);

  await share({ default: 'none', people: { [bob.id]: 'write' } });
  expect((await laterAsk('POST', `/v1/users/${ann.id}/diary`, SOUP)).statusCode).toBe(201);
  const people = (await bob.ask('GET', '/v1/people')).json();
  expect(people.map(({ access }: { access: string }) => access)).toEqual(['write', 'own']);

  await share({ default: 'write', people: { [bob.id]: 'none' } });
  const unshared = await laterAsk('GET', day);
  expect([...codeOf(unshared), unshared.json().error.message]).toEqual([
    403,
    'forbidden',
    'This person does not share the diary with you.',
  ]);
  const nobody = await bob.ask('GET', '/v1/users/nobody/diary?date=2030-01-01');
  expect(nobody.json().error.message).toBe(unshared.json().error.message);

  const wrong = await ann.ask('PUT', '/v1/people/me/sharing', {
    default: 'read',
    people: { nobody: 'read' },
  });
  expect([...codeOf(wrong), wrong.json().error.details]).toEqual([
    400,
    'invalid_request',
    { fields: ['people'] },
  ]);
  await share({ default: 'read', people: {} });
  nowMs += 1_000;
});

test('a person who writes another’s diary uses their own scans, and sees none of the other’s', async () => {
  const scan = (await ann.ask('POST', '/v1/scan/image', { clientId: 'x', contentType: 'image/png' })).json();
  expect((await bob.ask('GET', `/v1/scan/image/${scan.jobId}`)).statusCode).toBe(404);
  await ann.ask('PUT', '/v1/people/me/sharing', { default: 'write', people: {} });
  const log = { date: '2030-01-01', mealType: 'lunch', scanJobId: scan.jobId };
  expect(codeOf(await laterAsk('POST', `/v1/users/${ann.id}/diary/scan`, log))).toEqual([
    404,
    'scan_job_not_found',
  ]);
  const own = (await bob.ask('POST', '/v1/scan/image', { clientId: 'x', contentType: 'image/png' })).json();
  const unfinished = await bob.ask('POST', `/v1/users/${ann.id}/diary/scan`, {
    ...log,
    scanJobId: own.jobId,
  });
  expect([...codeOf(unfinished), unfinished.json().error.details.status]).toEqual([
    400,
    'invalid_request',
    'upload_pending',
  ]);
  await ann.ask('PUT', '/v1/people/me/sharing', { default: 'read', people: {} });
});

test.each([
  ['DELETE', ''],
  ['GET', '/export'],
  ['GET', '/diary/export'],
] as const)('%s of /v1/users/{userId}%s is for the person only, whatever is shared', async (method, path) => {
  await ann.ask('PUT', '/v1/people/me/sharing', { default: 'write', people: {} });
  const refused = await laterAsk(method, `/v1/users/${ann.id}${path}`);
  expect([...codeOf(refused), refused.json().error.message]).toEqual([
    403,
    'forbidden',
    'Only this person may do this.',
  ]);
  await ann.ask('PUT', '/v1/people/me/sharing', { default: 'read', people: {} });
});

test('a search, a text and a barcode for another user need a right to the diary', async () => {
  await ann.ask('PUT', '/v1/people/me/sharing', { default: 'none', people: {} });
  const ask = async () =>
    [
      await bob.ask('GET', `/v1/foods/search?q=banana&userId=${ann.id}`),
      await bob.ask('GET', `/v1/foods/barcode/96385074?userId=${ann.id}`),
      await bob.ask('GET', `/v1/foods?userId=${ann.id}`),
      await bob.ask('POST', '/v1/foods/parse', { text: 'banana', userId: ann.id }),
    ].map(({ statusCode }) => statusCode === 403);
  nowMs += 1_000;
  expect(await ask()).toEqual([true, true, true, true]);
  await ann.ask('PUT', '/v1/people/me/sharing', { default: 'read', people: {} });
  nowMs += 1_000;
  expect(await ask()).toEqual([false, false, false, false]);
});

test('a wait for changes of a diary that is no longer shared is rejected', async () => {
  const { cursor } = (await bob.ask('GET', `/v1/users/${ann.id}/changes?limit=100`)).json();
  const waiting = bob.ask('GET', `/v1/users/${ann.id}/changes?after=${cursor}&wait=20`);
  await ann.ask('PUT', '/v1/people/me/sharing', { default: 'none', people: {} });
  nowMs += 1_000;
  await ann.ask('POST', `/v1/users/${ann.id}/diary`, SOUP);
  expect((await waiting).statusCode).toBe(403);
  await ann.ask('PUT', '/v1/people/me/sharing', { default: 'read', people: {} });
  nowMs += 1_000;
});

test('the last owner cannot be removed, members remove only themselves, and their data is erased', async () => {
  const eve = await household.invite('Eve');
  for (const person of [ann, bob]) expect((await person.confirm()).statusCode).toBe(204);
  expect(codeOf(await bob.ask('DELETE', `/v1/people/${eve.id}`))).toEqual([403, 'forbidden']);
  const last = await ann.ask('DELETE', `/v1/people/${ann.id}`);
  expect(codeOf(last)).toEqual([403, 'forbidden']);
  expect(codeOf(await ann.ask('DELETE', '/v1/people/nobody'))).toEqual([404, 'person_not_found']);

  const diary = `/v1/users/${eve.id}/diary`;
  expect((await eve.ask('POST', diary, SOUP)).statusCode).toBe(201);
  expect((await eve.ask('DELETE', `/v1/people/${eve.id}`)).statusCode).toBe(204);
  nowMs += 1_000;
  expect((await eve.ask('GET', '/v1/session')).statusCode).toBe(401);
  expect((await household.post('/v1/session', { name: 'Eve', password: PASSWORD })).statusCode).toBe(403);
  const key = await household.fixture.createKey(['diary:read']);
  const left = await household.fixture.ask({
    url: `${diary}?date=2030-01-01`,
    headers: { authorization: `Bearer ${key}` },
  });
  expect(left.json()).toEqual([]);
});

test('one of two owners can be removed', async () => {
  const fay = await household.invite('Fay', 'owner');
  expect((await fay.ask('GET', '/v1/invitations')).statusCode).toBe(200);
  expect((await ann.ask('DELETE', `/v1/people/${fay.id}`)).statusCode).toBe(204);
  nowMs += 1_000;
  expect((await fay.ask('GET', '/v1/session')).statusCode).toBe(401);
});

test('keys and tokens are not people', async () => {
  const authorization = `Bearer ${await household.fixture.createKey(['admin', 'diary:write'])}`;
  for (const url of ['/v1/people', '/v1/sessions', '/v1/invitations', '/v1/people/me/sharing'])
    expect((await household.fixture.ask({ url, headers: { authorization } })).statusCode).toBe(404);
});

test('a log contains no links', async () => {
  const { url } = (await ann.ask('POST', '/v1/invitations')).json();
  expect(household.fixture.log.join('')).not.toContain(linkIn(url));
});
