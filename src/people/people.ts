import { randomBytes } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import { createIds } from '../base/time-ordered-id.ts';
import { WINDOW_SECONDS } from '../counters/counters.ts';
import type { Limiter } from '../limits/request-limiter.ts';
import type { Passwords } from './passwords.ts';
import type { PeopleStore, PersonWithPassword } from './people-store.ts';
import { nameKey, type Person } from './person.ts';
import { secretHash } from './sessions.ts';

/** Sign-ins a minute for one name, whether or not anybody has it. */
const SIGN_INS = 10;

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

export interface PasswordChange {
  readonly current: string;
  readonly new: string;
}

/** The accounts of the household. */
export class People {
  readonly #options: PeopleOptions;

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  /** Makes a person by a link. Rejects with `not_found` for a link that is used up, and `invalid_request` for a taken name. */
  async join({ link, name, password }: JoinRequest): Promise<Person> {
    const { store, passwords, nowMs, onOwner } = this.#options;
    const linkHash = secretHash(link);
    if (!(await store.hasLink(linkHash, nowMs()))) throw noLink();
    const createdAtMs = nowMs();
    const [id] = createIds(1, createdAtMs, randomBytes);
    const person = { id: id!, name, nameKey: nameKey(name), createdAtMs };
    const added = await store.addPerson({ ...person, password: await passwords.hash(password) }, linkHash);
    if (added === 'no-link') throw noLink();
    if (added !== 'name-taken') {
      if (added.role === 'owner') await onOwner();
      return added;
    }
    throw nameTaken();
  }

  /** Rejects with `forbidden`, in the same time, for an unknown name and for a wrong password. */
  async signIn(name: string, password: string): Promise<PersonWithPassword> {
    const { store, passwords } = this.#options;
    const key = nameKey(name);
    await this.#count(key);
    const found = await store.findByName(key);
    if (await passwords.matches(password, found?.password)) return found!;
    throw new AppError({ code: 'forbidden', message: 'The name or the password is wrong.' });
  }

  /** Rejects with `invalid_request` for a taken name. */
  async rename({ id }: Person, name: string): Promise<Person> {
    const renamed = await this.#options.store.rename(id, name, nameKey(name));
    if (renamed === 'name-taken') throw nameTaken();
    if (renamed === undefined) throw noPerson();
    return renamed;
  }

  /** Ends all sessions of the person but `session`. Rejects with `forbidden` for a wrong current password. */
  async changePassword({ id }: Person, change: PasswordChange, session: string): Promise<void> {
    const { store, passwords } = this.#options;
    await this.#count(id);
    const before = (await store.findPerson(id))?.password;
    const isRight = await passwords.matches(change.current, before);
    const password = isRight ? await passwords.hash(change.new) : '';
    if (isRight && (await store.changePassword(id, { before: before!, password, kept: secretHash(session) })))
      return;
    throw new AppError({ code: 'forbidden', message: 'The current password is wrong.' });
  }

  async #count(key: string): Promise<void> {
    const subject = { key: { id: 'sign-in', limits: { token: SIGN_INS } }, userId: secretHash(key) };
    const decision = await this.#options.limiter.take('token', subject);
    if (decision?.allowed !== false) return;
    throw new AppError({
      code: 'rate_limit_exceeded',
      message: 'Too many sign-ins with this name; wait a minute.',
      details: { retryAfter: WINDOW_SECONDS },
    });
  }
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
