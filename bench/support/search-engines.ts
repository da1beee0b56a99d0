import type { SearchEngine } from './search-engine.ts';
import { Fts5Engine } from './search-engine-fts5.ts';
import { LarderEngine } from './search-engine-larder.ts';
import { PostgresEngine } from './search-engine-postgres.ts';

/** Larder, and the engines that `--against words,fts5,postgres` names: `words` is Larder without `LARDER_MEANING`. */
export function* chosenEngines(against: string): Generator<SearchEngine> {
  const others = against.split(',').filter((name) => name !== '');
  const unknown = others.find((name) => name !== 'words' && name !== 'fts5' && name !== 'postgres');
  if (unknown !== undefined) throw new Error(`--against knows words, fts5 and postgres, not "${unknown}"`);
  yield new LarderEngine();
  if (others.includes('words')) yield new LarderEngine({ meaning: false });
  if (others.includes('fts5')) yield new Fts5Engine();
  if (!others.includes('postgres')) return;
  if (PostgresEngine.isInstalled()) yield new PostgresEngine();
  else console.log('PostgreSQL: skipped, not installed (POSTGRES_BIN names another folder)');
}
