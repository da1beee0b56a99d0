import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackages } from './debian-packages.ts';

const POSTGRES_FOLDER = '/usr/lib/postgresql';
/** Not on everybody's path. */
const SERVER_PROGRAMS = '/usr/sbin';

/** Servers that tests start for themselves, by the program that shows them to be there. */
const SERVERS = [
  { name: 'PostgreSQL', program: 'initdb', package: 'postgresql' },
  { name: 'Redis', program: 'redis-server', package: 'redis-server' },
  { name: 'pgbouncer', program: 'pgbouncer', package: 'pgbouncer' },
];

/** Runs once before all tests: installs what is missing where it may, else says aloud what will not be tested. */
export function setup(): void {
  for (const server of SERVERS) {
    if (isInstalled(server.program)) continue;
    const reason = installDebianPackages([server.package]);
    if (reason !== undefined) process.stderr.write(`${server.name} is missing: ${reason}; its tests skip.\n`);
  }
}

function isInstalled(program: string): boolean {
  const debian = existsSync(POSTGRES_FOLDER)
    ? readdirSync(POSTGRES_FOLDER).map((version) => join(POSTGRES_FOLDER, version, 'bin'))
    : [];
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), SERVER_PROGRAMS, ...debian];
  return folders.some((folder) => existsSync(join(folder, program)));
}
