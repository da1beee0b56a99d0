import type { Logger } from 'pino';
import { SigningKeyStore } from '../access/tokens/signing-key-store.ts';
import type { Sealed } from '../db/sealed-secrets.ts';
import type { SealingDatabase } from '../db/sql-database.ts';
import { WebhookStore } from '../webhooks/webhook-store.ts';

/** Seals all secrets of the database by the current secret. */
export async function sealSecrets(database: SealingDatabase): Promise<Sealed> {
  const counts = [await new SigningKeyStore(database).seal(), await new WebhookStore(database).seal()];
  return {
    sealed: counts.reduce((sum, { sealed }) => sum + sealed, 0),
    lost: counts.reduce((sum, { lost }) => sum + lost, 0),
  };
}

export function reportLost({ lost }: Sealed, log: Pick<Logger, 'warn'>): void {
  if (lost === 0) return;
  log.warn(
    { lost, settings: ['LARDER_SECRET', 'LARDER_SECRET_PREVIOUS'] },
    'secrets of the database were sealed by a secret that is gone; rotate the secrets of webhooks, or restore secret.key',
  );
}
