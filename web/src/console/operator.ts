import type { Person, Scope, SessionAnswer, Webhook, WebhookDelivery } from 'larder-client';
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
  /** Absent where no place of backups is set. */
  readonly backups?: {
    readonly to: 'folder' | 's3';
    readonly everyHours: number;
    readonly keep: number;
    readonly count: number;
    readonly newest?: { readonly name: string; readonly bytes: number; readonly time: string };
    readonly nextAt?: string;
    readonly problem?: string;
  };
  readonly quotas: readonly { readonly name: string; readonly used?: number; readonly limit: number }[];
  readonly refused: Readonly<Record<string, number>>;
  readonly warnings: readonly { readonly time: string; readonly level: string; readonly message: string }[];
}

export interface Catalogue {
  readonly id: string;
  readonly createdAt?: string;
  readonly foods?: number;
  readonly bytes?: number;
  readonly sources?: readonly {
    readonly origin: string;
    readonly foods: number;
    readonly importedAt: string;
  }[];
  /** Why it cannot be used. */
  readonly problem?: string;
}

export interface Catalogues {
  readonly active?: string;
  readonly catalogues: readonly Catalogue[];
}

export type Source = 'off' | 'fdc';

export interface Import {
  readonly id: string;
  readonly source: Source;
  readonly status: 'waiting' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly createdAt: string;
  readonly progress: {
    /** What it does, in English. */
    readonly phase?: string;
    readonly bytes?: number;
    readonly totalBytes?: number;
    readonly rows?: number;
    readonly rowsPerSecond?: number;
  };
  readonly report?: ImportReport;
  readonly error?: { readonly message: string };
}

export interface ReasonCount {
  /** In English. */
  readonly reason: string;
  readonly count: number;
  readonly example?: string;
}

export interface OutcomeCount {
  readonly count: number;
  readonly reasons: readonly ReasonCount[];
}

/** `read` is the sum of `kept`, `merged`, `known`, `skipped` and `broken`. */
export interface ImportReport {
  readonly origin?: string;
  readonly files?: readonly string[];
  readonly startedAt?: string;
  readonly seconds?: number;
  readonly read?: number;
  readonly kept?: number;
  readonly merged?: OutcomeCount;
  readonly mended?: OutcomeCount;
  readonly known?: OutcomeCount;
  readonly skipped?: OutcomeCount;
  readonly broken?: OutcomeCount;
  readonly noticed?: OutcomeCount;
  /** All foods of the new catalogue. */
  readonly foods?: number;
}

export interface ImportStart {
  readonly source: Source;
  readonly file?: { readonly name: string; readonly bytes: number };
  /** The part of Open Food Facts to import. */
  readonly slice?: { readonly countries: readonly string[] };
  /** Only what changed in Open Food Facts since the last import. */
  readonly update?: boolean;
}

export interface StartedImport extends Import {
  /** For a file: it is sent there in parts of so many bytes. */
  readonly uploadUrl?: string;
  readonly partBytes?: number;
}

export interface ScanQueue {
  readonly queue: Readonly<Record<string, number>>;
  readonly oldestQueuedAt?: string;
  readonly failures: readonly {
    readonly id: string;
    readonly tenant?: string;
    readonly failedAt: string;
    readonly code: string;
    readonly message: string;
  }[];
}

export interface OperatorKey {
  readonly id: string;
  readonly name?: string;
  readonly tenant: string;
  /** The person whose key it is; absent for keys of a tenant. */
  readonly userId?: string;
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
  /** Begins the app if there is none of this name. */
  readonly newTenant?: boolean;
}

/** Its text is shown this once. */
export interface IssuedOperatorKey extends OperatorKey {
  readonly key: string;
}

export interface OperatorWebhook extends Webhook {
  readonly tenant: string;
  readonly queued: number;
  readonly failed: number;
  readonly deliveries?: readonly WebhookDelivery[];
}

export interface NewWebhook {
  readonly tenant: string;
  readonly url: string;
  readonly events: readonly string[];
}

export interface OperatorSession {
  readonly id: string;
  readonly person: { readonly id: string; readonly name: string };
  readonly device?: string;
  readonly createdAt: string;
  readonly lastSeenAt?: string;
  readonly current?: boolean;
}

const ROOT = '/v1/operator';
const KEYS = '/v1/keys';
const HOOKS = '/v1/webhooks';
const PROOF_LEFT_MS = 15_000;
const part = encodeURIComponent;

/** What only an owner may do. */
export const operator = {
  status: () => ask<Status>('GET', `${ROOT}/status`),
  catalogues: () => ask<Catalogues>('GET', `${ROOT}/catalogues`),
  activate: (id: string) => ask<void>('POST', `${ROOT}/catalogues/${part(id)}/activate`),
  imports: () => ask<readonly Import[]>('GET', `${ROOT}/imports`),
  startImport: (start: ImportStart) => ask<StartedImport>('POST', `${ROOT}/imports`, start),
  cancelImport: (id: string) => ask<void>('DELETE', `${ROOT}/imports/${part(id)}`),
  scans: () => ask<ScanQueue>('GET', `${ROOT}/scans`),
  people: () => ask<readonly Person[]>('GET', '/v1/people'),
  createKey: (key: NewKey) => ask<IssuedOperatorKey>('POST', KEYS, key),
  rotateKey: (id: string) => ask<IssuedOperatorKey>('POST', `${KEYS}/${part(id)}/rotate`, {}),
  revokeKey: (id: string) => ask<void>('DELETE', `${KEYS}/${part(id)}`),
  createWebhook: (webhook: NewWebhook) => ask<{ secret: string }>('POST', HOOKS, webhook),
  switchWebhook: (id: string, isEnabled: boolean) =>
    ask<void>('PATCH', `${HOOKS}/${part(id)}`, { isEnabled }),
  testWebhook: (id: string) => ask<void>('POST', `${HOOKS}/${part(id)}/test`),
  redeliver: (webhook: string, delivery: string) =>
    ask<void>('POST', `${HOOKS}/${part(webhook)}/deliveries/${part(delivery)}/redeliver`),
  /** Asks who is there, unless the last proof lasts until the download has begun. False where nobody says so. */
  confirmForBackup: async () => {
    const { confirmation } = await ask<SessionAnswer>('GET', '/v1/session');
    if (Date.parse(confirmation.until) - Date.now() > PROOF_LEFT_MS) return true;
    return (await import('../account/confirm.tsx')).confirmPerson(confirmation.methods);
  },
  sessions: () => ask<readonly OperatorSession[]>('GET', `${ROOT}/sessions`),
  endSession: (id: string) => ask<void>('DELETE', `${ROOT}/sessions/${part(id)}`),
};

export const KEYS_PATH = `${KEYS}?limit=50`;
export const WEBHOOKS_PATH = `${ROOT}/webhooks?limit=20`;
export const BACKUP_PATH = `${ROOT}/backup`;
export const importStreamPath = (id: string) => `${ROOT}/imports/${part(id)}/stream`;
