import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { ItemList, SearchEngine } from './search-engine.ts';

/** If fewer hits than this have all words, hits with any of the words are added. */
const ENOUGH = 10;

/** SQLite FTS5 as its documentation suggests: accents removed, prefix indexes, names weighted above brands. */
export class Fts5Engine implements SearchEngine {
  readonly name = 'SQLite FTS5';
  readonly #folder = mkdtempSync(join(tmpdir(), 'larder-bench-fts5-'));
  readonly #file = join(this.#folder, 'items.db');
  readonly #database = new Database(this.#file);
  #search: Database.Statement<[string, number], { rowid: number }> | undefined;

  build(items: ItemList): void {
    const database = this.#database;
    database.pragma('journal_mode = off');
    database.pragma('synchronous = off');
    database.exec(
      `create virtual table items using fts5(name, brand, aliases, content='',
         tokenize='unicode61 remove_diacritics 2', prefix='1 2 3')`,
    );
    const insert = database.prepare('insert into items(rowid, name, brand, aliases) values (?, ?, ?, ?)');
    const insertAll = database.transaction(() => {
      for (let position = 0; position < items.count; position++) {
        const { name, brand = '', aliases = [] } = items.at(position);
        insert.run(position + 1, name, brand, aliases.join('\n'));
      }
    });
    insertAll();
    database.exec(`insert into items(items) values ('optimize')`);
    this.#search = database.prepare(
      'select rowid from items where items match ? order by bm25(items, 10, 2, 5) limit ?',
    );
  }

  search(query: string, limit: number): readonly number[] {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length === 0) return [];
    const terms = words.map((word, index) => `"${word}"${index === words.length - 1 ? '*' : ''}`);
    const all = this.#run(terms.join(' '), limit);
    if (all.length >= ENOUGH || terms.length === 1) return all;
    return [...new Set([...all, ...this.#run(terms.join(' OR '), limit)])].slice(0, limit);
  }

  sizeBytes(): number {
    return statSync(this.#file).size;
  }

  close(): void {
    this.#database.close();
    rmSync(this.#folder, { recursive: true });
  }

  #run(match: string, limit: number): number[] {
    return this.#search!.all(match, limit).map((row) => row.rowid - 1);
  }
}
