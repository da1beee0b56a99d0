import { AppError } from '@larder/core/errors.ts';
import type { LimitsChange } from '../limits/operations.ts';
import type { ApiKey, Caller, Creator } from './api-key.ts';
import { creatorOf } from './creator.ts';
import { grantFrom, isOperator, requireHeld, requireHeldLimits, requireOperator } from './grants.ts';
import { isKeyId } from './key-format.ts';
import type { IssuedKey, KeyIssuer, KeyRequest } from './key-issuer.ts';
import type { KeyStore } from './key-store.ts';
import type { TenantDirectory } from './tenant-directory.ts';

export interface TenantKeysOptions {
  readonly store: KeyStore;
  readonly issuer: KeyIssuer;
  readonly tenants: TenantDirectory;
  /** Maximum live keys of a tenant. */
  readonly maxKeys: number;
}

export interface NewKey extends Omit<KeyRequest, 'tenant' | 'createdBy'> {
  /** By default that of the caller; another one only for operators, as the two options below. */
  readonly tenant?: string | undefined;
  /** Without it the tenant has to exist. */
  readonly newTenant: boolean;
  readonly beyondQuota: boolean;
}

/**
 * The keys of tenants. Administrators reach those of their tenant, and keys of other tenants are missing for them: they list and revoke all
 * of them, but grant no more than they hold. Operators reach and grant everything.
 */
export class TenantKeys {
  readonly #options: TenantKeysOptions;

  constructor(options: TenantKeysOptions) {
    this.#options = options;
  }

  /** Throws `forbidden` for another tenant than those that the caller reaches. */
  list(
    caller: Caller,
    { tenant, ...page }: { after?: string; limit: number; tenant?: string | undefined },
  ): Promise<readonly ApiKey[]> {
    if (tenant !== undefined && tenant !== caller.tenant) requireOperator(caller);
    const listed = tenant ?? (isOperator(caller) ? undefined : caller.tenant);
    return this.#options.store.list({ ...page, ...(listed !== undefined && { tenant: listed }) });
  }

  /** Returns those of all tenants that this creator made. */
  madeBy(createdBy: Creator, limit: number): Promise<readonly ApiKey[]> {
    return this.#options.store.list({ createdBy, limit });
  }

  /**
   * Throws `forbidden` for more rights than an administrator has, and for options of operators; `quota_exceeded`; `invalid_request` for a
   * tenant that does not exist and was not announced as new. Rights not requested default to those of the administrator.
   */
  async create(
    caller: Caller,
    { name, tenant = caller.tenant, newTenant, beyondQuota, ...asked }: NewKey,
  ): Promise<IssuedKey> {
    const { issuer, tenants, maxKeys } = this.#options;
    if (tenant !== caller.tenant || newTenant || beyondQuota) requireOperator(caller);
    if (tenant !== caller.tenant && !newTenant && !(await tenants.exists(tenant))) {
      throw new AppError({
        code: 'invalid_request',
        message: 'There is no tenant of this name yet. Correct it, or send "newTenant": true to begin one.',
        details: { fields: ['tenant'] },
      });
    }
    const rights = isOperator(caller) ? asked : grantFrom(caller.key, asked);
    const request = { ...rights, createdBy: creatorOf(caller), tenant, ...(name !== undefined && { name }) };
    return issuer.create(request, beyondQuota ? undefined : maxKeys);
  }

  /** Throws `key_not_found`, like the methods below, for keys of other tenants. */
  async get(caller: Caller, id: string): Promise<ApiKey> {
    const key = isKeyId(id) ? (await this.#options.store.find(id))?.key : undefined;
    if (key === undefined || (key.tenant !== caller.tenant && !isOperator(caller))) throw notFound();
    return key;
  }

  /** Throws `forbidden` for a limit above that of an administrator; limits that stay may be higher. */
  async changeLimits(caller: Caller, id: string, change: LimitsChange): Promise<ApiKey> {
    const { limits = {} } = await this.get(caller, id);
    if (!isOperator(caller)) {
      const changed = Object.entries(change).filter(
        ([name, limit]) => limit !== limits[name as keyof LimitsChange],
      );
      requireHeldLimits(caller.key, Object.fromEntries(changed));
    }
    const key = await this.#options.store.changeLimits(id, change);
    if (key === undefined) throw notFound();
    return key;
  }

  async revoke(caller: Caller, id: string): Promise<void> {
    await this.get(caller, id);
    await this.#options.issuer.revoke(id);
  }

  /**
   * Throws `key_not_found` for a revoked key, which has no successor, and `forbidden` for a key with more rights than an administrator, who
   * would get them with the successor, which expires no later than the administrator's own.
   */
  async rotate(caller: Caller, id: string, overlapSeconds: number): Promise<IssuedKey> {
    const { issuer, maxKeys } = this.#options;
    const old = await this.get(caller, id);
    const createdBy = creatorOf(caller);
    if (!isOperator(caller)) requireHeld(caller.key, old);
    const bounds = isOperator(caller) ? {} : { latestExpiry: caller.key.expiresAt, maxKeys };
    const issued = await issuer.rotate(id, overlapSeconds, { createdBy, ...bounds });
    if (issued === undefined) throw notFound();
    return issued;
  }
}

function notFound(): AppError {
  return new AppError({ code: 'key_not_found', message: 'There is no live key with this id.' });
}
