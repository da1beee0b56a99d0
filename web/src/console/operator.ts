import type { Asked, KeyInput, WebhookInput } from 'larder-client';
import { ask } from '../account/ask.ts';

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

const PROOF_LEFT_MS = 15_000;

/** What only an owner may do. */
export const operator = {
  status: () => ask('GET /v1/operator/status'),
  catalogues: () => ask('GET /v1/operator/catalogues'),
  activate: (id: string) =>
    ask('POST /v1/operator/catalogues/{catalogueId}/activate', { path: { catalogueId: id } }),
  imports: () => ask('GET /v1/operator/imports'),
  startImport: (start: Asked<'POST /v1/operator/imports'>['body']) =>
    ask('POST /v1/operator/imports', { body: start }),
  import: (id: string) => ask('GET /v1/operator/imports/{importId}', { path: { importId: id } }),
  cancelImport: (id: string) => ask('DELETE /v1/operator/imports/{importId}', { path: { importId: id } }),
  scans: () => ask('GET /v1/operator/scans'),
  people: () => ask('GET /v1/people'),
  createKey: (key: KeyInput) => ask('POST /v1/keys', { body: key }),
  rotateKey: (id: string) => ask('POST /v1/keys/{keyId}/rotate', { path: { keyId: id } }),
  revokeKey: (id: string) => ask('DELETE /v1/keys/{keyId}', { path: { keyId: id } }),
  createWebhook: (webhook: WebhookInput) => ask('POST /v1/webhooks', { body: webhook }),
  switchWebhook: (id: string, isEnabled: boolean) =>
    ask('PATCH /v1/webhooks/{webhookId}', { path: { webhookId: id }, body: { isEnabled } }),
  testWebhook: (id: string) => ask('POST /v1/webhooks/{webhookId}/test', { path: { webhookId: id } }),
  redeliver: (webhook: string, delivery: string) =>
    ask('POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', {
      path: { webhookId: webhook, deliveryId: delivery },
    }),
  /** Asks who is there, unless the last proof lasts until the download has begun. False where nobody says so. */
  confirmForBackup: async () => {
    const { confirmation } = await ask('GET /v1/session');
    if (Date.parse(confirmation.expiresAt) - Date.now() > PROOF_LEFT_MS) return true;
    return (await import('../account/confirm.tsx')).confirmPerson(confirmation.methods);
  },
  sessions: () => ask('GET /v1/operator/sessions'),
  endSession: (id: string) => ask('DELETE /v1/operator/sessions/{sessionId}', { path: { sessionId: id } }),
};

export const BACKUP_PATH = '/v1/operator/backup';
export const importStreamPath = (id: string) => `/v1/operator/imports/${encodeURIComponent(id)}/stream`;
