import type { DatabaseLimits } from '../../src/db/postgres/database-connection.ts';

/** Hundreds of writes wait for each other in tests, on a busy machine. */
const PATIENCE_MS = 120_000;

/** So long that only a fault reaches them. */
export const DATABASE_LIMITS: DatabaseLimits = {
  waitTimeoutMs: PATIENCE_MS,
  statementTimeoutMs: PATIENCE_MS,
};
