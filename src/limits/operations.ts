/** Operations and their default requests a minute for each credential, for both API variants. */
export const DEFAULT_LIMITS = {
  search: 100,
  /** All searches of a key, those of its users and their tokens included. */
  searchTotal: 3_000,
  barcode: 100,
  barcodeTotal: 10_000,
  scanCreate: 30,
  scanPoll: 120,
  stream: 30,
  streamTotal: 3_000,
  diaryRead: 120,
  diaryReadTotal: 12_000,
  diaryWrite: 60,
  diaryWriteTotal: 6_000,
  import: 10,
  token: 30,
  other: 600,
} as const satisfies Record<string, number>;

export type LimitedOperation = keyof typeof DEFAULT_LIMITS;
export const LIMITED_OPERATIONS = Object.keys(DEFAULT_LIMITS) as readonly LimitedOperation[];

/**
 * Operations that a key does for its users: each counts for the user that it names, and for the total of the key, those of tokens
 * included, so that no key can do any number.
 */
export const TOTALS = {
  search: 'searchTotal',
  barcode: 'barcodeTotal',
  stream: 'streamTotal',
  diaryRead: 'diaryReadTotal',
  diaryWrite: 'diaryWriteTotal',
} as const satisfies Partial<Record<LimitedOperation, LimitedOperation>>;

export function totalOf(operation: LimitedOperation): LimitedOperation | undefined {
  return (TOTALS as Partial<Record<LimitedOperation, LimitedOperation>>)[operation];
}

/** Limits of a key in requests a minute, only where they differ from the defaults. */
export type OwnLimits = Readonly<Partial<Record<LimitedOperation, number>>>;

/** New limits by operation; null restores the default. Absent operations stay unchanged. */
export type LimitsChange = Readonly<Partial<Record<LimitedOperation, number | null>>>;

/**
 * Limits of a person on all devices: a view sends several requests, search sends one for each letter, and
 * offline changes are sent together.
 */
export const PERSON_LIMITS: OwnLimits = {
  search: 600,
  barcode: 300,
  scanPoll: 300,
  stream: 120,
  diaryRead: 600,
  diaryWrite: 300,
};

/** Merges a change into the limits of a key; undefined if all limits are the defaults. */
export function changeLimits(limits: OwnLimits | undefined, change: LimitsChange): OwnLimits | undefined {
  const own = Object.entries({ ...limits, ...change }).filter(([, limit]) => limit !== null);
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

/** Requests a minute for one client address without a valid credential. Each node counts health checks separately. */
export const ANONYMOUS_LIMIT = 60;

export const MAX_OWN_LIMIT = 1_000_000;
