import type { ImportResult } from '#larder-client';
import { MAX_FILE_BYTES, MAX_ROWS } from '../../foods/import/table/table-limits.ts';

const LF = 0x0a;
const OPEN_OBJECT = '{'.charCodeAt(0);
export const KINDS = ['foods', 'recipes', 'goals', 'measurements', 'entries', 'records'] as const;
const COUNTS = ['found', 'added', 'present', 'deleted', 'refused', 'left'] as const;
const MAX_SHOWN = 20;

/** A file in parts that the service accepts: an export is split between lines, other files are one part. */
export function partsOf(
  file: Buffer<ArrayBuffer>,
  { maxBytes, maxLines } = { maxBytes: MAX_FILE_BYTES, maxLines: MAX_ROWS },
): readonly Uint8Array<ArrayBuffer>[] {
  if (file[0] !== OPEN_OBJECT) return [file];
  const parts: Buffer<ArrayBuffer>[] = [];
  let start = 0;
  let lines = 0;
  for (let at = 0; at < file.length; ) {
    const found = file.indexOf(LF, at);
    const end = found === -1 ? file.length : found + 1;
    if (at > start && (end - start > maxBytes || lines === maxLines)) {
      parts.push(file.subarray(start, at));
      start = at;
      lines = 0;
    }
    lines++;
    at = end;
  }
  return [...parts, file.subarray(start)];
}

/** Combines the responses to all parts. Lines are counted within each part. */
export function addUp(answers: readonly ImportResult[]): ImportResult {
  const [first] = answers as readonly [ImportResult, ...ImportResult[]];
  if (answers.length === 1) return first;
  const counts = KINDS.map((kind) => [
    kind,
    Object.fromEntries(
      COUNTS.map((name) => [name, answers.reduce((sum, each) => sum + each[kind][name], 0)]),
    ),
  ]);
  const days = answers.flatMap(({ from, to }) => (from === undefined ? [] : [from, to!])).sort();
  const stopped = answers.at(-1)!.stopped;
  return {
    ...first,
    ...(Object.fromEntries(counts) as Pick<ImportResult, (typeof KINDS)[number]>),
    ...(days.length > 0 && { from: days[0]!, to: days.at(-1)! }),
    shown: answers.flatMap(({ shown }) => shown).slice(0, MAX_SHOWN),
    notes: [...new Set(answers.flatMap(({ notes }) => notes))],
    problems: answers.flatMap(({ problems }) => problems),
    problemCount: answers.reduce((sum, { problemCount }) => sum + problemCount, 0),
    ...(stopped !== undefined && { stopped }),
  };
}
