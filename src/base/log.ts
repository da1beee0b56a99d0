import type { Logger } from 'pino';

/** The log of features, which operators read. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
