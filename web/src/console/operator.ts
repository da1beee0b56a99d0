import type { Scope } from 'larder-client';
import { ask } from './ask.ts';

export interface Status {
  readonly version: string;
  readonly mode: 'embedded' | 'cluster';
  readonly startedAt: string;
  readonly threads: number;
  readonly memoryBytes: number;
  readonly health: readonly { readonly part: string; readonly ok: boolean; readonly message?: string }[];
  readonly storage: {
    readonly dataBytes?: number;
    readonly catalogueBytes?: number;
    readonly imageBytes?: number;
    readonly freeBytes?: number;
    readonly reserveBytes?: number;
  };
  readonly quotas: readonly { readonly name: string; readonly used?: number; readonly limit: number }[];
  readonly refused: Readonly<Record<string, number>>;
  readonly warnings: readonly { readonly time: string; readonly level: string; readonly message: string }[];
}

export interface OperatorKey {
  readonly id: string;
  readonly name?: string;
  readonly tenant: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  readonly revokedAt?: string;
}

export interface NewKey {
  readonly name: string;
  readonly tenant: string;
  readonly scopes: readonly string[];
  readonly limits?: Readonly<Record<string, number>>;
}

/** Its text is shown this once. */
export interface IssuedOperatorKey extends OperatorKey {
  readonly key: string;
}

const ROOT = '/v1/operator';
const part = encodeURIComponent;

/** What only an owner may do. */
export const operator = {
  status: () => ask<Status>('GET', `${ROOT}/status`),
  keys: () => ask<readonly OperatorKey[]>('GET', `${ROOT}/keys?limit=100`),
  createKey: (key: NewKey) => ask<IssuedOperatorKey>('POST', `${ROOT}/keys`, key),
  rotateKey: (id: string) => ask<IssuedOperatorKey>('POST', `${ROOT}/keys/${part(id)}/rotate`, {}),
  revokeKey: (id: string) => ask<void>('DELETE', `${ROOT}/keys/${part(id)}`),
};
