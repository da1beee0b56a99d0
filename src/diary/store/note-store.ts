import { type Queries, sql } from '../../db/sql.ts';
import type { Day, DayRange } from '../records/day.ts';
import type { DiaryOwner, MealType } from '../records/entry.ts';
import { isOwned } from './store-writes.ts';

/** A note on a day, or on an entry of it. */
export interface DiaryNote {
  readonly date: Day;
  /** The entry's id; '' for the note on the day. */
  readonly id: string;
  readonly note: string;
  /** Of an entry. */
  readonly foodName?: string;
  readonly mealType?: MealType;
}

/** The position of a note among those of a user: by day, the note on a day after those on its entries. */
export type NotePosition = Pick<DiaryNote, 'date' | 'id'>;

interface NoteRow {
  readonly date: Day;
  readonly id: string;
  readonly note: string;
  readonly food_name: string | null;
  readonly meal_type: MealType | null;
}

export interface NotePage {
  readonly range: DayRange;
  /** Lists notes before this one only. */
  readonly before: NotePosition;
  readonly limit: number;
}

/** At most `limit` days and entries with notes, the newest first. A record of a day may lack a note. */
export async function listNotes(
  db: Queries,
  owner: DiaryOwner,
  { range: { from, to }, before: { date, id }, limit }: NotePage,
): Promise<DiaryNote[]> {
  const query = sql<NoteRow>`
    select date, id, note, food_name, meal_type from (
      select date, id, note, food_name, meal_type from diary_entries
      where ${isOwned(owner)} and note is not null and (date, id) < (${date}, ${id})
        and date >= ${from} and date <= ${to}
      order by date desc, id desc limit ${limit}) as entries
    union all
    select id, '', body, null, null from (
      select id, body from diary_records
      where ${isOwned(owner)} and kind = 'day' and (id, '') < (${date}, ${id}) and id >= ${from} and id <= ${to}
      order by id desc limit ${limit}) as days
    order by 1 desc, 2 desc limit ${limit}`;
  const rows = await query.prepared('list-notes').all(db);
  return rows.map(({ date: of, id: entry, note, food_name, meal_type }) => ({
    date: of,
    id: entry,
    note: entry === '' ? String((JSON.parse(note) as { note?: string }).note ?? '') : note,
    ...(food_name !== null && { foodName: food_name }),
    ...(meal_type !== null && { mealType: meal_type }),
  }));
}
