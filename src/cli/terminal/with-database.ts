import type { OpenDatabase } from '../../app/backend.ts';
import { requireDataFolder } from '../../app/data-folder.ts';
import { openDatabase } from '../../app/open-backend.ts';
import type { Config } from '../../config/config.ts';
import { commandConfig } from './command-config.ts';
import type { Terminal } from './terminal.ts';

/** Opens the database of the configured data folder or cluster for one command; a service may be running on it. */
export async function withDatabase(
  terminal: Terminal,
  use: (database: OpenDatabase, config: Config) => Promise<void>,
): Promise<void> {
  const { config } = commandConfig(terminal);
  // In a cluster, the database is PostgreSQL and needs no data folder.
  if (config.mode === 'embedded') requireDataFolder(config);
  const database = await openDatabase(config);
  try {
    await use(database, config);
  } finally {
    await database.close();
  }
}
