import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackages } from './debian-packages.ts';

const POSTGRES_FOLDER = '/usr/lib/postgresql';
/** Folders that are often not in PATH. */
const SERVER_PROGRAMS = '/usr/sbin';

/** Servers that tests start, by the program that proves their presence. */
const SERVERS = [
  { name: 'PostgreSQL', program: 'initdb', package: 'postgresql' },
  { name: 'Redis', program: 'redis-server', package: 'redis-server' },
  { name: 'pgbouncer', program: 'pgbouncer', package: 'pgbouncer' },
  { name: 'OpenSSL', program: 'openssl', package: 'openssl' },
  { name: 'nginx', program: 'nginx', package: 'nginx-light' },
  { name: 'Caddy', program: 'caddy', package: 'caddy' },
];

/** Runs once before all tests: installs missing servers if allowed, otherwise prints what is not tested. */
export function setup(): void {
  for (const server of SERVERS) {
    if (findServer(server.program) !== undefined) continue;
    const reason = installDebianPackages([server.package]);
    if (reason !== undefined) process.stderr.write(`${server.name} is missing: ${reason}; its tests skip.\n`);
  }
}

/** The path of a program; undefined if it is not installed. */
export function findServer(program: string): string | undefined {
  const debian = existsSync(POSTGRES_FOLDER)
    ? readdirSync(POSTGRES_FOLDER).map((version) => join(POSTGRES_FOLDER, version, 'bin'))
    : [];
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), SERVER_PROGRAMS, ...debian];
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file));
}
