import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Scene } from '../../attack.ts';
import type { HostileAnswer } from '../../attacker/hostile-client.ts';
import { openHostileProvider, PROVIDER_TRICKS } from '../../attacker/hostile-provider.ts';
import { inParallel } from '../../attacker/in-parallel.ts';
import { leakIn } from '../../attacker/leaks.ts';

const WIDTH = 64;
const CALLBACK = '/v1/session/openid/callback';
const START = '/v1/session/openid';
/** docs/people.md: so many codes are redeemed at one time, by each of the service's threads. */
const MAX_REDEEMED = 8 * 2;
/** Code and keys, at five seconds each. */
const MAX_WAIT_MS = 15_000;
const READY_WITHIN_MS = 30_000;
const BUSY = 503;
const FOUND = 302;

/** Floods of begun sign-ins, forged callbacks, and a provider whose every answer is slow, huge or forged. */
export const openIdSignIns: Attack = {
  name: 'sign-ins by OpenID',
  setup: 'openid',
  async run(scene) {
    const { client, endsAtMs, settings, random } = scene;
    const [issuer, home] = [settings['LARDER_OPENID_ISSUER']!, settings['LARDER_PUBLIC_URL']!];
    await using provider = await openHostileProvider(issuer, settings['LARDER_OPENID_CLIENT_ID']!);
    const breaches = new Set<string>();
    const check = (what: string, answer: HostileAnswer, tookMs: number) => {
      const { status, headers } = answer;
      const leads = headers.location ?? home;
      const isKnown = leads.startsWith(`${home}/`) || leads.startsWith(`${issuer}/auth?`) || leads === home;
      if (!isKnown) breaches.add(`${what} leads to ${leads.slice(0, 100)}`);
      if (/<script>|secret/.test(leads)) breaches.add(`${what} tells the page ${leads.slice(0, 100)}`);
      if ((headers['set-cookie'] ?? []).some((cookie) => /^larder=./.test(cookie)))
        breaches.add(`${what} signed somebody in`);
      if (status >= 500 && status !== BUSY) breaches.add(`${what} answered ${status}`);
      if (tookMs > MAX_WAIT_MS) breaches.add(`${what} took ${Math.round(tookMs)} ms`);
      const leak = leakIn(answer);
      if (leak !== undefined) breaches.add(`${what} tells of ${leak}`);
    };
    const ask = async (what: string, at: number, path: string, cookie?: string) => {
      const startedAt = performance.now();
      const answer = await client.send(path, {
        localAddress: addressOf(at),
        ...(cookie !== undefined && { headers: { cookie } }),
      });
      check(what, answer, performance.now() - startedAt);
      return answer;
    };
    const begin = async (at: number) => {
      const { headers, status } = await ask('a begun sign-in', at, START);
      const { searchParams } = new URL(headers.location ?? home);
      const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      return { status, cookie, state: searchParams.get('state'), nonce: searchParams.get('nonce') };
    };
    await untilReady(scene);
    const forged = (at: number): readonly [path: string, cookie?: string] => {
      const ticket = `${randomBytes(32).toString('base64url')}.${(Date.now() + 60_000).toString(36)}.s.`;
      const paths = [
        `${CALLBACK}?code=x&state=${randomBytes(32).toString('base64url')}`,
        `${CALLBACK}?code=${'x'.repeat(4_000)}&state=x&iss=${encodeURIComponent('https://evil.example')}`,
        `${CALLBACK}?error=access_denied&error_description=${encodeURIComponent('<script>')}&state=x`,
        `${CALLBACK}?state=x&state=y&code=`,
        `${CALLBACK}?__proto__=x&constructor=y&code=%00&state=%ff`,
      ];
      return [paths[at % paths.length]!, `larder-openid=${ticket}`];
    };
    const sent = await inParallel(
      { count: scene.count(20_000, 1_200), width: WIDTH, endsAtMs },
      async (at) => {
        if (at % 4 === 1) return ask('a forged callback', at, ...forged(at));
        if (at % 4 === 2) {
          const answer = await client.send(START, {
            method: 'POST',
            headers: { 'content-type': 'application/json', origin: home },
            localAddress: addressOf(at),
            body: JSON.stringify({ link: randomBytes(32).toString('base64url') }),
          });
          return check('a guessed link', answer, 0);
        }
        const { status, cookie, state, nonce } = await begin(at);
        if (status !== FOUND || at % 4 === 0) return undefined;
        const trick = random.pick(PROVIDER_TRICKS);
        return ask(
          `a code that is ${trick}`,
          at,
          `${CALLBACK}?code=${trick}.${nonce}&state=${state}`,
          cookie,
        );
      },
    );
    if (provider.most > MAX_REDEEMED) breaches.add(`${provider.most} codes were redeemed at one time`);
    return {
      sent: `${sent} sign-ins, ${PROVIDER_TRICKS.length} kinds of answers of the provider, ${provider.most} at one time`,
      breaches: [...breaches],
    };
  },
};

function addressOf(at: number): string {
  return `127.0.${13 + (at % 40)}.${1 + (at % 250)}`;
}

/** The first documents of the provider are hostile: until one is read, people are told that it does not answer. */
async function untilReady({ client, settings }: Scene): Promise<void> {
  const until = performance.now() + READY_WITHIN_MS;
  for (let at = 0; performance.now() < until; at++) {
    const { headers } = await client.send(START, { localAddress: addressOf(at) });
    if (headers.location?.startsWith(settings['LARDER_OPENID_ISSUER']!)) return;
    await pause(500);
  }
  throw new Error('no sign-in can be begun');
}
