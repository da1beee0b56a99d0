import { randomBytes } from 'node:crypto';
import { OutageError } from '@larder/core/errors.ts';
import { KeyAuthenticator } from '../../src/access/key-authenticator.ts';
import { KeyIssuer } from '../../src/access/key-issuer.ts';
import { KeyStore } from '../../src/access/key-store.ts';
import { SigningKeyStore } from '../../src/access/tokens/signing-key-store.ts';
import { SigningKeyRing } from '../../src/access/tokens/signing-keys.ts';
import { TokenIssuer } from '../../src/access/tokens/token-issuer.ts';
import { TokenVerifier } from '../../src/access/tokens/token-verifier.ts';
import { IN_MEMORY, openDatabase } from '../../src/db/sqlite/database.ts';

export const START_MS = 1_800_000_000_000;
export const LIFETIME_MS = 900_000;

export type TokenFixture = Awaited<ReturnType<typeof openTokens>>;

/** A key of tenant acme, and tokens created from it, over SQLite in memory. */
export async function openTokens() {
  const db = await openDatabase({ file: IN_MEMORY });
  const store = new KeyStore(db);
  const signingKeys = new SigningKeyStore(db);
  /** State that tests change: the clock, the number of reads of signing keys, whether their store is unavailable. */
  const state = { nowMs: START_MS, loads: 0, isAway: false };
  const clock = () => state.nowMs;
  const issuer = new KeyIssuer({ store, nowMs: clock, randomBytes });
  const authenticator = new KeyAuthenticator({ store, nowMs: clock, pause: () => new Promise(() => {}) });
  /** The parts of one API thread. */
  const openThread = () => {
    const counted = new (class extends SigningKeyStore {
      override list() {
        state.loads++;
        return state.isAway ? Promise.reject(new OutageError('away')) : super.list();
      }
    })(db);
    const createKid = () => randomBytes(6).toString('hex');
    const ring = new SigningKeyRing({ store: counted, nowMs: clock, createKid });
    const verifier = new TokenVerifier({ ring, authenticator, nowMs: clock });
    return { ring, verifier, tokens: new TokenIssuer({ ring, nowMs: clock }) };
  };
  const here = openThread();
  const issued = await issuer.create({
    tenant: 'acme',
    scopes: ['foods:read', 'diary:read', 'diary:write', 'admin', 'metrics'],
  });
  return Object.assign(state, {
    signingKeys,
    issuer,
    authenticator,
    issued,
    openThread,
    here,
    mint: async (scope?: string) =>
      (await here.tokens.issue({ key: issued.key, userId: 'ann', ...(scope !== undefined && { scope }) }))
        .token,
    verify: (token: string) => here.verifier.verify(token),
    close: () => db.close(),
  });
}
