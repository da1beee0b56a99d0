import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkIn, type Member, type OpenHousehold, openHousehold, PASSWORD } from '../support/household.ts';

const DAY_MS = 86_400_000;
const NEW = 'porridge with plums';
let nowMs = Date.now();
let household: OpenHousehold;
let ann: Member;
let bob: Member;

beforeAll(async () => {
  household = await openHousehold({ nowMs: () => nowMs });
  ({ ann } = household);
  bob = await household.invite('Bob');
});
afterAll(() => household[Symbol.asyncDispose]());

const ask = (who: Member, id: string) => who.ask('POST', `/v1/people/${id}/password-link`);
async function linkFor({ id }: Member): Promise<string> {
  await ann.confirm();
  const made = await ask(ann, id);
  expect(made.statusCode).toBe(201);
  return made.json().url.split('/welcome#reset=')[1];
}
const reset = (link: string, password = NEW) => household.post('/v1/people/password', { link, password });
const signIn = (name: string, password: string) => household.post('/v1/session', { name, password });
/** Sessions are cached for half a second. */
const later = (ms = 1_000) => {
  nowMs += ms;
};

test('a member sets a new password by a link, once; sessions end, and the next sign-in tells of it', async () => {
  const link = await linkFor(bob);
  expect((await reset(link, 'password')).json().error.code).toBe('invalid_request');
  const done = await reset(link);
  expect([done.statusCode, done.json()]).toEqual([200, { name: 'Bob' }]);
  expect((await reset(link)).statusCode).toBe(404);
  later();
  expect((await bob.ask('GET', '/v1/session')).statusCode).toBe(401);
  expect((await signIn('Bob', PASSWORD)).statusCode).toBe(403);
  bob = await household.signIn('Bob', undefined, NEW);
  const told = async () => (await bob.ask('GET', '/v1/session')).json().password.reset;
  expect(await told()).toEqual({ createdAt: expect.any(String), by: 'Ann' });
  expect((await bob.ask('DELETE', '/v1/people/me/password/reset')).statusCode).toBe(204);
  expect(await told()).toBeUndefined();
});

test('a link ends after a day, with a newer one, with a change of the password, and with another role', async () => {
  const [first, second] = [await linkFor(bob), await linkFor(bob)];
  expect((await reset(first)).statusCode).toBe(404);
  const changed = { current: NEW, new: 'lentils with cumin' };
  expect((await bob.ask('PUT', '/v1/people/me/password', changed)).statusCode).toBe(204);
  expect((await reset(second)).statusCode).toBe(404);

  const third = await linkFor(bob);
  await ann.ask('PATCH', `/v1/people/${bob.id}`, { role: 'owner' });
  expect((await reset(third)).statusCode).toBe(404);
  await ann.ask('PATCH', `/v1/people/${bob.id}`, { role: 'member' });

  const fourth = await linkFor(bob);
  later(DAY_MS);
  expect((await reset(fourth)).statusCode).toBe(404);
  expect((await signIn('Bob', 'lentils with cumin')).statusCode).toBe(201);
});

test('only owners with a recent proof make links, and none for owners or nobody', async () => {
  const cem = await household.invite('Cem');
  expect((await ask(cem, bob.id)).json().error.code).toBe('forbidden');
  later(10 * 60_000);
  expect((await ask(ann, bob.id)).json().error.code).toBe('confirmation_required');
  await ann.confirm();
  expect((await ask(ann, ann.id)).json().error.code).toBe('forbidden');
  expect((await ask(ann, 'nobody')).json().error.code).toBe('person_not_found');
  const dora = await household.invite('Dora', 'owner');
  expect((await ask(ann, dora.id)).json().error.code).toBe('forbidden');
});

test('a link of an owner who becomes a member ends, and an invitation is no link for a password', async () => {
  const emil = await household.invite('Emil', 'owner');
  const made = await ask(emil, bob.id);
  expect(made.statusCode).toBe(201);
  await ann.confirm();
  await ann.ask('PATCH', `/v1/people/${emil.id}`, { role: 'member' });
  expect((await reset(made.json().url.split('#reset=')[1])).statusCode).toBe(404);
  const { url } = (await ann.ask('POST', '/v1/invitations')).json();
  expect((await reset(linkIn(url))).statusCode).toBe(404);
  const joining = { link: await linkFor(bob), name: 'Fay', password: PASSWORD };
  expect((await household.post('/v1/people', joining)).statusCode).toBe(404);
});
