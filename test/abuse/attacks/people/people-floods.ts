import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from '../../attack.ts';
import { memberCookies, OWNER, ownerCookies, PASSWORD } from '../../attacker/household.ts';
import { inParallel } from '../../attacker/in-parallel.ts';
import { leakIn } from '../../attacker/leaks.ts';
import { ms } from '../../measured.ts';
import { quantile } from '../../victim/samples.ts';

const WIDTH = 48;
/** docs/people.md: sessions of one person. */
const MAX_SESSIONS = 50;
/** docs/people.md: ten sign-ins a minute are allowed from a known browser. One attack runs up to three times, after guesses. */
const OWNER_SIGN_INS = 3;
const SIGN_IN_EVERY_MS = 2_500;
const MAX_SIGN_IN_MS = 3_000;
const FIRST_FAULT = 500;
const BUSY = 503;

/** Sign-ins with right and wrong names from thousands of addresses, sessions that come and go, and changes of passwords, while the owner signs in. */
export const peopleFloods: Attack = {
  name: 'floods of people',
  async run(scene) {
    const { client, url, endsAtMs } = scene;
    const { device } = await ownerCookies(scene);
    const name = `Eve ${Date.now()}`;
    const member = await memberCookies(scene, name);
    const breaches = new Set<string>();
    const own = { cookie: member.session, origin: url };
    const send = async (
      method: string,
      path: string,
      at: number,
      body?: object,
      headers: Record<string, string> = {},
    ) => {
      const answer = await client.send(path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        localAddress: `127.1.${at % 240}.${1 + (at % 250)}`,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const leak = leakIn(answer);
      if (leak !== undefined) breaches.add(`${method} ${path} tells of ${leak}`);
      if (answer.status >= FIRST_FAULT && answer.status !== BUSY)
        breaches.add(`${method} ${path} answered ${answer.status}`);
      return answer;
    };
    const secret = () => randomBytes(32).toString('base64url');
    const attacks: readonly ((at: number) => Promise<unknown>)[] = [
      (at) => send('POST', '/v1/session', at, { name: OWNER, password: `guess ${at}` }),
      (at) => send('POST', '/v1/session', at, { name: `Nobody ${at}`, password: 'x'.repeat(200) }),
      // The same name in other letters, which fold to it.
      (at) => send('POST', '/v1/session', at, { name: OWNER.toUpperCase(), password: 'ﬃ'.repeat(200) }),
      (at) => send('GET', '/v1/session', at, undefined, { cookie: `larder=${secret()}` }),
      (at) => send('GET', '/v1/sessions', at, undefined, own),
      (at) => send('PUT', '/v1/people/me/password', at, { current: `guess ${at}`, new: secret() }, own),
      (at) => send('PATCH', '/v1/people/me', at, { name: OWNER }, own),
      (at) =>
        send('PUT', '/v1/people/me/sharing', at, { default: 'write', people: { [secret()]: 'write' } }, own),
      async (at) => {
        const { headers } = await send('POST', '/v1/session', at, { name, password: PASSWORD });
        const cookie = headers['set-cookie']?.[0]?.split(';')[0];
        if (cookie !== undefined && at % 2 === 0)
          await send('DELETE', '/v1/session', at, undefined, { cookie, origin: url });
      },
    ];
    const wanted = { count: scene.count(60_000, 3_000), width: WIDTH, endsAtMs };
    const flood = inParallel(wanted, (at) => attacks[at % attacks.length]!(at));
    const waits: number[] = [];
    for (let at = 0; at < OWNER_SIGN_INS; at++) {
      await pause(SIGN_IN_EVERY_MS);
      const startedAt = performance.now();
      const { status } = await client.send('/v1/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: device },
        localAddress: '127.0.10.2',
        body: JSON.stringify({ name: OWNER, password: PASSWORD }),
      });
      waits.push(performance.now() - startedAt);
      if (status !== 201) breaches.add(`the owner is refused with ${status} in a known browser`);
    }
    const slow = quantile(waits, 1);
    if (slow > MAX_SIGN_IN_MS) breaches.add(`the owner signs in within ${ms(slow)}`);
    const sent = await flood;
    const listed = await client.send('/v1/sessions', { headers: own, localAddress: '127.0.10.3' });
    if (listed.status === 200 && JSON.parse(listed.body).length > MAX_SESSIONS)
      breaches.add('a person has more sessions than may be');
    return {
      sent: `${sent} requests of ${attacks.length} kinds; the owner signs in within ${ms(slow)}`,
      breaches: [...breaches],
    };
  },
};
