import { readdirSync, readFileSync } from 'node:fs';

const KIB = 1024;

/** Resources of a running process, from Linux's /proc. */
export interface ProcessFigures {
  readonly rssBytes: number;
  /** The part of it that consists of pages of files, such as programs and databases, which the system can reclaim. */
  readonly rssOfFilesBytes: number;
  readonly openFiles: number;
  readonly threads: number;
}

export function processFigures(pid: number): ProcessFigures {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) =>
    Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
  return {
    rssBytes: field('VmRSS') * KIB,
    rssOfFilesBytes: field('RssFile') * KIB,
    openFiles: readdirSync(`/proc/${pid}/fd`).length,
    threads: field('Threads'),
  };
}

/** Returns the memory of a process; what it shares with other processes counts in parts. */
export function pssBytes(pid: number): number {
  const [, kib] = /^Pss:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))!;
  return Number(kib) * KIB;
}
