import type { Allowance } from '../history-record.ts';

/** What docs/operating.md says of each part that is gone; whatever is not listed goes on. */

const GRACE_MS = 5_000;

/** All that is kept there. Search and barcodes are not among it. */
export const WITHOUT_POSTGRES: readonly Allowance[] = [
  {
    kinds: ['add', 'change', 'remove', 'list', 'read', 'totals', 'begin', 'poll', 'stream'],
    failure: '503 unavailable',
    graceMs: GRACE_MS,
  },
  { kinds: ['stream'], failure: 'no answer', graceMs: GRACE_MS },
];

/** Nothing but images, which clients send to the store itself. */
export const WHILE_STORE_REFUSES: readonly Allowance[] = [{ kinds: ['upload'], failure: '503', graceMs: 0 }];
export const WHILE_STORE_IS_SILENT: readonly Allowance[] = [
  { kinds: ['upload'], failure: 'no answer', graceMs: 0 },
];

/** What was in the hands of the node that died, unless it could be repeated. */
export const WITHOUT_A_NODE: readonly Allowance[] = [
  { kinds: ['change', 'remove', 'stream'], failure: 'no answer', graceMs: 0 },
  { kinds: ['add', 'begin'], failure: 'no answer', graceMs: 0, unnamedOnly: true },
];

/** Besides, until the load balancer has noticed, what its clients do not wait for so long. */
export const WITH_A_FROZEN_NODE: readonly Allowance[] = [
  ...WITHOUT_A_NODE,
  { kinds: ['search', 'barcode'], failure: 'no answer', graceMs: 0 },
];
