import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { asPostgres, onServer } from './postgres-server.ts';

/** The path of the program; undefined if it is not installed. Debian keeps it outside most users' PATH. */
export function findPgbouncer(): string | undefined {
  return [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
    .map((folder) => join(folder, 'pgbouncer'))
    .find((file) => existsSync(file));
}

export interface Pgbouncer {
  /** The folder of its socket. */
  readonly folder: string;
  /** The address of the same database through pgbouncer. */
  through(databaseUrl: string): string;
  /** Closes every connection. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** Fewer connections than one node opens, so that sessions are always shared. */
const SERVER_CONNECTIONS = 2;

/** pgbouncer in transaction mode in front of the PostgreSQL whose socket is in this folder; ready when this resolves. */
export async function startPgbouncer(
  postgres: string,
  { serverConnections = SERVER_CONNECTIONS } = {},
): Promise<Pgbouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-pgbouncer-'));
  chmodSync(folder, 0o777);
  const users = join(folder, 'users.txt');
  writeFileSync(users, '"postgres" ""\n');
  const file = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${postgres}`,
    '[pgbouncer]',
    'pool_mode = transaction',
    // Only a socket, named like PostgreSQL's.
    'listen_addr =',
    'listen_port = 5432',
    `unix_socket_dir = ${folder}`,
    'auth_type = trust',
    `auth_file = ${users}`,
    'max_client_conn = 1000',
    `default_pool_size = ${serverConnections}`,
    'server_login_retry = 1',
    // Closes connections of databases whose tests are over.
    'server_idle_timeout = 5',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  let child = await run(file);
  return {
    folder,
    through: (databaseUrl) => onServer(databaseUrl, folder),
    halt: () => end(child),
    async resume() {
      child = await run(file);
    },
    async close() {
      await end(child);
      rmSync(folder, { recursive: true });
    },
  };
}

async function run(file: string): Promise<ChildProcess> {
  const [command, ...words] = asPostgres(findPgbouncer()!, file);
  const child = spawn(command, words, { cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      said.push(line);
      if (line.includes('process up')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`pgbouncer ended with ${code}: ${said.join('\n')}`)));
  });
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
