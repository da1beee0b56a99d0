import { AppError } from '@larder/core/errors.ts';
import type { LimitsChange } from '../limits/operations.ts';
import type { ApiKey, Caller } from './api-key.ts';
import { creatorOf } from './creator.ts';
import { grantFrom, requireHeld, requireHeldLimits } from './grants.ts';
import { isKeyId } from './key-format.ts';
import type { IssuedKey, KeyIssuer, KeyRequest } from './key-issuer.ts';
import type { KeyStore } from './key-store.ts';

export interface TenantKeysOptions {
  readonly store: KeyStore;
  readonly issuer: KeyIssuer;
  /** Maximum live keys of a tenant. */
  readonly maxKeys: number;
}

/**
 * A tenant's keys for its administrators. Keys of other tenants are treated as missing. A key lists and revokes all of
 * them, but grants no more than it holds.
 */
export class TenantKeys {
  readonly #store: KeyStore;
  readonly #issuer: KeyIssuer;
  readonly #maxKeys: number;

  constructor({ store, issuer, maxKeys }: TenantKeysOptions) {
    this.#store = store;
    this.#issuer = issuer;
    this.#maxKeys = maxKeys;
  }

  list(tenant: string, page: { after?: string; limit: number }): Promise<readonly ApiKey[]> {
    return this.#store.list({ ...page, tenant });
  }

  /**
   * Throws `forbidden` for more rights than the key of the caller has, and `quota_exceeded`. Rights not requested default to those
   * of the holder.
   */
  async create(
    caller: Caller,
    { name, ...asked }: Omit<KeyRequest, 'tenant' | 'createdBy'>,
  ): Promise<IssuedKey> {
    const rights = grantFrom(caller.key, asked);
    const createdBy = creatorOf(caller);
    const request = { ...rights, createdBy, tenant: caller.tenant, ...(name !== undefined && { name }) };
    return this.#issuer.create(request, this.#maxKeys);
  }

  /** Throws `not_found`, like the methods below, for keys of other tenants. */
  async get(tenant: string, id: string): Promise<ApiKey> {
    const stored = isKeyId(id) ? await this.#store.find(id) : undefined;
    if (stored?.key.tenant !== tenant) throw notFound();
    return stored.key;
  }

  /** Throws `forbidden` for a limit above that of `holder`; unchanged limits of the key may be higher. */
  async changeLimits(holder: ApiKey, id: string, change: LimitsChange): Promise<ApiKey> {
    await this.get(holder.tenant, id);
    requireHeldLimits(holder, change);
    const key = await this.#store.changeLimits(id, change);
    if (key === undefined) throw notFound();
    return key;
  }

  async revoke(tenant: string, id: string): Promise<void> {
    await this.get(tenant, id);
    await this.#issuer.revoke(id);
  }

  /**
   * Throws `not_found` for a revoked key, which has no successor. Throws `forbidden` for a key with more rights than that
   * of the caller, who would get them with the successor. The successor expires no later than this key.
   */
  async rotate(caller: Caller, id: string, overlapSeconds: number): Promise<IssuedKey> {
    const holder = caller.key;
    requireHeld(holder, await this.get(holder.tenant, id));
    const issued = await this.#issuer.rotate(id, overlapSeconds, {
      createdBy: creatorOf(caller),
      latestExpiry: holder.expiresAt,
      maxKeys: this.#maxKeys,
    });
    if (issued === undefined) throw notFound();
    return issued;
  }
}

function notFound(): AppError {
  return new AppError({ code: 'key_not_found', message: 'There is no live key with this id.' });
}
