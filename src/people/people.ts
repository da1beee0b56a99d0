import { randomBytes } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import type { Creator } from '../access/api-key.ts';
import { personIn } from '../access/creator.ts';
import { createIds } from '../base/time-ordered-id.ts';
import { WINDOW_SECONDS } from '../counters/counters.ts';
import { clientNetwork } from '../limits/client-network.ts';
import type { Limiter } from '../limits/request-limiter.ts';
import type { Confirmation } from './confirmation.ts';
import { isKnownDevice } from './known-device.ts';
import { endMadeBy, endOwnKeys, endPasskeys, unlinkAll } from './made-credentials.ts';
import { CHALLENGE_MS } from './passkeys/challenges.ts';
import type { Passkeys, Site } from './passkeys/passkeys.ts';
import type { Passwords } from './passwords.ts';
import type { FoundSession, PeopleStore, PersonWithPassword } from './people-store.ts';
import { looksLike, nameKey, type Person } from './person.ts';
import { type ActingSession, newSecret, type Sessions, secretHash } from './sessions.ts';

/** Sign-ins a minute for one name from one network, whether or not anybody has the name. */
const SIGN_INS = 10;
/** Sign-ins a minute for one name from all networks together. Browsers that have signed in before are counted by themselves. */
const SIGN_INS_OF_NAME = 100;
/** How long a link lasts by which a member sets a new password. */
const RESET_MS = 86_400_000;

export interface PeopleOptions {
  readonly store: PeopleStore;
  readonly passwords: Passwords;
  readonly limiter: Limiter;
  readonly nowMs: () => number;
  readonly sessions: Sessions;
  readonly confirmation: Confirmation;
  readonly passkeys: Passkeys;
  /** Called when an owner has joined, whose link is used up. */
  readonly onOwner: () => Promise<void>;
}

export interface JoinRequest {
  /** The secret of the link. */
  readonly link: string;
  readonly name: string;
  readonly password: string;
}

export interface SignIn {
  readonly name: string;
  /** Absent if a person without a password signs in by a recovery code alone. */
  readonly password?: string | undefined;
  /** The answer of a passkey, where the password alone is not enough. */
  readonly passkey?: object | undefined;
  /** Stands for a passkey once. */
  readonly recoveryCode?: string | undefined;
  readonly site: Site;
  /** IP address of the client. */
  readonly address: string;
  /** See `deviceMark`. */
  readonly mark: string | undefined;
}

export interface PasswordChange {
  /** Absent for the first password of a person. */
  readonly current?: string | undefined;
  readonly new: string;
  /** Ends the own keys, and keys and webhooks of tenants that the person made. */
  readonly endKeys?: boolean | undefined;
  /** Ends the sign-in by accounts elsewhere. */
  readonly unlink?: boolean | undefined;
  /** Ends the sign-in by passkeys and recovery codes. */
  readonly endPasskeys?: boolean | undefined;
}

/** The accounts of the household. */
export class People {
  readonly #options: PeopleOptions;

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  /**
   * Makes a person by a link, and returns the PHC string of the password, too. Rejects with `not_found` for a link that is used up, and
   * with `invalid_request` for a taken name.
   */
  async join({ link, name, password }: JoinRequest): Promise<PersonWithPassword> {
    const { store, passwords, nowMs, onOwner } = this.#options;
    const linkHash = secretHash(link);
    if (!(await store.hasLink(linkHash, nowMs()))) throw noLink();
    await requireUncommon(password, [name]);
    await this.#requireDistinct(name);
    const createdAtMs = nowMs();
    const [id] = createIds(1, createdAtMs, randomBytes);
    const person = { id: id!, name, nameKey: nameKey(name), createdAtMs };
    const hashed = await passwords.hash(password, 'known');
    const added = await store.addPerson({ ...person, password: hashed }, linkHash);
    if (added === 'no-link') throw noLink();
    if (added !== 'name-taken') {
      if (added.role === 'owner') await onOwner();
      return { person: added, password: hashed };
    }
    throw nameTaken();
  }

  /**
   * Rejects with `forbidden`, in the same time, for an unknown name and for a wrong password, and with `confirmation_required` where a
   * passkey or a recovery code is asked for, too.
   */
  async signIn(request: SignIn): Promise<PersonWithPassword> {
    const { name, password, recoveryCode, address, mark } = request;
    const { store, passwords, passkeys } = this.#options;
    const key = nameKey(name);
    const found = await store.findByName(key);
    const isKnown = isKnownDevice(mark, found?.password);
    if (isKnown) await this.#count(`known ${key}`, SIGN_INS);
    else {
      await this.#count(`${clientNetwork(address)} ${key}`, SIGN_INS);
      await this.#count(`all ${key}`, SIGN_INS_OF_NAME);
    }
    if (password === undefined) {
      const isUsed = await passkeys.useCode(found?.person.id ?? '', recoveryCode ?? '');
      // A code alone must not sign in a person who has a password.
      if (isUsed && found?.password === undefined) return found!;
      throw wrongSignIn();
    }
    if (!(await passwords.matches(password, found?.password, isKnown ? 'known' : 'stranger')))
      throw wrongSignIn();
    if (found!.asksPasskey) await this.#requireSecondFactor(found!.person, request);
    return found!;
  }

  async #requireSecondFactor(
    { id }: Person,
    { passkey, recoveryCode, site }: Pick<SignIn, 'passkey' | 'recoveryCode' | 'site'>,
  ): Promise<void> {
    const { passkeys } = this.#options;
    if (passkey !== undefined) {
      if ((await passkeys.answered(passkey, site)).person.id === id) return;
      throw wrongSignIn();
    }
    if (recoveryCode !== undefined) {
      if (await passkeys.useCode(id, recoveryCode)) return;
      throw wrongSignIn();
    }
    throw new AppError({
      code: 'confirmation_required',
      message: 'The password is right. Send the answer of a passkey or a recovery code with it, too.',
      details: { methods: ['passkey', 'recovery_code'], maxAgeSeconds: CHALLENGE_MS / 1000 },
    });
  }

  /** Rejects with `invalid_request` for a taken name. */
  async rename({ id }: Person, name: string): Promise<Person> {
    await this.#requireDistinct(name, id);
    const renamed = await this.#options.store.rename(id, name, nameKey(name));
    if (renamed === 'name-taken') throw nameTaken();
    if (renamed === undefined) throw noPerson();
    return renamed;
  }

  /**
   * Ends all sessions of the person but this one, and returns the PHC string of the new password. Rejects with `forbidden` for a wrong
   * current one, and with `confirmation_required` where a first password is set by a session without a recent proof.
   */
  async changePassword(session: ActingSession, change: PasswordChange): Promise<string> {
    const { store, passwords, confirmation, nowMs } = this.#options;
    const { id } = session.person;
    await this.#count(`change ${id}`, SIGN_INS);
    const before = (await store.findPerson(id))?.password;
    if (before === undefined && change.current === undefined) await confirmation.requireRecent(session);
    else if (change.current === undefined) throw noCurrent();
    else if (!(await passwords.matches(change.current, before, 'known'))) throw wrongPassword();
    await requireUncommon(change.new, [session.person.name]);
    const password = await passwords.hash(change.new, 'known');
    const kept = secretHash(session.value);
    const also = [
      ...(change.endKeys ? [endOwnKeys(id, nowMs()), ...endMadeBy(id, nowMs())] : []),
      ...(change.unlink ? unlinkAll(id, kept) : []),
      ...(change.endPasskeys ? endPasskeys(id, kept) : []),
    ];
    if (await store.changePassword(id, { before: before ?? '', password, kept, also })) return password;
    throw wrongPassword();
  }

  /**
   * Makes a link by which a member who forgot the password sets a new one, and ends an earlier link. Rejects with `not_found`, and with
   * `forbidden` for owners and for people without a password: a link would be a way in that they did not choose.
   */
  async makeReset(
    id: string,
    createdBy: Creator,
  ): Promise<{ readonly link: string; readonly untilMs: number }> {
    const { store, nowMs } = this.#options;
    const link = newSecret();
    const untilMs = nowMs() + RESET_MS;
    if (await store.addReset(id, { hash: secretHash(link), untilMs, createdBy })) return { link, untilMs };
    const found = await store.findPerson(id);
    if (found === undefined) throw noPerson();
    throw new AppError({
      code: 'forbidden',
      message:
        found.person.role === 'owner'
          ? 'Owners get no such link; `larder user password` on the machine of the service gives them a new password.'
          : 'This person has no password, but signs in by an account elsewhere.',
    });
  }

  /** Sets a password by a link and ends all sessions of the person. Rejects with `not_found` for a link that is used up. */
  async reset({ link, password }: Pick<JoinRequest, 'link' | 'password'>): Promise<Person> {
    const { store, passwords, nowMs } = this.#options;
    const hash = secretHash(link);
    const person = await store.findByReset(hash, nowMs());
    if (person === undefined) throw noLink();
    await requireUncommon(password, [person.name]);
    const hashed = await passwords.hash(password, 'known');
    if (!(await store.resetPassword(person.id, hash, hashed, nowMs()))) throw noLink();
    return person;
  }

  /** The password that was set by a link, with the name of who made it, until `noteResetSeen`. */
  async unseenResetOf({ id }: Person): Promise<{ readonly atMs: number; readonly by?: string } | undefined> {
    const { store } = this.#options;
    const reset = await store.findUnseenReset(id);
    if (reset === undefined) return undefined;
    const maker = personIn(reset.by);
    const by = (await store.listNames()).find((each) => each.id === maker)?.name;
    return { atMs: reset.atMs, ...(by !== undefined && { by }) };
  }

  noteResetSeen({ id }: Person): Promise<void> {
    return this.#options.store.noteResetSeen(id);
  }

  /** Rejects with `invalid_request` for a name that looks like that of somebody else. */
  async #requireDistinct(name: string, id?: string): Promise<void> {
    const others = (await this.#options.store.listNames()).filter((other) => other.id !== id);
    if (others.some((other) => looksLike(name, other.name))) throw nameTaken();
  }

  /** Keeps that the person of the session has proved who they are. Rejects with `forbidden` for a wrong password. */
  async confirm(session: ActingSession, password: string): Promise<void> {
    const { store, passwords, sessions } = this.#options;
    const { id } = session.person;
    await this.#count(`change ${id}`, SIGN_INS);
    const stored = (await store.findPerson(id))?.password;
    if (!(await passwords.matches(password, stored, 'known'))) throw wrongPassword();
    await sessions.prove(session.value);
  }

  /** Keeps that the person of the session has proved by a passkey who they are. Rejects with `forbidden`. */
  async confirmByPasskey(session: ActingSession, answer: object, site: Site): Promise<void> {
    const { passkeys, sessions } = this.#options;
    const found = await passkeys.answered(answer, site);
    if (found.person.id !== session.person.id)
      throw new AppError({ code: 'forbidden', message: 'This passkey is of another person.' });
    await sessions.prove(session.value);
  }

  /** Returns whether the person has a password, and may set the first one by this session. */
  async passwordOf(session: FoundSession): Promise<{ isSet: boolean; maySetFirst: boolean }> {
    const { store, confirmation } = this.#options;
    const isSet = (await store.findPerson(session.person.id))?.password !== undefined;
    return { isSet, maySetFirst: !isSet && confirmation.isRecent(session) };
  }

  async #count(subject: string, limit: number): Promise<void> {
    const counted = { key: { id: 'sign-in', limits: { token: limit } }, userId: secretHash(subject) };
    const decision = await this.#options.limiter.take('token', counted);
    if (decision?.allowed !== false) return;
    throw new AppError({
      code: 'rate_limit_exceeded',
      message: 'Too many sign-ins with this name; wait a minute.',
      details: { retryAfter: WINDOW_SECONDS },
    });
  }
}

function wrongSignIn(): AppError {
  return new AppError({ code: 'forbidden', message: 'The name or the password is wrong.' });
}

function wrongPassword(): AppError {
  return new AppError({ code: 'forbidden', message: 'The current password is wrong.' });
}

function noCurrent(): AppError {
  return new AppError({
    code: 'invalid_request',
    message: 'Send the current password, too.',
    details: { fields: ['current'] },
  });
}

function nameTaken(): AppError {
  return new AppError({
    code: 'invalid_request',
    message: 'Somebody in this household has this name already; choose another one.',
    details: { fields: ['name'] },
  });
}

export function noPerson(): AppError {
  return new AppError({ code: 'person_not_found', message: 'Nobody in this household has this id.' });
}

function noLink(): AppError {
  return new AppError({
    code: 'link_not_found',
    message: 'This link was used or has expired; ask an owner of the household for a new one.',
  });
}

/** Digits and signs that people add to a word to make a password of it. */
const ADDED = /^[\p{N}\p{P}\p{S}\s]+|[\p{N}\p{P}\p{S}\s]+$/gu;
const SERVICE = 'larder';

/** Rejects with `invalid_request` for a password that is guessed first: one of the commonest, or the own name or that of the service. */
export async function requireUncommon(password: string, names: readonly string[]): Promise<void> {
  const written = password.normalize('NFKC').toLowerCase();
  const word = nameKey(password.replaceAll(ADDED, ''));
  if ([SERVICE, ...names.map(nameKey)].some((name) => isRepeated(word, name)))
    throw refusal(
      'name',
      'A password that is the own name, or that of the service, is guessed first; choose another one.',
    );
  // Read when a password is chosen, which is rare, and released after that.
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  if (dictionary['passwords-common'].includes(written))
    throw refusal(
      'common',
      'This is one of the commonest passwords, which are guessed first; choose another one.',
    );
}

function isRepeated(word: string, name: string): boolean {
  return word !== '' && name !== '' && word.replaceAll(name, '') === '';
}

function refusal(weakness: 'common' | 'name', message: string): AppError {
  return new AppError({ code: 'invalid_request', message, details: { fields: ['password'], weakness } });
}
