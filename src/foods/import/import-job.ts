import type { OffSlice } from './off/slice.ts';
import type { AmountBasis } from './table/table-limits.ts';

export const IMPORT_SOURCES = ['off', 'fdc', 'table'] as const;
export type ImportSourceName = (typeof IMPORT_SOURCES)[number];
/** The sources that publish an export to download. */
export type ExportSourceName = Exclude<ImportSourceName, 'table'>;

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
  /** How a table is read, as far as its headings do not say. */
  readonly table?:
    | {
        /** Begins the ids of its foods. */
        readonly name?: string | undefined;
        readonly per?: AmountBasis | undefined;
        /** The map of its columns in YAML. */
        readonly map?: string | undefined;
      }
    | undefined;
  /** Reads the table as an import does, and stores no food. */
  readonly preview?: boolean | undefined;
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
  /** Of a preview that has ended: how the table is read, and its first foods. */
  readonly tablePreview?: object;
  readonly error?: string;
}

export const NO_PROGRESS: ImportPosition = { bytes: 0, rows: 0, rowsPerSecond: 0 };

export function isUnfinished({ state }: Pick<ImportJob, 'state'>): boolean {
  return state === 'waiting' || state === 'running';
}
