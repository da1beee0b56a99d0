import { randomBytes } from 'node:crypto';
import type { Attack } from '../../attack.ts';
import { OWN_ADDRESS, OWNER, ownerCookies, PASSWORD } from '../../attacker/household.ts';
import { inParallel } from '../../attacker/in-parallel.ts';

const WIDTH = 16;
const MAX_INVITATIONS = 20;
/** As long as passwords may be. */
const LONG_PASSWORD = 'x'.repeat(200);

/** Guessed passwords and links, floods of hashing and of invitations, and a cookie from pages of other origins. */
export const peopleGuesses: Attack = {
  name: 'guesses at people',
  async run(scene) {
    const { client, url, endsAtMs } = scene;
    const { session, device } = await ownerCookies(scene);
    const breaches = new Set<string>();
    const send = (path: string, body: object | undefined, at: number, headers: Record<string, string> = {}) =>
      client.send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        localAddress: `127.0.11.${1 + (at % 250)}`,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const forgeries = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      {},
      { 'sec-fetch-site': 'cross-site', origin: url },
      { 'sec-fetch-site': 'same-site' },
    ] as readonly Record<string, string>[];
    const attacks: readonly ((at: number) => Promise<void>)[] = [
      async (at) => {
        const { status } = await send('/v1/session', { name: OWNER, password: `guess ${at}` }, at);
        if (status === 201) breaches.add('a guessed password was accepted');
      },
      async (at) => {
        const { status } = await send('/v1/session', { name: `Nobody ${at}`, password: LONG_PASSWORD }, at);
        if (status === 201) breaches.add('somebody who is not there signed in');
      },
      async (at) => {
        const link = randomBytes(32).toString('base64url');
        const { status } = await send('/v1/people', { link, name: `Eve ${at}`, password: LONG_PASSWORD }, at);
        if (status === 201) breaches.add('a guessed link was accepted');
      },
      async (at) => {
        const headers = { cookie: session, ...forgeries[at % forgeries.length]! };
        const { status } = await send('/v1/invitations', undefined, at, headers);
        if (status < 300 && status > 0)
          breaches.add(`a forged request was executed: ${JSON.stringify(headers)}`);
      },
      async (at) => {
        await send('/v1/invitations', undefined, at, { cookie: session, origin: url });
      },
    ];
    const wanted = { count: scene.count(50_000, 3_000), width: WIDTH, endsAtMs };
    const sent = await inParallel(wanted, (at) => attacks[at % attacks.length]!(at));
    const listed = await client.send('/v1/invitations', {
      headers: { cookie: session },
      localAddress: OWN_ADDRESS,
    });
    const open: readonly { readonly id: string }[] =
      listed.status === 200 ? JSON.parse(listed.body).invitations : [];
    if (open.length > MAX_INVITATIONS) breaches.add('more invitations are open than may be');
    // Others may invite afterwards.
    for (const { id } of open) {
      const headers = { cookie: session, origin: url };
      await client.send(`/v1/invitations/${id}`, { method: 'DELETE', headers, localAddress: OWN_ADDRESS });
    }
    const known = await client.send('/v1/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: device },
      localAddress: OWN_ADDRESS,
      body: JSON.stringify({ name: OWNER, password: PASSWORD }),
    });
    if (known.status === 403 || known.status === 429)
      breaches.add('the owner is locked out of a known device');
    return { sent: `${sent} requests of ${attacks.length} kinds`, breaches: [...breaches] };
  },
};
