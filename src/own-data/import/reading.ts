import { AppError } from '@larder/core/errors.ts';
import type { Food } from '@larder/core/food.ts';
import type { DiaryEntry } from '../../diary/records/entry.ts';
import type { Goals } from '../../diary/records/goals.ts';
import type { Measurement } from '../../diary/records/measurement.ts';
import type { Recipe } from '../../diary/records/recipe.ts';
import type { DescribedRecord } from '../records/described-record.ts';

/** Maximum problems and notes in a response; further problems are only counted. */
export const MAX_PROBLEMS = 200;
const MAX_NOTES = 50;
const MAX_NOTE_CHARACTERS = 300;

/** Kinds of records, in the order in which they are written: entries and recipes refer to foods, entries to recipes. */
export const RECORD_KINDS = ['foods', 'recipes', 'goals', 'measurements', 'entries', 'records'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

interface RecordsByKind {
  readonly foods: Food;
  readonly recipes: Recipe;
  readonly goals: Goals;
  readonly measurements: Measurement;
  readonly entries: DiaryEntry;
  /** Days, favourites, saved meals and settings. */
  readonly records: DescribedRecord;
}

/** A record with its line in the file. */
export interface ReadRecord<Kind extends RecordKind> {
  readonly line: number;
  readonly record: RecordsByKind[Kind];
}

/** A problem in a line. */
export interface Problem {
  readonly line: number;
  /** The heading of the column, or the field. */
  readonly column?: string;
  readonly message: string;
}

export interface ReadingSummary {
  readonly refused: Readonly<Record<RecordKind, number>>;
  readonly problems: readonly Problem[];
  readonly problemCount: number;
  readonly ignoredColumns: readonly string[];
  readonly notes: readonly (readonly [note: string, times: number])[];
}

/** Zero of each kind. */
export function noCounts(): Record<RecordKind, number> {
  return { foods: 0, recipes: 0, goals: 0, measurements: 0, entries: 0, records: 0 };
}

/** The parsed content of a file. */
export class Reading {
  readonly records: { readonly [Kind in RecordKind]: ReadRecord<Kind>[] } = {
    foods: [],
    recipes: [],
    goals: [],
    measurements: [],
    entries: [],
    records: [],
  };
  /** Number of unreadable records of each kind. */
  readonly refused = noCounts();
  readonly problems: Problem[] = [];
  problemCount = 0;
  /** Notes on assumptions and ignored parts, without repetitions. */
  readonly #notes = new Map<string, number>();
  /** Headings of columns that are not imported. */
  readonly ignoredColumns: string[] = [];

  problem(line: number, message: string, column?: string): void {
    this.problemCount++;
    if (this.problems.length < MAX_PROBLEMS)
      this.problems.push({ line, ...(column !== undefined && { column }), message });
  }

  /** Adds a note about the whole file, or about a line, which is counted. */
  note(text: string): void {
    const note = text.slice(0, MAX_NOTE_CHARACTERS);
    if (this.#notes.size < MAX_NOTES || this.#notes.has(note))
      this.#notes.set(note, (this.#notes.get(note) ?? 0) + 1);
  }

  /** All but the records, as plain data for `restored`. */
  get summary(): ReadingSummary {
    const { refused, problems, problemCount, ignoredColumns } = this;
    return { refused, problems, problemCount, ignoredColumns, notes: [...this.#notes] };
  }

  /** A reading that another thread made, without its records. */
  static restored({ refused, problems, problemCount, ignoredColumns, notes }: ReadingSummary): Reading {
    const reading = new Reading();
    Object.assign(reading.refused, refused);
    reading.problems.push(...problems);
    reading.problemCount = problemCount;
    reading.ignoredColumns.push(...ignoredColumns);
    for (const [note, times] of notes) reading.#notes.set(note, times);
    return reading;
  }

  get notes(): readonly string[] {
    return Array.from(this.#notes, ([note, times]) => (times === 1 ? note : `${note} (${times} times)`));
  }

  /** Adds the record that `read` returns, or the problem that it throws. */
  add<Kind extends RecordKind>(kind: Kind, line: number, read: () => RecordsByKind[Kind]): void {
    try {
      this.records[kind].push({ line, record: read() });
    } catch (error) {
      this.refuse(kind, line, error);
    }
  }

  /** Counts a record that is not imported, with the reason. */
  refuse(kind: RecordKind, line: number, error: unknown): void {
    if (!(error instanceof AppError)) throw error;
    this.refused[kind]++;
    const [field] = (error.details['fields'] as readonly string[] | undefined) ?? [];
    this.problem(line, error.message, field === '' ? undefined : field);
  }
}
