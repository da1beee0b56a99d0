import { migrateDatabase } from '../adapters/cluster/migrate-database.ts';
import type { ClusterConfig } from '../config.ts';

/** Brings the tables of a cluster up to date; see `migrateDatabase`. */
export function migrate({ database, secrets }: Pick<ClusterConfig, 'database' | 'secrets'>): Promise<void> {
  const { waitTimeoutMs, migrationTimeoutMs: statementTimeoutMs } = database;
  return migrateDatabase(secrets.databaseUrl, { waitTimeoutMs, statementTimeoutMs });
}
