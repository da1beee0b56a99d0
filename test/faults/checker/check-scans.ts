import {
  type AuditRecord,
  type BeginRecord,
  certaintyOf,
  type ScanRecord,
  type ScanState,
  type StreamRecord,
  type UploadRecord,
  type Violation,
} from '../history-record.ts';

const ORDER: Readonly<Record<ScanState['status'], number>> = {
  upload_pending: 1,
  processing: 2,
  completed: 3,
  failed: 3,
};
const LAST_ORDER = 3;

/** A state of one job that a client saw between two times. */
interface Sighting {
  readonly startMs: number;
  readonly endMs: number;
  readonly state: ScanState;
  readonly record: ScanRecord;
}

/**
 * Checks that each job passed through its states once. Rules:
 *
 *     lost           a created job is missing, or one with an accepted image is not settled in the end
 *     settled twice  a job was settled more than once, or with two outcomes
 *     went back      a state was seen after a later one
 *     wrong result   the result does not match the image
 *     doubled        one request created two jobs
 *     phantom        a job that nobody created
 *     repeated       a stream sent a state again that its reader had seen
 */
export function checkScans(records: readonly ScanRecord[]): Violation[] {
  const begun = records.filter((record): record is BeginRecord => record.kind === 'begin');
  const rest = records.filter(
    (record): record is Exclude<ScanRecord, BeginRecord> => record.kind !== 'begin',
  );
  const byJob = Map.groupBy(rest, ({ job }) => job);
  const jobs = new Set(begun.flatMap(({ job }) => job ?? []));
  return [
    ...checkBeginnings(begun, rest),
    ...[...jobs].flatMap((job) =>
      checkJob(job, begun.find((record) => record.job === job)!, byJob.get(job) ?? []),
    ),
  ];
}

function checkBeginnings(begun: readonly BeginRecord[], rest: readonly ScanRecord[]): Violation[] {
  const requests = [...Map.groupBy(begun, (record) => record.key ?? record).values()];
  const doubled = requests.filter((twins) => new Set(twins.flatMap(({ job }) => job ?? [])).size > 1);
  const unknown = requests.filter((twins) => twins.every((twin) => certaintyOf(twin) === 'unknown')).length;
  const jobs = new Set(begun.flatMap(({ job }) => job ?? []));
  const strange = rest.filter(
    (record): record is AuditRecord => record.kind === 'audit' && !jobs.has(record.job),
  );
  return [
    ...doubled.map((twins) => toViolation('doubled', 'a repeated request began another job', ...twins)),
    ...(strange.length > unknown
      ? [
          toViolation(
            'phantom',
            `${strange.length} jobs are there of at most ${unknown} that may be`,
            ...strange,
          ),
        ]
      : []),
  ];
}

type JobRecord = Exclude<ScanRecord, BeginRecord>;

function checkJob(job: string, begun: BeginRecord, records: readonly JobRecord[]): Violation[] {
  const audit = records.find((record): record is AuditRecord => record.kind === 'audit');
  const upload = records.find((record): record is UploadRecord => record.kind === 'upload' && isDone(record));
  const sightings = [...records.flatMap(sightingsIn)];
  const missing = records.filter(
    (record) => record.kind !== 'audit' && record.kind !== 'upload' && record.status === 404,
  );
  return [
    ...(audit === undefined
      ? [toViolation('lost', `${job} is not in the table`, begun)]
      : checkAudit(audit, upload)),
    ...missing.map((record) => toViolation('lost', `${job} is said not to be there`, record, begun)),
    ...checkOutcomes(job, sightings),
    ...checkOrder(job, sightings),
    ...(upload === undefined ? [] : checkResult(job, sightings, upload)),
    ...records.flatMap((record) => (record.kind === 'stream' ? checkStream(record) : [])),
  ];
}

function checkAudit(audit: AuditRecord, upload: UploadRecord | undefined): Violation[] {
  const { job, settlements, state } = audit;
  const isSettled = ORDER[state.status] === LAST_ORDER;
  return [
    ...(settlements > 1
      ? [toViolation('settled twice', `${job} was settled ${settlements} times`, audit)]
      : []),
    ...(upload !== undefined && !isSettled
      ? [
          toViolation(
            'lost',
            `${job} is ${state.status} in the end, though its image was taken`,
            audit,
            upload,
          ),
        ]
      : []),
  ];
}

function checkOutcomes(job: string, sightings: readonly Sighting[]): Violation[] {
  const settled = sightings.filter(({ state }) => ORDER[state.status] === LAST_ORDER);
  const outcomes = [...Map.groupBy(settled, ({ state }) => `${state.status} ${state.outcome}`)];
  if (outcomes.length < 2) return [];
  const records = outcomes.map(([, alike]) => alike[0]!.record);
  return [
    toViolation('settled twice', `${job} is ${outcomes.map(([text]) => text).join(' and ')}`, ...records),
  ];
}

function checkOrder(job: string, sightings: readonly Sighting[]): Violation[] {
  return sightings.flatMap((late) => {
    const before = sightings.find(
      (early) => early.endMs < late.startMs && ORDER[early.state.status] > ORDER[late.state.status],
    );
    if (before === undefined) return [];
    const message = `${job} was ${before.state.status}, then ${late.state.status}`;
    return [toViolation('went back', message, before.record, late.record)];
  });
}

function checkResult(job: string, sightings: readonly Sighting[], upload: UploadRecord): Violation[] {
  return sightings
    .filter(({ state }) => ORDER[state.status] === LAST_ORDER && state.outcome !== upload.expected)
    .slice(0, 1)
    .map(({ state, record }) =>
      toViolation(
        'wrong result',
        `${job} is ${state.status}: ${state.outcome}, not ${upload.expected}`,
        record,
        upload,
      ),
    );
}

function checkStream(stream: StreamRecord): Violation[] {
  const orders = [stream.after, ...stream.messages.map(({ order }) => order)];
  const isRising = orders.every((order, at) => at === 0 || order > orders[at - 1]!);
  return isRising
    ? []
    : [toViolation('repeated', `${stream.job}: states ${orders.join(', ')} were sent`, stream)];
}

function sightingsIn(record: JobRecord): Sighting[] {
  switch (record.kind) {
    case 'poll':
      return record.state === undefined ? [] : [{ ...spanOf(record), state: record.state, record }];
    case 'stream':
      // A message may report a state that has already changed; the job was in it at some earlier moment.
      return record.messages.map(({ atMs, state }) => ({
        startMs: record.startMs,
        endMs: atMs,
        state,
        record,
      }));
    case 'audit':
      return [
        { startMs: Number.POSITIVE_INFINITY, endMs: Number.POSITIVE_INFINITY, state: record.state, record },
      ];
    default:
      return [];
  }
}

function spanOf({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }) {
  return { startMs, endMs };
}

function isDone(record: UploadRecord): boolean {
  return certaintyOf(record) === 'done';
}

function toViolation(rule: string, message: string, ...records: ScanRecord[]): Violation {
  return { rule, message, records };
}
