import { AppError } from '@larder/core/errors.ts';
import type { LimitsChange } from '../limits/operations.ts';
import type { ApiKey, Creator } from './api-key.ts';
import { isKeyId } from './key-format.ts';
import type { IssuedKey, KeyIssuer, KeyRequest } from './key-issuer.ts';
import type { KeyPage, KeyStore } from './key-store.ts';
import type { TenantDirectory } from './tenant-directory.ts';

export interface OperatorKeysOptions {
  readonly store: KeyStore;
  readonly issuer: KeyIssuer;
  readonly tenants: TenantDirectory;
  /** Maximum live keys of a tenant. */
  readonly maxKeys: number;
}

export interface OperatorKeyRequest extends KeyRequest {
  /** Without it the tenant has to exist. */
  readonly newTenant: boolean;
  readonly beyondQuota: boolean;
}

/** The keys of all tenants, for whoever runs the service. */
export class OperatorKeys {
  readonly #options: OperatorKeysOptions;

  constructor(options: OperatorKeysOptions) {
    this.#options = options;
  }

  list(page: KeyPage): Promise<readonly ApiKey[]> {
    return this.#options.store.list(page);
  }

  /** Throws `quota_exceeded`, and `invalid_request` for a tenant that does not exist and was not announced as new. */
  async create({ newTenant, beyondQuota, ...request }: OperatorKeyRequest): Promise<IssuedKey> {
    const { issuer, tenants, maxKeys } = this.#options;
    if (!newTenant && !(await tenants.exists(request.tenant))) {
      throw new AppError({
        code: 'invalid_request',
        message: 'There is no tenant of this name yet. Correct it, or send "newTenant": true to begin one.',
        details: { fields: ['tenant'] },
      });
    }
    return issuer.create(request, beyondQuota ? undefined : maxKeys);
  }

  /** Throws `not_found`, like the methods below. */
  async get(id: string): Promise<ApiKey> {
    const stored = isKeyId(id) ? await this.#options.store.find(id) : undefined;
    return stored?.key ?? notFound();
  }

  async changeLimits(id: string, change: LimitsChange): Promise<ApiKey> {
    await this.get(id);
    return (await this.#options.store.changeLimits(id, change)) ?? notFound();
  }

  async revoke(id: string): Promise<void> {
    await this.get(id);
    await this.#options.issuer.revoke(id);
  }

  /** Throws `not_found` for a revoked key, which has no successor. */
  async rotate(id: string, createdBy: Creator, overlapSeconds: number): Promise<IssuedKey> {
    await this.get(id);
    return (await this.#options.issuer.rotate(id, overlapSeconds, { createdBy })) ?? notFound();
  }
}

function notFound(): never {
  throw new AppError({ code: 'key_not_found', message: 'There is no live key with this id.' });
}
