import { OutageError } from '@larder/core/errors.ts';
import type { CryptoKey, JWK } from 'jose';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { importJWK } from 'jose/key/import';
import { withFallback } from '../../base/with-fallback.ts';
import type { SigningKey, SigningKeyStore } from './signing-key-store.ts';

export const SIGNING_ALGORITHM = 'EdDSA';
/** Lifetime of tokens; see also `docs/access.md`. */
export const TOKEN_LIFETIME_SECONDS = 900;
/** A key signs for a week, and is then published until everything it signed has expired, plus a day. */
const SIGNS_FOR_SECONDS = 7 * 86_400;
const PUBLISHED_FOR_SECONDS = SIGNS_FOR_SECONDS + TOKEN_LIFETIME_SECONDS + 86_400;
/** Minimum time between reloads caused by unknown key ids, or by requests for the public keys. */
const MIN_RELOAD_MS = 1_000;
/** Maximum time for which a removed key may still be used. */
const MAX_AGE_MS = 30_000;
/** Maximum wait of a token for a slow store before known keys are used. */
const PATIENCE_MS = 250;

export interface SigningKeyRingOptions {
  readonly store: SigningKeyStore;
  readonly nowMs: () => number;
  readonly createKid: () => string;
}

/**
 * The keys that sign access tokens. They rotate automatically: a thread that signs and finds the newest key too old
 * makes the next one; the store lets one of several threads succeed.
 */
export class SigningKeyRing {
  readonly #store: SigningKeyStore;
  readonly #nowMs: () => number;
  readonly #createKid: () => string;
  /** Sorted by age, newest first. */
  #keys: Promise<readonly SigningKey[]> | undefined;
  /** The keys as last read. */
  #latest: readonly SigningKey[] | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #searchedAtMs = Number.NEGATIVE_INFINITY;
  readonly #imported = new Map<string, Promise<CryptoKey>>();

  constructor({ store, nowMs, createKid }: SigningKeyRingOptions) {
    this.#store = store;
    this.#nowMs = nowMs;
    this.#createKid = createKid;
  }

  /** Returns the current signing key, after rotating it if it is too old. */
  async signing(): Promise<{ kid: string; key: CryptoKey }> {
    const newestAllowed = Math.floor(this.#nowMs() / 1000) - SIGNS_FOR_SECONDS;
    let [newest] = await this.#load(MAX_AGE_MS);
    if (newest === undefined || newest.createdAt <= newestAllowed) {
      await this.#rotate(newestAllowed);
      [newest] = await this.#load(0);
    }
    const { kid, privateJwk } = newest!;
    return { kid, key: await this.#import(`private ${kid}`, privateJwk) };
  }

  /** Returns the public key of this id; undefined if the token is not ours or too old. */
  async verifying(kid: string): Promise<CryptoKey | undefined> {
    const find = (keys: readonly SigningKey[]) => keys.find((key) => key.kid === kid);
    const keys = this.#load(MAX_AGE_MS);
    // Known keys stay valid while the store does not answer.
    const latest =
      this.#latest === undefined ? await keys : await withFallback(PATIENCE_MS, keys, this.#latest);
    const known = find(latest) ?? find(await this.#search());
    return known === undefined ? undefined : this.#import(`public ${kid}`, toPublicJwk(known));
  }

  /** The public keys for `/.well-known/jwks.json`. */
  async publicJwks(): Promise<{ keys: JWK[] }> {
    return { keys: (await this.#load(MIN_RELOAD_MS)).map(toPublicJwk) };
  }

  /** Finds a key made since the last read, however recent that was. */
  #search(): Promise<readonly SigningKey[]> {
    const nowMs = this.#nowMs();
    if (nowMs - this.#searchedAtMs < MIN_RELOAD_MS) return this.#load(MAX_AGE_MS);
    this.#searchedAtMs = nowMs;
    return this.#load(0);
  }

  #load(maxAgeMs: number): Promise<readonly SigningKey[]> {
    const nowMs = this.#nowMs();
    if (this.#keys === undefined || nowMs - this.#askedAtMs >= maxAgeMs) {
      const before = this.#keys;
      this.#askedAtMs = nowMs;
      this.#keys = this.#read(nowMs).catch(async (error) => {
        this.#keys = before;
        const known = await before;
        // Signed tokens stay valid during an outage of the store.
        if (known === undefined || known.length === 0 || !(error instanceof OutageError)) throw error;
        return known;
      });
    }
    return this.#keys;
  }

  async #read(nowMs: number): Promise<readonly SigningKey[]> {
    const oldest = Math.floor(nowMs / 1000) - PUBLISHED_FOR_SECONDS;
    const keys = await this.#store.list();
    this.#latest = keys.filter(({ createdAt }) => createdAt >= oldest);
    return this.#latest;
  }

  async #rotate(newestAllowed: number): Promise<void> {
    const createdAt = Math.floor(this.#nowMs() / 1000);
    const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
    const key = { kid: this.#createKid(), createdAt, privateJwk: await exportJWK(privateKey) };
    if (await this.#store.addUnlessNewer(key, newestAllowed)) {
      await this.#store.removeOlder(createdAt - PUBLISHED_FOR_SECONDS);
    }
  }

  #import(name: string, jwk: JWK): Promise<CryptoKey> {
    let imported = this.#imported.get(name);
    if (imported === undefined) {
      imported = importJWK(jwk, SIGNING_ALGORITHM) as Promise<CryptoKey>;
      this.#imported.set(name, imported);
    }
    return imported;
  }
}

function toPublicJwk({ kid, privateJwk }: SigningKey): JWK {
  const { kty, crv, x } = privateJwk as { kty: string; crv: string; x: string };
  return { kty, crv, x, kid, alg: SIGNING_ALGORITHM, use: 'sig' };
}
