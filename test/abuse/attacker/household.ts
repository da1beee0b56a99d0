import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITED_OPERATIONS, MAX_OWN_LIMIT } from '../../../src/limits/operations.ts';
import type { Scene } from '../attack.ts';
import { HostileClient } from './hostile-client.ts';

const HIGH_LIMITS = Object.fromEntries(LIMITED_OPERATIONS.map((operation) => [operation, MAX_OWN_LIMIT]));

export const OWNER = 'Household owner';
/** Address of people, which other attacks leave alone. */
export const OWN_ADDRESS = '127.0.10.1';
export const PASSWORD = 'a password nobody guesses';

/** Cookies of somebody who has signed in, as a browser sends them. */
export interface Cookies {
  readonly session: string;
  /** That of a browser in which the person has signed in before. */
  readonly device: string;
}

/** Returns the cookies of the owner, who joins by the link of the service at the first call. */
export async function ownerCookies({ url, dataDir }: Pick<Scene, 'url' | 'dataDir'>): Promise<Cookies> {
  const kept = join(dataDir, '..', 'owner-cookies.json');
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8'));
  const link = readFileSync(join(dataDir, 'owner-link.txt'), 'utf8').split('#link=')[1]!;
  const cookies = await enter(url, link, OWNER);
  writeFileSync(kept, JSON.stringify(cookies));
  return cookies;
}

/** Returns the cookies of a new member, whom the owner has invited. */
export async function memberCookies(scene: Pick<Scene, 'url' | 'dataDir'>, name: string): Promise<Cookies> {
  const { session } = await ownerCookies(scene);
  const invited = await asOwner(scene, session, '/v1/invitations');
  return enter(scene.url, invited['url']!.split('#link=')[1]!, name);
}

/** Returns a key of the attacker's tenant that may do this, with limits above the load of all attacks unless others are named. */
export async function issueKey(
  scene: Pick<Scene, 'url' | 'dataDir'>,
  scopes: readonly string[],
  limits: Readonly<Record<string, number>> = HIGH_LIMITS,
): Promise<{ readonly id: string; readonly key: string }> {
  const { session } = await ownerCookies(scene);
  const issued = await asOwner(scene, session, '/v1/keys', { tenant: 'attacker', scopes, limits });
  return { id: issued['id']!, key: issued['key']! };
}

async function asOwner(
  { url }: Pick<Scene, 'url'>,
  cookie: string,
  path: string,
  body?: object,
): Promise<Record<string, string>> {
  const post = (to: string, sent?: object) =>
    fetch(url + to, {
      method: 'POST',
      headers: { cookie, origin: url, 'content-type': 'application/json' },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    });
  let answer = await post(path, body);
  // The owner joined before the attacks, and what makes credentials needs a recent proof.
  if (answer.status === 403) {
    await post('/v1/session/confirm', { password: PASSWORD });
    answer = await post(path, body);
  }
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json() as Promise<Record<string, string>>;
}

async function enter(url: string, link: string, name: string): Promise<Cookies> {
  const client = new HostileClient({ url });
  const { status, body, headers } = await client.send('/v1/people', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link, name, password: PASSWORD }),
    localAddress: OWN_ADDRESS,
  });
  client.close();
  if (status !== 201) throw new Error(`${name} cannot join: ${status} ${body}`);
  const [session = '', device = ''] = headers['set-cookie']!.map((set) => set.split(';')[0]!);
  return { session, device };
}
