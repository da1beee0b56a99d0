import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import type { MealType } from 'larder-client';
import type { Kind, Value, Write } from './queue/writes.ts';

/** What was copied before the fields of the API had their names of today is read anew. */
const VERSION = 3;
/** Safari closes the connection of a page in the background, and says so by these names. */
const CONNECTION_LOST = ['InvalidStateError', 'UnknownError'];

export interface Thing {
  readonly kind: Kind;
  readonly id: string;
  readonly value: Value;
}

/** A text that is to be read as foods when the service can be reached. */
export interface KeptText {
  readonly id: string;
  readonly date: string;
  readonly mealType: MealType;
  readonly text: string;
}

export interface Tables extends DBSchema {
  /** What the feed of changes told. */
  things: { key: [Kind, string]; value: Thing; indexes: { date: string; kind: Kind } };
  writes: { key: number; value: Omit<Write, 'seq'> & { seq?: number } };
  texts: { key: string; value: KeptText };
  /** Single values: the cursor of the feed, and lists that the service computes. */
  notes: { key: string; value: unknown };
}

export type TableName = 'things' | 'writes' | 'texts' | 'notes';

/** The database of one person on this device. Its connection is opened again when the browser has closed it. */
export class Database {
  readonly #name: string;
  #opening: Promise<IDBPDatabase<Tables>> | undefined;

  constructor(personId: string) {
    this.#name = `larder-${personId}`;
  }

  /** Runs one transaction's work; once more if the connection was lost. The work may run twice. */
  async run<T>(work: (database: IDBPDatabase<Tables>) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#open());
    } catch (error) {
      if (!CONNECTION_LOST.includes((error as Error).name)) throw error;
      this.close();
      return work(await this.#open());
    }
  }

  close(): void {
    this.#opening?.then(
      (database) => database.close(),
      () => {},
    );
    this.#opening = undefined;
  }

  async delete(): Promise<void> {
    this.close();
    await deleteDB(this.#name);
  }

  async #open(): Promise<IDBPDatabase<Tables>> {
    this.#opening ??= openDB<Tables>(this.#name, VERSION, {
      upgrade(database, before, _to, transaction) {
        if (before > 0) {
          void transaction.objectStore('things').clear();
          void transaction.objectStore('notes').clear();
          return;
        }
        const things = database.createObjectStore('things', { keyPath: ['kind', 'id'] });
        things.createIndex('date', 'value.date');
        things.createIndex('kind', 'kind');
        database.createObjectStore('writes', { keyPath: 'seq', autoIncrement: true });
        database.createObjectStore('texts', { keyPath: 'id' });
        database.createObjectStore('notes');
      },
      blocking: () => this.close(),
      terminated: () => {
        this.#opening = undefined;
      },
    });
    try {
      return await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }
}
