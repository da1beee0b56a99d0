import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { USER_SCOPES } from '../../src/access/api-key.ts';
import { linkIn } from './household.ts';
import type { ServiceProcess } from './service-process.ts';

/** Makes the owner of a new service, and a key for own apps of this person. */
export async function createOwnKey({ url, dataDir }: ServiceProcess) {
  const link = linkIn((await readFile(join(dataDir, 'owner-link.txt'), 'utf8')).trim());
  const post = async (path: string, body: object, cookie = '') => {
    const headers = { 'content-type': 'application/json', origin: url, cookie };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status !== 201) throw new Error(await answer.text());
    return answer;
  };
  const joined = await post('/v1/people', { link, name: 'Ann', password: 'eggs and toast' });
  const cookie = joined.headers.getSetCookie()[0]!.split(';')[0]!;
  const made = await post(
    '/v1/people/me/keys',
    { scopes: USER_SCOPES.filter((scope) => scope !== 'diary:erase') },
    cookie,
  );
  return (await made.json()) as { readonly userId: string; readonly key: string };
}
