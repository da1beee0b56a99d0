import {
  type AddRecord,
  type Certainty,
  type ChangeRecord,
  certaintyOf,
  type DiaryRecord,
  type RemoveRecord,
} from '../history-record.ts';

/** One write of entries, however often it was sent. */
export interface Addition {
  readonly marks: readonly string[];
  readonly startMs: number;
  /** Time of its first successful response; undefined without one. */
  readonly doneMs: number | undefined;
  readonly certainty: Certainty;
  readonly records: readonly AddRecord[];
}

/** An entry in a response to a write or read. */
export interface Sighting {
  readonly id: string;
  readonly mark: string;
  readonly version?: number;
  readonly record: DiaryRecord;
}

/** Everything that may have happened to one entry, unordered, without rejected writes. */
export interface Entry {
  readonly id: string;
  readonly changes: readonly ChangeRecord[];
  readonly removals: readonly RemoveRecord[];
  /** Time at which it was certainly written; undefined if unknown. */
  readonly knownMs: number | undefined;
}

type Write = Addition | ChangeRecord;

/** A diary according to its history. */
export class DiaryModel {
  readonly additions: readonly Addition[];
  readonly sightings: readonly Sighting[];
  /** Each mark's only write. */
  readonly writes: ReadonlyMap<string, Write>;
  readonly #entries = new Map<string, Entry>();
  readonly #conflicts: ReadonlyMap<string, readonly (ChangeRecord | RemoveRecord)[]>;
  readonly #versions = new Map<string, number>();

  constructor(records: readonly DiaryRecord[]) {
    this.additions = additionsOf(records.filter(({ kind }) => kind === 'add') as AddRecord[]);
    this.sightings = records.flatMap(sightingsIn);
    const changes = records.filter(({ kind }) => kind === 'change') as ChangeRecord[];
    this.writes = new Map<string, Write>([
      ...this.additions.flatMap((addition) => addition.marks.map((mark) => [mark, addition] as const)),
      ...changes.map((change) => [change.mark, change] as const),
    ]);
    this.#learnEntries(records);
    this.#conflicts = Map.groupBy(
      records.filter(
        (record): record is ChangeRecord | RemoveRecord =>
          (record.kind === 'change' || record.kind === 'remove') && record.status === 412,
      ),
      ({ entry }) => entry,
    );
    for (const mark of this.additions.flatMap(({ marks }) => marks)) this.#versions.set(mark, 1);
    for (const { mark, version } of this.sightings) {
      if (version !== undefined && !this.#versions.has(mark)) this.#versions.set(mark, version);
    }
  }

  get entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  /** An entry that was neither written nor seen is empty. */
  entry(id: string): Entry {
    return this.#entries.get(id) ?? { id, changes: [], removals: [], knownMs: undefined };
  }

  /** Writes rejected because of the entry's version. */
  conflicts(id: string): readonly (ChangeRecord | RemoveRecord)[] {
    return this.#conflicts.get(id) ?? [];
  }

  /** The version that the write with this mark made, if a response showed it. */
  versionOf(mark: string): number | undefined {
    return this.#versions.get(mark);
  }

  #learnEntries(records: readonly DiaryRecord[]): void {
    const known = new Map<string, number>();
    for (const { id, record } of this.sightings) {
      known.set(id, Math.min(record.endMs, known.get(id) ?? Number.POSITIVE_INFINITY));
    }
    const effective = records.filter((record) => certaintyOf(record) !== 'refused');
    const changes = groupByEntry(effective, 'change');
    const removals = groupByEntry(effective, 'remove');
    for (const id of new Set([...known.keys(), ...changes.keys(), ...removals.keys()])) {
      this.#entries.set(id, {
        id,
        changes: (changes.get(id) ?? []) as ChangeRecord[],
        removals: (removals.get(id) ?? []) as RemoveRecord[],
        knownMs: known.get(id),
      });
    }
  }
}

/** Whether the entry may have been removed before this time. */
export function mayBeRemoved({ removals }: Entry, beforeMs: number, except?: DiaryRecord): boolean {
  return removals.some((removal) => removal !== except && removal.startMs < beforeMs);
}

/** Whether it was certainly removed before this time. */
export function isRemoved({ removals }: Entry, beforeMs: number): RemoveRecord | undefined {
  return removals.find((removal) => certaintyOf(removal) === 'done' && removal.endMs < beforeMs);
}

function additionsOf(records: readonly AddRecord[]): Addition[] {
  const byName = Map.groupBy(records, (record) => record.key ?? record);
  return [...byName.values()].map((records) => {
    const done = records.filter((record) => certaintyOf(record) === 'done');
    const isRefused = records.every((record) => certaintyOf(record) === 'refused');
    return {
      marks: records[0]!.marks,
      startMs: Math.min(...records.map(({ startMs }) => startMs)),
      doneMs: done.length === 0 ? undefined : Math.min(...done.map(({ endMs }) => endMs)),
      certainty: done.length > 0 ? 'done' : isRefused ? 'refused' : 'unknown',
      records,
    };
  });
}

function sightingsIn(record: DiaryRecord): Sighting[] {
  switch (record.kind) {
    case 'add':
      return (record.added ?? []).map((seen) => ({ ...seen, version: 1, record }));
    case 'list':
      return (record.entries ?? []).map((seen) => ({ ...seen, record }));
    case 'read':
    case 'change':
      return record.mark === undefined || certaintyOf(record) !== 'done'
        ? []
        : [{ id: record.entry, mark: record.mark, ...versionIn(record), record }];
    default:
      return [];
  }
}

function versionIn({ version }: { readonly version?: number }): { version?: number } {
  return version === undefined ? {} : { version };
}

function groupByEntry(records: readonly DiaryRecord[], kind: 'change' | 'remove') {
  const wanted = records.filter((record): record is ChangeRecord | RemoveRecord => record.kind === kind);
  return Map.groupBy(wanted, ({ entry }) => entry);
}
