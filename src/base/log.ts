import type { Logger } from 'pino';

/** What features say to operators. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
