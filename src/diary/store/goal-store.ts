import { columnOf, type Row } from '../../db/dialect.ts';
import { list, type Queries, raw, type Sql, sql } from '../../db/sql.ts';
import { type Statement, toStatement, type Writer } from '../../db/writer.ts';
import type { Day } from '../records/day.ts';
import { COLUMN_AMOUNTS, type DiaryOwner, isFurther } from '../records/entry.ts';
import {
  type GoalAmounts,
  type Goals,
  MAX_GOALS_PER_USER,
  type StatedGoals,
  type WeekdayAmounts,
} from '../records/goals.ts';
import { changeOf, diaryLock, full, isOwned, type WriteOutcome } from './store-writes.ts';

const VALUES = [...COLUMN_AMOUNTS.map(columnOf), 'weekdays', 'further'];
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
      const stated = COLUMN_AMOUNTS.filter((key) => row[columnOf(key)] !== null);
      const amounts = Object.fromEntries(stated.map((key) => [key, row[columnOf(key)]]));
      const weekdays = row['weekdays'] as string | null;
      const further = row['further'] as string | null;
      return {
        from: row['from_date'] as Day,
        amounts: { ...amounts, ...(further !== null && (JSON.parse(further) as GoalAmounts)) },
        ...(weekdays !== null && { weekdays: JSON.parse(weekdays) as WeekdayAmounts }),
      };
    });
  }

  /** All goals of the user with their version, which is never newer than they are. */
  async read(owner: DiaryOwner): Promise<StatedGoals> {
    const version = await this.#version(owner);
    return { version, all: await this.list(owner) };
  }

  /**
   * Replaces the goals of the same date; with `replaceHistory` all goals of the user. Returns the new version; undefined if `expected`
   * is not the current one.
   */
  async put(
    owner: DiaryOwner,
    { from, amounts, weekdays }: Goals,
    { replaceHistory = false, expected }: { replaceHistory?: boolean; expected?: number | undefined } = {},
  ): Promise<number | undefined> {
    const others = sql`diary_goals where ${isOwned(owner)} and from_date <> ${from}`;
    const further = Object.entries(amounts).filter(([key]) => isFurther(key));
    const values = [
      ...[owner.tenant, owner.userId, from],
      ...COLUMN_AMOUNTS.map((key) => amounts[key] ?? null),
      weekdays === undefined ? null : JSON.stringify(weekdays),
      further.length === 0 ? null : JSON.stringify(Object.fromEntries(further)),
    ];
    const insertion = sql`
      insert into diary_goals (tenant_id, user_id, ${raw(COLUMNS.join())}) values (${list(values)})
      on conflict (tenant_id, user_id, from_date) do update set ${NEW_VALUES}`;
    const removal = sql`delete from ${others}`;
    // If the other goals are removed, their number does not matter.
    const maxOthers = replaceHistory ? Number.MAX_SAFE_INTEGER : MAX_GOALS_PER_USER;
    const version = await this.#write(
      owner,
      { expected, condition: sql`(select count(*) from ${others}) < ${maxOthers}`, name: 'put' },
      toStatement(insertion.prepared('put-goals')),
      ...(replaceHistory ? [toStatement(removal.prepared('remove-other-goals'))] : []),
    );
    if (version !== undefined || (expected !== undefined && (await this.#version(owner)) !== expected))
      return version;
    throw full(`A user can have at most ${MAX_GOALS_PER_USER} goals.`, MAX_GOALS_PER_USER);
  }

  /** Removes the goals that begin on `from`, or all goals of the user. */
  async remove(owner: DiaryOwner, from: Day | undefined, expected?: number): Promise<WriteOutcome> {
    const first = from ?? raw('from_date');
    const removed = sql`diary_goals where ${isOwned(owner)} and from_date = ${first}`;
    const name = from === undefined ? 'remove-all' : 'remove';
    const version = await this.#write(
      owner,
      { expected, condition: sql`exists (select 1 from ${removed})`, name },
      toStatement(sql`delete from ${removed}`.prepared(`${name}-goals`)),
    );
    if (version !== undefined) return 'done';
    return expected !== undefined && (await this.#version(owner)) !== expected ? 'conflict' : 'missing';
  }

  async #version(owner: DiaryOwner): Promise<number> {
    const query = sql<{ readonly version: number }>`
      select version from diary_goal_versions where ${isOwned(owner)}`;
    return (await query.prepared('version-of-goals').first(this.#db))?.version ?? 0;
  }

  /** Raises the version of the user's goals, and changes them. Returns undefined if `condition` or `expected` does not hold. */
  async #write(
    owner: DiaryOwner,
    { expected, condition, name }: { expected: number | undefined; condition: Sql; name: string },
    ...changes: readonly Statement[]
  ): Promise<number | undefined> {
    const begin = sql`
      insert into diary_goal_versions (tenant_id, user_id, version)
      select ${owner.tenant}, ${owner.userId}, 1 where ${condition}
      on conflict (tenant_id, user_id)`;
    const [kind, raise] =
      expected === undefined
        ? ['any', sql`${begin} do update set version = diary_goal_versions.version + 1 returning version`]
        : expected === 0
          ? ['first', sql`${begin} do nothing returning version`]
          : [
              'next',
              sql`update diary_goal_versions set version = version + 1
                where ${isOwned(owner)} and version = ${expected} and ${condition} returning version`,
            ];
    const { rows } = await this.#writer.write<{ readonly version: number }>({
      statements: [toStatement(raise.prepared(`${name}-${kind}-goals-version`)), ...changes],
      firstDecides: true,
      change: changeOf(owner, 'goals', ['goals']),
      lock: diaryLock(owner),
    });
    return rows[0]?.version;
  }
}
