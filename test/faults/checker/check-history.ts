import type {
  CatalogueRecord,
  DiaryRecord,
  FaultRecord,
  FoodRecord,
  HistoryRecord,
  RequestRecord,
  ScanRecord,
  Violation,
} from '../history-record.ts';
import { checkDiary } from './check-diary.ts';
import { checkFoods } from './check-foods.ts';
import { checkScans } from './check-scans.ts';
import { excuseOf, failureOf } from './failures.ts';
import { type FaultReport, reportFault } from './recovery.ts';
import { scanTimes, usualScanMs } from './scan-times.ts';

/** Maximum time until everything works again after each fault. */
const RECOVERY_LIMIT_MS = 5_000;

const DIARY: readonly string[] = ['add', 'change', 'remove', 'list', 'read', 'totals'];
const SCANS: readonly string[] = ['begin', 'upload', 'poll', 'stream', 'audit'];
const FOODS: readonly string[] = ['search', 'barcode'];

export interface Verdict {
  readonly violations: readonly Violation[];
  /** In the order of the faults. */
  readonly reports: readonly FaultReport[];
  /** Duration of a scan without faults. */
  readonly usualScanMs: number;
}

/** Whether all guarantees were kept, whatever failed. */
export function checkHistory(history: readonly HistoryRecord[]): Verdict {
  const of = <T extends HistoryRecord>(kinds: readonly string[]) =>
    history.filter(({ kind }) => kinds.includes(kind)) as T[];
  const faults = of<FaultRecord>(['fault']).toSorted((a, b) => a.startMs - b.startMs);
  const requests = of<RequestRecord>([...DIARY, ...SCANS, ...FOODS]).filter(
    ({ kind }) => (kind as string) !== 'audit',
  );
  const scans = scanTimes(requests);
  const usualMs = usualScanMs(scans, faults);
  const catalogues = of<CatalogueRecord>(['catalogue']);
  const reports = faults.map((fault, at) =>
    reportFault({
      ...{ fault, untilMs: faults[at + 1]?.startMs ?? Number.POSITIVE_INFINITY },
      ...{ requests, scans, catalogues, usualScanMs: usualMs },
    }),
  );
  return {
    violations: [
      ...checkDiary(of<DiaryRecord>(DIARY)),
      ...checkScans(of<ScanRecord>(SCANS)),
      ...checkFoods(of<FoodRecord>(FOODS), catalogues),
      ...requests.flatMap((record) => checkStatus(record, faults)),
      ...reports.flatMap(checkRecovery),
    ],
    reports,
    usualScanMs: usualMs,
  };
}

function checkStatus(record: RequestRecord, faults: readonly FaultRecord[]): Violation[] {
  const failure = failureOf(record);
  if (failure === undefined || excuseOf(record, faults) !== undefined) return [];
  return [{ rule: 'wrong status', message: `${record.kind}: ${failure}`, records: [record] }];
}

function checkRecovery({ fault, recoveryMs, slowest }: FaultReport): Violation[] {
  if (recoveryMs < RECOVERY_LIMIT_MS) return [];
  const message = `${fault.name}: ${slowest} is not well after ${Math.round(recoveryMs)} ms`;
  return [{ rule: 'slow recovery', message, records: [fault] }];
}
