import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

/** A statement as sent to PostgreSQL. */
export interface SentStatement {
  /** The method that sent it: `scans.claim`. */
  readonly by: string;
  /** Name of a prepared statement. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

type Query = (this: pg.Client, query: string | pg.QueryConfig, ...rest: unknown[]) => unknown;

/** Records what the methods of the given stores send to PostgreSQL, over any connection. */
export async function recordStatements<Stores extends object>(
  stores: Stores,
  whatSends: (stores: Stores) => Promise<void>,
): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const sender = new AsyncLocalStorage<string>();
  const client = pg.Client.prototype as unknown as { query: Query };
  const { query } = client;
  client.query = function (config, ...rest) {
    const by = sender.getStore();
    // Periodic reads of the clock belong to no method.
    if (by === undefined) return query.call(this, config, ...rest);
    if (typeof config === 'string') {
      sent.push({ by, text: config, values: Array.isArray(rest[0]) ? rest[0] : [] });
    } else {
      const { name, text, values = [] } = config;
      sent.push({ by, text, values, ...(name !== undefined && { name }) });
    }
    return query.call(this, config, ...rest);
  };
  try {
    await whatSends(named(stores, (port, method, call) => sender.run(`${port}.${method}`, call)));
  } finally {
    client.query = query;
  }
  return sent;
}

/** A store that is part of another one. */
function isStore(value: unknown): value is object {
  return typeof value === 'object' && value !== null && value.constructor.name.endsWith('Store');
}

/** Returns the stores with each call recorded by name. */
function named<Stores extends object>(
  stores: Stores,
  around: (port: string, method: string, call: () => unknown) => unknown,
): Stores {
  const methodsOf = (port: string, store: object): object =>
    new Proxy(store, {
      get: (_, method) => {
        const value: unknown = Reflect.get(store, method);
        if (isStore(value)) return methodsOf(`${port}.${String(method)}`, value);
        if (typeof value !== 'function') return value;
        // `of` returns the part of a store for one kind.
        if (method === 'of')
          return (...given: unknown[]) => methodsOf(port, Reflect.apply(value, store, given) as object);
        return (...given: unknown[]) =>
          around(port, String(method), () => Reflect.apply(value, store, given));
      },
    });
  return new Proxy(stores, {
    get: (_, port) => methodsOf(String(port), Reflect.get(stores, port) as object),
  });
}
