import { backUpDatabase, restoreDatabase } from '../adapters/embedded/database-copies.ts';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { databaseFile } from './embedded.ts';

/** Throws an `OperatorError` for a node of a cluster: its database has tools of its own. */
export async function backUp(config: Config, backup: string): Promise<void> {
  await backUpDatabase({ file: ownFile(config), backup });
}

/** Where the database is now that was there before, if there was one. Throws as `backUp` does. */
export async function restore(config: Config, backup: string): Promise<string | undefined> {
  return restoreDatabase({ file: ownFile(config), backup });
}

function ownFile(config: Config): string {
  if (config.mode === 'embedded') return databaseFile(config);
  throw new OperatorError(
    'This is a node of a cluster: use pg_dump and pg_restore on its PostgreSQL database.',
  );
}
