import { hash } from 'node:crypto';
import type { NutrientKey, PartialNutrients } from '@larder/core/nutrients.ts';
import { hasAtMost } from '../../base/texts.ts';
import { createIds } from '../../base/time-ordered-id.ts';
import type { Day } from '../../diary/records/day.ts';
import {
  AMOUNT_KEYS,
  type AmountKey,
  type DecimalAmounts,
  type DiaryEntry,
  type DiaryOwner,
  MAX_NOTE_CHARACTERS,
  type MealType,
  NUTRIENT_OF,
  parseAmounts,
  parseFoodName,
  parseNote,
  parseUnit,
} from '../../diary/records/entry.ts';
import { invalidField } from '../../diary/records/invalid-field.ts';
import { MAX_QUANTITY } from '../../diary/records/unit-conversion.ts';
import { mealNamed } from '../tables/values.ts';
import type { Reading } from './reading.ts';

/** A row of another app: an eaten food. */
export interface EatenRow {
  readonly date: Day;
  /** "HH:MM" in the user's time zone. */
  readonly time?: string | undefined;
  /** The app's name of the meal or food. */
  readonly meal: string;
  /** Absent if the app only states a meal. */
  readonly food?: string | undefined;
  readonly quantity?: number | undefined;
  readonly unit?: string | undefined;
  readonly nutrients: PartialNutrients;
  readonly note?: string | undefined;
}

export interface EntryMakerOptions {
  /** The app, part of the ids. */
  readonly source: string;
  readonly owner: DiaryOwner;
  readonly nowMs: number;
  /** IANA name of the time zone of the file. Without it times are ignored. */
  readonly timeZone?: string | undefined;
  readonly reading: Reading;
}

const AMOUNT_OF = new Map(Object.entries(NUTRIENT_OF).map(([key, nutrient]) => [nutrient, key as AmountKey]));
/** Minutes of the day for entries without a time. */
const USUAL_MINUTES: Readonly<Record<MealType, number>> = {
  breakfast: 480,
  lunch: 750,
  dinner: 1_140,
  snacks: 1_260,
};
const MINUTE_MS = 60_000;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARACTERS = 10;
const HASHED_CHARACTERS = 15;
/** Distinguishes these ids from those of this service, which have "00" here. */
const IMPORTED = 'Z';

/** Creates entries from rows. Equal rows get entries with equal ids, in any order of days. */
export class EntryMaker {
  readonly #options: EntryMakerOptions;
  readonly #clock: Intl.DateTimeFormat | undefined;
  /** Number of occurrences of each row, because one can eat the same food twice. */
  readonly #times = new Map<string, number>();

  constructor(options: EntryMakerOptions) {
    this.#options = options;
    const { timeZone } = options;
    this.#clock =
      timeZone === undefined
        ? undefined
        : new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  }

  /** Throws `invalid_request` for values that the diary rejects. */
  make(row: EatenRow): DiaryEntry {
    const { nowMs, reading } = this.#options;
    const { date, meal, food, time, quantity, unit } = row;
    const mealType = mealNamed(meal) ?? 'snacks';
    if (mealNamed(meal) === undefined) reading.note(`Meal ${JSON.stringify(meal)} was taken as snacks.`);
    const amounts: Partial<Record<AmountKey, number>> = {};
    for (const [nutrient, amount] of Object.entries(row.nutrients)) {
      const key = AMOUNT_OF.get(nutrient as NutrientKey);
      if (key !== undefined && amount !== undefined) amounts[key] = amount;
    }
    if (amounts.calories === undefined) throw invalidField('energy', 'The row states no energy.');
    const isCounted = quantity !== undefined && quantity > 0 && quantity <= MAX_QUANTITY;
    const eatenAt = this.#eatenAt(date, time);
    const note = this.#noteOf(row.note);
    return {
      id: this.#idOf(row, mealType, amounts),
      date,
      mealType,
      foodName: parseFoodName(food ?? (meal.trim() === '' ? mealType : meal)),
      amounts: parseAmounts(amounts as DecimalAmounts),
      addedMethod: 'manual',
      ...(isCounted && { quantity }),
      ...(isCounted && unit !== undefined && unit.trim() !== '' && { unit: parseUnit(unit) }),
      ...(eatenAt !== undefined && { eatenAt }),
      ...(note !== undefined && { note: parseNote(note) }),
      version: 1,
      createdAt: nowMs,
      updatedAt: nowMs,
    };
  }

  /** The part of a note that fits into an entry. */
  #noteOf(note: string | undefined): string | undefined {
    const text = note?.trim() ?? '';
    if (text === '') return undefined;
    if (hasAtMost(text, MAX_NOTE_CHARACTERS)) return text;
    this.#options.reading.note(
      `A note was cut after ${MAX_NOTE_CHARACTERS} characters: ${text.slice(0, 60)}…`,
    );
    return [...text].slice(0, MAX_NOTE_CHARACTERS).join('');
  }

  #eatenAt(date: Day, time: string | undefined): string | undefined {
    if (time === undefined) return undefined;
    if (this.#clock !== undefined) return momentOf(date, time, this.#clock);
    this.#options.reading.note(
      'Times of the day were left out, since the file has no time zone; state "timeZone" to keep them.',
    );
    return undefined;
  }

  /**
   * Derived from user, app, row and its number of occurrence; other nutrients are ignored, so that later
   * versions can read more of them.
   */
  #idOf(
    { date, time, meal, food, quantity, unit }: EatenRow,
    mealType: MealType,
    amounts: Partial<Record<AmountKey, number>>,
  ): string {
    const { owner, source } = this.#options;
    const main = AMOUNT_KEYS.slice(0, 4).map((key) => amounts[key] ?? null);
    const row = JSON.stringify([
      owner.tenant,
      owner.userId,
      source,
      date,
      time,
      meal,
      food,
      quantity,
      unit,
      main,
    ]);
    const times = (this.#times.get(row) ?? 0) + 1;
    this.#times.set(row, times);
    const minutes =
      time === undefined ? USUAL_MINUTES[mealType] : Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
    const atMs = Math.max(0, Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE_MS);
    const [ordered] = createIds(1, atMs, (count) => new Uint8Array(count));
    const bytes = hash('sha256', `${row}\n${times}`, 'buffer');
    const hashed = Array.from(bytes.subarray(0, HASHED_CHARACTERS), (byte) => CROCKFORD[byte % 32]).join('');
    return ordered!.slice(0, TIME_CHARACTERS) + IMPORTED + hashed;
  }
}

const HOUR_MS = 3_600_000;

/** A local time of a time zone, with its offset. */
function momentOf(date: Day, time: string, clock: Intl.DateTimeFormat): string {
  const local = Date.parse(`${date}T${time}:00Z`);
  const first = offsetAt(local, clock);
  const { text } = offsetAt(local - first.ms, clock);
  return `${date}T${time}:00${text}`;
}

function offsetAt(ms: number, clock: Intl.DateTimeFormat): { readonly ms: number; readonly text: string } {
  const parts = clock.formatToParts(ms);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  if (sign === undefined) return { ms: 0, text: 'Z' };
  const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  return { ms: sign === '-' ? -size : size, text: `${sign}${hours}:${minutes}` };
}

/** Throws `invalid_request` for an invalid time zone. */
export function requireTimeZone(timeZone: string | undefined): void {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw invalidField('timeZone', '"timeZone" must be an IANA name, for example Europe/Berlin.');
  }
}
