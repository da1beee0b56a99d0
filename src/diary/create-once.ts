import { type AppError, ConstraintError } from '@larder/core/errors.ts';
import {
  createIds,
  findUnderId,
  type IdSource,
  type NamedRequest,
  type RandomBytes,
  recordIdsOf,
} from '../base/time-ordered-id.ts';
import { versionConflict, wasDeleted } from './diary-errors.ts';
import type { WriteOutcome } from './store/store-writes.ts';

/** Maximum attempts at a write that competes with others. */
const MAX_ATTEMPTS = 20;

/** The store of one kind of record, as far as creating one needs it. */
interface CreatedIn<T> {
  readonly find: (id: string) => Promise<T | undefined>;
  readonly wasDeleted: (id: string) => Promise<boolean>;
  readonly make: (id: string) => T | Promise<T>;
  /** Throws a `ConstraintError` for a record that exists; with `chosenAtMs` also for one that was deleted. */
  readonly add: (record: T, request: NamedRequest | undefined, chosenAtMs?: number) => Promise<void>;
}

interface NewIds {
  /** The id that the client chose. */
  readonly chosen: string | undefined;
  readonly ids: IdSource | undefined;
  readonly nowMs: () => number;
  readonly randomBytes: RandomBytes;
}

/** Creates a record with a new id, or returns the one that exists under `ids` or has the chosen id. Throws `deleted`. */
export async function createOnce<T extends { readonly createdAt: number }>(
  { chosen, ids, nowMs, randomBytes }: NewIds,
  { find, make, add, ...store }: CreatedIn<T>,
): Promise<{ readonly record: T; readonly isNew: boolean }> {
  const known = chosen === undefined ? [] : recordIdsOf(chosen);
  const [own] = known;
  if (own === undefined) {
    const id = createIds(1, ids?.timeMs ?? nowMs(), ids?.randomBytes ?? randomBytes)[0]!;
    const created = ids?.mayExist === true ? await find(id) : undefined;
    if (created !== undefined) return { record: created, isNew: true };
    const record = await make(id);
    // One that was deleted after the first execution is returned as created, and remains deleted.
    if (ids?.isDone !== true) await add(record, ids?.request);
    return { record, isNew: true };
  }
  return competing(async () => {
    const found = await findUnderId(own, find);
    if (found !== undefined) return { record: found, isNew: false };
    for (const id of known) if (await store.wasDeleted(id)) throw wasDeleted();
    const record = await make(own);
    await add(record, ids?.request, record.createdAt);
    return { record, isNew: true };
  });
}

/** Repeats a write that another one came before: one that returns undefined or throws a `ConstraintError`. */
export async function competing<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let count = 1; count <= MAX_ATTEMPTS; count++) {
    try {
      const done = await attempt();
      if (done !== undefined) return done;
    } catch (error) {
      if (!(error instanceof ConstraintError)) throw error;
    }
  }
  throw versionConflict();
}

/** Throws `notFound` or `version_conflict` unless the write was done. */
export function requireDone(outcome: WriteOutcome | undefined, notFound: () => AppError): void {
  if (outcome === 'conflict') throw versionConflict();
  if (outcome !== 'done') throw notFound();
}

/** Removes the record under any form of its id. */
export async function removeUnderId(
  ids: readonly string[],
  remove: (id: string) => Promise<WriteOutcome>,
  notFound: () => AppError,
): Promise<void> {
  for (const id of ids) {
    const outcome = await remove(id);
    if (outcome !== 'missing') return requireDone(outcome, notFound);
  }
  throw notFound();
}
