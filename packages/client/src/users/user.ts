import type {
  ChangesPage,
  DeleteGoalsData,
  EatenFood,
  GetGoalsData,
  Goals,
  GoalsInput,
  GoalsPatch,
  GoalsWithHistory,
  ImportResult,
  ImportUserData,
  ListFrequentFoodsData,
  ListRecentFoodsData,
} from '../generated/types.gen.ts';
import { List } from '../http/list.ts';
import type { CallOptions, ChangeOptions } from '../http/options.ts';
import { path, queryOf } from '../http/path.ts';
import type { Image, Transport } from '../http/transport.ts';
import { type FollowChanges, followChanges } from './changes.ts';
import { Diary } from './diary.ts';
import { Measurements } from './measurements.ts';
import { Recipes } from './recipes.ts';
import { Days, Favourites, SavedMeals, Settings } from './records.ts';

export type GoalsQuery = NonNullable<GetGoalsData['query']>;
export type RemovedGoals = NonNullable<DeleteGoalsData['query']>;
export type ImportQuery = NonNullable<ImportUserData['query']>;
export type RecentFoodsQuery = NonNullable<ListRecentFoodsData['query']>;
export type FrequentFoodsQuery = NonNullable<ListFrequentFoodsData['query']>;

/** One user of your app. */
export class User {
  readonly id: string;
  readonly diary: Diary;
  readonly recipes: Recipes;
  readonly goals: UserGoals;
  readonly measurements: Measurements;
  readonly days: Days;
  readonly meals: SavedMeals;
  readonly favourites: Favourites;
  readonly settings: Settings;
  readonly foods: EatenFoods;
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, id: string) {
    this.id = id;
    this.#transport = transport;
    this.#path = path`/v1/users/${id}`;
    this.diary = new Diary(transport, this.#path);
    this.recipes = new Recipes(transport, this.#path);
    this.goals = new UserGoals(transport, this.#path);
    this.measurements = new Measurements(transport, this.#path);
    this.days = new Days(transport, this.#path);
    this.meals = new SavedMeals(transport, this.#path);
    this.favourites = new Favourites(transport, this.#path);
    this.settings = new Settings(transport, this.#path);
    this.foods = new EatenFoods(transport, this.#path);
  }

  /**
   * Yields changes page by page until the caller stops: first all existing objects, or the changes after a
   * cursor, then each change when it happens. While the service cannot be reached it waits. Store each page
   * together with its `cursor`. After `cursor_expired` delete what you stored and begin again without `after`.
   */
  changes(options: FollowChanges = {}): AsyncGenerator<ChangesPage, void> {
    return followChanges(this.#transport, this.#path, options);
  }

  /** Everything of this user as JSON lines, which `import` takes. */
  export(options?: CallOptions): Promise<string> {
    return this.#transport.send({ path: `${this.#path}/export`, options }, (response) => response.text());
  }

  /**
   * Writes the new objects of an export, or of the CSV of another app. With `preview` it writes nothing and
   * reports what it would write.
   */
  import(file: Image, query: ImportQuery = {}, options?: CallOptions): Promise<ImportResult> {
    const call = { bytes: file, type: 'application/octet-stream' };
    return this.#transport.json('POST', `${this.#path}/import${queryOf(query)}`, options, call);
  }

  /** Deletes all data of this user, at once and permanently. */
  erase(options?: CallOptions): Promise<void> {
    return this.#transport.json('DELETE', this.#path, options);
  }
}

/** Daily goals. */
class UserGoals {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, userPath: string) {
    this.#transport = transport;
    this.#path = `${userPath}/goals`;
  }

  /** The goals of a day, by default those with the latest first day; with `history` also all others. */
  get(query: GoalsQuery = {}, options?: CallOptions): Promise<GoalsWithHistory> {
    return this.#transport.json('GET', this.#path + queryOf(query), options);
  }

  /** Sets the goals from a day on. They replace all goals of that day; `change` keeps the others. */
  set(goals: GoalsInput, options?: ChangeOptions): Promise<Goals> {
    return this.#transport.json('PUT', this.#path, options, { body: goals });
  }

  /** Changes the given goals from a day on, and keeps the others; null removes a goal. */
  change(goals: GoalsPatch, options?: ChangeOptions): Promise<Goals> {
    return this.#transport.json('PATCH', this.#path, options, { body: goals });
  }

  /** Deletes the goals that begin on `from`, without it those of every day, or with `all` all of them. */
  remove(query: RemovedGoals = {}, options?: ChangeOptions): Promise<void> {
    return this.#transport.json('DELETE', this.#path + queryOf(query), options);
  }
}

/** Foods that the user ate. */
class EatenFoods {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, userPath: string) {
    this.#transport = transport;
    this.#path = `${userPath}/foods`;
  }

  recent(query: RecentFoodsQuery = {}, options?: CallOptions): List<EatenFood> {
    return new List(this.#transport, { path: `${this.#path}/recent`, options }, query);
  }

  frequent(query: FrequentFoodsQuery = {}, options?: CallOptions): List<EatenFood> {
    return new List(this.#transport, { path: `${this.#path}/frequent`, options }, query);
  }
}

export type { EatenFoods, UserGoals };
