/**
 * What knowing the caller and counting the request cost: authentication of a key or token in use, the limit's
 * counter, both together, and a key's first use among few and among a million others.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IssuedKey } from '../src/access/key-issuer.ts';
import { createAccess } from '../src/app/access.ts';
import type { OpenDatabase } from '../src/app/backend.ts';
import { createAuthenticator, createKeyIssuer, openKeyStore } from '../src/app/keys.ts';
import { openDatabase } from '../src/app/open-backend.ts';
import { readConfig } from '../src/config/config.ts';
import { inOneTransaction } from '../test/support/one-transaction.ts';
import { openEngineInProcess } from './support/engine-in-process.ts';

const REQUESTS = 200_000;
const FIRST_USES = 5_000;
const BATCHES = 20;
const KEYS_IN_USE = 100;
const KEYS = Number(process.argv[2] ?? 1_000_000);

const dir = mkdtempSync(join(tmpdir(), 'larder-bench-access-'));
try {
  await run(readConfig({ LARDER_DATA_DIR: dir }));
} finally {
  rmSync(dir, { recursive: true });
}

async function run(config: ReturnType<typeof readConfig>): Promise<void> {
  const database = await openDatabase(config);
  const engine = await openEngineInProcess(config);
  const store = openKeyStore(database);
  const keys = await createKeys(database);
  const keyAt = (at: number) => keys[at % keys.length]!;
  const firstUse = (at: number) => createAuthenticator(store).authenticate(keyAt(at).text);

  const authenticator = createAuthenticator(store);
  const access = createAccess(config, engine);
  const { limiter } = access;
  const both = async (at: number) => limiter.take('search', await authenticator.authenticate(keyAt(at).text));
  await measure('authenticate a key in use', (at) => authenticator.authenticate(keyAt(at).text));
  await measure('count a request', async (at) => limiter.take('search', keyAt(at)));
  await measure('both', both);
  await measureTokens(access, keyAt(0).key);
  await measure(`first use of a key, ${keys.length} in the table`, firstUse, FIRST_USES);

  await fillTable(database, KEYS);
  const million = KEYS.toLocaleString('en');
  await measure(`first use of a key, ${million} in the table`, firstUse, FIRST_USES);
  await measure(`both, ${million} in the table`, both);
  const start = performance.now();
  const again = await openDatabase(config);
  await openKeyStore(again).find(keyAt(0).key.id);
  print(`open the database of ${million} keys and find one`, (performance.now() - start) * 1000);
  await again.close();
  await engine.close();
  await database.close();
}

async function measureTokens(access: ReturnType<typeof createAccess>, key: IssuedKey['key']): Promise<void> {
  const mint = async (at: number) => (await access.tokens.issue({ key, userId: `user-${at}` })).token;
  await measure('mint a token', mint, FIRST_USES);
  const tokens = await Promise.all(Array.from({ length: FIRST_USES }, (_, at) => mint(at)));
  let used = 0;
  await measure('first use of a token', () => access.authenticate(tokens[used++]!, 'bearer'), FIRST_USES);
  await measure('authenticate a token in use', (at) =>
    access.authenticate(tokens[at % KEYS_IN_USE]!, 'bearer'),
  );
}

async function createKeys(database: OpenDatabase): Promise<IssuedKey[]> {
  const issuer = createKeyIssuer(openKeyStore(database));
  const request = { tenant: 'bench', scopes: ['foods:read'], limits: { search: 1_000_000 } } as const;
  return await Promise.all(Array.from({ length: KEYS_IN_USE }, () => issuer.create(request)));
}

async function fillTable(database: OpenDatabase, count: number): Promise<void> {
  const store = openKeyStore(database);
  await inOneTransaction(database, async () => {
    for (let at = 0; at < count; at++) {
      const key = {
        id: randomBytes(6).toString('hex'),
        tenant: `tenant-${at % 1000}`,
        scopes: ['scan'] as const,
        createdAt: 0,
      };
      await store.add({ key, secretHash: randomBytes(32) });
    }
  });
}

/** Median of batches. */
async function measure(name: string, call: (at: number) => unknown, calls = REQUESTS): Promise<void> {
  const batchSize = calls / BATCHES;
  const batches = Array<number>(BATCHES);
  for (let batch = 0; batch < BATCHES; batch++) {
    const start = performance.now();
    for (let at = 0; at < batchSize; at++) await call(at);
    batches[batch] = ((performance.now() - start) * 1000) / batchSize;
  }
  print(name, batches.toSorted((a, b) => a - b)[BATCHES / 2]!);
}

function print(name: string, microseconds: number): void {
  console.log(`${name.padEnd(52)} ${microseconds.toFixed(2).padStart(9)} us`);
}
