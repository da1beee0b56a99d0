import { certaintyOf, type FaultRecord, type RequestRecord, type ScanState } from '../history-record.ts';

const USUAL_SHARE = 0.9;

/** Times of a job whose image was accepted. */
export interface ScanTimes {
  /** When the upload was over. */
  readonly sentMs: number;
  /** When a client first saw it settled; infinite if none did. */
  readonly settledMs: number;
}

export function scanTimes(requests: readonly RequestRecord[]): ScanTimes[] {
  const settled = new Map<string, number>();
  for (const [job, atMs] of requests.flatMap(settledIn)) {
    settled.set(job, Math.min(atMs, settled.get(job) ?? Number.POSITIVE_INFINITY));
  }
  return requests
    .filter((request) => request.kind === 'upload')
    .filter((upload) => certaintyOf(upload) === 'done')
    .map(({ job, endMs }) => ({ sentMs: endMs, settledMs: settled.get(job) ?? Number.POSITIVE_INFINITY }));
}

/**
 * The 90th percentile of scans without a fault; 0 without any. Scans before the first fault do not count, because
 * workers are still loading their models.
 */
export function usualScanMs(scans: readonly ScanTimes[], faults: readonly FaultRecord[]): number {
  const firstMs = Math.min(...faults.map(({ startMs }) => startMs));
  const calm = scans.filter(
    ({ sentMs, settledMs }) =>
      sentMs > firstMs && !faults.some(({ startMs, endMs }) => sentMs <= endMs && settledMs >= startMs),
  );
  const lasted = calm.map(({ sentMs, settledMs }) => settledMs - sentMs).toSorted((a, b) => a - b);
  return lasted[Math.ceil(lasted.length * USUAL_SHARE) - 1] ?? 0;
}

function settledIn(record: RequestRecord): [job: string, atMs: number][] {
  if (record.kind === 'poll' && record.state !== undefined && isSettled(record.state)) {
    return [[record.job, record.endMs]];
  }
  if (record.kind !== 'stream') return [];
  return record.messages.filter(({ state }) => isSettled(state)).map(({ atMs }) => [record.job, atMs]);
}

function isSettled({ status }: ScanState): boolean {
  return status === 'completed' || status === 'failed';
}
