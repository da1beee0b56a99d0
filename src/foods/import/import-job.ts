import type { OffSlice } from './off/slice.ts';

export const IMPORT_SOURCES = ['off', 'fdc'] as const;
export type ImportSourceName = (typeof IMPORT_SOURCES)[number];

export const IMPORTED_FACTS = ['all', 'none'] as const;

/**
 *     waiting ──whole file──▶ running ──▶ completed
 *        └───────────┬───────────┴──▶ failed, cancelled
 */
export const IMPORT_STATES = ['waiting', 'running', 'completed', 'failed', 'cancelled'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** Progress of an import. Bytes are those of the current phase. */
export interface ImportPosition {
  /** English text for people. */
  readonly phase?: string;
  readonly bytes: number;
  readonly totalBytes?: number;
  /** Number of foods so far. */
  readonly rows: number;
  readonly rowsPerSecond: number;
}

export interface ImportChoices {
  /** `none` leaves out the facts of foods, which take most of the disk. */
  readonly facts?: (typeof IMPORTED_FACTS)[number] | undefined;
}

/** An import that an operator started over HTTP. Times are Unix milliseconds. */
export interface ImportJob {
  readonly id: string;
  readonly source: ImportSourceName;
  readonly state: ImportState;
  /** The uploaded file; absent for a download. */
  readonly file?: { readonly name: string; readonly bytes: number };
  /** The part of Open Food Facts to import; absent for all of it. */
  readonly slice?: OffSlice;
  readonly choices?: ImportChoices;
  /** Whether it downloads what changed since the last import; known where it is started. */
  readonly update?: boolean;
  readonly createdAtMs: number;
  readonly finishedAtMs?: number;
  readonly progress: ImportPosition;
  readonly report?: object;
  readonly error?: string;
}

export const NO_PROGRESS: ImportPosition = { bytes: 0, rows: 0, rowsPerSecond: 0 };

export function isUnfinished({ state }: Pick<ImportJob, 'state'>): boolean {
  return state === 'waiting' || state === 'running';
}
