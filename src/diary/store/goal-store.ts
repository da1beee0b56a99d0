import { columnOf, type Row } from '../../db/dialect.ts';
import { list, type Queries, raw, sql } from '../../db/sql.ts';
import { toStatement, type Writer } from '../../db/writer.ts';
import type { Day } from '../records/day.ts';
import { AMOUNT_KEYS, type DiaryOwner } from '../records/entry.ts';
import { type Goals, MAX_GOALS_PER_USER, type WeekdayAmounts } from '../records/goals.ts';
import { changeOf, full, isOwned, writeIf } from './store-writes.ts';

const VALUES = [...AMOUNT_KEYS.map(columnOf), 'weekdays'];
const COLUMNS = ['from_date', ...VALUES];
/** The new goals of a user for one date. */
const NEW_VALUES = raw(VALUES.map((name) => `${name} = excluded.${name}`).join());

/** Stores the goals of users, with the guarantees of `DiaryStore`. */
export class GoalStore {
  readonly #db: Queries;
  readonly #writer: Writer;

  constructor({ db, writer }: { readonly db: Queries; readonly writer: Writer }) {
    this.#db = db;
    this.#writer = writer;
  }

  /** All goals of the user by date; at most `MAX_GOALS_PER_USER`. */
  async list(owner: DiaryOwner): Promise<Goals[]> {
    const query = sql<Row>`
      select ${raw(COLUMNS.join())} from diary_goals where ${isOwned(owner)} order by from_date`;
    const rows = await query.prepared('list-goals').all(this.#db);
    return rows.map((row) => {
      const stated = AMOUNT_KEYS.filter((key) => row[columnOf(key)] !== null);
      const amounts = Object.fromEntries(stated.map((key) => [key, row[columnOf(key)]]));
      const weekdays = row['weekdays'] as string | null;
      return {
        from: row['from_date'] as Day,
        amounts,
        ...(weekdays !== null && { weekdays: JSON.parse(weekdays) as WeekdayAmounts }),
      };
    });
  }

  /** Replaces the goals of the same date; with `replaceHistory` all goals of the user. */
  async put(
    owner: DiaryOwner,
    { from, amounts, weekdays }: Goals,
    { replaceHistory }: { readonly replaceHistory: boolean },
  ): Promise<void> {
    const others = sql`diary_goals where ${isOwned(owner)} and from_date <> ${from}`;
    // If the other goals are removed, their number does not matter.
    const maxOthers = replaceHistory ? Number.MAX_SAFE_INTEGER : MAX_GOALS_PER_USER;
    const values = [
      ...[owner.tenant, owner.userId, from],
      ...AMOUNT_KEYS.map((key) => amounts[key] ?? null),
      weekdays === undefined ? null : JSON.stringify(weekdays),
    ];
    const insertion = sql`
      insert into diary_goals (tenant_id, user_id, ${raw(COLUMNS.join())}) select ${list(values)}
      where (select count(*) from ${others}) < ${maxOthers}
      on conflict (tenant_id, user_id, from_date) do update set ${NEW_VALUES}`;
    const removal = sql`delete from ${others}`;
    const hasRoom = await writeIf(
      this.#writer,
      changeOf(owner, 'goals', ['goals']),
      toStatement(insertion.prepared('put-goals')),
      ...(replaceHistory ? [toStatement(removal.prepared('remove-other-goals'))] : []),
    );
    if (hasRoom) return;
    throw full(`A user can have at most ${MAX_GOALS_PER_USER} goals.`, MAX_GOALS_PER_USER);
  }
}
