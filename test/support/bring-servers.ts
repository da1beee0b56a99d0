import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackages } from './debian-packages.ts';

const POSTGRES_FOLDER = '/usr/lib/postgresql';
/** Folders that are often not in PATH. */
const SERVER_PROGRAMS = '/usr/sbin';

interface Needed {
  readonly name: string;
  /** Programs that prove its presence; one is enough. */
  readonly programs: readonly string[];
  /** Debian's packages by preference; one is enough. */
  readonly packages: readonly string[];
}

/** Servers that tests start. */
const SERVERS: readonly Needed[] = [
  { name: 'PostgreSQL', programs: ['initdb'], packages: ['postgresql'] },
  { name: 'Redis', programs: ['redis-server'], packages: ['redis-server'] },
  { name: 'pgbouncer', programs: ['pgbouncer'], packages: ['pgbouncer'] },
  { name: 'OpenSSL', programs: ['openssl'], packages: ['openssl'] },
  { name: 'nginx', programs: ['nginx'], packages: ['nginx-light'] },
  { name: 'Caddy', programs: ['caddy'], packages: ['caddy'] },
];

/** Runs once before all tests: installs missing servers if allowed, otherwise prints what is not tested. */
export function setup(): void {
  bring(SERVERS);
}

/** Before the tests run side by side: Debian's packages are installed by one process at a time. */
export function bring(all: readonly Needed[]): void {
  for (const { name, programs, packages } of all) {
    if (programs.some((program) => findServer(program) !== undefined)) continue;
    let reason: string | undefined;
    for (const each of packages) {
      reason = installDebianPackages([each]);
      if (reason === undefined) break;
    }
    if (reason !== undefined) process.stderr.write(`${name} is missing: ${reason}; its tests skip.\n`);
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
