import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@larder/core/errors.ts';
import { type IdSource, type RandomBytes, recordIdsOf } from '../base/time-ordered-id.ts';
import { competing, createOnce, removeUnderId } from './create-once.ts';
import { versionConflict } from './diary-errors.ts';
import { parseDay } from './records/day.ts';
import type { DiaryOwner } from './records/entry.ts';
import {
  isAlwaysThere,
  parseBody,
  patched,
  type RecordBody,
  type RecordKind,
  type UserRecord,
} from './records/user-record.ts';
import type { DiaryStore } from './store/diary-store.ts';
import type { RecordPage } from './store/record-store.ts';

/** The id of the record of a kind that has one. */
const ONE = 'settings';

export interface RecordBookOptions {
  readonly store: DiaryStore;
  readonly nowMs: () => number;
  readonly randomBytes: RandomBytes;
}

/** The records of users that their kinds describe: see `record-kinds.ts`. */
export class RecordBook {
  readonly #options: RecordBookOptions;

  constructor(options: RecordBookOptions) {
    this.#options = options;
  }

  /** Creates a record with a new id, or returns the one that exists under `ids` or has the id that its client chose. */
  async create(
    owner: DiaryOwner,
    kind: RecordKind,
    { id: given, ...fields }: RecordBody,
    ids?: IdSource,
  ): Promise<{ readonly record: UserRecord; readonly isNew: boolean }> {
    const { store, nowMs, randomBytes } = this.#options;
    const records = store.records.of(kind);
    const chosen = given as string | undefined;
    const body = parseBody(kind, fields);
    return createOnce(
      { chosen, ids, nowMs, randomBytes },
      {
        find: (id) => records.find(owner, id),
        wasDeleted: (id) => records.wasDeleted(owner, id),
        make: (id) => this.#make(id, body),
        add: (record, request, chosenAtMs) => records.add(owner, [record], request, chosenAtMs),
      },
    );
  }

  /** `written` is an id as the kind has them; any text for a kind with one record. */
  async get(owner: DiaryOwner, kind: RecordKind, written: string): Promise<UserRecord> {
    const ids = idsOf(kind, written);
    for (const id of ids) {
      const found = await this.#options.store.records.of(kind).find(owner, id);
      if (found !== undefined) return found;
    }
    const [id] = ids;
    if (id === undefined || !isAlwaysThere(kind)) throw recordNotFound(kind);
    return { id, version: 0, body: {}, createdAt: 0, updatedAt: 0 };
  }

  /** Ordered by ids; records that nobody has written are left out. */
  list(owner: DiaryOwner, kind: RecordKind, page: RecordPage): Promise<UserRecord[]> {
    return this.#options.store.records.of(kind).list(owner, page);
  }

  put(owner: DiaryOwner, kind: RecordKind, id: string, fields: RecordBody, version?: number) {
    return this.#write(owner, kind, id, version, () => fields);
  }

  /** Changes the given fields; null removes one. */
  change(owner: DiaryOwner, kind: RecordKind, id: string, patch: RecordBody, version?: number) {
    return this.#write(owner, kind, id, version, (body) => patched(body, patch));
  }

  async remove(owner: DiaryOwner, kind: RecordKind, written: string, version?: number): Promise<void> {
    const records = this.#options.store.records.of(kind);
    await removeUnderId(
      idsOf(kind, written),
      (id) => records.remove(owner, id, version),
      () => recordNotFound(kind),
    );
  }

  /** Changes the newest version if `version` is absent. What changes nothing is no new version. */
  #write(
    owner: DiaryOwner,
    kind: RecordKind,
    written: string,
    version: number | undefined,
    next: (body: RecordBody) => RecordBody,
  ): Promise<UserRecord> {
    const records = this.#options.store.records.of(kind);
    return competing(async () => {
      const found = await this.get(owner, kind, written);
      if (version !== undefined && found.version !== version) throw versionConflict();
      const body = parseBody(kind, next(found.body));
      if (isDeepStrictEqual(body, found.body)) return found;
      if (found.version === 0) {
        const record = this.#make(found.id, body);
        await records.add(owner, [record]);
        return record;
      }
      const updatedAt = Math.max(this.#options.nowMs(), found.updatedAt);
      const record = { ...found, body, version: found.version + 1, updatedAt };
      const outcome = await records.replace(owner, record);
      if (outcome === 'missing') throw recordNotFound(kind);
      return outcome === 'done' ? record : undefined;
    });
  }

  #make(id: string, body: RecordBody): UserRecord {
    const now = this.#options.nowMs();
    return { id, version: 1, body, createdAt: now, updatedAt: now };
  }
}

/** The ids under which a record may be stored. */
function idsOf({ ids }: RecordKind, written: string): readonly string[] {
  if (ids === 'one') return [ONE];
  return ids === 'date' ? [parseDay(written)] : recordIdsOf(written);
}

function recordNotFound({ name, notFound }: RecordKind): AppError {
  return new AppError({ code: notFound ?? 'not_found', message: `There is no ${name} with this id.` });
}
