import { randomBytes } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import { createIds } from '../base/time-ordered-id.ts';
import { WINDOW_SECONDS } from '../counters/counters.ts';
import { clientNetwork } from '../limits/client-network.ts';
import type { Limiter } from '../limits/request-limiter.ts';
import { requireUncommon } from './chosen-password.ts';
import { isKnownDevice } from './known-device.ts';
import type { Passwords } from './passwords.ts';
import type { FoundSession, PeopleStore, PersonWithPassword } from './people-store.ts';
import { looksLike, nameKey, type Person, type Session } from './person.ts';
import { type ActingSession, secretHash } from './sessions.ts';

/** Sign-ins a minute for one name from one network, whether or not anybody has the name. */
const SIGN_INS = 10;
/** How long after a sign-in a person without a password may set one. */
const RECENT_MS = 10 * 60_000;
/** Sign-ins a minute for one name from all networks together. Browsers that have signed in before are counted by themselves. */
const SIGN_INS_OF_NAME = 100;

export interface PeopleOptions {
  readonly store: PeopleStore;
  readonly passwords: Passwords;
  readonly limiter: Limiter;
  readonly nowMs: () => number;
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
  readonly password: string;
  /** IP address of the client. */
  readonly address: string;
  /** See `deviceMark`. */
  readonly mark: string | undefined;
}

export interface PasswordChange {
  /** Absent for the first password of a person. */
  readonly current?: string | undefined;
  readonly new: string;
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

  /** Rejects with `forbidden`, in the same time, for an unknown name and for a wrong password. */
  async signIn({ name, password, address, mark }: SignIn): Promise<PersonWithPassword> {
    const { store, passwords } = this.#options;
    const key = nameKey(name);
    const found = await store.findByName(key);
    const isKnown = isKnownDevice(mark, found?.password);
    if (isKnown) await this.#count(`known ${key}`, SIGN_INS);
    else {
      await this.#count(`${clientNetwork(address)} ${key}`, SIGN_INS);
      await this.#count(`all ${key}`, SIGN_INS_OF_NAME);
    }
    if (await passwords.matches(password, found?.password, isKnown ? 'known' : 'stranger')) return found!;
    throw new AppError({ code: 'forbidden', message: 'The name or the password is wrong.' });
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
   * current one, and where a first password is set by a session that is not recent.
   */
  async changePassword(session: ActingSession, change: PasswordChange): Promise<string> {
    const { store, passwords } = this.#options;
    const { id } = session.person;
    await this.#count(`change ${id}`, SIGN_INS);
    const before = (await store.findPerson(id))?.password;
    if (before === undefined && change.current === undefined) this.#requireRecent(session);
    else if (change.current === undefined) throw noCurrent();
    else if (!(await passwords.matches(change.current, before, 'known'))) throw wrongPassword();
    await requireUncommon(change.new, [session.person.name]);
    const password = await passwords.hash(change.new, 'known');
    const kept = secretHash(session.value);
    if (await store.changePassword(id, { before: before ?? '', password, kept })) return password;
    throw wrongPassword();
  }

  /** Rejects with `invalid_request` for a name that looks like that of somebody else. */
  async #requireDistinct(name: string, id?: string): Promise<void> {
    const others = (await this.#options.store.listNames()).filter((other) => other.id !== id);
    if (others.some((other) => looksLike(name, other.name))) throw nameTaken();
  }

  /** Returns whether the person has a password, and may set the first one by this session. */
  async passwordOf({ person, session }: FoundSession): Promise<{ isSet: boolean; maySetFirst: boolean }> {
    const isSet = (await this.#options.store.findPerson(person.id))?.password !== undefined;
    return { isSet, maySetFirst: !isSet && this.#isRecent(session) };
  }

  #isRecent({ createdAtMs }: Session): boolean {
    return this.#options.nowMs() - createdAtMs < RECENT_MS;
  }

  /** A stolen session must not become a way to sign in for good, as it cannot where the current password is asked for. */
  #requireRecent({ session }: FoundSession): void {
    if (this.#isRecent(session)) return;
    throw new AppError({
      code: 'forbidden',
      message: 'Sign in again first: a first password is set within ten minutes of a sign-in.',
    });
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
  return new AppError({ code: 'not_found', message: 'Nobody in this household has this id.' });
}

function noLink(): AppError {
  return new AppError({
    code: 'not_found',
    message: 'This link was used or has expired; ask an owner of the household for a new one.',
  });
}
