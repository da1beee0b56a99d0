import { randomBytes } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import Sqlite from 'better-sqlite3';
import { fileError, readError } from '../../files/file-errors.ts';
import { makeFolderSync } from '../../files/make-folder.ts';
import { ProcessLock } from '../../files/process-lock.ts';
import { BEGIN_EPOCH } from '../schema/tables.ts';
import { openDatabase } from './database.ts';

const OWNER_ONLY = 0o600;
const BUSY_TIMEOUT_MS = 5_000;

export interface DatabaseCopy {
  /** The database of the service. */
  readonly file: string;
  /** The backup. */
  readonly backup: string;
}

/**
 * Copies one state of the database while it is in use, without blocking writers. The file appears under its
 * name after it is complete, checked and on disk. Throws an `OperatorError` if that is impossible.
 */
export async function backUpDatabase({ file, backup }: DatabaseCopy): Promise<void> {
  if (!existsSync(file)) throw new OperatorError(`There is no database at ${file}; check LARDER_DATA_DIR.`);
  requireUnused(backup);
  // A unique name, so that two concurrent backups do not write to the same file.
  const partial = `${backup}.${randomBytes(4).toString('hex')}.partial`;
  const sqlite = openForReading(file);
  try {
    beginAnew(partial);
    // Unlike a copy of pages, the new file has no free space with traces of deleted rows.
    sqlite.prepare('vacuum into ?').run(partial);
    check(partial);
    requireUnused(backup);
    settle(partial, backup);
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    const error = fileError(`Cannot write ${backup}`, cause);
    if (error !== cause) throw error;
    throw new OperatorError(`The backup could not be written to ${backup}: ${messageOf(cause)}.`, { cause });
  } finally {
    sqlite.close();
    removeDatabase(partial);
  }
}

function requireUnused(backup: string): void {
  if (existsSync(backup)) throw new OperatorError(`${backup} exists already; choose another name.`);
}

function openForReading(file: string): Sqlite.Database {
  try {
    return new Sqlite(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  } catch (cause) {
    throw new OperatorError(
      `Cannot read the database ${file}: ${messageOf(cause)}. Check its owner and permissions.`,
      { cause },
    );
  }
}

/**
 * Replaces the database, even a damaged one, by a backup and keeps it beside it under another name. Returns
 * that name, or undefined without an old database. Throws while any process has the database open.
 */
export async function restoreDatabase({ file, backup }: DatabaseCopy): Promise<string | undefined> {
  requireFile(backup);
  const partial = `${file}.restoring`;
  makeFolderSync(dirname(file));
  // A service holds this lock too; the lock of SQLite does not work on a severely damaged database.
  const lock = ProcessLock.acquire({
    file: `${file}.lock`,
    refusal: (holder) => `${file} is in use${holder}; stop the service first.`,
  });
  let unlock: (() => void) | undefined;
  try {
    const isThere = existsSync(file);
    if (isThere) unlock = lockAlone(file);
    beginAnew(partial);
    copyFileSync(backup, partial);
    check(partial);
    // Migrates an older backup; rejects one of a newer version.
    await (await openDatabase({ file: partial })).close();
    beginEpoch(partial);
    const replaced = isThere ? unusedName(`${file}.replaced`) : undefined;
    // A link instead of a rename, so that a database exists at every moment.
    if (replaced !== undefined) linkSync(file, replaced);
    if (replaced !== undefined && unlock === undefined) setLogAside(file, replaced);
    settle(partial, file);
    return replaced;
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    throw new OperatorError(`${backup} could not be restored: ${messageOf(cause)}. Nothing was changed.`, {
      cause,
    });
  } finally {
    unlock?.();
    removeDatabase(partial);
    lock.release();
  }
}

/**
 * Leaves WAL mode, which merges the log into the file and only works while no other process has it open.
 * Undefined if the file is too damaged.
 */
function lockAlone(file: string): (() => void) | undefined {
  const sqlite = new Sqlite(file, { timeout: 0 });
  try {
    if (sqlite.pragma('journal_mode = DELETE', { simple: true }) !== 'delete') throw inUse(file);
    sqlite.exec('begin exclusive');
    return () => sqlite.close();
  } catch (cause) {
    sqlite.close();
    const { code = '' } = cause as { code?: string };
    if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) return undefined;
    throw code.startsWith('SQLITE_BUSY') ? inUse(file, cause) : cause;
  }
}

function inUse(file: string, cause?: unknown): OperatorError {
  return new OperatorError(`${file} is in use; stop the service first.`, { cause });
}

/** The log moves with the damaged database, so that it is not applied to the next one. */
function setLogAside(file: string, name: string): void {
  for (const ending of ['-wal', '-journal'])
    if (existsSync(file + ending)) renameSync(file + ending, name + ending);
  rmSync(`${file}-shm`, { force: true });
}

function check(file: string): void {
  const sqlite = new Sqlite(file, { fileMustExist: true });
  try {
    const verdict = sqlite.pragma('quick_check(1)', { simple: true });
    if (verdict !== 'ok') throw new Error(`it is damaged (${String(verdict)})`);
    const tables = sqlite.prepare("select 1 from sqlite_master where name = 'diary_entries'").all();
    if (tables.length === 0) throw new Error('it is not a database of Larder');
  } finally {
    sqlite.close();
  }
}

/** The restored database assigns log numbers again that clients have seen, so older cursors must become invalid. */
function beginEpoch(file: string): void {
  const sqlite = new Sqlite(file, { fileMustExist: true });
  try {
    sqlite.exec(`begin; delete from feed_epochs; ${BEGIN_EPOCH.sqlite}; commit`);
  } finally {
    sqlite.close();
  }
}

/** Creates the file readable by its owner only, because SQLite would make it readable by everybody. */
function beginAnew(partial: string): void {
  removeDatabase(partial);
  closeSync(openSync(partial, 'wx', OWNER_ONLY));
}

/** Syncs the file, renames it, then syncs the folder. */
function settle(partial: string, file: string): void {
  sync(partial);
  renameSync(partial, file);
  sync(dirname(file));
}

/** Throws an `OperatorError` unless the file can be read. */
function requireFile(path: string): void {
  let handle: number | undefined;
  try {
    handle = openSync(path, 'r');
    readSync(handle, Buffer.alloc(1));
  } catch (error) {
    throw readError(path, error);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function removeDatabase(file: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(file + ending, { force: true });
}

function unusedName(name: string): string {
  let unused = name;
  for (let number = 2; existsSync(unused); number++) unused = `${name}-${number}`;
  return unused;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
