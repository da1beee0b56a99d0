import type { ChangeLog, LoggedChange } from '../../changes/change-log.ts';
import type { UserRecordKind } from '../../db/writer.ts';
import type { CustomFood, CustomFoodStore } from '../../foods/custom/custom-food-store.ts';
import { isSeen } from '../../foods/custom/food-owner.ts';
import { WHOLE_DIARY } from '../records/day.ts';
import type { DiaryEntry, DiaryOwner } from '../records/entry.ts';
import type { StatedGoals } from '../records/goals.ts';
import type { Measurement } from '../records/measurement.ts';
import type { Recipe } from '../records/recipe.ts';
import { KINDS } from '../records/record-kinds.ts';
import type { UserRecord } from '../records/user-record.ts';
import type { DiaryStore } from '../store/diary-store.ts';
import type { KindRecord } from '../store/record-store.ts';
import { cursorExpired, type DiaryReading, type FeedPosition, type LogPosition } from './feed-position.ts';

/** Objects that are read at a time, so few that a read takes a few milliseconds. Recipes and saved meals are long. */
const READ_AT_ONCE = 100;
const RECIPES_AT_ONCE = 10;
const RECORDS_AT_ONCE = 20;
/** For more ids PostgreSQL prefers to read all entries of a user. */
const FOUND_AT_ONCE = 32;
/** Maximum rows of logs in one read; most may be foods of others, which are not part of the feed. */
const MAX_LOG_ROWS = 2_000;

/** All goals of a user are one object. */
export const GOALS_ID = 'goals';

/** The current state of one object. */
export type FeedChange =
  | { readonly kind: 'entry'; readonly id: string; readonly value: DiaryEntry }
  | { readonly kind: 'recipe'; readonly id: string; readonly value: Recipe }
  /** Keyed by their first days. */
  | { readonly kind: 'goals'; readonly id: string; readonly value: StatedGoals }
  | { readonly kind: 'measurement'; readonly id: string; readonly value: Measurement }
  | { readonly kind: UserRecordKind; readonly id: string; readonly value: UserRecord }
  | { readonly kind: 'food'; readonly id: string; readonly value: CustomFood }
  /** The object does not exist. */
  | { readonly kind: LoggedChange['kind']; readonly id: string; readonly value?: undefined };

/** One step of a read, and the position after it. A step without a change only advances the position. */
export interface FeedStep {
  readonly change?: FeedChange;
  readonly position: FeedPosition;
}

export interface UserFeedPorts {
  readonly log: Pick<ChangeLog, 'head' | 'since'>;
  readonly diaries: Pick<
    DiaryStore,
    'listEntries' | 'findEntries' | 'recipes' | 'goals' | 'measurements' | 'records'
  >;
  readonly foods: Pick<CustomFoodStore, 'list' | 'findAll'>;
}

/**
 * The feed of one user: first all existing objects, then each change in the order of commits.
 *
 *     heads of the logs ─▶ existing foods, recipes, goals, measurements, records, entries ─▶ follow both logs from these heads
 *
 * The second part repeats writes that happened during the first, so a reader who has reached the end has the
 * current state. The tenant's log has the changes of foods, the user's log all others; a food comes before
 * objects that were written after it.
 */
export class UserFeed {
  readonly #ports: UserFeedPorts;

  constructor(ports: UserFeedPorts) {
    this.#ports = ports;
  }

  /** The position of a reader without any data. */
  async begin(owner: DiaryOwner): Promise<FeedPosition> {
    const seq = await this.#ports.log.head(owner);
    return { diary: { seq, ...(seq > 0 && { reading: { kind: 'recipe', after: '' } as const }) } };
  }

  /** The position of a reader with all data. */
  async end(owner: DiaryOwner, hasFoods: boolean): Promise<FeedPosition> {
    const { log } = this.#ports;
    const diary = { seq: await log.head(owner) };
    return hasFoods ? { diary, foods: { seq: await log.head(tenantOf(owner)) } } : { diary };
  }

  /**
   * The steps after a position; true at the end if more may follow at once. With `hasFoods` it includes the
   * foods that the user sees. Throws `cursor_expired` if deletions after the position may have been
   * forgotten.
   */
  async *read(
    owner: DiaryOwner,
    start: FeedPosition,
    hasFoods: boolean,
  ): AsyncGenerator<FeedStep, boolean, undefined> {
    let position = start;
    if (hasFoods && position.foods === undefined) {
      const seq = await this.#ports.log.head(tenantOf(owner));
      position = { ...position, foods: { seq, ...(seq > 0 && { reading: '' }) } };
      yield { position };
    }
    if (hasFoods && position.foods?.reading !== undefined)
      position = yield* this.#readFoods(owner, position, position.foods.reading);
    if (position.diary.reading !== undefined) position = yield* this.#readDiary(owner, position);
    return yield* this.#follow(owner, position, hasFoods);
  }

  async *#readFoods(owner: DiaryOwner, start: FeedPosition, from: string): Steps {
    const { seq } = start.foods!;
    let position = start;
    for (let after = from; ; ) {
      const found = await this.#ports.foods.list(owner.tenant, after, READ_AT_ONCE, {
        userId: owner.userId,
      });
      for (const value of found) {
        after = value.food.id;
        position = { ...position, foods: { seq, reading: after } };
        yield { change: { kind: 'food', id: after, value }, position };
      }
      if (found.length < READ_AT_ONCE) break;
    }
    position = { ...position, foods: { seq } };
    yield { position };
    return position;
  }

  async *#readDiary(owner: DiaryOwner, start: FeedPosition): Steps {
    const { diaries } = this.#ports;
    const { seq } = start.diary;
    const at = (reading?: DiaryReading): FeedPosition => ({ ...start, diary: { seq, reading } });
    let reading = start.diary.reading!;
    while (reading.kind === 'recipe') {
      const found: Recipe[] = await diaries.recipes.listById(owner, {
        after: reading.after,
        limit: RECIPES_AT_ONCE,
      });
      for (const value of found) {
        reading = { kind: 'recipe', after: value.id };
        yield { change: { kind: 'recipe', id: value.id, value }, position: at(reading) };
      }
      if (found.length < RECIPES_AT_ONCE) reading = { kind: 'goals' };
    }
    if (reading.kind === 'goals') {
      const value = await diaries.goals.read(owner);
      reading = { kind: 'measurement', after: '' };
      const position = at(reading);
      yield value.all.length === 0
        ? { position }
        : { change: { kind: 'goals', id: GOALS_ID, value }, position };
    }
    while (reading.kind === 'measurement') {
      const page = { after: reading.after, limit: READ_AT_ONCE };
      const found: Measurement[] = await diaries.measurements.listById(owner, page);
      for (const value of found) {
        reading = { kind: 'measurement', after: value.id };
        yield { change: { kind: 'measurement', id: value.id, value }, position: at(reading) };
      }
      if (found.length < READ_AT_ONCE) reading = { kind: 'record', after: { kind: '', id: '' } };
    }
    while (reading.kind === 'record') {
      const found: KindRecord[] = await diaries.records.listAll(owner, reading.after, RECORDS_AT_ONCE);
      for (const { kind, record } of found) {
        reading = { kind: 'record', after: { kind, id: record.id } };
        yield { change: { kind, id: record.id, value: record }, position: at(reading) };
      }
      if (found.length < RECORDS_AT_ONCE) reading = { kind: 'entry' };
    }
    for (let { after } = reading; ; ) {
      const page = { range: WHOLE_DIARY, limit: READ_AT_ONCE, ...(after && { after }) };
      const found = await diaries.listEntries(owner, page);
      for (const value of found) {
        after = { date: value.date, id: value.id };
        yield { change: { kind: 'entry', id: value.id, value }, position: at({ kind: 'entry', after }) };
      }
      if (found.length < READ_AT_ONCE) break;
    }
    const position = at();
    yield { position };
    return position;
  }

  async *#follow(
    owner: DiaryOwner,
    start: FeedPosition,
    hasFoods: boolean,
  ): AsyncGenerator<FeedStep, boolean, undefined> {
    let position = start;
    for (let rows = 0; rows < MAX_LOG_ROWS; ) {
      // Foods are yielded first and their log is read last, so that the foods of diary changes are included.
      const written = await this.#since(owner, position.diary);
      const foods = hasFoods ? await this.#since(tenantOf(owner), position.foods!) : [];
      for await (const [logged, change] of this.#foodsNow(owner, foods)) {
        position = { ...position, foods: { seq: logged.seq } };
        yield { ...(change && { change }), position };
      }
      rows += foods.length;
      if (foods.length === READ_AT_ONCE) continue;
      for await (const [logged, change] of this.#diaryNow(owner, written)) {
        position = { ...position, diary: { seq: logged.seq } };
        yield { change, position };
      }
      rows += written.length;
      if (written.length < READ_AT_ONCE) return false;
    }
    return true;
  }

  async #since(owner: DiaryOwner, { seq }: LogPosition<unknown>): Promise<readonly LoggedChange[]> {
    const page = await this.#ports.log.since(owner, seq, READ_AT_ONCE);
    if (page === undefined) throw cursorExpired();
    return page.changes;
  }

  /** The step has no change if the user has never seen the food. */
  async *#foodsNow(
    owner: DiaryOwner,
    logged: readonly LoggedChange[],
  ): AsyncGenerator<readonly [LoggedChange, FeedChange | undefined]> {
    const isNews = ({ seenBy }: LoggedChange) => seenBy === null || seenBy === owner.userId;
    const ids = logged.filter((change) => isNews(change) && !change.isDeleted).map(({ id }) => id);
    const found = await this.#ports.foods.findAll(owner.tenant, ids);
    const seen = new Map(
      found.filter(({ food }) => isSeen(food, owner)).map((value) => [value.food.id as string, value]),
    );
    for (const change of logged) {
      const { id } = change;
      const value = seen.get(id);
      yield [change, isNews(change) ? { kind: 'food', id, ...(value && { value }) } : undefined];
    }
  }

  async *#diaryNow(
    owner: DiaryOwner,
    logged: readonly LoggedChange[],
  ): AsyncGenerator<readonly [LoggedChange, FeedChange]> {
    const { diaries } = this.#ports;
    const written = (kind: LoggedChange['kind'], among: readonly LoggedChange[]) =>
      among.filter((change) => change.kind === kind && !change.isDeleted).map(({ id }) => id);
    for (let from = 0; from < logged.length; from += FOUND_AT_ONCE) {
      const part = logged.slice(from, from + FOUND_AT_ONCE);
      const entries = byId(await diaries.findEntries(owner, written('entry', part)));
      const recipes = byId(await diaries.recipes.findAll(owner, written('recipe', part)));
      const measurements = byId(await diaries.measurements.findAll(owner, written('measurement', part)));
      const records = new Map<string, Map<string, UserRecord>>();
      for (const kind of KINDS)
        records.set(kind.name, byId(await diaries.records.of(kind).findAll(owner, written(kind.name, part))));
      for (const change of part) {
        const { kind, id } = change;
        if (kind === 'goals') yield [change, { kind, id, value: await diaries.goals.read(owner) }];
        else if (kind === 'recipe') yield [change, valued(kind, id, recipes.get(id))];
        else if (kind === 'measurement') yield [change, valued(kind, id, measurements.get(id))];
        else if (kind === 'entry') yield [change, valued(kind, id, entries.get(id))];
        else yield [change, valued(kind, id, records.get(kind)?.get(id))];
      }
    }
  }
}

type Steps = AsyncGenerator<FeedStep, FeedPosition, undefined>;

/** A missing object was deleted meanwhile; a later change reports that. */
function valued<Value>(kind: FeedChange['kind'], id: string, value: Value | undefined): FeedChange {
  return { kind, id, ...(value && { value }) } as FeedChange;
}

function byId<T extends { readonly id: string }>(things: readonly T[]): Map<string, T> {
  return new Map(things.map((thing) => [thing.id, thing]));
}

/** The owner of the log of foods. */
export function tenantOf({ tenant }: DiaryOwner): DiaryOwner {
  return { tenant, userId: '' };
}
