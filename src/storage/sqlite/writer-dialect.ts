import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqlDatabase, Tables } from '../sql-database.ts';
import { toSql } from './database.ts';
import type { DiaryWriteClient } from './writer-client.ts';

/**
 * A database whose statements are all carried out by the one writer, grouped with others, so that an API thread need not
 * wait for a disk. There are no transactions beyond single statements.
 */
export function toSqlThroughWriter(writer: Pick<DiaryWriteClient, 'execute'>): SqlDatabase {
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new WriterDriver({ writer }),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  return toSql(db);
}

class WriterDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor({ writer }: { writer: Pick<DiaryWriteClient, 'execute'> }) {
    this.#connection = {
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        const { rows, changes } = await writer.execute(sql, parameters);
        return { rows: rows as R[], numAffectedRows: BigInt(changes) };
      },
      streamQuery: noTransactions,
    };
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async init(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}

  beginTransaction = noTransactions;
  commitTransaction = noTransactions;
  rollbackTransaction = noTransactions;
}

function noTransactions(): never {
  throw new Error('what goes through the writer is single statements');
}
