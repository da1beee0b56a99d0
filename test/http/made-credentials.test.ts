import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Member, type OpenHousehold, openHousehold } from '../support/household.ts';

let nowMs = Date.now();
let household: OpenHousehold;
let ann: Member;
let owners = 0;
beforeAll(async () => {
  household = await openHousehold({ nowMs: () => nowMs });
  ann = household.ann;
});
afterAll(() => household[Symbol.asyncDispose]());

const HOOK = { url: 'https://app.example.com/hooks', events: ['food.changed'] };

function asKey(key: string) {
  return (method: string, url: string, payload?: object) =>
    household.fixture.ask({
      method,
      url,
      headers: { authorization: `Bearer ${key}` },
      ...(payload && { payload }),
    });
}

/** An owner who made what outlives a session: a key of an operator, a key made with another key, a webhook, an invitation. */
async function openOwner() {
  const bob = await household.invite(`Owner ${++owners}`, 'owner');
  const make = async (scopes: readonly string[]): Promise<string> =>
    (await bob.ask('POST', '/v1/keys', { tenant: 'default', scopes })).json().key;
  const [operator, admin] = [await make(['operator']), await make(['admin', 'webhooks', 'foods:read'])];
  const child = (await asKey(admin)('POST', '/v1/keys', { scopes: ['foods:read'] })).json().key as string;
  const webhook = (await asKey(admin)('POST', '/v1/webhooks', HOOK)).json();
  const invitation = (await bob.ask('POST', '/v1/invitations', { role: 'owner' })).json();
  const alive = async () => {
    nowMs += 1_000;
    const hooks = (await ann.ask('GET', '/v1/operator/webhooks')).json() as { id: string }[];
    const open = (await ann.ask('GET', '/v1/invitations')).json() as { id: string }[];
    return [
      (await asKey(operator)('GET', '/v1/operator/status')).statusCode,
      (await asKey(admin)('GET', '/v1/keys')).statusCode,
      (await asKey(child)('GET', '/v1/foods/search?q=banana')).statusCode,
      hooks.some(({ id }) => id === webhook.id),
      open.some(({ id }) => id === invitation.id),
    ];
  };
  return { bob, alive };
}

const ALIVE = [200, 200, 200, true, true];
const ENDED = [401, 401, 401, false, false];
/** Whoever made an invitation knows its link. */
const HANDED_OVER = [200, 200, 200, true, false];

test('what a person made is listed before the person is removed, for owners and the person', async () => {
  const { bob, alive } = await openOwner();
  expect(await alive()).toEqual(ALIVE);
  const path = `/v1/people/${bob.id}/credentials`;
  const { keys, webhooks, invitations } = (await ann.ask('GET', path)).json();
  expect(keys.map(({ scopes }: { scopes: string[] }) => scopes)).toEqual(
    expect.arrayContaining([['operator'], ['admin', 'webhooks', 'foods:read'], ['foods:read']]),
  );
  const createdBy = { kind: 'person', id: bob.id };
  expect([...keys, ...webhooks, ...invitations]).toHaveLength(5);
  expect(keys[0]).toMatchObject({ createdBy });
  expect(webhooks).toMatchObject([{ url: HOOK.url, createdBy }]);
  expect(invitations).toMatchObject([{ role: 'owner', createdBy }]);
  expect((await bob.ask('GET', path)).json().keys).toHaveLength(3);
  const member = await household.invite(`Member ${++owners}`);
  expect((await member.ask('GET', path)).statusCode).toBe(403);
});

test('a removed owner keeps no power: keys, keys made with keys, webhooks and invitations end', async () => {
  const { bob, alive } = await openOwner();
  expect((await ann.ask('DELETE', `/v1/people/${bob.id}`)).statusCode).toBe(204);
  expect(await alive()).toEqual(ENDED);
});

test('another owner takes over by an explicit choice, and is shown as the creator', async () => {
  const { bob, alive } = await openOwner();
  const refused = await bob.ask('DELETE', `/v1/people/${bob.id}?credentials=hand_over`);
  expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'invalid_query']);
  expect((await ann.ask('DELETE', `/v1/people/${bob.id}?credentials=hand_over`)).statusCode).toBe(204);
  expect(await alive()).toEqual(HANDED_OVER);
  const { keys } = (await ann.ask('GET', `/v1/people/${ann.id}/credentials`)).json();
  expect(keys).toHaveLength(3);
});

test('an owner who becomes a member loses what owners made, but no own key; the last owner stays', async () => {
  const { bob, alive } = await openOwner();
  const own = (await bob.ask('POST', '/v1/people/me/keys', { scopes: ['foods:read'] })).json().key as string;
  const answer = await ann.ask('PATCH', `/v1/people/${bob.id}`, { role: 'member' });
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    expect.objectContaining({ id: bob.id, role: 'member' }),
  ]);
  expect(await alive()).toEqual(ENDED);
  expect((await asKey(own)('GET', '/v1/foods/search?q=banana')).statusCode).toBe(200);
  expect((await bob.ask('GET', '/v1/operator/status')).statusCode).toBe(403);
  expect((await bob.ask('PATCH', `/v1/people/${ann.id}`, { role: 'member' })).statusCode).toBe(403);
  for (const { id, role } of (await ann.ask('GET', '/v1/people')).json())
    if (role === 'owner' && id !== ann.id) await ann.ask('DELETE', `/v1/people/${id}`);
  const last = await ann.ask('PATCH', `/v1/people/${ann.id}`, { role: 'member' });
  expect([last.statusCode, last.json().error.code]).toEqual([403, 'forbidden']);
  expect((await ann.ask('PATCH', '/v1/people/nobody', { role: 'owner' })).statusCode).toBe(404);
});

test('keys of the command line are nobody’s, and their successor is of who rotates them', async () => {
  const text = await household.fixture.createKey(['foods:read']);
  const path = `/v1/keys/${text.slice(4, 16)}`;
  expect((await ann.ask('GET', path)).json().createdBy).toEqual({ kind: 'cli' });
  const successor = (await ann.ask('POST', `${path}/rotate`, {})).json();
  expect(successor.createdBy).toEqual({ kind: 'person', id: ann.id });
});
