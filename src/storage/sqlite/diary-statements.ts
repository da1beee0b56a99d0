import type Sqlite from 'better-sqlite3';
import type { WriteOutcome } from '../../diary/diary-store.ts';
import { type TransferredError, transferred } from '../../error-transfer.ts';
import { toOutage } from './database-outage.ts';
import type { DiaryWrite, DiaryWrites, StatementResult, StatementWrite } from './diary-writes.ts';

/** What became of one write; plain data, so that it can travel between threads. */
export type WriteResult =
  | { readonly outcome: WriteOutcome | StatementResult }
  | { readonly failed: TransferredError };

/**
 * Carries out a group of writes in one transaction: one sync of the disk for all of them. Each write is a step of
 * its own inside it; one that is refused leaves the others as they are. When the commit fails, all have failed
 * and nothing has happened.
 */
export function commitGroup(
  sqlite: Sqlite.Database,
  writes: DiaryWrites,
  group: readonly (DiaryWrite | StatementWrite)[],
): WriteResult[] {
  // Nested in a transaction, better-sqlite3 makes this a savepoint.
  const step = sqlite.transaction((write: DiaryWrite | StatementWrite) => writes.apply(write));
  try {
    return sqlite.transaction(() => group.map((write) => attempt(sqlite, step, write))).immediate();
  } catch (error) {
    const failed = transferred(toOutage(error));
    return group.map(() => ({ failed }));
  }
}

function attempt(
  sqlite: Sqlite.Database,
  step: (write: DiaryWrite | StatementWrite) => WriteOutcome | StatementResult,
  write: DiaryWrite | StatementWrite,
): WriteResult {
  try {
    return { outcome: step(write) };
  } catch (error) {
    // A full disk or a broken file ends the whole transaction, and with it the group.
    if (!sqlite.inTransaction) throw error;
    return { failed: transferred(toOutage(error)) };
  }
}
