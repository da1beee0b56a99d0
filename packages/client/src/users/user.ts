import type {
  ChangesPage,
  ImportResult,
  ImportUserData,
  Recipe,
  RecipeInput,
  RecipeJsonLd,
} from '../generated/types.gen.ts';
import type { CallOptions, CreateOptions } from '../http/options.ts';
import { queryOf } from '../http/path.ts';
import type { Image, Transport } from '../http/transport.ts';
import {
  Days,
  EatenFoods,
  Favourites,
  Measurements,
  RecipesMethods,
  SavedMeals,
  Settings,
  UserGoals,
  UserMethods,
} from '../methods/methods.gen.ts';
import { type FollowChanges, followChanges } from './changes.ts';
import { Diary } from './diary.ts';

export type ImportQuery = NonNullable<ImportUserData['query']>;

/** The recipes of a user. */
export class Recipes extends RecipesMethods {
  /** Adds a recipe, or one in the form of schema.org (with `@type`) that web pages have. */
  add(recipe: RecipeInput | RecipeJsonLd, options?: CreateOptions): Promise<Recipe> {
    const type = '@type' in recipe ? 'application/ld+json' : undefined;
    return this.transport.json({ method: 'POST', path: this.path, body: recipe, type, options });
  }
}

/** One user of your app. */
export class User extends UserMethods {
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

  constructor(transport: Transport, id: string) {
    super(transport, id);
    this.id = id;
    this.diary = new Diary(transport, id);
    this.recipes = new Recipes(transport, id);
    this.goals = new UserGoals(transport, id);
    this.measurements = new Measurements(transport, id);
    this.days = new Days(transport, id);
    this.meals = new SavedMeals(transport, id);
    this.favourites = new Favourites(transport, id);
    this.settings = new Settings(transport, id);
    this.foods = new EatenFoods(transport, id);
  }

  /**
   * Yields changes page by page until the caller stops: first all existing objects, or the changes after a
   * cursor, then each change when it happens. While the service cannot be reached it waits. Store each page
   * together with its `cursor`. After `cursor_expired` delete what you stored and begin again without `after`.
   */
  changes(options: FollowChanges = {}): AsyncGenerator<ChangesPage, void> {
    return followChanges(this.transport, this.path, options);
  }

  /**
   * Writes the new objects of an export, or of the CSV of another app. With `preview` it writes nothing and
   * reports what it would write.
   */
  import(file: Image, query: ImportQuery = {}, options?: CallOptions): Promise<ImportResult> {
    const path = `${this.path}/import${queryOf(query)}`;
    return this.transport.json({
      method: 'POST',
      path,
      bytes: file,
      type: 'application/octet-stream',
      options,
    });
  }
}
