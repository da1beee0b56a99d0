import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** A backup in the place of backups. */
export interface KeptBackup {
  readonly name: string;
  readonly bytes: number;
  readonly atMs: number;
}

/** Where backups on a schedule are kept. Beside each is a file with its checksum, as `sha256sum` writes and checks it. */
export interface BackupStore {
  /** Newest first; other files there are of no concern. */
  list(): Promise<readonly KeptBackup[]>;
  /** Makes a copy by `write`, which gets the path of a file that does not exist and returns its SHA-256. */
  keep(name: string, write: (file: string) => Promise<string>): Promise<void>;
  /** Copies a backup and its checksum into a file of this machine. Returns the path. */
  fetch(name: string): Promise<string>;
  remove(name: string): Promise<void>;
}

export const CHECKSUM = '.sha256';
const NAME = /^larder-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/;

export function backupName(atMs: number): string {
  return `larder-${new Date(atMs).toISOString().replace(/[:-]|\.\d{3}/g, '')}.db`;
}

/** Undefined for the name of another file. */
export function timeOfBackup(name: string): number | undefined {
  const [, year, month, day, hours, minutes, seconds] = NAME.exec(name) ?? [];
  return year === undefined
    ? undefined
    : Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
}

/** The line of `sha256sum`. */
export function checksumLine(sha256: string, name: string): string {
  return `${sha256}  ${name}\n`;
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
