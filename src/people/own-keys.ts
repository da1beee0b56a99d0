import { AppError } from '@larder/core/errors.ts';
import type { ApiKey } from '../access/api-key.ts';
import { personAsCreator } from '../access/creator.ts';
import { type IssuedKey, type KeyIssuer, type KeyRequest, MAX_ENDED_OWN_KEYS } from '../access/key-issuer.ts';
import type { KeyStore } from '../access/key-store.ts';
import { HOUSEHOLD, type Person } from './person.ts';

/** Maximum live keys of a person. */
export const MAX_OWN_KEYS = 20;

export interface OwnKeysOptions {
  readonly store: KeyStore;
  readonly issuer: KeyIssuer;
}

/** Keys of people for their own apps; each acts for its person alone. */
export class OwnKeys {
  readonly #store: KeyStore;
  readonly #issuer: KeyIssuer;

  constructor({ store, issuer }: OwnKeysOptions) {
    this.#store = store;
    this.#issuer = issuer;
  }

  /** Returns all keys of the person, the oldest first; of those that ended only the latest are kept. */
  list({ id: userId }: Person): Promise<readonly ApiKey[]> {
    // Keys expire without an addition that would remove older ones.
    return this.#store.list({ tenant: HOUSEHOLD, userId, limit: MAX_OWN_KEYS + 2 * MAX_ENDED_OWN_KEYS });
  }

  /** Throws `quota_exceeded`. */
  create(
    { id: userId }: Person,
    asked: Pick<KeyRequest, 'scopes' | 'name' | 'expiresAt'>,
  ): Promise<IssuedKey> {
    return this.#issuer.create(
      { ...asked, tenant: HOUSEHOLD, userId, createdBy: personAsCreator(userId) },
      MAX_OWN_KEYS,
    );
  }

  /** Throws `not_found` for keys of others. */
  async revoke(person: Person, id: string): Promise<void> {
    const stored = await this.#store.find(id);
    if (stored?.key.userId !== person.id)
      throw new AppError({ code: 'key_not_found', message: 'You have no key with this id.' });
    await this.#issuer.revoke(id);
  }
}
