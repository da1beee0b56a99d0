import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAuthenticator } from '../support/authenticator.ts';
import {
  type Answer,
  type Member,
  type OpenHousehold,
  openHousehold,
  PASSWORD,
} from '../support/household.ts';

let nowMs = Date.now();
let household: OpenHousehold;
let people = 0;
beforeAll(async () => {
  household = await openHousehold({ nowMs: () => nowMs, settings: { LARDER_REAUTH_SECONDS: '300' } });
});
afterAll(() => household[Symbol.asyncDispose]());

const PATH = '/v1/people/me/passkeys';
const codeOf = (answer: Answer) => [answer.statusCode, answer.json().error.code];
/** Challenges are told apart by their milliseconds. */
const challenge = async () => {
  nowMs += 10;
  const answer = await household.fixture.ask({ method: 'POST', url: '/v1/session/passkey/options' });
  return answer.json() as {
    challenge: string;
    rpId: string;
  };
};
const home = () => ({ origin: household.origin, rpId: '127.0.0.1' });

async function add(member: Member, name = 'Phone') {
  const authenticator = openAuthenticator(home());
  await member.confirm();
  const options = (await member.ask('POST', `${PATH}/options`)).json();
  const added = await member.ask('POST', PATH, { name, answer: authenticator.create(options) });
  expect([added.statusCode, added.body]).toEqual([201, added.body]);
  return { authenticator, ...(added.json() as { passkey: { id: string }; recoveryCodes?: string[] }) };
}

/** A member with one passkey. */
async function openMember(role = 'member') {
  const name = `Member ${++people}`;
  const member = await household.invite(name, role);
  return { member, name, ...(await add(member)) };
}

const signIn = (body: object) => household.post('/v1/session', body);
const byPasskey = (answer: object) => household.post('/v1/session/passkey', answer);

test('a passkey signs in alone, and each answer counts once', async () => {
  const { member, authenticator, passkey, recoveryCodes } = await openMember();
  expect(recoveryCodes).toHaveLength(10);
  const methods = await household.fixture.ask({ url: '/v1/session/methods' });
  expect(methods.json()).toEqual({ passkeys: true });
  const answer = authenticator.get(await challenge());
  const answered = await byPasskey(answer);
  expect([answered.statusCode, answered.json().id]).toEqual([201, member.id]);
  expect(codeOf(await byPasskey(answer))).toEqual([403, 'forbidden']);
  // Of two challenges the newer one ends the older one.
  const [older, newer] = [await challenge(), await challenge()];
  expect((await byPasskey(authenticator.get(newer))).statusCode).toBe(201);
  expect(codeOf(await byPasskey(authenticator.get(older)))).toEqual([403, 'forbidden']);
  const listed = (await member.ask('GET', PATH)).json();
  expect(listed).toMatchObject({
    passkeys: [{ id: passkey.id, name: 'Phone', site: '127.0.0.1', lastUsedAt: expect.any(String) }],
    required: false,
    recoveryCodes: 10,
  });
});

test('an answer for another site, without its user, with another challenge or of nobody is refused', async () => {
  const { authenticator } = await openMember();
  const refused = [
    authenticator.get(await challenge(), { origin: 'https://evil.example' }),
    authenticator.get(await challenge(), { rpId: 'evil.example' }),
    authenticator.get(await challenge(), { flags: 0x01 }),
    authenticator.get({ challenge: 'q83vEjRWeJCrze8SNFZ4kA' }),
    openAuthenticator(home()).get(await challenge()),
    { ...authenticator.get(await challenge()), response: {} },
    { ...authenticator.get(await challenge()), response: { clientDataJSON: 'x', signature: 7 } },
  ];
  for (const answer of refused) expect(codeOf(await byPasskey(answer))).toEqual([403, 'forbidden']);
  const late = await challenge();
  nowMs += 301_000;
  expect(codeOf(await byPasskey(authenticator.get(late)))).toEqual([403, 'forbidden']);
  expect((await byPasskey(authenticator.get(await challenge(), { counter: 5 }))).statusCode).toBe(201);
  // A copy of the authenticator is behind.
  expect((await byPasskey(authenticator.get(await challenge(), { counter: 5 }))).statusCode).toBe(403);
  const foreign = await household.fixture.ask({
    method: 'POST',
    url: '/v1/session/passkey',
    headers: { origin: 'https://evil.example' },
    payload: authenticator.get(await challenge(), { counter: 9 }),
  });
  expect(foreign.statusCode).toBe(403);
});

test('a passkey is added with a recent proof, for the person and the site that asked', async () => {
  const [{ member, authenticator }, { member: other }] = [await openMember(), await openMember()];
  const options = (await member.ask('POST', `${PATH}/options`)).json();
  expect(options).toMatchObject({
    rp: { id: '127.0.0.1', name: 'Larder' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [{ id: expect.any(String) }],
  });
  const fresh = openAuthenticator(home());
  const put = (asker: Member, answer: object) => asker.ask('POST', PATH, { name: 'x', answer });
  for (const [asker, answer] of [
    [other, fresh.create(options)],
    [member, fresh.create(options, { origin: 'https://evil.example' })],
    [member, fresh.create(options, { rpId: 'evil.example' })],
    [member, fresh.create(options, { flags: 0x01 })],
    [member, fresh.create(await challenge())],
    [member, authenticator.create(options)],
    [member, { ...fresh.create(options), response: { attestationObject: 'AA', clientDataJSON: 'AA' } }],
  ] as const)
    expect(codeOf(await put(asker, answer))).toEqual([400, 'invalid_request']);
  nowMs += 301_000;
  expect(codeOf(await member.ask('POST', `${PATH}/options`))).toEqual([403, 'confirmation_required']);
  expect(codeOf(await put(member, fresh.create(options)))).toEqual([403, 'confirmation_required']);
});

test('a passkey is a recent proof, of its own person alone', async () => {
  const [{ member, authenticator }, { authenticator: others }] = [await openMember(), await openMember()];
  nowMs += 301_000;
  const refused = await member.ask('POST', '/v1/people/me/keys', { scopes: ['diary:read'] });
  expect(refused.json().error.details.methods).toEqual(['password', 'passkey']);
  const confirm = (answer: object) => member.ask('POST', '/v1/session/confirm/passkey', answer);
  expect(codeOf(await confirm(others.get(await challenge())))).toEqual([403, 'forbidden']);
  expect((await confirm(authenticator.get(await challenge()))).statusCode).toBe(204);
  expect((await member.ask('POST', '/v1/people/me/keys', { scopes: ['diary:read'] })).statusCode).toBe(201);
});

test('as second factor a passkey or a recovery code is asked for after the password, and each code counts once', async () => {
  const { member, name, authenticator, recoveryCodes = [] } = await openMember();
  const { authenticator: others } = await openMember();
  expect((await member.ask('PATCH', PATH, { required: true })).statusCode).toBe(204);
  const asked = await signIn({ name, password: PASSWORD });
  expect([...codeOf(asked), asked.json().error.details.methods]).toEqual([
    403,
    'confirmation_required',
    ['passkey', 'recovery_code'],
  ]);
  const wrong = await signIn({
    name,
    password: 'wrong password',
    passkey: authenticator.get(await challenge()),
  });
  expect(codeOf(wrong)).toEqual([403, 'forbidden']);
  const ofOther = await signIn({ name, password: PASSWORD, passkey: others.get(await challenge()) });
  expect(codeOf(ofOther)).toEqual([403, 'forbidden']);
  const both = await signIn({ name, password: PASSWORD, passkey: authenticator.get(await challenge()) });
  expect(both.statusCode).toBe(201);
  const [code] = recoveryCodes;
  expect(codeOf(await signIn({ name, recoveryCode: recoveryCodes[1] }))).toEqual([403, 'forbidden']);
  nowMs += 60_000;
  const typed = code!.toUpperCase().replaceAll('-', ' ');
  expect((await signIn({ name, password: PASSWORD, recoveryCode: typed })).statusCode).toBe(201);
  expect(codeOf(await signIn({ name, password: PASSWORD, recoveryCode: code }))).toEqual([403, 'forbidden']);
  await member.confirm();
  const renewed = (await member.ask('POST', '/v1/people/me/recovery-codes')).json().recoveryCodes as string[];
  const old = await signIn({ name, password: PASSWORD, recoveryCode: recoveryCodes[2] });
  expect(codeOf(old)).toEqual([403, 'forbidden']);
  expect((await signIn({ name, password: PASSWORD, recoveryCode: renewed[0] })).statusCode).toBe(201);
});

test('without a password passkeys and recovery codes sign in, and the last way stays', async () => {
  const { member, name, authenticator, passkey, recoveryCodes = [] } = await openMember();
  expect((await member.ask('DELETE', '/v1/people/me/password')).statusCode).toBe(204);
  expect(codeOf(await signIn({ name, password: PASSWORD }))).toEqual([403, 'forbidden']);
  expect((await byPasskey(authenticator.get(await challenge()))).statusCode).toBe(201);
  expect((await signIn({ name, recoveryCode: recoveryCodes[0] })).statusCode).toBe(201);
  expect((await member.ask('GET', '/v1/session')).json().confirmation.methods).toEqual(['passkey']);
  expect(codeOf(await member.ask('DELETE', `${PATH}/${passkey.id}`))).toEqual([403, 'forbidden']);
  const { authenticator: second } = await add(member, 'Laptop');
  expect((await member.ask('DELETE', `${PATH}/${passkey.id}`)).statusCode).toBe(204);
  expect(codeOf(await member.ask('DELETE', `${PATH}/${passkey.id}`))).toEqual([404, 'passkey_not_found']);
  expect((await byPasskey(authenticator.get(await challenge()))).statusCode).toBe(403);
  expect((await byPasskey(second.get(await challenge()))).statusCode).toBe(201);
});

test('sessions end with the passkey that began them; a changed password can end all, and the person all of it', async () => {
  const { member, name, authenticator, passkey } = await openMember();
  const begun = await byPasskey(authenticator.get(await challenge()));
  const cookie = [begun.headers['set-cookie']].flat()[0]!.split(';')[0]!;
  const isIn = async () => {
    nowMs += 1_000;
    const answer = await household.fixture.ask({ url: '/v1/session', headers: { cookie } });
    return answer.statusCode;
  };
  expect(await isIn()).toBe(200);
  expect((await member.ask('DELETE', `${PATH}/${passkey.id}`)).statusCode).toBe(204);
  expect(await isIn()).toBe(401);
  expect((await member.ask('GET', PATH)).json()).toEqual({ passkeys: [], required: false, recoveryCodes: 0 });
  expect(codeOf(await member.ask('PATCH', PATH, { required: true }))).toEqual([409, 'conflict']);

  const { authenticator: next } = await add(member);
  await member.ask('PATCH', PATH, { required: true });
  const change = { current: PASSWORD, new: 'porridge with plums', endPasskeys: true };
  expect((await member.ask('PUT', '/v1/people/me/password', change)).statusCode).toBe(204);
  expect((await byPasskey(next.get(await challenge()))).statusCode).toBe(403);
  expect((await signIn({ name, password: change.new })).statusCode).toBe(201);

  const { authenticator: last } = await openMember();
  expect((await byPasskey(last.get(await challenge()))).statusCode).toBe(201);
  const person = (await byPasskey(last.get(await challenge()))).json();
  await household.ann.confirm();
  expect((await household.ann.ask('DELETE', `/v1/people/${person.id}`)).statusCode).toBe(204);
  expect((await byPasskey(last.get(await challenge()))).statusCode).toBe(403);
});
