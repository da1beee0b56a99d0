import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { IdentityStore } from '../../src/people/openid/identity-store.ts';
import { keepOwnerLink } from '../../src/people/owner-link.ts';
import { PeopleStore } from '../../src/people/people-store.ts';
import { startLocalServer } from '../support/local-server.ts';
import { OpenIdBrowser } from '../support/openid-browser.ts';
import { CLIENT, type OpenIdProvider, openOpenIdProvider } from '../support/openid-provider.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

/** The configured address, which is not an address of this machine: tests act as the proxy. */
const ADDRESS = 'http://larder.test';
const CALLBACK = '/v1/session/openid/callback';
const START = '/v1/session/openid';
const PASSWORD = 'eggs and toast';
const REAUTH_MS = 86_400_000;

let provider: OpenIdProvider;
let fixture: TestServer;
let nowMs = Date.now();
let subjects = 0;
const clock = () => nowMs;

function settingsFor(issuer: string, more: Record<string, string> = {}) {
  return {
    LARDER_PUBLIC_URL: ADDRESS,
    LARDER_OPENID_ISSUER: issuer,
    LARDER_OPENID_CLIENT_ID: CLIENT.id,
    LARDER_OPENID_CLIENT_SECRET: CLIENT.secret,
    LARDER_OPENID_NAME: 'Test login',
    ...more,
  };
}

async function ownerLinkOf({ dataDir, database }: TestServer): Promise<string> {
  const kept = await keepOwnerLink(new PeopleStore(database), { dataDir, url: ADDRESS });
  return kept!.text.split('#link=')[1]!;
}

const browserOf = ({ ask }: TestServer) => new OpenIdBrowser(ADDRESS, ask);
const whoIn = async (browser: OpenIdBrowser) =>
  (await browser.page('GET', '/v1/session')).json().person?.name;
const newSubject = () => `subject-${++subjects}`;

/** Few sign-ins are allowed for a name, so most tests share the owner's session. */
let session: string;
function openOwner(): OpenIdBrowser {
  const browser = browserOf(fixture);
  browser.setCookie('larder', session);
  return browser;
}

async function invite(owner: OpenIdBrowser): Promise<string> {
  return (await owner.page('POST', '/v1/invitations')).json().url.split('#link=')[1];
}

/** Joins by an invitation with a new account of the provider. */
async function joinAs(name: string): Promise<{ browser: OpenIdBrowser; subject: string }> {
  const [browser, subject] = [browserOf(fixture), newSubject()];
  provider.become(subject, name);
  const link = await invite(openOwner());
  const { url } = (await browser.page('POST', START, { link })).json();
  expect((await browser.open(url)).href).toBe(`${ADDRESS}/#openid=done`);
  return { browser, subject };
}

beforeAll(async () => {
  provider = await openOpenIdProvider(ADDRESS + CALLBACK);
  fixture = await openTestServer({ settings: settingsFor(provider.issuer), nowMs: clock });
  const owner = browserOf(fixture);
  const link = await ownerLinkOf(fixture);
  await owner.page('POST', '/v1/people', { link, name: 'Olga', password: PASSWORD });
  [, session] = /larder=([^;]+)/.exec(owner.cookiesOf('larder.test')) as unknown as [string, string];
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => provider.break(false));

test('the page learns of the provider', async () => {
  const answer = await fixture.ask('/v1/session/methods');
  expect(answer.json()).toEqual({ openid: { name: 'Test login' } });
});

test('the code flow uses PKCE, state and nonce, and leads back to the configured address', async () => {
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
  const answer = await fixture.ask({ url: START, headers });
  expect(answer.statusCode).toBe(302);
  const { origin, searchParams } = new URL(answer.headers.location!);
  expect(origin).toBe(provider.issuer);
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: CLIENT.id,
    response_type: 'code',
    redirect_uri: ADDRESS + CALLBACK,
    scope: 'openid profile',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
  expect(String(answer.headers['set-cookie'])).toMatch(
    /^larder-openid=[\w.-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
  );
  const back = await fixture.ask({ url: `${CALLBACK}?code=x&state=y`, headers });
  expect(back.headers.location).toBe(`${ADDRESS}/#openid=state`);
});

test('a person joins by an invitation, and signs in with the same account later', async () => {
  const { browser, subject } = await joinAs('Ann');
  const { person } = (await browser.page('GET', '/v1/session')).json();
  expect(person).toMatchObject({ name: 'Ann', role: 'member' });
  const later = browserOf(fixture);
  provider.become(subject, 'Ann by another name');
  expect((await later.open(START)).href).toBe(`${ADDRESS}/#openid=done`);
  expect((await later.page('GET', '/v1/session')).json().person).toEqual(person);
  const wrong = await later.page('POST', '/v1/session', { name: 'Ann', password: '' });
  expect(wrong.statusCode).toBe(400);
  const guessed = await later.page('POST', '/v1/session', { name: 'Ann', password: 'no password at all' });
  expect(guessed.statusCode).toBe(403);
});

test('two people with one name get two names, and an account without a name gets one', async () => {
  expect(await whoIn((await joinAs('Eve')).browser)).toBe('Eve');
  expect(await whoIn((await joinAs('  EVE\n')).browser)).toBe('EVE 2');
  expect(await whoIn((await joinAs('')).browser)).toBe('Member');
});

test('an unlinked account cannot sign in, and neither can a used link', async () => {
  const browser = browserOf(fixture);
  provider.become(newSubject(), 'Nobody');
  expect((await browser.open(START)).hash).toBe('#openid=unknown');
  const link = await invite(openOwner());
  await fixture.ask({
    method: 'POST',
    url: '/v1/people',
    payload: { link, name: 'Dan', password: PASSWORD },
  });
  const { url } = (await browser.page('POST', START, { link })).json();
  expect((await browser.open(url)).hash).toBe('#openid=link');
  expect((await browser.page('GET', '/v1/session')).statusCode).toBe(401);
});

test('a signed-in person links an account, lists it and removes it', async () => {
  const owner = openOwner();
  provider.become(newSubject());
  const { url } = (await owner.page('POST', '/v1/people/me/identities')).json();
  expect((await owner.open(url)).href).toBe(`${ADDRESS}/app/settings#openid=linked`);
  const identities = (await owner.page('GET', '/v1/people/me/identities')).json();
  expect(identities).toMatchObject([{ issuer: provider.issuer }]);
  const other = browserOf(fixture);
  await other.open(START);
  expect(await whoIn(other)).toBe('Olga');
  const at = `/v1/people/me/identities/${identities[0].id}`;
  expect((await owner.page('DELETE', at)).statusCode).toBe(204);
  expect((await owner.page('DELETE', at)).statusCode).toBe(404);
  other.leaveProvider();
  expect((await other.open(START)).hash).toBe('#openid=unknown');
});

test('the only way to sign in cannot be removed', async () => {
  const { browser } = await joinAs('Fay');
  const identities = (await browser.page('GET', '/v1/people/me/identities')).json();
  const answer = await browser.page('DELETE', `/v1/people/me/identities/${identities[0].id}`);
  expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'forbidden']);
});

describe('the first password of a person who joined by an account', () => {
  const put = (browser: OpenIdBrowser, payload: object) =>
    browser.page('PUT', '/v1/people/me/password', payload);
  const stateOf = async (browser: OpenIdBrowser) =>
    (await browser.page('GET', '/v1/session')).json().password;
  const signIn = async (name: string, password: string) =>
    (await browserOf(fixture).page('POST', '/v1/session', { name, password })).statusCode;

  test('is set without a current one, ends other sessions, and is changed with it from then on', async () => {
    const { browser, subject } = await joinAs('Ola');
    const other = browserOf(fixture);
    provider.become(subject);
    await other.open(START);
    expect(await stateOf(browser)).toEqual({ isSet: false, maySetFirst: true });
    const first = await put(browser, { new: PASSWORD });
    expect(first.statusCode).toBe(204);
    expect(String(first.headers['set-cookie'])).toContain('larder-device=');
    expect(await stateOf(browser)).toEqual({ isSet: true, maySetFirst: false });
    nowMs += 1_000;
    expect((await other.page('GET', '/v1/session')).statusCode).toBe(401);
    expect(await signIn('Ola', PASSWORD)).toBe(201);
    const again = await put(browser, { new: 'porridge with plums' });
    expect([again.statusCode, again.json().error.details]).toEqual([400, { fields: ['current'] }]);
    expect((await put(browser, { current: 'wrong password', new: 'porridge with plums' })).statusCode).toBe(
      403,
    );
    expect((await put(browser, { current: PASSWORD, new: 'porridge with plums' })).statusCode).toBe(204);
    // The account still signs in, and can now be removed, since there is another way.
    expect((await browserOf(fixture).open(START)).hash).toBe('#openid=done');
    const identities = (await browser.page('GET', '/v1/people/me/identities')).json();
    const removed = await browser.page('DELETE', `/v1/people/me/identities/${identities[0].id}`);
    expect(removed.statusCode).toBe(204);
    expect(await signIn('Ola', 'porridge with plums')).toBe(201);
  });

  test('is not set by a session that is not recent, such as a stolen one, until the person signs in again', async () => {
    const { browser, subject } = await joinAs('Pau');
    nowMs += REAUTH_MS;
    expect(await stateOf(browser)).toEqual({ isSet: false, maySetFirst: false });
    const refused = await put(browser, { new: PASSWORD });
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'confirmation_required']);
    expect(await signIn('Pau', PASSWORD)).toBe(403);
    const recent = browserOf(fixture);
    provider.become(subject);
    await recent.open(START);
    expect((await put(recent, { new: PASSWORD })).statusCode).toBe(204);
    nowMs += 1_000;
    expect((await browser.page('GET', '/v1/session')).statusCode).toBe(401);
  });

  test('takes no guess at a current one, and one of two that are set at once', async () => {
    const { browser } = await joinAs('Quy');
    expect((await put(browser, { current: '', new: PASSWORD })).statusCode).toBe(400);
    expect((await put(browser, { current: 'none at all', new: PASSWORD })).statusCode).toBe(403);
    const answers = await Promise.all([
      put(browser, { new: 'first of the two' }),
      put(browser, { new: 'second of the two' }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 403]);
    const won = answers[0].statusCode === 204 ? 'first of the two' : 'second of the two';
    expect(await signIn('Quy', won)).toBe(201);
  });

  test('is set from a page of the service only', async () => {
    const { browser } = await joinAs('Ria');
    for (const origin of [undefined, 'https://evil.example']) {
      const headers = { cookie: browser.cookiesOf('larder.test'), origin };
      const payload = { new: PASSWORD };
      const answer = await fixture.ask({ method: 'PUT', url: '/v1/people/me/password', headers, payload });
      expect(answer.statusCode).toBe(403);
    }
    expect(await stateOf(browser)).toEqual({ isSet: false, maySetFirst: true });
  });
});

test('an account of somebody else is not linked', async () => {
  const { subject } = await joinAs('Gil');
  const owner = openOwner();
  expect((await owner.page('POST', '/v1/session/confirm', { password: PASSWORD })).statusCode).toBe(204);
  provider.become(subject);
  const { url } = (await owner.page('POST', '/v1/people/me/identities')).json();
  expect((await owner.open(url)).hash).toBe('#openid=taken');
});

test('linking needs the session that began it, and a page of the service', async () => {
  const owner = browserOf(fixture);
  await owner.page('POST', '/v1/session', { name: 'Olga', password: PASSWORD });
  provider.become(newSubject());
  const { url } = (await owner.page('POST', '/v1/people/me/identities')).json();
  await owner.page('DELETE', '/v1/session');
  expect((await owner.open(url)).hash).toBe('#openid=session');
  const cookie = openOwner().cookiesOf('larder.test');
  for (const origin of [undefined, 'https://evil.example']) {
    const headers = { cookie, origin };
    const answer = await fixture.ask({ method: 'POST', url: '/v1/people/me/identities', headers });
    expect(answer.statusCode).toBe(403);
  }
});

test('a ticket that was planted in a browser links nothing: one of another session, or one that nobody signed', async () => {
  const owner = openOwner();
  const linked = async () => (await owner.page('GET', '/v1/people/me/identities')).json().length;
  const before = await linked();
  await owner.page('POST', '/v1/session/confirm', { password: PASSWORD });
  // The attacker begins to link an account of theirs, and leads the owner to the end of it with the ticket as a cookie.
  const { browser: attacker } = await joinAs('Mal');
  provider.become(newSubject());
  const { url } = (await attacker.page('POST', '/v1/people/me/identities')).json();
  const back = await attacker.open(url, ({ pathname }) => pathname === CALLBACK);
  const [, ticket] = /larder-openid=([^;]+)/.exec(attacker.cookiesOf('larder.test'))!;
  owner.setCookie('larder-openid', ticket!);
  expect((await owner.open(back.href)).hash).toBe('#openid=session');
  // The same with the id of the owner in it, which only the service can sign.
  const id = (await owner.page('GET', '/v1/session')).json().person.id;
  const [secret, until, , , signature] = ticket!.split('.');
  for (const kind of ['l', 'c', 's']) {
    owner.setCookie('larder-openid', [secret, until, kind, kind === 's' ? '' : id, signature].join('.'));
    expect((await owner.open(back.href)).hash).toMatch(/^#openid=(session|state)$/);
  }
  expect(await linked()).toBe(before);
});

test('removing an account ends the sessions that began with it, and no other', async () => {
  const owner = openOwner();
  await owner.page('POST', '/v1/session/confirm', { password: PASSWORD });
  provider.become(newSubject());
  const { url } = (await owner.page('POST', '/v1/people/me/identities')).json();
  await owner.open(url);
  const other = browserOf(fixture);
  await other.open(START);
  expect(await whoIn(other)).toBe('Olga');
  const [{ id }] = (await owner.page('GET', '/v1/people/me/identities')).json().slice(-1);
  expect((await owner.page('DELETE', `/v1/people/me/identities/${id}`)).statusCode).toBe(204);
  nowMs += 1_000;
  expect((await other.page('GET', '/v1/session')).statusCode).toBe(401);
  expect(await whoIn(owner)).toBe('Olga');
});

test('a person proves by the provider who they are, by an own account alone, and events tell of it', async () => {
  const { browser, subject } = await joinAs('Ida');
  const { id } = (await browser.page('GET', '/v1/session')).json().person;
  const untilOf = async () => (await browser.page('GET', '/v1/session')).json().confirmation.expiresAt;
  nowMs += 10_000;
  const before = await untilOf();
  provider.become(newSubject());
  browser.leaveProvider();
  const begun = (await browser.page('POST', '/v1/session/confirm/openid')).json();
  expect((await browser.open(begun.url)).hash).toBe('#openid=other');
  expect(await untilOf()).toBe(before);
  provider.become(subject);
  browser.leaveProvider();
  const again = (await browser.page('POST', '/v1/session/confirm/openid')).json();
  expect((await browser.open(again.url)).hash).toBe('#openid=confirmed');
  expect(Date.parse(await untilOf()) - Date.parse(before)).toBe(10_000);
  const logged = () =>
    fixture.log
      .filter((line) => line.includes('"security event"'))
      .map((line) => JSON.parse(line))
      .filter(({ who }) => who === `person:${id}`)
      .map(({ event, result }) => `${event} ${result}`);
  await expect.poll(logged).toContain('confirm ok');
  await browser.page('POST', '/v1/people/me/identities');
  expect(logged()).not.toContain('account_linked ok');
  provider.become(newSubject());
  browser.leaveProvider();
  await browser.open((await browser.page('POST', '/v1/people/me/identities')).json().url);
  await expect.poll(logged).toContain('account_linked ok');
});

/** Signs in up to the address to which the provider redirects the person. */
async function comeBack(browser: OpenIdBrowser): Promise<URL> {
  return browser.open(START, (url) => url.pathname === CALLBACK);
}

test('a response for another browser, another sign-in or an old one is rejected', async () => {
  const { subject } = await joinAs('Hal');
  provider.become(subject);
  const [browser, other] = [browserOf(fixture), browserOf(fixture)];
  const back = await comeBack(browser);
  expect((await other.open(back.href)).hash).toBe('#openid=state');
  await other.open(START, (url) => url.origin === provider.issuer);
  expect((await other.open(back.href)).hash).toBe('#openid=state');
  const wrong = new URL(back);
  wrong.searchParams.set('state', 'x'.repeat(43));
  const third = browserOf(fixture);
  await third.open(START, (url) => url.origin === provider.issuer);
  expect((await third.open(wrong.href)).hash).toBe('#openid=state');
  const slow = browserOf(fixture);
  const late = await comeBack(slow);
  nowMs += 10 * 60_000 + 1;
  expect((await slow.open(late.href)).hash).toBe('#openid=state');
  expect((await slow.page('GET', '/v1/session')).statusCode).toBe(401);
});

test('a subject that is longer than OpenID allows is refused', async () => {
  const browser = browserOf(fixture);
  provider.become('x'.repeat(256));
  const { url } = (await browser.page('POST', START, { link: await invite(openOwner()) })).json();
  expect((await browser.open(url)).hash).toBe('#openid=refused');
});

test.each([{ authorization_endpoint: 'javascript:alert(1)' }, { token_endpoint: null }, { jwks_uri: 7 }])(
  'a provider whose document has %o does not answer',
  async (wrong) => {
    await using other = await startLocalServer((request, response) => {
      const issuer = `http://${request.headers.host}`;
      const sound = { authorization_endpoint: issuer, token_endpoint: issuer, jwks_uri: issuer };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ issuer, ...sound, ...wrong }));
    });
    await using server = await openTestServer({ settings: settingsFor(other.base) });
    const answer = await server.ask(START);
    expect([answer.statusCode, answer.headers.location]).toEqual([302, `${ADDRESS}/#openid=unavailable`]);
  },
);

test('a code is redeemed once', async () => {
  const { subject } = await joinAs('Ida');
  provider.become(subject);
  const browser = browserOf(fixture);
  const back = await comeBack(browser);
  const [, ticket] = /larder-openid=([^;]+)/.exec(browser.cookiesOf('larder.test'))!;
  expect((await browser.open(back.href)).hash).toBe('#openid=done');
  expect((await browser.open(back.href)).hash).toBe('#openid=state');
  const thief = browserOf(fixture);
  thief.setCookie('larder-openid', ticket!);
  expect((await thief.open(back.href)).hash).toBe('#openid=refused');
  expect((await thief.page('GET', '/v1/session')).statusCode).toBe(401);
});

test('a code of another sign-in does not match the verifier', async () => {
  const { subject } = await joinAs('Jan');
  provider.become(subject);
  const [browser, other] = [browserOf(fixture), browserOf(fixture)];
  const [back, stolen] = [await comeBack(browser), await comeBack(other)];
  back.searchParams.set('code', stolen.searchParams.get('code')!);
  expect((await browser.open(back.href)).hash).toBe('#openid=refused');
});

test('a response that names another issuer is rejected', async () => {
  const { subject } = await joinAs('Kim');
  provider.become(subject);
  const browser = browserOf(fixture);
  const back = await comeBack(browser);
  back.searchParams.set('iss', 'https://evil.example');
  expect((await browser.open(back.href)).hash).toBe('#openid=refused');
});

test('a person who cancels at the provider gets a message', async () => {
  const browser = browserOf(fixture);
  const back = await comeBack(browser);
  back.searchParams.delete('code');
  back.searchParams.set('error', 'access_denied');
  expect((await browser.open(back.href)).hash).toBe('#openid=denied');
});

test('an unavailable provider is reported, and people can sign in after it recovers', async () => {
  const { subject } = await joinAs('Lea');
  provider.become(subject);
  const browser = browserOf(fixture);
  const back = await comeBack(browser);
  provider.break(true);
  expect((await browser.open(back.href)).hash).toBe('#openid=unavailable');
  // The discovery document has expired by now.
  nowMs += 11 * 60_000;
  expect((await browser.open(START)).href).toBe(`${ADDRESS}/#openid=unavailable`);
  const link = await invite(openOwner());
  const answer = await browser.page('POST', START, { link });
  expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'unavailable']);
  expect(fixture.log.some((line) => line.includes('a sign-in by OpenID failed'))).toBe(true);
  provider.break(false);
  nowMs += 2_000;
  expect((await browser.open(START)).hash).toBe('#openid=done');
});

test('the discovery document and the keys are read once for many sign-ins', async () => {
  const { subject } = await joinAs('Max');
  provider.become(subject);
  const read = () => provider.asked.filter((path) => path.includes('well-known') || path === '/jwks').length;
  const before = read();
  for (let at = 0; at < 3; at++) expect((await browserOf(fixture).open(START)).hash).toBe('#openid=done');
  expect(read()).toBe(before);
});

test('a removed person cannot sign in again', async () => {
  const { browser, subject } = await joinAs('Nia');
  const { person } = (await browser.page('GET', '/v1/session')).json();
  expect((await openOwner().page('DELETE', `/v1/people/${person.id}`)).statusCode).toBe(204);
  provider.become(subject);
  expect((await browserOf(fixture).open(START)).hash).toBe('#openid=unknown');
});

test('the same subject of another issuer is another person', async () => {
  const { subject } = await joinAs('Pia');
  const store = new IdentityStore(fixture.database);
  expect(await store.find(provider.issuer, subject)).toMatchObject({ person: { name: 'Pia' } });
  for (const issuer of ['https://evil.example', `${provider.issuer}/`])
    expect(await store.find(issuer, subject)).toBeUndefined();
});

test("the first owner joins by the owner's link; if allowed, others join without a link", async () => {
  await using server = await openTestServer({
    settings: settingsFor(provider.issuer, { LARDER_OPENID_JOIN: 'on' }),
  });
  const [stranger, owner] = [browserOf(server), browserOf(server)];
  provider.become(newSubject(), 'Rob');
  expect((await stranger.open(START)).hash).toBe('#openid=unknown');
  const link = await ownerLinkOf(server);
  provider.become(newSubject(), 'Uma');
  const { url } = (await owner.page('POST', START, { link })).json();
  expect((await owner.open(url)).hash).toBe('#openid=done');
  expect((await owner.page('GET', '/v1/session')).json().person).toMatchObject({
    name: 'Uma',
    role: 'owner',
  });
  const member = browserOf(server);
  provider.become(newSubject(), 'Val');
  expect((await member.open(START)).hash).toBe('#openid=done');
  expect((await member.page('GET', '/v1/session')).json().person).toMatchObject({ role: 'member' });
});

test('without the settings there is no OpenID', async () => {
  await using server = await openTestServer();
  expect((await server.ask('/v1/session/methods')).json()).toEqual({});
  expect((await server.ask(START)).statusCode).toBe(404);
  expect((await server.ask(`${CALLBACK}?code=x`)).statusCode).toBe(404);
});
