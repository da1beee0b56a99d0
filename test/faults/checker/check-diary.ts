import {
  type ChangeRecord,
  certaintyOf,
  type DiaryRecord,
  type ListRecord,
  type TotalsRecord,
  type Violation,
} from '../history-record.ts';
import { checkVersions } from './check-versions.ts';
import {
  type Addition,
  DiaryModel,
  type Entry,
  isRemoved,
  mayBeRemoved,
  type Sighting,
} from './diary-model.ts';
import { diaryViolation } from './diary-violation.ts';

/**
 * Checks that the writes and reads of diaries are possible in some order that their times allow, each write
 * once or, if its response leaves that open, not at all. Rules:
 *
 *     lost         a confirmed write, or one that was seen, is missing, and nobody removed it
 *     doubled      one write took effect twice
 *     resurrected  a removed entry is there again
 *     stale        an older state is seen after a newer one was confirmed
 *     phantom      an entry exists that nobody wrote, or not yet, or whose write was rejected
 *     torn         a part of a batch
 */
export function checkDiary(records: readonly DiaryRecord[]): Violation[] {
  return [...Map.groupBy(records, ({ diary }) => diary).values()].flatMap(checkOne);
}

function checkOne(records: readonly DiaryRecord[]): Violation[] {
  const model = new DiaryModel(records);
  return [
    ...model.additions.flatMap(checkAddition),
    ...checkIds(model),
    ...model.sightings.flatMap((sighting) => checkSighting(sighting, model)),
    ...records.flatMap((record) => checkRecord(record, model)),
    ...[...model.entries].flatMap((entry) => [...checkRemovals(entry), ...checkVersions(entry, model)]),
  ];
}

function checkRecord(record: DiaryRecord, model: DiaryModel): Violation[] {
  switch (record.kind) {
    case 'list':
      return record.entries === undefined ? [] : checkList(record, record.entries, model);
    case 'totals':
      return record.count === undefined ? [] : checkTotals(record, record.count, model);
    case 'read':
    case 'change':
    case 'remove':
      return record.status === 404 ? checkMissing(record, model.entry(record.entry)) : [];
    default:
      return [];
  }
}

/** All successful responses are equal, and match the request. */
function checkAddition({ marks, records }: Addition): Violation[] {
  const done = records.filter(({ added }) => added !== undefined);
  const [first] = done;
  if (first === undefined) return [];
  const wrong = done.filter(({ added }) => added!.map(({ mark }) => mark).join() !== marks.join());
  const differing = done.filter(
    ({ added }) => added!.map(({ id }) => id).join() !== first.added!.map(({ id }) => id).join(),
  );
  return [
    ...wrong.map((record) => diaryViolation('phantom', 'what was added is not what was sent', record)),
    ...differing.map((record) =>
      diaryViolation('doubled', 'a repeated request was answered with other entries', first, record),
    ),
  ];
}

/** The mark of a write is never on two entries. */
function checkIds({ sightings }: DiaryModel): Violation[] {
  const first = new Map<string, Sighting>();
  return sightings.flatMap((sighting) => {
    const known = first.get(sighting.mark) ?? sighting;
    first.set(sighting.mark, known);
    if (known.id === sighting.id) return [];
    return [
      diaryViolation(
        'doubled',
        `${sighting.mark} is on ${known.id} and on ${sighting.id}`,
        known.record,
        sighting.record,
      ),
    ];
  });
}

function checkSighting({ id, mark, record }: Sighting, model: DiaryModel): Violation[] {
  const write = model.writes.get(mark);
  if (write === undefined)
    return [diaryViolation('phantom', `${id} says ${mark}, which nobody wrote`, record)];
  const writers = 'records' in write ? write.records : [write];
  if (writers.every((writer) => certaintyOf(writer) === 'refused')) {
    return [diaryViolation('phantom', `${id} says ${mark}, which was refused`, record, ...writers)];
  }
  if (write.startMs > record.endMs) {
    return [diaryViolation('phantom', `${id} says ${mark} before that was written`, record, ...writers)];
  }
  if ('entry' in write && write.entry !== id) {
    return [diaryViolation('phantom', `${id} says ${mark}, which is for another entry`, record, ...writers)];
  }
  // A repeated response describes an earlier state.
  if (record.kind !== 'list' && record.kind !== 'read') return [];
  const entry = model.entry(id);
  const removal = isRemoved(entry, record.startMs);
  if (removal !== undefined) return [diaryViolation('resurrected', `${id} was removed`, record, removal)];
  const newer = newerThan(mark, entry, model, record.startMs);
  return newer === undefined
    ? []
    : [diaryViolation('stale', `${id} says ${mark}, though it had changed`, record, newer)];
}

function newerThan(
  mark: string,
  entry: Entry,
  model: DiaryModel,
  beforeMs: number,
): ChangeRecord | undefined {
  const version = model.versionOf(mark);
  if (version === undefined) return undefined;
  return entry.changes.find(
    (change) =>
      certaintyOf(change) === 'done' &&
      change.endMs < beforeMs &&
      (change.version ?? 0) > version &&
      change.mark !== mark,
  );
}

function checkList(record: ListRecord, listed: readonly { id: string }[], model: DiaryModel): Violation[] {
  const ids = new Set(listed.map(({ id }) => id));
  const lost = [...model.entries].filter((entry) => mustBeThere(entry, record) && !ids.has(entry.id));
  return [
    ...(ids.size < listed.length ? [diaryViolation('doubled', 'an entry is listed twice', record)] : []),
    ...lost.map((entry) =>
      diaryViolation('lost', `${entry.id} is not listed`, record, ...writersOf(entry, model)),
    ),
    ...model.additions.flatMap((addition) => checkWhole(addition, record, ids, model)),
  ];
}

/** Checks that a batch is seen whole or not at all, even while its outcome is unknown. */
function checkWhole(
  { marks, doneMs = Number.POSITIVE_INFINITY, records }: Addition,
  list: ListRecord,
  ids: ReadonlySet<string>,
  model: DiaryModel,
): Violation[] {
  // After that, missing entries count as lost.
  if (marks.length < 2 || doneMs < list.startMs) return [];
  const made = model.sightings.filter(({ mark }) => marks.includes(mark)).map(({ id }) => id);
  const there = new Set(made.filter((id) => ids.has(id)));
  const explained = new Set(made.filter((id) => ids.has(id) || mayBeRemoved(model.entry(id), list.endMs)));
  if (there.size === 0 || explained.size >= marks.length) return [];
  return [
    diaryViolation(
      'torn',
      `${there.size} of ${marks.length} entries of a batch are listed`,
      list,
      ...records,
    ),
  ];
}

function checkTotals(record: TotalsRecord, count: number, model: DiaryModel): Violation[] {
  const entries = [...model.entries];
  const least = entries.filter((entry) => mustBeThere(entry, record)).length;
  const gone = entries.filter((entry) => isRemoved(entry, record.startMs) !== undefined).length;
  const most = model.additions
    .filter(({ startMs, certainty }) => certainty !== 'refused' && startMs < record.endMs)
    .reduce((sum, { marks }) => sum + marks.length, -gone);
  if (count < least)
    return [diaryViolation('lost', `${count} entries are summed, at least ${least} are there`, record)];
  if (count > most)
    return [diaryViolation('doubled', `${count} entries are summed, at most ${most} are there`, record)];
  return [];
}

function checkMissing(record: Exclude<DiaryRecord, { kind: 'add' }>, entry: Entry): Violation[] {
  if (!mustBeThere(entry, record)) return [];
  return [diaryViolation('lost', `${entry.id} is said not to be there`, record)];
}

function mustBeThere(entry: Entry, record: DiaryRecord): boolean {
  const { knownMs } = entry;
  return knownMs !== undefined && knownMs < record.startMs && !mayBeRemoved(entry, record.endMs, record);
}

function checkRemovals(entry: Entry): Violation[] {
  const done = entry.removals.filter((removal) => certaintyOf(removal) === 'done');
  const late = entry.changes.filter(
    (change) => certaintyOf(change) === 'done' && isRemoved(entry, change.startMs) !== undefined,
  );
  return [
    ...(done.length > 1 ? [diaryViolation('doubled', `${entry.id} was removed twice`, ...done)] : []),
    ...late.map((change) =>
      diaryViolation('resurrected', `${entry.id} was changed after its removal`, change, ...done),
    ),
  ];
}

function writersOf({ id }: Entry, { sightings }: DiaryModel): DiaryRecord[] {
  return sightings
    .filter((sighting) => sighting.id === id)
    .map(({ record }) => record)
    .slice(0, 1);
}
