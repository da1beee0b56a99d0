import type { DatabaseLimits } from '../../src/db/postgres/database-connection.ts';

/** Tests send hundreds of concurrent writes, on a busy machine. */
const PATIENCE_MS = 120_000;

/** So long that only a defect reaches them. */
export const DATABASE_LIMITS: DatabaseLimits = {
  waitTimeoutMs: PATIENCE_MS,
  statementTimeoutMs: PATIENCE_MS,
};
