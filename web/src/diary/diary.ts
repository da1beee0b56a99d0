import type { ReadonlySignal } from '@preact/signals';
import type { DiaryEntry, EatenFood, Food, GoalAmounts } from 'larder-client';
import type { Day } from '../days.ts';
import type { KnownFoods } from '../offline/entries/previews.ts';
import type { Taken } from '../offline/queue/write.ts';
import type { NewWrite, ShownEntry } from '../offline/queue/writes.ts';

/** A diary that views read and write: the own one, or that of a person who shares it. */
export interface Diary {
  readonly userId: string;
  /** Whether this device keeps the diary, and writes that the service does not have yet. */
  readonly isKept: boolean;
  /** Counts changes after which views read again. */
  readonly changes: ReadonlySignal<number>;
  /** The entries of a day with the writes that wait; undefined if only the service has all of them. */
  kept(day: Day): Promise<readonly ShownEntry[] | undefined>;
  /** The entries of a day that the service told, with the writes that wait. */
  withWaiting(day: Day, known: readonly DiaryEntry[]): Promise<readonly ShownEntry[]>;
  /** The goals of a day, if they are known without asking. */
  goals(day: Day): Promise<GoalAmounts | undefined>;
  recents(): Promise<readonly EatenFood[]>;
  /** What is known of the food of an entry without asking. */
  known(input: object, food?: Food): Promise<KnownFoods>;
  find(id: string): Promise<DiaryEntry>;
  /** An id for a new entry of these values: a new one, or that of an addition whose answer was lost, so that it is written once. */
  idFor(input: object): string;
  /** Writes entries. Throws if none of them was taken. */
  write(wanted: readonly NewWrite[]): Promise<Taken>;
  /** What a person is told of an error of `write`. */
  problemOf(error: unknown): string;
}
