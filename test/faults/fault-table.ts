import type { FaultReport } from './checker/recovery.ts';

const HEADINGS = ['fault', 'lasted', 'requests', 'failures by kind', 'recovery'];

/** One line for each fault. */
export function faultTable(reports: readonly FaultReport[]): string {
  const rows = reports.map(({ fault, requests, failures, recoveryMs, slowest }) => [
    fault.name,
    seconds(fault.endMs - fault.startMs),
    String(requests),
    [...failures].map(([failure, count]) => `${count} ${failure}`).join(', ') || 'none',
    slowest === undefined ? 'at once' : `${seconds(recoveryMs)} (${slowest})`,
  ]);
  return [HEADINGS, HEADINGS.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
