import type { Logger } from 'pino';
import { SigningKeyStore } from '../access/tokens/signing-key-store.ts';
import type { Sealed } from '../db/sealed-secrets.ts';
import type { SealingDatabase } from '../db/sql-database.ts';

/** Seals all secrets of the database by the current secret. */
export async function sealSecrets(database: SealingDatabase): Promise<Sealed> {
  return new SigningKeyStore(database).seal();
}

export function reportLost({ lost }: Sealed, log: Pick<Logger, 'warn'>): void {
  if (lost === 0) return;
  log.warn(
    { lost, settings: ['LARDER_SECRET', 'LARDER_SECRET_PREVIOUS'] },
    'secrets of the database were sealed by a secret that is gone; give webhooks new secrets, or restore secret.key',
  );
}
