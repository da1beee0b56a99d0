import type {
  ListRecipesData,
  Recipe,
  RecipeInput,
  RecipeJsonLd,
  RecipePatch,
} from '../generated/types.gen.ts';
import { List } from '../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../http/options.ts';
import { path } from '../http/path.ts';
import type { Transport } from '../http/transport.ts';
import { readVersioned } from '../http/version.ts';

export type RecipeListQuery = NonNullable<ListRecipesData['query']>;

/** The recipes of a user. */
export class Recipes {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, userPath: string) {
    this.#transport = transport;
    this.#path = `${userPath}/recipes`;
  }

  /** Adds a recipe, or one in the form of schema.org (with `@type`) that web pages have. */
  add(recipe: RecipeInput | RecipeJsonLd, options?: CreateOptions): Promise<Recipe> {
    const type = '@type' in recipe ? 'application/ld+json' : undefined;
    const call = { method: 'POST', path: this.#path, body: recipe, type, options } as const;
    return this.#transport.send(call, readVersioned<Recipe>);
  }

  list(query: RecipeListQuery = {}, options?: CallOptions): List<Recipe> {
    return new List(this.#transport, { path: this.#path, options }, query);
  }

  get(id: string, options?: CallOptions): Promise<Recipe> {
    return this.#transport.send({ path: this.#at(id), options }, readVersioned<Recipe>);
  }

  /** Changes the given fields of a recipe. */
  change(id: string, patch: RecipePatch, options?: ChangeOptions): Promise<Recipe> {
    const call = { method: 'PATCH', path: this.#at(id), body: patch, options } as const;
    return this.#transport.send(call, readVersioned<Recipe>);
  }

  remove(id: string, options?: ChangeOptions): Promise<void> {
    return this.#transport.json({ method: 'DELETE', path: this.#at(id), options });
  }

  #at(id: string): string {
    return this.#path + path`/${id}`;
  }
}
