import { hash, randomBytes, randomInt } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { createIds } from '../../base/time-ordered-id.ts';
import type { Person } from '../person.ts';
import { type ActingSession, secretHash } from '../sessions.ts';
import { CHALLENGE_MS, type Challenges } from './challenges.ts';
import {
  type FoundPasskey,
  MAX_PASSKEYS,
  type Passkey,
  type PasskeyState,
  type PasskeyStore,
} from './passkey-store.ts';

export const RECOVERY_CODES = 10;
/** Crockford's alphabet, without letters that are mistaken for others. */
const CODE_LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
/** 120 bits: nobody guesses one, so a fast hash is enough (ASVS 6.5.2). */
const CODE_LENGTH = 24;
const GROUP = /.{4}(?=.)/g;
const ANSWER = 'answer a challenge';

/** The site that a request comes from, as browsers name it to authenticators. */
export interface Site {
  readonly rpId: string;
  readonly origin: string;
}

export interface PasskeysOptions {
  readonly store: PasskeyStore;
  readonly challenges: Challenges;
  readonly nowMs: () => number;
}

export interface AddedPasskey {
  readonly passkey: Passkey;
  /** Present with the person's first passkey. */
  readonly recoveryCodes?: readonly string[];
}

export function siteAt(baseUrl: string): Site {
  const { hostname: rpId, origin } = new URL(baseUrl);
  return { rpId, origin };
}

/**
 * Passkeys of people (WebAuthn): as the only factor, since the authenticator verifies its user, or after the password. They are bound
 * to the name of the site. The library is loaded at the first use.
 */
export class Passkeys {
  readonly #options: PasskeysOptions;

  constructor(options: PasskeysOptions) {
    this.#options = options;
  }

  /** Whether anybody of the household has one. */
  areUsed(): Promise<boolean> {
    return this.#options.store.hasAny();
  }

  list({ id }: Person): Promise<readonly Passkey[]> {
    return this.#options.store.list(id);
  }

  stateOf({ id }: Person): Promise<PasskeyState> {
    return this.#options.store.stateOf(id);
  }

  /** Returns the options of `navigator.credentials.get`, for whoever is at the device. */
  async challenge({ rpId }: Site): Promise<object> {
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    return generateAuthenticationOptions({
      rpID: rpId,
      challenge: this.#options.challenges.issue(ANSWER),
      userVerification: 'required',
      timeout: CHALLENGE_MS,
    });
  }

  /** Returns the options of `navigator.credentials.create`. */
  async creation({ id, name }: Person, { rpId }: Site): Promise<object> {
    const { store, challenges } = this.#options;
    const { generateRegistrationOptions } = await import('@simplewebauthn/server');
    const known = await store.list(id);
    return generateRegistrationOptions({
      rpName: 'Larder',
      rpID: rpId,
      userID: new Uint8Array(Buffer.from(id)),
      userName: name,
      challenge: challenges.issue(creationBy(id)),
      attestationType: 'none',
      timeout: CHALLENGE_MS,
      excludeCredentials: known.map(({ credentialId, transports }) => ({
        id: credentialId,
        transports: transports as AuthenticatorTransport[],
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /** Rejects with `invalid_request` for an answer that is not valid, and with `quota_exceeded`. */
  async add(
    { id: personId }: Person,
    { name, response }: { readonly name: string; readonly response: object },
    { rpId, origin }: Site,
  ): Promise<AddedPasskey> {
    const { store, challenges, nowMs } = this.#options;
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    let challengedAtMs: number | undefined;
    const verified = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: (challenge) => {
        challengedAtMs = challenges.issuedAt(challenge, creationBy(personId));
        return challengedAtMs !== undefined;
      },
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
    }).catch((cause) => {
      throw refusedAnswer('invalid_request', cause);
    });
    if (!verified.verified || challengedAtMs === undefined) throw refusedAnswer('invalid_request');
    const { credential } = verified.registrationInfo;
    const createdAtMs = nowMs();
    const [id] = createIds(1, createdAtMs, randomBytes);
    const passkey: Passkey = {
      id: id!,
      credentialId: credential.id,
      personId,
      name,
      rpId,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: (credential.transports ?? []).filter((transport) => /^[a-z-]{1,20}$/.test(transport)),
      createdAtMs,
    };
    const outcome = await store.add(passkey, challengedAtMs);
    if (outcome === 'full') throw full();
    if (outcome === 'taken') throw refusedAnswer('invalid_request');
    const { recoveryCodes } = await store.stateOf(personId);
    return { passkey, ...(recoveryCodes === 0 && { recoveryCodes: await this.newCodes(personId) }) };
  }

  /** Returns whose passkey has answered a challenge of this service. Rejects with `forbidden`; an answer counts once. */
  async answered(given: object, { rpId, origin }: Site): Promise<FoundPasskey> {
    const { store, challenges, nowMs } = this.#options;
    const response = given as AuthenticationResponseJSON;
    const found = await store.find(String(response.id));
    if (found === undefined || found.passkey.rpId !== rpId) throw refusedAnswer('forbidden');
    const { credentialId, publicKey, counter, transports } = found.passkey;
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    let challengedAtMs: number | undefined;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => {
        challengedAtMs = challenges.issuedAt(challenge, ANSWER);
        return challengedAtMs !== undefined;
      },
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: {
        id: credentialId,
        publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
        counter,
        transports: transports as AuthenticatorTransport[],
      },
      requireUserVerification: true,
    }).catch((cause) => {
      throw refusedAnswer('forbidden', cause);
    });
    const use = {
      challengedAtMs: challengedAtMs ?? 0,
      counter: authenticationInfo.newCounter,
      nowMs: nowMs(),
    };
    if (!verified || !(await store.use(credentialId, use))) throw refusedAnswer('forbidden');
    return found;
  }

  /** Rejects with `not_found`, and with `forbidden` where it is the last way to sign in. */
  async remove({ person, value }: ActingSession, id: string): Promise<void> {
    const { store } = this.#options;
    if (await store.remove(person.id, id, secretHash(value))) return;
    const isThere = (await store.list(person.id)).some((passkey) => passkey.id === id);
    throw isThere
      ? lastWay()
      : new AppError({ code: 'passkey_not_found', message: 'You have no passkey with this id.' });
  }

  /** Makes the password sign in only together with a passkey, or alone again. Rejects with `conflict` without a passkey. */
  async require({ id }: Person, isRequired: boolean): Promise<void> {
    if (!(await this.#options.store.require(id, isRequired))) throw noPasskey();
  }

  /** Rejects with `conflict` without a passkey. */
  async removePassword({ id }: Person): Promise<void> {
    if (!(await this.#options.store.removePassword(id))) throw noPasskey();
  }

  /** Replaces all recovery codes. A code stands for a passkey once; only its hash is stored. */
  async newCodes(personId: string): Promise<readonly string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newCode);
    await this.#options.store.replaceCodes(
      personId,
      codes.map((code) => codeHash(personId, code)),
    );
    return codes;
  }

  /** Uses a recovery code up; false for any other text. */
  async useCode(personId: string, code: string): Promise<boolean> {
    return this.#options.store.useCode(personId, codeHash(personId, code));
  }
}

function creationBy(personId: string): string {
  return `create a passkey of ${personId}`;
}

function newCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]);
  return letters.join('').replaceAll(GROUP, '$&-');
}

/** People type codes in capitals, and with or without hyphens. */
function codeHash(personId: string, code: string): string {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return hash('sha256', `${personId} ${plain}`, 'base64url');
}

function refusedAnswer(code: 'forbidden' | 'invalid_request', cause?: unknown): AppError {
  return new AppError({
    code,
    message: 'This passkey is not valid here, or its answer is too old; try again.',
    cause,
  });
}

function full(): AppError {
  return new AppError({
    code: 'quota_exceeded',
    message: `You have ${MAX_PASSKEYS} passkeys, as many as there may be; remove some first.`,
    details: { quota: 'passkeys', limit: MAX_PASSKEYS, used: MAX_PASSKEYS },
  });
}

function lastWay(): AppError {
  return new AppError({
    code: 'forbidden',
    message: 'This is the last way for you to sign in. Set a password or add another passkey first.',
  });
}

function noPasskey(): AppError {
  return new AppError({ code: 'conflict', message: 'You have no passkey; add one first.' });
}
