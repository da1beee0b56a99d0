import { raw, sql } from '../db/sql.ts';
import type { SqlDatabase } from '../db/sql-database.ts';

/**
 * Identifies the history that the numbers of the log belong to. A database that was restored from a backup
 * gets another one, because it assigns numbers again that its clients have seen.
 */
export async function readEpoch({ db, dialect }: Pick<SqlDatabase, 'db' | 'dialect'>): Promise<string> {
  const query = sql<{ readonly epoch: string }>`select ${raw(dialect.epoch)} as epoch from feed_epochs`;
  return (await query.prepared('feed-epoch').first(db))!.epoch;
}
