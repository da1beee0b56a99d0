import type { CatalogueRecord, FaultRecord, RequestRecord, UploadRecord } from '../history-record.ts';
import { failureOf } from './failures.ts';

/** What was answered, or left unanswered, while a fault lasted and until the next one. */
export interface FaultReport {
  readonly fault: FaultRecord;
  readonly requests: number;
  readonly kinds: ReadonlySet<RequestRecord['kind']>;
  /** By kind of request and of failure: `add 503 unavailable`. */
  readonly failures: ReadonlyMap<string, number>;
  /**
   * From the end of the fault until every kind of request succeeds again and goes on to, waiting scans are settled and a
   * catalogue that was activated is in use everywhere; infinite when that never is.
   */
  readonly recoveryMs: number;
  /** What took longest. */
  readonly slowest: string | undefined;
}

export interface FaultHistory {
  readonly fault: FaultRecord;
  /** When the next fault begins. */
  readonly untilMs: number;
  /** Of the whole run. */
  readonly requests: readonly RequestRecord[];
  readonly catalogues: readonly CatalogueRecord[];
}

export function reportFault({ fault, untilMs, requests: records, catalogues }: FaultHistory): FaultReport {
  const during = records.filter(({ endMs }) => endMs >= fault.startMs && endMs < untilMs);
  const failed = during.filter((record) => failureOf(record) !== undefined);
  const recoveries = [
    ...[...new Set(failed.map(({ kind }) => kind))].map(
      (kind) =>
        [
          kind,
          lastsUntil(
            fault,
            during.filter((record) => record.kind === kind),
          ),
        ] as const,
    ),
    ...scansWaiting(fault, records),
    ...swaps(fault, catalogues),
  ].toSorted(([, a], [, b]) => b - a);
  const [slowest, recoveryMs] = recoveries[0] ?? [undefined, 0];
  return {
    fault,
    requests: during.length,
    kinds: new Set(during.map(({ kind }) => kind)),
    failures: countBy(failed, (record) => `${record.kind} ${failureOf(record)}`),
    recoveryMs,
    slowest,
  };
}

/** From the fault's end to the first success after the last failure. */
function lastsUntil({ endMs }: FaultRecord, records: readonly RequestRecord[]): number {
  const isFailed = (record: RequestRecord) => failureOf(record) !== undefined;
  const lastMs = Math.max(...records.filter(isFailed).map((record) => record.endMs));
  const good = records
    .filter((record) => !isFailed(record) && record.endMs > lastMs)
    .map((record) => record.endMs);
  return good.length === 0 ? Number.POSITIVE_INFINITY : Math.max(0, Math.min(...good) - endMs);
}

/** Of jobs whose image was there when the fault ended: how long until somebody heard that they are settled. */
function scansWaiting(
  { startMs, endMs }: FaultRecord,
  records: readonly RequestRecord[],
): [string, number][] {
  const heard = new Map<string, number>();
  for (const record of records) {
    for (const [job, atMs] of settledIn(record))
      heard.set(job, Math.min(atMs, heard.get(job) ?? Number.POSITIVE_INFINITY));
  }
  return records
    .filter((record): record is UploadRecord => record.kind === 'upload' && failureOf(record) === undefined)
    .filter(
      ({ job, ...upload }) => upload.endMs < endMs && (heard.get(job) ?? Number.POSITIVE_INFINITY) > startMs,
    )
    .map(({ job }) => ['scan', Math.max(0, (heard.get(job) ?? Number.POSITIVE_INFINITY) - endMs)]);
}

/** Of catalogues that were activated meanwhile. */
function swaps({ startMs, endMs }: FaultRecord, catalogues: readonly CatalogueRecord[]): [string, number][] {
  return catalogues
    .filter((catalogue) => catalogue.startMs >= startMs && catalogue.startMs <= endMs)
    .map((catalogue) => ['catalogue', Math.max(0, catalogue.endMs - endMs)]);
}

function settledIn(record: RequestRecord): [job: string, atMs: number][] {
  const isSettled = ({ status }: { readonly status: string }) =>
    status === 'completed' || status === 'failed';
  if (record.kind === 'poll' && record.state !== undefined && isSettled(record.state))
    return [[record.job, record.endMs]];
  if (record.kind !== 'stream') return [];
  return record.messages.filter(({ state }) => isSettled(state)).map(({ atMs }) => [record.job, atMs]);
}

function countBy<T>(items: readonly T[], name: (item: T) => string): ReadonlyMap<string, number> {
  return new Map(
    [...Map.groupBy(items, name)].map(([key, alike]) => [key, alike.length] as const).toSorted(),
  );
}
