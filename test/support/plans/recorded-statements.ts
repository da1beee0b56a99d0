import pg from 'pg';

/** A statement as it went to PostgreSQL. */
export interface SentStatement {
  /** Of one that is prepared once and then goes by its name. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

type Query = (this: pg.Client, query: string | pg.QueryConfig, ...rest: unknown[]) => unknown;

/** Every statement that this thread sends to PostgreSQL meanwhile, whoever sends it and over which connection. */
export async function recordStatements(whatSends: () => Promise<void>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const client = pg.Client.prototype as unknown as { query: Query };
  const { query } = client;
  client.query = function (config, ...rest) {
    if (typeof config === 'string') {
      sent.push({ text: config, values: Array.isArray(rest[0]) ? rest[0] : [] });
    } else {
      const { name, text, values = [] } = config;
      sent.push({ text, values, ...(name !== undefined && { name }) });
    }
    return query.call(this, config, ...rest);
  };
  try {
    await whatSends();
  } finally {
    client.query = query;
  }
  return sent;
}
