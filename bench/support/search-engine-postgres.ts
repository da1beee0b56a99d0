import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { ItemList, SearchEngine } from './search-engine.ts';

const PROGRAMS = process.env['POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin';
const PORT = 54_329;
const ROWS_PER_INSERT = 2_000;
const ENOUGH = 10;

/**
 * PostgreSQL on a temporary server, as its users commonly search: full text first (`simple`, last word as a
 * prefix, ranked), then trigram similarity if that finds too little.
 */
export class PostgresEngine implements SearchEngine {
  readonly name = 'PostgreSQL';
  readonly #folder = mkdtempSync(join(tmpdir(), 'larder-bench-postgres-'));
  #client: Client | undefined;

  static isInstalled(): boolean {
    return existsSync(join(PROGRAMS, 'initdb'));
  }

  async build(items: ItemList): Promise<void> {
    this.#start();
    this.#client = new Client({ host: '127.0.0.1', port: PORT, user: 'postgres', database: 'postgres' });
    const client = this.#client;
    await client.connect();
    await client.query('create extension pg_trgm; create extension unaccent');
    await client.query('create unlogged table items (id int, name text, words tsvector)');
    for (let from = 0; from < items.count; from += ROWS_PER_INSERT) {
      await this.#insert(items, from, Math.min(items.count, from + ROWS_PER_INSERT));
    }
    await client.query(`set maintenance_work_mem = '512MB'`);
    await client.query('create index on items using gin (words)');
    await client.query('create index on items using gin (name gin_trgm_ops)');
    await client.query('alter table items add primary key (id); analyze items');
    await client.query(`set statement_timeout = '10s'`);
  }

  async search(query: string, limit: number): Promise<readonly number[]> {
    const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length === 0) return [];
    const all = words.map((word, index) => `${word}${index === words.length - 1 ? ':*' : ''}`).join(' & ');
    const found = await this.#ids(
      `select id from items where words @@ to_tsquery('simple', unaccent($1))
       order by ts_rank(words, to_tsquery('simple', unaccent($1)), 1) desc, id limit $2`,
      all,
      limit,
    );
    if (found.length >= ENOUGH) return found;
    const similar = await this.#ids(
      'select id from items where name % unaccent(lower($1)) order by similarity(name, unaccent(lower($1))) desc, id limit $2',
      query,
      limit,
    );
    return [...new Set([...found, ...similar])].slice(0, limit);
  }

  async sizeBytes(): Promise<number> {
    const result = await this.#client!.query(`select pg_total_relation_size('items') as bytes`);
    return Number(result.rows[0].bytes);
  }

  async close(): Promise<void> {
    await this.#client?.end();
    this.#control('-m', 'immediate', 'stop');
    rmSync(this.#folder, { recursive: true });
  }

  async #insert(items: ItemList, from: number, to: number): Promise<void> {
    const rows = Array.from({ length: to - from }, (_, index) => {
      const { name, brand = '', aliases = [] } = items.at(from + index);
      return { id: from + index, name, rest: [brand, ...aliases].join(' ') };
    });
    await this.#client!.query(
      `insert into items select (row->>'id')::int, unaccent(lower(row->>'name')),
         setweight(to_tsvector('simple', unaccent(row->>'name')), 'A') ||
         setweight(to_tsvector('simple', unaccent(row->>'rest')), 'C')
       from json_array_elements($1::json) as row`,
      [JSON.stringify(rows).replaceAll('\\u0000', '')],
    );
  }

  /** A query that exceeds the time limit counts as without results. */
  async #ids(sql: string, query: string, limit: number): Promise<number[]> {
    try {
      const result = await this.#client!.query({ name: sql.slice(0, 60), text: sql, values: [query, limit] });
      return result.rows.map((row: { id: number }) => row.id);
    } catch (error) {
      if ((error as { code?: string }).code === '57014') return [];
      throw error;
    }
  }

  #start(): void {
    const uid = Number(execFileSync('id', ['-u', 'postgres']));
    chownSync(this.#folder, uid, uid);
    this.#asPostgres(
      join(PROGRAMS, 'initdb'),
      '-D',
      join(this.#folder, 'data'),
      '--no-sync',
      '-A',
      'trust',
      '-E',
      'UTF8',
    );
    const settings = `-p ${PORT} -h 127.0.0.1 -k ${this.#folder} -c fsync=off -c shared_buffers=1GB -c jit=off`;
    this.#control('-o', settings, '-l', join(this.#folder, 'log'), 'start');
  }

  #control(...action: string[]): void {
    this.#asPostgres(join(PROGRAMS, 'pg_ctl'), '-D', join(this.#folder, 'data'), '-w', '-t', '60', ...action);
  }

  /** The server refuses to run as root. */
  #asPostgres(program: string, ...rest: string[]): void {
    const options = {
      stdio: 'ignore',
      cwd: this.#folder,
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    } as const;
    if (process.getuid?.() !== 0) execFileSync(program, rest, options);
    else
      execFileSync(
        'setpriv',
        ['--reuid=postgres', '--regid=postgres', '--clear-groups', program, ...rest],
        options,
      );
  }
}
