import { OperatorError } from '@larder/core/errors.ts';
import type { Config } from '../config/config.ts';
import type { Sealed } from '../db/sealed-secrets.ts';
import { ProcessLock } from '../files/process-lock.ts';
import { databaseFile, requireDataFolder } from './data-folder.ts';
import { openDatabase } from './open-backend.ts';
import { sealSecrets } from './seal-secrets.ts';

/** Seals all secrets by a new one. Throws an `OperatorError` while a service uses the folder. */
export async function rotateSecret(config: Config): Promise<Sealed> {
  const { current, previous } = config.sealing.secrets;
  if (config.mode === 'cluster' || current !== undefined) {
    if (current !== undefined && previous !== undefined) return sealAll(config);
    throw new OperatorError(
      'Set the new secret as LARDER_SECRET and the one before as LARDER_SECRET_PREVIOUS, for all nodes, and run this again.',
    );
  }
  requireDataFolder(config);
  const { beginRotation, endRotation } = await import('../db/sqlite/secret-file.ts');
  const file = databaseFile(config);
  const lock = ProcessLock.acquire({
    file: `${file}.lock`,
    refusal: (holder) => `${file} is in use${holder}; stop the service first.`,
  });
  try {
    await beginRotation(config.dataDir);
    const sealed = await sealAll(config);
    endRotation(config.dataDir);
    return sealed;
  } finally {
    lock.release();
  }
}

async function sealAll(config: Config): Promise<Sealed> {
  const database = await openDatabase(config);
  try {
    return await sealSecrets(database);
  } finally {
    await database.close();
  }
}
