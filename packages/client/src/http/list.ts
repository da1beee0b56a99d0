import { queryOf } from './path.ts';
import { readJson } from './response.ts';
import type { Call, Transport } from './transport.ts';

interface Page<T> {
  readonly items: T[];
  /** The parameters of the next page. */
  readonly next: URLSearchParams | undefined;
}

/**
 * A list of the service. `await` returns one page, for the given parameters. `for await` yields the elements
 * of all pages and requests each page when it is needed.
 */
export class List<T> implements Promise<T[]>, AsyncIterable<T> {
  readonly [Symbol.toStringTag] = 'List';
  readonly #transport: Transport;
  readonly #call: Call;
  readonly #query: object;
  readonly #paging: object;
  #first: Promise<T[]> | undefined;

  /** `paging` are parameters that request the address of the next page. */
  constructor(transport: Transport, call: Call, query: object, paging: object = {}) {
    this.#transport = transport;
    this.#call = call;
    this.#query = query;
    this.#paging = paging;
  }

  /** The pages, as long as there are more. */
  async *pages(): AsyncGenerator<T[], void> {
    let query: object | undefined = { ...this.#paging, ...this.#query };
    while (query !== undefined) {
      const { items, next }: Page<T> = await this.#read(query);
      yield items;
      query = next === undefined ? undefined : { ...query, ...Object.fromEntries(next) };
    }
  }

  /** The elements of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for await (const page of this.pages()) yield* page;
  }

  /** The elements of all pages in one array. */
  async all(): Promise<T[]> {
    const all: T[] = [];
    for await (const page of this.pages()) all.push(...page);
    return all;
  }

  // biome-ignore lint/suspicious/noThenProperty: a list can be awaited.
  then: Promise<T[]>['then'] = (onFulfilled, onRejected) => {
    this.#first ??= this.#read(this.#query).then(({ items }) => items);
    return this.#first.then(onFulfilled, onRejected);
  };

  catch: Promise<T[]>['catch'] = (onRejected) => this.then(undefined, onRejected);

  finally: Promise<T[]>['finally'] = (onFinally) => this.then().finally(onFinally);

  #read(query: object): Promise<Page<T>> {
    const call = { ...this.#call, path: this.#call.path + queryOf(query) };
    return this.#transport.send(call, async (response) => ({
      items: (await readJson(response)) as T[],
      next: nextOf(response.headers.get('link')),
    }));
  }
}

/** Only the parameters of the Link header count: a proxy may serve the API under another path. */
function nextOf(link: string | null): URLSearchParams | undefined {
  const query = /<[^>?]*\?([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1];
  return query === undefined ? undefined : new URLSearchParams(query);
}
