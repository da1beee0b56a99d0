import type { HostileAnswer } from './hostile-client.ts';

/** Stacks, paths of this machine, and words of what the service is built on. */
const INTERNAL =
  /\bat [^ ]+ \(|:\d+:\d+\)?\n|node:internal|node_modules|\/tmp\/|\/src\/|\.ts:\d|SQLITE_|SqliteError|syntax error at|ECONN|ENOENT|EACCES|better-sqlite3/;
const FIRST_ERROR = 400;

/** Returns what an error tells of the inside of the service; undefined where it tells nothing. */
export function leakIn({ status, body }: Pick<HostileAnswer, 'status' | 'body'>): string | undefined {
  return status < FIRST_ERROR ? undefined : INTERNAL.exec(body)?.[0];
}
