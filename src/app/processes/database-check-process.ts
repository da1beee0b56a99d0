import { findDamage } from '../../db/sqlite/check-database.ts';
import { lowerProcessPriority, serveParent } from '../../threads/parent.ts';

/** The call of the service to the process. */
export interface DatabaseCheckCalls {
  /** Returns what is wrong with the database, or undefined. */
  find(file: string): string | undefined;
}

lowerProcessPriority();

/** A process that checks a database, because that reads all of it in one step. */
serveParent<undefined, Record<never, never>>(async () => ({ find: findDamage }) satisfies DatabaseCheckCalls);
