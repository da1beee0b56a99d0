import type { Sql } from './sql.ts';

/**
 * One statement, in SQL that SQLite and PostgreSQL both accept, with `$1`, `$2`, … for its values in the
 * order of the text.
 */
export interface Statement {
  /** Present if the text never varies: each connection prepares it once, and finds it by its name. */
  readonly name?: string;
  readonly sql: string;
  /**
   * Values of the statement for each of its runs. PostgreSQL runs only a query more than once, which must
   * then be the first of several statements.
   */
  readonly runs: readonly (readonly unknown[])[];
}

/** A statement, or several that take effect together or not at all. Plain data, which can be sent between threads. */
export interface Write {
  /**
   * The statements run in order. PostgreSQL runs them as one if no lock is needed, so they may neither change
   * the same row nor read rows that another one changes; with `firstDecides` the others end with their
   * `where` clause.
   */
  readonly statements: readonly [Statement, ...Statement[]];
  /** Nothing takes effect if the first statement returns or changes fewer rows than it has runs. */
  readonly firstDecides?: boolean;
  /** No other write with the same lock runs at the same time, nor any other write to a locked table. */
  readonly lock?: Lock | undefined;
  /** The change to log in the same transaction, if the first statement has an effect. Webhooks report it, too. */
  readonly change?: Change;
  /** Another event for webhooks, queued in the same transaction under the same condition. */
  readonly tells?: SubjectEvent;
  /** Whether its first statement queues deliveries itself. */
  readonly isQueuing?: boolean;
  /** Whether no file of the database may contain the deleted rows afterwards; in PostgreSQL its vacuum decides that. */
  readonly isErasure?: boolean;
}

/**
 * The owner whose changes are numbered together: a user, or with an empty `userId` all users of the tenant
 * together.
 */
export interface LogOwner {
  readonly tenant: string;
  readonly userId: string;
}

/** The goals of a user are one object. */
export type ChangeKind = 'entry' | 'recipe' | 'goals' | 'measurement' | 'food' | UserRecordKind;

/** Kinds of records that share one table: see `diary/records/record-kinds.ts`. */
export type UserRecordKind = 'day' | 'favourite' | 'meal' | 'settings';

/**
 * Time for which a deletion stays in the log. A reader that was away for longer may have missed deletions,
 * and reads everything again.
 */
export const KEPT_DELETIONS_MS = 90 * 86_400_000;

/** See `ChangeLog`. */
export interface Change extends LogOwner {
  readonly kind: ChangeKind;
  /** Objects without repetitions. If there are none, nothing is logged and only caches are notified of the write. */
  readonly ids: readonly string[];
  readonly isDeleted?: boolean;
  /** Time for which the deletion stays in the log; by default `KEPT_DELETIONS_MS`. */
  readonly keptMs?: number;
  /**
   * The only user of the owner who sees the object and has seen it so far; by default all users do.
   * Irrelevant for a deletion.
   */
  readonly seenBy?: string | undefined;
  /**
   * Set if the object was added with an id that its client chose. Fails with a `ConstraintError` if that id
   * was deleted before.
   */
  readonly chosenAtMs?: number | undefined;
}

/**
 * Columns that writers set when a logged object is written again. `deleted` cannot be null, so that a deleted
 * id is not chosen again.
 */
export const UPDATE_LOG_ROW = `
  deleted = case when changes.deleted = 1 and excluded.chosen_at_ms is not null then null else 0 end,
  forget_after_ms = null,
  seen_by = case when changes.seen_by = excluded.seen_by then changes.seen_by end,
  chosen_at_ms = coalesce(changes.chosen_at_ms, excluded.chosen_at_ms)`;

/** An event that webhooks can report. */
export const WEBHOOK_EVENTS = ['scan.completed', 'scan.failed', 'diary.changed', 'food.changed'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** An event for the webhooks of its tenant. */
export interface SubjectEvent {
  readonly event: WebhookEvent;
  readonly tenant: string;
  /** The user of the event; empty if it belongs to no user. */
  readonly userId: string;
  /** Whether webhooks of single users receive it, too, whichever user they name. */
  readonly isForAllUsers?: boolean;
  /** Kinds of changes and of changed objects, without repetitions. */
  readonly subjects: readonly string[];
}

/** Returns the webhook event of a write. An event of a user is about the diary as a whole. */
export function webhookEventOf({ change, tells }: Write): SubjectEvent | undefined {
  if (change === undefined || change.ids.length === 0) return tells;
  const { tenant, userId, kind, ids } = change;
  return kind === 'food'
    ? { event: 'food.changed', tenant, userId, isForAllUsers: true, subjects: ids }
    : { event: 'diary.changed', tenant, userId, subjects: [''] };
}

/** Owner whose hint is raised after webhook deliveries were queued. No tenant has this name. */
export const WEBHOOK_QUEUE: LogOwner = { tenant: '', userId: 'webhooks' };

export type Lock =
  | { readonly table: 'api_keys' | 'signing_keys' | 'catalogue_activations' }
  | { readonly name: string };

/** The result of the first statement. */
export interface Written<Row = unknown> {
  /** Rows that it returned; if there are several statements, only under a lock. */
  readonly rows: readonly Row[];
  /** The rows that it changed or returned. */
  readonly changes: number;
  /** Whether webhook deliveries were queued. */
  readonly hasQueued?: boolean;
}

/** The only way to write rows. */
export interface Writer {
  /**
   * Resolves when the write is on disk, and visible to every later read. Throws a `ConstraintError` for a row
   * that conflicts with others, an `OutageError` for a fault of the database or its disk, and a `BusyError`
   * if too much waits or a lock is held for too long; then nothing has been written, except after a lost
   * connection, which may hide a success.
   */
  write<Row>(write: Write): Promise<Written<Row>>;
}

/** A statement that is run once. */
export function toStatement(query: Sql): Statement {
  return toRuns([query]);
}

/** A statement that runs once for each of these lists of values, with the same text. */
export function toRuns(queries: readonly [Sql, ...Sql[]]): Statement {
  const [first, ...others] = queries;
  const { name, sql, values } = first.compile();
  const runs = [values, ...others.map((other) => other.compile().values)];
  return { ...(name !== undefined && { name }), sql, runs };
}

/** Runs one statement. */
export function writeOne<Row>(writer: Writer, query: Sql<Row>, lock?: Lock): Promise<Written<Row>> {
  return writer.write({ statements: [toStatement(query)], lock });
}
