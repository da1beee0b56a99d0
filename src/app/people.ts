import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import { RepeatedTask } from '../base/repeated-task.ts';
import type { Config } from '../config/config.ts';
import type { SqlDatabase } from '../db/sql-database.ts';
import type { Limiter } from '../limits/request-limiter.ts';
import { OutgoingAddresses } from '../outgoing/outgoing-addresses.ts';
import { Confirmation, type ProofMethod } from '../people/confirmation.ts';
import { Household } from '../people/household.ts';
import { HouseholdStore } from '../people/household-store.ts';
import { IdentityStore } from '../people/openid/identity-store.ts';
import { OpenIdSignIns } from '../people/openid/openid-sign-ins.ts';
import { Provider } from '../people/openid/provider.ts';
import { OwnKeys } from '../people/own-keys.ts';
import { keepOwnerLink, removeOwnerLink } from '../people/owner-link.ts';
import { Challenges } from '../people/passkeys/challenges.ts';
import { PasskeyStore } from '../people/passkeys/passkey-store.ts';
import { Passkeys } from '../people/passkeys/passkeys.ts';
import { Passwords } from '../people/passwords.ts';
import { People } from '../people/people.ts';
import { PeopleStore } from '../people/people-store.ts';
import { Sessions } from '../people/sessions.ts';
import type { Engine } from './backend.ts';
import { hasPage } from './installation/page-folder.ts';
import { createKeyIssuer } from './keys.ts';

interface PeopleParts {
  readonly limiter: Limiter;
  /** The engine's clock by default. */
  readonly nowMs: (() => number) | undefined;
  readonly log: Logger;
  readonly erase: (userId: string) => Promise<void>;
}

/** Creates the parts of one API thread that manage people. */
export function createPeople(
  config: Config,
  engine: Engine,
  { limiter, nowMs = engine.nowMs, log, erase }: PeopleParts,
) {
  const store = new PeopleStore(engine.sql);
  const onOwner = () => removeOwnerLink(config.dataDir);
  const identities = new IdentityStore(engine.sql);
  const sessions = new Sessions({ store, nowMs });
  const openId = openIdOf(config, {
    store: identities,
    people: store,
    nowMs,
    onOwner,
    log,
    // A derived key for each purpose cannot be used for another purpose.
    ticketSecret: createHmac('sha256', engine.ticketSecret).update('tickets of sign-ins by OpenID').digest(),
  });
  const methods: ProofMethod[] = [
    {
      name: 'password',
      isOpenTo: async ({ id }) => (await store.findPerson(id))?.password !== undefined,
    },
  ];
  if (openId !== undefined)
    methods.push({
      name: 'openid',
      isOpenTo: async ({ id }) => (await identities.list(id)).length > 0,
    });
  const passkeyStore = new PasskeyStore(engine.sql);
  const secret = createHmac('sha256', engine.ticketSecret).update('challenges of passkeys').digest();
  const passkeys = new Passkeys({
    store: passkeyStore,
    challenges: new Challenges({ secret, nowMs }),
    nowMs,
  });
  methods.push({
    name: 'passkey',
    isOpenTo: async ({ id }) => (await passkeyStore.list(id)).length > 0,
  });
  const maxAgeMs = config.reauthSeconds * 1000;
  const confirmation = new Confirmation({ sessions, methods, maxAgeMs, nowMs });
  return {
    openId,
    confirmation,
    passkeys,
    household: new Household({ store: new HouseholdStore(engine.sql), nowMs, erase }),
    ownKeys: new OwnKeys({ store: engine.keys, issuer: createKeyIssuer(engine.keys, nowMs) }),
    people: new People({
      store,
      passwords: new Passwords(),
      limiter,
      nowMs,
      sessions,
      confirmation,
      passkeys,
      onOwner,
    }),
    sessions,
  };
}

interface OpenIdParts {
  readonly store: IdentityStore;
  readonly people: PeopleStore;
  readonly nowMs: () => number;
  readonly onOwner: () => Promise<void>;
  readonly ticketSecret: Uint8Array;
  readonly log: Logger;
}

/** The provider redirects to the configured address, never to one in a request. */
function openIdOf(config: Config, { log, ...parts }: OpenIdParts): OpenIdSignIns | undefined {
  const { openId, outgoingNetworks, reauthSeconds: maxAgeSeconds } = config;
  if (openId === undefined) return undefined;
  const { issuer, clientId, name, mayJoin, secrets } = openId;
  const provider = new Provider({
    issuer,
    clientId,
    clientSecret: secrets.clientSecret,
    callbackUrl: `${pageAddress(config)}/v1/session/openid/callback`,
    addresses: new OutgoingAddresses({ allowed: outgoingNetworks }),
    nowMs: parts.nowMs,
  });
  const onFailure = (err: unknown) => log.warn({ err }, 'a sign-in by OpenID failed');
  return new OpenIdSignIns({ ...parts, provider, name, mayJoin: mayJoin === 'on', maxAgeSeconds, onFailure });
}

const ERASE_EVERY_MS = 60_000;

export function startEraser(household: Household, log: Logger): RepeatedTask {
  const onError = (err: unknown) => log.warn({ err }, 'the data of people who left could not be erased');
  const erasing = new RepeatedTask(() => household.eraseDeparted(), { everyMs: ERASE_EVERY_MS, onError });
  erasing.start();
  return erasing;
}

/** Returns the link for creating the first owner of a service with a page, until an owner exists. */
export async function ensureOwnerLink(config: Config, database: SqlDatabase) {
  if (!hasPage(config)) return undefined;
  const { dataDir } = config;
  return keepOwnerLink(new PeopleStore(database), { dataDir, url: pageAddress(config) });
}

/** Returns the address of the page, as far as the settings determine it. */
export function pageAddress({ publicUrl, host, port, tls }: Config): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/$/, '');
  const here = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  const protocol = tls === undefined ? 'http' : 'https';
  return `${protocol}://${here.includes(':') ? `[${here}]` : here}:${port}`;
}
