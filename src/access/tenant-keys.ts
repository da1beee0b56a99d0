import { AppError } from '../errors.ts';
import type { ApiKey } from './api-key.ts';
import type { IssuedKey, KeyIssuer, KeyRequest } from './key-issuer.ts';
import type { KeyStore } from './key-store.ts';
import { isKeyId } from './key-text.ts';

export interface TenantKeysPorts {
  readonly store: KeyStore;
  readonly issuer: KeyIssuer;
}

/** The keys of one tenant for its administrators, to whom keys of other tenants do not exist. */
export class TenantKeys {
  readonly #store: KeyStore;
  readonly #issuer: KeyIssuer;

  constructor({ store, issuer }: TenantKeysPorts) {
    this.#store = store;
    this.#issuer = issuer;
  }

  list(tenant: string, page: { after?: string; limit: number }): Promise<readonly ApiKey[]> {
    return this.#store.list({ ...page, tenant });
  }

  create(tenant: string, request: Omit<KeyRequest, 'tenant'>): Promise<IssuedKey> {
    return this.#issuer.create({ ...request, tenant });
  }

  /** Throws `not_found`, as `revoke` and `rotate` do, for a key that is not the tenant's. */
  async get(tenant: string, id: string): Promise<ApiKey> {
    const stored = isKeyId(id) ? await this.#store.find(id) : undefined;
    if (stored?.key.tenant !== tenant) throw notFound();
    return stored.key;
  }

  async revoke(tenant: string, id: string): Promise<void> {
    await this.get(tenant, id);
    await this.#issuer.revoke(id);
  }

  /** Throws `not_found` for a revoked key too: it has no successor. */
  async rotate(tenant: string, id: string, overlapSeconds: number): Promise<IssuedKey> {
    await this.get(tenant, id);
    const issued = await this.#issuer.rotate(id, overlapSeconds);
    if (issued === undefined) throw notFound();
    return issued;
  }
}

function notFound(): AppError {
  return new AppError({ code: 'not_found', message: 'There is no live key with this id.' });
}
