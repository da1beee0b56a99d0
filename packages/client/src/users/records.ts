import type {
  DiaryDay,
  DiaryDayInput,
  DiaryDayPatch,
  DiaryEntry,
  Favourite,
  FavouriteInput,
  FavouritePatch,
  ListDiaryDaysData,
  ListFavouritesData,
  ListSavedMealsData,
  SavedMeal,
  SavedMealInput,
  SavedMealLog,
  SavedMealPatch,
  UserSettings,
  UserSettingsInput,
  UserSettingsPatch,
} from '../generated/types.gen.ts';
import { List } from '../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../http/options.ts';
import { path } from '../http/path.ts';
import type { Transport } from '../http/transport.ts';

export type DayListQuery = NonNullable<ListDiaryDaysData['query']>;
export type SavedMealListQuery = NonNullable<ListSavedMealsData['query']>;
export type FavouriteListQuery = NonNullable<ListFavouritesData['query']>;

/** Records with ids that the client may choose. */
class Records<Value, Input, Patch, Query extends object> {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, collection: string) {
    this.#transport = transport;
    this.#path = collection;
  }

  add(input: Input, options?: CreateOptions): Promise<Value> {
    return this.#transport.json('POST', this.#path, options, { body: input });
  }

  /** Lists the records in the order of their ids. */
  list(query?: Query, options?: CallOptions): List<Value> {
    return new List(this.#transport, { path: this.#path, options }, query ?? {});
  }

  get(id: string, options?: CallOptions): Promise<Value> {
    return this.#transport.json('GET', this.#path + path`/${id}`, options);
  }

  /** Changes the given fields; null removes one. */
  change(id: string, patch: Patch, options?: ChangeOptions): Promise<Value> {
    return this.#transport.json('PATCH', this.#path + path`/${id}`, options, { body: patch });
  }

  remove(id: string, options?: ChangeOptions): Promise<void> {
    return this.#transport.json('DELETE', this.#path + path`/${id}`, options);
  }
}

/** A food, a recipe or a saved meal that is offered first. */
export class Favourites extends Records<Favourite, FavouriteInput, FavouritePatch, FavouriteListQuery> {
  constructor(transport: Transport, userPath: string) {
    super(transport, `${userPath}/favourites`);
  }
}

/** Foods that are logged together. */
export class SavedMeals extends Records<SavedMeal, SavedMealInput, SavedMealPatch, SavedMealListQuery> {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, userPath: string) {
    super(transport, `${userPath}/meals`);
    this.#transport = transport;
    this.#path = `${userPath}/meals`;
  }

  /** Writes an entry for each item, all or none. */
  log(id: string, place: SavedMealLog, options?: CreateOptions): Promise<DiaryEntry[]> {
    return this.#transport.json('POST', this.#path + path`/${id}/log`, options, { body: place });
  }
}

/** Notes on days, and whether they are complete. Each day is there; version 0 is one that nobody has written. */
export class Days {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, userPath: string) {
    this.#transport = transport;
    this.#path = `${userPath}/diary/days`;
  }

  /** Lists the days that have a note or are complete, oldest first. */
  list(query: DayListQuery = {}, options?: CallOptions): List<DiaryDay> {
    return new List(this.#transport, { path: this.#path, options }, query);
  }

  get(date: string, options?: CallOptions): Promise<DiaryDay> {
    return this.#transport.json('GET', this.#path + path`/${date}`, options);
  }

  /** Replaces what was noted. */
  set(date: string, day: DiaryDayInput, options?: ChangeOptions): Promise<DiaryDay> {
    return this.#transport.json('PUT', this.#path + path`/${date}`, options, { body: day });
  }

  /** Changes the given fields; null removes one. */
  change(date: string, patch: DiaryDayPatch, options?: ChangeOptions): Promise<DiaryDay> {
    return this.#transport.json('PATCH', this.#path + path`/${date}`, options, { body: patch });
  }
}

/** The settings of a user, which all devices share; version 0 before the first change. */
export class Settings {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, userPath: string) {
    this.#transport = transport;
    this.#path = `${userPath}/settings`;
  }

  get(options?: CallOptions): Promise<UserSettings> {
    return this.#transport.json('GET', this.#path, options);
  }

  /** Replaces all settings. */
  set(settings: UserSettingsInput, options?: ChangeOptions): Promise<UserSettings> {
    return this.#transport.json('PUT', this.#path, options, { body: settings });
  }

  /** Changes the given settings; null removes one. */
  change(patch: UserSettingsPatch, options?: ChangeOptions): Promise<UserSettings> {
    return this.#transport.json('PATCH', this.#path, options, { body: patch });
  }
}
