import type { ClusterConfig } from '../../config/config.ts';
import { migrateDatabase } from './migrate-database.ts';

/** Brings the tables of a cluster up to date; see `migrateDatabase`. */
export function migrate({ database, secrets }: Pick<ClusterConfig, 'database' | 'secrets'>): Promise<void> {
  const { waitTimeoutMs, migrationTimeoutMs: statementTimeoutMs } = database;
  return migrateDatabase(secrets.databaseUrl, { waitTimeoutMs, statementTimeoutMs });
}
