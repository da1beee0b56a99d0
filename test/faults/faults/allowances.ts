import type { Allowance } from '../history-record.ts';

/** Failures that docs/operating.md allows during each outage; nothing else may fail. */

const GRACE_MS = 5_000;

/** Everything stored in PostgreSQL, but not search and barcodes. */
export const WITHOUT_POSTGRES: readonly Allowance[] = [
  {
    kinds: ['add', 'change', 'remove', 'list', 'read', 'totals', 'begin', 'poll', 'stream'],
    failure: '503 unavailable',
    graceMs: GRACE_MS,
  },
  { kinds: ['stream'], failure: 'no answer', graceMs: GRACE_MS },
];

/** Only images, which clients send directly to the store. */
export const WHILE_STORE_REFUSES: readonly Allowance[] = [{ kinds: ['upload'], failure: '503', graceMs: 0 }];
export const WHILE_STORE_IS_SILENT: readonly Allowance[] = [
  { kinds: ['upload'], failure: 'no answer', graceMs: 0 },
];

/** Requests of the dead node that cannot be repeated. */
export const WITHOUT_A_NODE: readonly Allowance[] = [
  { kinds: ['change', 'remove', 'stream'], failure: 'no answer', graceMs: 0 },
  { kinds: ['add', 'begin'], failure: 'no answer', graceMs: 0, unnamedOnly: true },
];

/** Requests whose clients do not wait until the load balancer notices. */
export const WITH_A_FROZEN_NODE: readonly Allowance[] = [
  ...WITHOUT_A_NODE,
  { kinds: ['search', 'barcode'], failure: 'no answer', graceMs: 0 },
];
