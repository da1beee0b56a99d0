import type { CatalogueRecord, FaultRecord, RequestRecord } from '../history-record.ts';
import { failureOf } from './failures.ts';
import type { ScanTimes } from './scan-times.ts';

/** Requests with the same dependencies; some are rare. */
const GROUPS: Readonly<Record<RequestRecord['kind'], string>> = {
  search: 'foods',
  barcode: 'foods',
  add: 'diary writes',
  change: 'diary writes',
  remove: 'diary writes',
  list: 'diary reads',
  read: 'diary reads',
  totals: 'diary reads',
  begin: 'new scans',
  upload: 'uploads',
  poll: 'scan states',
  stream: 'scan states',
};

/** Responses and failures during a fault and until the next one. */
export interface FaultReport {
  readonly fault: FaultRecord;
  readonly requests: number;
  readonly kinds: ReadonlySet<RequestRecord['kind']>;
  /** Number of failures by kind of request and failure, such as `add 503 unavailable`. */
  readonly failures: ReadonlyMap<string, number>;
  /**
   * Time from the end of the fault until every kind of request succeeds again and keeps succeeding, waiting
   * scans are settled (without the usual time of a scan), and an activated catalogue is in use everywhere;
   * infinite if that never happens.
   */
  readonly recoveryMs: number;
  /** The slowest part of the recovery. */
  readonly slowest: string | undefined;
}

export interface FaultHistory {
  readonly fault: FaultRecord;
  /** When the next fault begins. */
  readonly untilMs: number;
  /** Requests of the whole run. */
  readonly requests: readonly RequestRecord[];
  readonly scans: readonly ScanTimes[];
  readonly catalogues: readonly CatalogueRecord[];
  /** Time from the upload of an image until a client gets the result, without faults. */
  readonly usualScanMs: number;
}

export function reportFault(history: FaultHistory): FaultReport {
  const { fault, untilMs, requests: records, catalogues } = history;
  const during = records.filter(({ endMs }) => endMs >= fault.startMs && endMs < untilMs);
  const failed = during.filter((record) => failureOf(record) !== undefined);
  const recoveries = [
    ...[...Map.groupBy(failed, groupOf)].map(
      ([group, failures]) =>
        [
          group,
          lastsUntil(
            fault,
            failures,
            records.filter((record) => groupOf(record) === group),
          ),
        ] as const,
    ),
    ...scansWaiting(fault, history),
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

function groupOf({ kind }: RequestRecord): string {
  return GROUPS[kind];
}

/** From the fault's end to the first success after the last failure. */
function lastsUntil(
  { endMs }: FaultRecord,
  failures: readonly RequestRecord[],
  requests: readonly RequestRecord[],
): number {
  const lastMs = Math.max(...failures.map((failure) => failure.endMs));
  const good = requests
    .filter((request) => failureOf(request) === undefined)
    .map(answeredMs)
    .filter((atMs) => atMs > lastMs);
  return good.length === 0 ? Number.POSITIVE_INFINITY : Math.max(0, Math.min(...good) - endMs);
}

/** A stream counts as answered with its first message. */
function answeredMs(record: RequestRecord): number {
  return record.kind === 'stream' ? (record.messages[0]?.atMs ?? record.endMs) : record.endMs;
}

/** Returns the extra delay of jobs that had an image at the fault's end. */
function scansWaiting(
  { startMs, endMs }: FaultRecord,
  { scans, usualScanMs }: Pick<FaultHistory, 'scans' | 'usualScanMs'>,
): [string, number][] {
  return scans
    .filter(({ sentMs, settledMs }) => sentMs < endMs && settledMs > startMs)
    .map(({ settledMs }) => ['waiting scans', Math.max(0, settledMs - endMs - usualScanMs)]);
}

/** Returns the delays of catalogues that were activated meanwhile. */
function swaps({ startMs, endMs }: FaultRecord, catalogues: readonly CatalogueRecord[]): [string, number][] {
  return catalogues
    .filter((catalogue) => catalogue.startMs >= startMs && catalogue.startMs <= endMs)
    .map((catalogue) => ['the catalogue', Math.max(0, catalogue.endMs - endMs)]);
}

function countBy<T>(items: readonly T[], name: (item: T) => string): ReadonlyMap<string, number> {
  return new Map(
    [...Map.groupBy(items, name)].map(([key, alike]) => [key, alike.length] as const).toSorted(),
  );
}
