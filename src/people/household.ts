import { randomBytes } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import type { Creator } from '../access/api-key.ts';
import { createIds } from '../base/time-ordered-id.ts';
import { type HouseholdStore, type Invitation, MAX_INVITATIONS, type Sharing } from './household-store.ts';
import { noPerson } from './people.ts';
import type { Person, Role } from './person.ts';
import { newSecret, secretHash } from './sessions.ts';

const INVITATION_MS = 7 * 86_400_000;
/** Sessions and writes of a person who has left end within this time; what they wrote is then erased, too. */
const SETTLED_MS = 10_000;
/** Maximum people whose data one sweep erases. */
const MAX_ERASED = 10;

export interface HouseholdOptions {
  readonly store: HouseholdStore;
  readonly nowMs: () => number;
  /** Erases all data of this user; may be repeated. */
  readonly erase: (userId: string) => Promise<void>;
}

export interface IssuedInvitation extends Invitation {
  /** The secret of the link. */
  readonly link: string;
}

/** Who belongs to the household, and who sees whose diary. */
export class Household {
  readonly #options: HouseholdOptions;

  constructor(options: HouseholdOptions) {
    this.#options = options;
  }

  people(): Promise<readonly Person[]> {
    return this.#options.store.listPeople();
  }

  /** Makes a link by which one person can join. Rejects with `quota_exceeded` where too many are open. */
  async invite(role: Role, createdBy: Creator): Promise<IssuedInvitation> {
    const { store, nowMs } = this.#options;
    const now = nowMs();
    const [id] = createIds(1, now, randomBytes);
    const invitation = { id: id!, role, expiresAtMs: now + INVITATION_MS, createdBy };
    const link = newSecret();
    if (await store.addInvitation(secretHash(link), invitation, now)) return { ...invitation, link };
    throw new AppError({
      code: 'quota_exceeded',
      message: `${MAX_INVITATIONS} invitations are open, as many as there may be; remove some first.`,
      details: { quota: 'invitations', limit: MAX_INVITATIONS, used: MAX_INVITATIONS },
    });
  }

  invitations(): Promise<readonly Invitation[]> {
    const { store, nowMs } = this.#options;
    return store.listInvitations(nowMs());
  }

  /** Rejects with `not_found`. */
  async uninvite(id: string): Promise<void> {
    if (await this.#options.store.removeInvitation(id)) return;
    throw new AppError({
      code: 'invitation_not_found',
      message: 'There is no open invitation with this id; it may have been used.',
    });
  }

  sharingOf({ id }: Person): Promise<Sharing> {
    return this.#options.store.sharingOf(id);
  }

  /** Rejects with `invalid_request` for somebody who is not in the household. */
  async share({ id }: Person, sharing: Sharing): Promise<Sharing> {
    const { store } = this.#options;
    const others = (await store.listPeople()).filter((person) => person.id !== id);
    const unknown = [...sharing.people.keys()].filter((named) => others.every((other) => other.id !== named));
    if (unknown.length > 0) {
      throw new AppError({
        code: 'invalid_request',
        message: `Nobody else in this household has the id ${JSON.stringify(unknown[0])}.`,
        details: { fields: ['people'] },
      });
    }
    await store.setSharing(id, sharing);
    return store.sharingOf(id);
  }

  /** Gives a person another role. Rejects with `forbidden` for the last owner, and with `not_found`. */
  async changeRole(
    changer: Person,
    id: string,
    { role, credentials }: { readonly role: Role; readonly credentials: Fate },
  ): Promise<Person> {
    const { store, nowMs } = this.#options;
    const to = heirOf(changer, id, credentials);
    const isChanged = await store.changeRole(id, role, nowMs(), to);
    const person = (await store.listPeople()).find((found) => found.id === id);
    if (person === undefined) throw noPerson();
    if (!isChanged) throw lastOwner();
    return person;
  }

  /** Removes a person and erases all data of this user. Rejects with `forbidden` and `not_found`. */
  async remove(remover: Person, id: string, credentials: Fate = 'end'): Promise<void> {
    const { store, nowMs, erase } = this.#options;
    if (remover.id !== id && remover.role !== 'owner')
      throw new AppError({ code: 'forbidden', message: 'Only owners remove other people.' });
    if (!(await store.removePerson(id, nowMs(), heirOf(remover, id, credentials)))) {
      if (remover.id !== id) throw noPerson();
      throw lastOwner();
    }
    await erase(id);
  }

  /** Erases data that removed people wrote until their sessions ended, and completes interrupted erasures. */
  async eraseDeparted(): Promise<void> {
    const { store, nowMs, erase } = this.#options;
    for (const id of await store.listDepartures(nowMs() - SETTLED_MS, MAX_ERASED)) {
      await erase(id);
      // A request that was admitted before the removal may have made something after it.
      await store.endMadeBy(id, nowMs());
      await store.endDeparture(id);
    }
  }
}

/** What becomes of the keys and webhooks of tenants that a person made: they end, or are handed over to who decides. */
export const FATES = ['end', 'hand_over'] as const;
export type Fate = (typeof FATES)[number];

function heirOf(decider: Person, id: string, credentials: Fate): string | undefined {
  if (credentials === 'end') return undefined;
  if (decider.id !== id) return decider.id;
  throw new AppError({
    code: 'invalid_request',
    message: 'You cannot hand over to yourself; another owner can, or the credentials end.',
    details: { fields: ['credentials'] },
  });
}

function lastOwner(): AppError {
  return new AppError({
    code: 'forbidden',
    message: 'This is the last owner. Make somebody else an owner first, who can then manage the household.',
  });
}
