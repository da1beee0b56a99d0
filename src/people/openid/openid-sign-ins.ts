import { createHmac, hash, randomBytes } from 'node:crypto';
import { areEqualSecrets } from '../../base/equal-secrets.ts';
import { Places } from '../../base/places.ts';
import { createIds } from '../../base/time-ordered-id.ts';
import type { PeopleStore } from '../people-store.ts';
import { looksLike, nameKey, type Person } from '../person.ts';
import { newSecret, SECRET_FORM, secretHash } from '../sessions.ts';
import type { Identity, IdentityStore } from './identity-store.ts';
import { type Claims, type Provider, ProviderUnavailable, type SignInSecrets } from './provider.ts';

/** How long a person may take at the provider. */
export const SIGN_IN_MS = 10 * 60_000;
/** Maximum names that are tried for a new person until one is free. */
const MAX_NAMES = 20;
const MAX_NAME_CHARACTERS = 60;
const NAMELESS = 'Member';
/** Maximum codes of a thread that are being redeemed: anybody can send codes, and a slow provider makes each last for seconds. */
const MAX_REDEEMED = 8;

/**
 * What a person came for: to sign in, to join by a link, to sign in by a further account, or to prove again who they are. `subject` is
 * the secret of the link, or the id of the person; `session` is the value of the session that began it.
 */
export type Purpose =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'join'; readonly subject: string }
  | { readonly kind: 'link' | 'confirm'; readonly subject: string; readonly session: string };

/** Reasons of a failed sign-in, as sent to the page. */
export type Failure =
  | 'state'
  | 'denied'
  | 'unavailable'
  | 'refused'
  | 'unknown'
  | 'link'
  | 'taken'
  | 'session'
  /** Another account than one of the person, where a recent proof was asked for. */
  | 'other'
  /** The provider did not ask the person to sign in again. */
  | 'old';

export type Outcome =
  | { readonly done: 'sign-in'; readonly person: Person; readonly identityId: string }
  | { readonly done: 'link'; readonly person: Person }
  | { readonly done: 'confirm'; readonly person: Person }
  | { readonly failure: Failure };

/** The session of the browser that comes back. */
export interface ReturnedSession {
  readonly person: Person;
  readonly value: string;
}

const KINDS = { s: 'sign-in', j: 'join', l: 'link', c: 'confirm' } as const;
const TICKET = new RegExp(
  `^(${SECRET_FORM}\\.([0-9a-z]{1,11})\\.([sjlc])\\.([A-Za-z0-9_-]{0,64}))\\.(${SECRET_FORM})$`,
);
/** The form of a ticket, as a pattern without anchors. */
export const TICKET_FORM = '[A-Za-z0-9_.-]{90,170}';

export interface OpenIdSignInsOptions {
  readonly provider: Provider;
  readonly store: IdentityStore;
  readonly people: Pick<PeopleStore, 'listNames'>;
  /** Name of the provider for people. */
  readonly name: string;
  /** Whether whoever the provider knows may join. */
  readonly mayJoin: boolean;
  /** Signs tickets, so that nobody plants one that this service did not issue. */
  readonly ticketSecret: Uint8Array;
  /** How long ago a person may have signed in at the provider where a recent proof is asked for. */
  readonly maxAgeSeconds: number;
  readonly nowMs: () => number;
  readonly onOwner: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Signs people in by an OpenID provider. What has to come back is a ticket that only the browser has: state, nonce and PKCE verifier are
 * hashes of it, so that the provider's answer fits one browser, one purpose and one time, and the service keeps nothing. The ticket is
 * signed, together with the session that it belongs to: cookies can be planted over http:.
 */
export class OpenIdSignIns {
  readonly #options: OpenIdSignInsOptions;
  readonly #redeemed = new Places({ all: MAX_REDEEMED, each: [] });

  constructor(options: OpenIdSignInsOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  /** Returns where the person goes, and the ticket for their browser. Undefined where the provider does not answer. */
  async begin(purpose: Purpose): Promise<{ readonly url: URL; readonly ticket: string } | undefined> {
    const { provider, nowMs, onFailure, maxAgeSeconds } = this.#options;
    const until = (nowMs() + SIGN_IN_MS).toString(36);
    const kind = purpose.kind[0];
    const text = `${newSecret()}.${until}.${kind}.${'subject' in purpose ? purpose.subject : ''}`;
    const ticket = `${text}.${this.#sign(text, 'session' in purpose ? purpose.session : undefined)}`;
    const secrets = secretsOf(ticket);
    try {
      return {
        url: await provider.addressFor(
          secrets,
          hash('sha256', secrets.verifier, 'base64url'),
          purpose.kind === 'confirm' ? maxAgeSeconds : undefined,
        ),
        ticket,
      };
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      onFailure(error);
      return undefined;
    }
  }

  /** Completes a sign-in of `begin`. `signedIn` is the browser's session, if any. */
  async finish(
    ticket: string | undefined,
    query: URLSearchParams,
    signedIn?: ReturnedSession,
  ): Promise<Outcome> {
    const purpose = ticket === undefined ? undefined : this.#purposeIn(ticket, signedIn?.value);
    if (purpose === undefined) return { failure: 'state' };
    if (purpose === 'other-session') return { failure: 'session' };
    const secrets = secretsOf(ticket!);
    if (query.getAll('state').join() !== secrets.state) return { failure: 'state' };
    if (query.has('error')) return { failure: 'denied' };
    const leave = this.#redeemed.take([]);
    if (leave === undefined) return { failure: 'unavailable' };
    let claims: Claims;
    try {
      claims = await this.#options.provider.redeem(query, secrets);
    } catch (error) {
      this.#options.onFailure(error);
      return { failure: isOutage(error) ? 'unavailable' : 'refused' };
    } finally {
      leave();
    }
    if (purpose.kind === 'link') return this.#link(claims, purpose.subject, signedIn?.person);
    if (purpose.kind === 'confirm') return this.#confirm(claims, signedIn?.person);
    return this.#enter(claims, purpose.kind === 'join' ? purpose.subject : undefined);
  }

  identitiesOf(person: Person): Promise<readonly Identity[]> {
    return this.#options.store.list(person.id);
  }

  /** False where the person has no such identity, or no other way to sign in. */
  unlink({ person, value }: ReturnedSession, id: string): Promise<boolean> {
    return this.#options.store.unlink(person.id, id, secretHash(value));
  }

  #sign(text: string, session = ''): string {
    const bound = session === '' ? '' : secretHash(session);
    return createHmac('sha256', this.#options.ticketSecret).update(`${text} ${bound}`).digest('base64url');
  }

  /** Undefined for an invalid or expired ticket; 'other-session' for one that another session began. */
  #purposeIn(ticket: string, session: string | undefined): SignedPurpose | 'other-session' | undefined {
    const [, text = '', until, letter, subject = '', signature = ''] = TICKET.exec(ticket) ?? [];
    const leftMs = Number.parseInt(until ?? '', 36) - this.#options.nowMs();
    if (!(leftMs > 0 && leftMs <= SIGN_IN_MS)) return undefined;
    const kind = KINDS[letter as keyof typeof KINDS];
    const isBound = kind === 'link' || kind === 'confirm';
    if (!areEqualSecrets(signature, this.#sign(text, isBound ? session : undefined)))
      return isBound ? 'other-session' : undefined;
    return { kind, subject };
  }

  async #link(claims: Claims, personId: string, signedIn: Person | undefined): Promise<Outcome> {
    if (signedIn?.id !== personId) return { failure: 'session' };
    const outcome = await this.#options.store.link(personId, this.#identityOf(claims));
    if (outcome === 'done') return { done: 'link', person: signedIn };
    const owner = await this.#options.store.find(this.#options.provider.issuer, claims.subject);
    return owner?.person.id === personId ? { done: 'link', person: signedIn } : { failure: 'taken' };
  }

  async #confirm(claims: Claims, signedIn: Person | undefined): Promise<Outcome> {
    const { provider, store, nowMs, maxAgeSeconds } = this.#options;
    const known = await store.find(provider.issuer, claims.subject);
    if (signedIn === undefined || known?.person.id !== signedIn.id) return { failure: 'other' };
    // Providers need not state the time; they were asked for a new sign-in.
    const { signedInAt = nowMs() / 1000 } = claims;
    if (nowMs() / 1000 - signedInAt > maxAgeSeconds + LEEWAY_SECONDS) return { failure: 'old' };
    return { done: 'confirm', person: signedIn };
  }

  async #enter(claims: Claims, link: string | undefined): Promise<Outcome> {
    const { provider, store, mayJoin, onOwner } = this.#options;
    const known = await store.find(provider.issuer, claims.subject);
    if (known !== undefined) return { done: 'sign-in', ...known };
    if (link === undefined && !mayJoin) return { failure: 'unknown' };
    const identity = this.#identityOf(claims);
    const linkHash = link === undefined ? undefined : secretHash(link);
    const others = await this.#options.people.listNames();
    for (const name of namesFor(await this.#nameIn(claims))) {
      if (others.some((other) => looksLike(name, other.name))) continue;
      const [id] = createIds(1, identity.createdAtMs, randomBytes);
      const person = {
        id: id!,
        name,
        nameKey: nameKey(name),
        password: '',
        createdAtMs: identity.createdAtMs,
      };
      const joined = await store.join(person, identity, linkHash);
      if (joined === undefined) continue;
      if (joined.role === 'owner') await onOwner();
      return { done: 'sign-in', person: joined, identityId: identity.id };
    }
    return { failure: link === undefined ? 'unknown' : 'link' };
  }

  /** A person can choose another name later, so that none is missed. */
  async #nameIn(claims: Claims): Promise<string | undefined> {
    try {
      return await claims.name();
    } catch (error) {
      this.#options.onFailure(error);
      return undefined;
    }
  }

  #identityOf({ subject }: Claims): Identity {
    const createdAtMs = this.#options.nowMs();
    const [id] = createIds(1, createdAtMs, randomBytes);
    return { id: id!, issuer: this.#options.provider.issuer, subject, createdAtMs };
  }
}

interface SignedPurpose {
  readonly kind: Purpose['kind'];
  readonly subject: string;
}

/** How far the clock of the provider may differ. */
const LEEWAY_SECONDS = 60;

function secretsOf(ticket: string): SignInSecrets {
  const of = (what: string) => hash('sha256', `${what} ${ticket}`, 'base64url');
  return { state: of('state'), nonce: of('nonce'), verifier: of('verifier') };
}

/** The library wraps errors of requests. */
function isOutage(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof ProviderUnavailable) return true;
  return false;
}

/** Names to try, the one that the provider states first. */
function* namesFor(stated: string | undefined): Generator<string> {
  const plain = (stated ?? '')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const name = [...(plain === '' ? NAMELESS : plain)]
    .slice(0, MAX_NAME_CHARACTERS - 3)
    .join('')
    .trim();
  yield name;
  for (let at = 2; at < MAX_NAMES; at++) yield `${name} ${at}`;
}
