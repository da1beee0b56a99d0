import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createKeyIssuer, openKeyStore } from '../../src/app/keys.ts';
import { EventReader } from '../support/event-reader.ts';
import { type Member, type OpenHousehold, openHousehold } from '../support/household.ts';

// Whatever a credential began goes on after its end: requests that wait, streams, addresses for uploads.

const SCOPES = ['diary:read', 'diary:write', 'foods:read', 'scan'] as const;
const SOUP = { date: '2030-01-01', mealType: 'lunch', foodName: 'Soup', calories: 1 };

let household: OpenHousehold;
let people = 0;
beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household[Symbol.asyncDispose]());

interface Ending {
  readonly headers: Record<string, string>;
  readonly userId: string;
  /** Ends the credential. */
  end(): Promise<unknown>;
}

const invite = () => household.invite(`Member ${++people}`);
const bySession = ({ cookie }: Member) => ({ cookie, origin: household.origin });
const byKey = (key: string) => ({ authorization: `Bearer ${key}` });
const revokeOf = (key: string) => () =>
  createKeyIssuer(openKeyStore(household.fixture.database)).revoke(key.slice(4, 16));

const ENDINGS: Readonly<Record<string, () => Promise<Ending>>> = {
  'a revoked key of a tenant': async () => {
    const key = await household.fixture.createKey(SCOPES);
    return { headers: byKey(key), userId: `user-${++people}`, end: revokeOf(key) };
  },
  'a token whose key is revoked': async () => {
    const key = await household.fixture.createKey(SCOPES);
    const userId = `user-${++people}`;
    const answer = await household.post('/v1/auth/token', { client_secret: key, user_id: userId });
    return { headers: byKey(answer.json().access_token), userId, end: revokeOf(key) };
  },
  'a revoked own key of a person': async () => {
    const bob = await invite();
    const { id, key } = (await bob.ask('POST', '/v1/people/me/keys', { scopes: SCOPES })).json();
    return {
      headers: byKey(key),
      userId: bob.id,
      end: () => bob.ask('DELETE', `/v1/people/me/keys/${id}`),
    };
  },
  'a session that is signed out': async () => {
    const bob = await invite();
    return { headers: bySession(bob), userId: bob.id, end: () => bob.ask('DELETE', '/v1/session') };
  },
  'a session that was ended elsewhere': async () => {
    const bob = await invite();
    const sessions = (await bob.ask('GET', '/v1/sessions')).json();
    const end = () => household.ann.ask('DELETE', `/v1/operator/sessions/${sessions[0].id}`);
    return { headers: bySession(bob), userId: bob.id, end };
  },
  'the session of a person who was removed': async () => {
    const bob = await invite();
    const end = () => household.ann.ask('DELETE', `/v1/people/${bob.id}`);
    return { headers: bySession(bob), userId: bob.id, end };
  },
};

describe.each(Object.keys(ENDINGS))('%s', (name) => {
  async function begin() {
    const ending = await ENDINGS[name]!();
    /** Ends the credential, and waits until every request is refused: look-ups are cached for half a second. */
    const end = async () => {
      await ending.end();
      const search = `${household.origin}/v1/foods/search?q=banana`;
      await expect
        .poll(async () => (await fetch(search, { headers: ending.headers })).status, { timeout: 60_000 })
        .toBe(401);
    };
    const base = household.origin;
    const url = (path: string) => `${base}/v1/users/${ending.userId}/${path}`;
    const ask = (address: string, init: RequestInit = {}) =>
      fetch(address, {
        ...init,
        headers: {
          ...ending.headers,
          ...(init.body !== undefined && { 'content-type': 'application/json' }),
        },
      });
    return { ...ending, end, url, ask };
  }
  const operator = async () => byKey(await household.fixture.createKey(SCOPES));

  async function write(url: string): Promise<void> {
    const headers = { ...(await operator()), 'content-type': 'application/json' };
    await fetch(url, { method: 'POST', headers, body: JSON.stringify(SOUP) });
  }

  test('gets no answer to a request that waits', async () => {
    const { end, ask, url } = await begin();
    const { cursor } = (await (await ask(url('changes'))).json()) as { cursor: string };
    const waiting = ask(url(`changes?after=${cursor}&wait=20`));
    await end();
    await write(url('diary'));
    expect((await waiting).status).toBe(401);
  });

  test('gets no message of a stream of changes, which ends', async () => {
    const { end, url, headers } = await begin();
    await write(url('diary'));
    const stream = await EventReader.open(url('changes/stream'), headers);
    expect(await stream.next()).toMatchObject({ data: { cursor: expect.any(String) } });
    await end();
    await write(url('diary'));
    const page = await fetch(url('changes'), { headers: await operator() });
    const { cursor: written } = (await page.json()) as { cursor: string };
    // What was written while the credential was ending may have been told.
    const told: string[] = [];
    for (let news = await stream.next(); news !== undefined; news = await stream.next())
      told.push(news.data.cursor);
    expect(told).not.toContain(written);
  });

  async function openScan() {
    const begun = await begin();
    const body = JSON.stringify({ clientId: 'phone-1', contentType: 'image/jpeg' });
    const answer = await begun.ask(`${household.origin}/v1/scan/image`, { method: 'POST', body });
    expect(answer.status).toBe(201);
    const scan = (await answer.json()) as { jobId: string; uploadUrl: string; streamUrl: string };
    return { ...begun, scan };
  }

  test('gets no message of the streams of a scan, by credential or by ticket', async () => {
    const { end, scan, headers } = await openScan();
    const path = `${household.origin}/v1/scan/image/${scan.jobId}`;
    const streams = [
      await EventReader.open(`${path}/stream`, headers),
      await EventReader.open(scan.streamUrl, {}),
    ];
    for (const stream of streams)
      expect(await stream.next()).toMatchObject({ data: { status: 'upload_pending' } });
    await end();
    const [job] = await household.fixture.scanStore.findByIds([scan.jobId as never]);
    if (job !== undefined) {
      const failure = { code: 'no_food_detected', message: 'Nothing.', retryable: false } as const;
      await household.fixture.scanStore.expireUpload(job, failure, Date.now());
    }
    for (const stream of streams) expect(await stream.next()).toBeUndefined();
    expect((await fetch(scan.streamUrl)).status).toBe(404);
  });

  test('has no image accepted by its address for an upload', async () => {
    const { end, scan } = await openScan();
    await end();
    const sent = await fetch(scan.uploadUrl, {
      method: 'PUT',
      headers: { 'content-type': 'image/jpeg' },
      body: Buffer.alloc(1_000, 7),
    });
    // An object store takes the bytes, which nobody analyses.
    expect(sent.status).toBe(inject('cluster') === undefined ? 403 : 200);
    await household.fixture.uploadEvents.stored(`images/${scan.jobId}` as never);
    const [job] = await household.fixture.scanStore.findByIds([scan.jobId as never]);
    // The scans of a removed person are erased.
    if (job !== undefined)
      expect(job).toMatchObject({ status: 'failed', failure: { code: 'upload_expired' } });
  });
});
