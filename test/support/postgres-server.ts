import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';

const PROGRAMS = ['initdb', 'pg_ctl', 'pg_basebackup'];

/** The folder of PostgreSQL's programs; undefined if it is not installed. */
export function findPostgres(): string | undefined {
  return [...(process.env['PATH'] ?? '').split(delimiter), ...debianFolders()].find((folder) =>
    PROGRAMS.every((program) => existsSync(join(folder, program))),
  );
}

/** Options for speed; durability does not matter for temporary data. */
const NOT_DURABLE = '-c fsync=off -c full_page_writes=off';

/** Starts a server on a socket in the returned folder. */
export function startPostgres({ isDurable = false } = {}): string {
  const created = mkdtempSync(join(tmpdir(), 'larder-pg-'));
  chmodSync(created, 0o777);
  run('initdb', '-D', join(created, 'data'), '--no-sync', '-A', 'trust', '-E', 'UTF8', '-U', 'postgres');
  resumePostgres(created, { isDurable });
  return created;
}

/** Restarts it after `haltPostgres`. */
export function resumePostgres(folder: string, { isDurable = false } = {}): void {
  run('pg_ctl', ...startWords(folder, isDurable));
}

/** Like a crash; committed data stay. */
export function haltPostgres(folder: string): void {
  run('pg_ctl', ...stopWords(folder, 'immediate'));
}

/**
 * Asynchronous versions, for a process that does other work meanwhile. `fast` is a clean shutdown that
 * disconnects clients.
 */
export const postgresControl = {
  halt: (folder: string, mode: 'fast' | 'immediate') => runBeside('pg_ctl', ...stopWords(folder, mode)),
  resume: (folder: string, { isDurable = false } = {}) =>
    runBeside('pg_ctl', ...startWords(folder, isDurable)),
};

/** Suspends it: connections stay open without responses until it is resumed. */
export function silencePostgres(folder: string): Disposable {
  const [postmaster] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8')
    .split('\n')
    .map(Number);
  const tell = (signal: NodeJS.Signals) => {
    const children = execFileSync('pgrep', ['-P', String(postmaster)], { encoding: 'utf8' });
    for (const pid of [postmaster!, ...children.trim().split('\n').map(Number)]) {
      try {
        process.kill(pid, signal);
      } catch (error) {
        // Its worker processes come and go.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  };
  tell('SIGSTOP');
  return { [Symbol.dispose]: () => tell('SIGCONT') };
}

/** Time limit in seconds; by default `pg_ctl` gives up after a minute. */
const PATIENCE = ['-t', '900'];

function startWords(folder: string, isDurable: boolean): string[] {
  const settings = `-c listen_addresses='' -k ${folder} ${isDurable ? '' : NOT_DURABLE} -c max_connections=300`;
  return [...PATIENCE, '-w', '-D', join(folder, 'data'), '-o', settings, '-l', join(folder, 'log'), 'start'];
}

function stopWords(folder: string, mode: 'fast' | 'immediate'): string[] {
  return [...PATIENCE, '-D', join(folder, 'data'), '-m', mode, 'stop'];
}

/** The address of the same database on another server. */
export function onServer(databaseUrl: string, folder: string): string {
  return databaseUrl.replace(/host=[^&]+/, `host=${encodeURIComponent(folder)}`);
}

/** Deletes its data. */
export function stopPostgres(folder: string): void {
  if (existsSync(join(folder, 'data', 'postmaster.pid'))) haltPostgres(folder);
  rmSync(folder, { recursive: true });
}

/** The address of a new database, empty or like the one of the name `template`. */
export async function createDatabase(folder: string, template = 'template1'): Promise<string> {
  const name = `t${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ host: folder, user: 'postgres', database: 'postgres' });
  await client.connect();
  try {
    await client.query(`create database ${name} template ${template}`);
  } finally {
    await client.end();
  }
  return `postgres://postgres@/${name}?host=${encodeURIComponent(folder)}`;
}

/** PostgreSQL and pgbouncer refuse to run as root, so root switches to the user of their packages. */
export function asPostgres(...words: string[]): [command: string, ...words: string[]] {
  const handOver = ['--reuid=postgres', '--regid=postgres', '--clear-groups'];
  return process.getuid?.() === 0 ? ['setpriv', ...handOver, ...words] : (words as [string]);
}

function run(program: string, ...words: string[]): void {
  const [command, ...rest] = asPostgres(join(findPostgres()!, program), ...words);
  execFileSync(command, rest, { stdio: 'ignore', cwd: tmpdir() });
}

async function runBeside(program: string, ...words: string[]): Promise<void> {
  const [command, ...rest] = asPostgres(join(findPostgres()!, program), ...words);
  const [code] = await once(spawn(command, rest, { stdio: 'ignore', cwd: tmpdir() }), 'exit');
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

function debianFolders(): string[] {
  const root = '/usr/lib/postgresql';
  return existsSync(root) ? readdirSync(root).map((version) => join(root, version, 'bin')) : [];
}
