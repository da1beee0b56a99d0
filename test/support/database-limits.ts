import type { DatabaseLimits } from '../../src/adapters/cluster/database-connection.ts';

/** Hundreds of writes wait for each other in tests, on a machine that may be busy. */
const PATIENCE_MS = 120_000;

/** What comes at all is waited for. */
export const DATABASE_LIMITS: DatabaseLimits = {
  waitTimeoutMs: PATIENCE_MS,
  statementTimeoutMs: PATIENCE_MS,
};
