import { randomBytes, randomUUID } from 'node:crypto';
import { KeyStore } from '../access/key-store.ts';
import { TenantDirectory } from '../access/tenant-directory.ts';
import { TenantKeys } from '../access/tenant-keys.ts';
import { Authentication, type CredentialOptions } from '../access/tokens/bearer.ts';
import { ExternalTokenVerifier } from '../access/tokens/external-token-verifier.ts';
import { IssuerKeys } from '../access/tokens/issuer-keys.ts';
import { SigningKeyStore } from '../access/tokens/signing-key-store.ts';
import { SigningKeyRing } from '../access/tokens/signing-keys.ts';
import { TokenIssuer } from '../access/tokens/token-issuer.ts';
import { TokenVerifier } from '../access/tokens/token-verifier.ts';
import type { Config } from '../config/config.ts';
import { createCounterMemory, SharedCounters } from '../counters/memory/counters.ts';
import { IdempotencyStore } from '../idempotency/idempotency-store.ts';
import { IdempotentRequests } from '../idempotency/idempotent-requests.ts';
import { RequestLimiter } from '../limits/request-limiter.ts';
import { OutgoingAddresses } from '../outgoing/outgoing-addresses.ts';
import { PeopleStore } from '../people/people-store.ts';
import type { Engine, OpenDatabase } from './backend.ts';
import { createAuthenticator, createKeyIssuer } from './keys.ts';

type AccessEngine = Pick<
  Engine,
  'sql' | 'keys' | 'keyLookUps' | 'signingKeys' | 'idempotencyStore' | 'counters' | 'ownCounters' | 'nowMs'
>;

/** Room for 512 counters, because a worker gets few requests. */
const OWN_COUNTER_BUCKETS = 64;

/** Access control of a process that answers few requests and counts them in its own memory. */
export function openOwnAccess(config: Config, database: OpenDatabase) {
  const counters = new SharedCounters({
    memory: createCounterMemory({ randomBytes, buckets: OWN_COUNTER_BUCKETS }),
  });
  const keys = new KeyStore(database);
  return createAccess(config, {
    sql: database,
    keys,
    keyLookUps: keys,
    signingKeys: new SigningKeyStore(database),
    idempotencyStore: new IdempotencyStore({ ...database, createClaimId: randomUUID }),
    counters,
    ownCounters: counters,
    nowMs: database.nowMs,
  });
}

/** Creates the authentication and rate limits of one thread. */
export function createAccess(config: Config, engine: AccessEngine, nowMs = engine.nowMs) {
  const { keys: store, keyLookUps, signingKeys, idempotencyStore, counters, ownCounters } = engine;
  const people = new PeopleStore(engine.sql);
  const authenticator = createAuthenticator(keyLookUps, nowMs, { marks: store, people });
  const ring = new SigningKeyRing({ store: signingKeys, nowMs, createKid: randomUUID });
  const verifier = new TokenVerifier({ ring, authenticator, nowMs });
  const tokens = new TokenIssuer({ ring, nowMs });
  const tenants = new TenantDirectory(engine.sql);
  const keys = new TenantKeys({
    store,
    issuer: createKeyIssuer(store, nowMs),
    tenants,
    maxKeys: config.keysPerTenant,
  });
  const external = openExternalIssuer(config, nowMs);
  return {
    authentication: new Authentication({ authenticator, verifier, external }),
    tokens,
    signingKeys: ring,
    keys,
    tenants,
    limiter: new RequestLimiter({ counters, ownCounters, nowMs: Date.now }),
    idempotentRequests: new IdempotentRequests({
      store: idempotencyStore,
      nowMs: engine.nowMs,
    }),
    checkDatabase: async () => {
      await store.list({ limit: 1 });
    },
  };
}

function openExternalIssuer(
  { oidc, outgoingNetworks }: Config,
  nowMs: () => number,
): CredentialOptions['external'] {
  if (oidc === undefined) return undefined;
  const addresses = new OutgoingAddresses({ allowed: outgoingNetworks });
  const keys = new IssuerKeys({ issuer: oidc.issuer, addresses, nowMs });
  const verifier = new ExternalTokenVerifier({ issuer: oidc, keys: keys.find, nowMs });
  return {
    issuer: oidc.issuer,
    known: (token) => verifier.known(token),
    verify: (token) => verifier.verify(token),
  };
}
