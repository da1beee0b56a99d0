import type {
  EatenFood,
  GetGoalsData,
  Goals,
  GoalsInput,
  ListFrequentFoodsData,
  ListRecentFoodsData,
} from '../generated/types.gen.ts';
import { List } from '../http/list.ts';
import type { CallOptions } from '../http/options.ts';
import { path, queryOf } from '../http/path.ts';
import type { Transport } from '../http/transport.ts';
import { Diary } from './diary.ts';
import { Recipes } from './recipes.ts';

export type GoalsQuery = NonNullable<GetGoalsData['query']>;
export type RecentFoodsQuery = NonNullable<ListRecentFoodsData['query']>;
export type FrequentFoodsQuery = NonNullable<ListFrequentFoodsData['query']>;

/** One user of your app. */
export class User {
  readonly id: string;
  readonly diary: Diary;
  readonly recipes: Recipes;
  readonly goals: UserGoals;
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
    this.foods = new EatenFoods(transport, this.#path);
  }

  /** Deletes everything of this user, at once and for good. */
  erase(options?: CallOptions): Promise<void> {
    return this.#transport.json({ method: 'DELETE', path: this.#path, options });
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

  /** The goals of a day, today by default. */
  get(query: GoalsQuery = {}, options?: CallOptions): Promise<Goals> {
    return this.#transport.json({ path: this.#path + queryOf(query), options });
  }

  /** Sets the goals from a day on. */
  set(goals: GoalsInput, options?: CallOptions): Promise<Goals> {
    return this.#transport.json({ method: 'PUT', path: this.#path, body: goals, options });
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
