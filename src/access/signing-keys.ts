import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { OutageError } from '../errors.ts';
import { orAfter } from '../patience.ts';

export const SIGNING_ALGORITHM = 'EdDSA';
/** How long tokens are valid; see also `docs/access.md`. */
export const TOKEN_LIFETIME_SECONDS = 900;
/** A key signs for a week, and is then published until whatever it signed has expired, with a day to spare. */
const SIGNS_FOR_SECONDS = 7 * 86_400;
const PUBLISHED_FOR_SECONDS = SIGNS_FOR_SECONDS + TOKEN_LIFETIME_SECONDS + 86_400;
/** Shortest time between reloads that unknown key ids, or requests for the public keys, cause. */
const MIN_RELOAD_MS = 1_000;
/** How long a removed key may still be used. */
const MAX_AGE_MS = 30_000;
/** How long a token's key waits for a slow store before the keys that were read before are good enough. */
const PATIENCE_MS = 250;

export interface SigningKeyRingPorts {
  readonly store: SigningKeyStore;
  readonly nowMs: () => number;
  readonly createKid: () => string;
}

/**
 * The keys that sign access tokens. They rotate by themselves: a thread that is to sign and finds the newest key too old
 * makes the next one; of several that do so at once the store lets one succeed.
 */
export class SigningKeyRing {
  readonly #store: SigningKeyStore;
  readonly #nowMs: () => number;
  readonly #createKid: () => string;
  /** Newest first. */
  #keys: Promise<readonly SigningKey[]> | undefined;
  /** The same, as they were last read. */
  #latest: readonly SigningKey[] | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #searchedAtMs = Number.NEGATIVE_INFINITY;
  readonly #imported = new Map<string, Promise<CryptoKey>>();

  constructor({ store, nowMs, createKid }: SigningKeyRingPorts) {
    this.#store = store;
    this.#nowMs = nowMs;
    this.#createKid = createKid;
  }

  /** The key to sign with now. */
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

  /** The public key of this id, or undefined when tokens that name it are not ours or too old. */
  async verifying(kid: string): Promise<CryptoKey | undefined> {
    const find = (keys: readonly SigningKey[]) => keys.find((key) => key.kid === kid);
    const keys = this.#load(MAX_AGE_MS);
    // Keys that were read before stay good while the store is silent.
    const latest = this.#latest === undefined ? await keys : await orAfter(PATIENCE_MS, keys, this.#latest);
    const known = find(latest) ?? find(await this.#search());
    return known === undefined ? undefined : this.#import(`public ${kid}`, toPublicJwk(known));
  }

  /** For `/.well-known/jwks.json`. */
  async publicJwks(): Promise<{ keys: JWK[] }> {
    return { keys: (await this.#load(MIN_RELOAD_MS)).map(toPublicJwk) };
  }

  /** A key that was made since the last look is found at once, however short ago that was. */
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
        // What was signed stays signed while the store is away.
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

/** A key that access tokens are signed with. Times are whole Unix seconds. */
export interface SigningKey {
  readonly kid: string;
  readonly createdAt: number;
  readonly privateJwk: JWK;
}

/**
 * Keeps signing keys. What a method has answered is durable and seen by every later call, from whichever thread,
 * process or node it comes.
 */
export interface SigningKeyStore {
  /** Newest first. */
  list(): Promise<readonly SigningKey[]>;
  /** Adds unless there is a key created after `newest`; of several callers at once one succeeds. */
  addUnlessNewer(key: SigningKey, newest: number): Promise<boolean>;
  /** Forgets keys created before `oldest`. */
  removeOlder(oldest: number): Promise<void>;
}
