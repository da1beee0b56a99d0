import { OperatorError } from '@larder/core/errors.ts';
import Sqlite from 'better-sqlite3';

/** Reads all pages of a database that may be in use. Returns what is wrong with it, or undefined. */
export function findDamage(file: string): string | undefined {
  let sqlite: Sqlite.Database | undefined;
  try {
    sqlite = new Sqlite(file, { readonly: true });
    const verdict = String(sqlite.pragma('quick_check(1)', { simple: true }));
    return verdict === 'ok' ? undefined : verdict.replace(/\s+/g, ' ');
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return message;
    throw new OperatorError(`The database could not be checked: ${message}.`, { cause });
  } finally {
    sqlite?.close();
  }
}
