import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { openHousehold } from '../support/household.ts';

const RECHECK_MS = 500;
let nowMs = Date.now();
const household = await openHousehold({ nowMs: () => nowMs });
afterAll(() => household[Symbol.asyncDispose]());

/** Begins a backup, and leaves all but its first bytes in the service. */
async function beginBackup(key: string) {
  const headers = { authorization: `Bearer ${key}` };
  const answered = async (): Promise<IncomingMessage> => {
    const [answer] = await once(
      request(`${household.origin}/v1/operator/backup`, { headers }).end(),
      'response',
    );
    // The one before has left its place when its file is closed.
    return answer.statusCode === 409 ? answer.resume() && answered() : answer;
  };
  const response = await answered();
  expect(response.statusCode).toBe(200);
  const announced = Number(response.headers['content-length']);
  await once(response, 'readable');
  const startMs = performance.now();
  return async () => {
    await expect.poll(() => performance.now() - startMs).toBeGreaterThan(RECHECK_MS);
    let bytes = 0;
    try {
      for await (const chunk of response) bytes += chunk.length;
      return bytes === announced ? 'whole' : `${bytes} of ${announced}`;
    } catch {
      return 'cut';
    }
  };
}

test('a long download ends with the key that began it', async () => {
  const { ann, fixture } = household;
  // Far more than the kernel keeps for a connection.
  const filler = 'x'.repeat(1_000_000);
  for (let at = 0; at < 30; at++)
    await sql`
      insert into security_events (id, at_ms, event, result, address, request_id, is_ok)
      values (${`filler ${at}`}, 0, 'backup', 'ok', ${filler}, '', 1)`.all(fixture.database.db);
  const { id, key } = (await ann.ask('POST', '/v1/keys', { tenant: 'default', scopes: ['operator'] })).json();
  expect(await (await beginBackup(key))()).toBe('whole');
  const readOn = await beginBackup(key);
  expect((await ann.ask('DELETE', `/v1/keys/${id}`)).statusCode).toBe(204);
  nowMs += 1_000;
  expect(await readOn()).toBe('cut');
});
