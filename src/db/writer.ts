import type { Sql } from './sql.ts';

/** One statement, in SQL that SQLite and PostgreSQL both take, with `$1`, `$2`, … for its values in the order of the text. */
export interface Statement {
  /** Present if the text never varies: it is prepared once for each connection, and found by its name. */
  readonly name?: string;
  readonly sql: string;
  /**
   * Values of the statement, for each time that it is run. PostgreSQL runs only a query more than once, which then is the first of several
   * statements.
   */
  readonly runs: readonly (readonly unknown[])[];
}

/** A statement, or several of which all happen or none. Plain data, which travels between threads. */
export interface Write {
  /**
   * They run in order. PostgreSQL runs them as one where no lock is needed, so they neither change the same row nor read what
   * another one changes; with `firstDecides` the others end with their `where` clause.
   */
  readonly statements: readonly [Statement, ...Statement[]];
  /** Nothing happens where the first statement returns or changes fewer rows than it has runs. */
  readonly firstDecides?: boolean;
  /** No other write with the same lock runs at the same time, nor any other write to a locked table. */
  readonly lock?: Lock | undefined;
  /** The change to log in the same transaction, if the first statement lets anything happen. Webhooks tell of it, too. */
  readonly change?: Change;
  /** Event that webhooks tell of besides, queued in the same transaction on the same condition. */
  readonly tells?: TellableEvent;
  /** Whether its first statement queues deliveries itself. */
  readonly isQueuing?: boolean;
}

/** Whose changes are numbered together: a user, or with an empty `userId` all users of the tenant together. */
export interface LogOwner {
  readonly tenant: string;
  readonly userId: string;
}

/** The goals of a user are one object. */
export type ChangeKind = 'entry' | 'recipe' | 'goals' | 'measurement' | 'food';

/** How long a deletion stays in the log. Whoever has not read for longer may have missed some, and reads everything anew. */
export const KEPT_DELETIONS_MS = 90 * 86_400_000;

/** See `ChangeLog`. */
export interface Change extends LogOwner {
  readonly kind: ChangeKind;
  /** Each once. Without any, nothing is logged and only caches hear of the write. */
  readonly ids: readonly string[];
  readonly isDeleted?: boolean;
  /** How long the deletion stays in the log; by default `KEPT_DELETIONS_MS`. */
  readonly keptMs?: number;
  /** The one user of the owner who sees the object and has seen it until now; by default all do. Of no matter to a deletion. */
  readonly seenBy?: string | undefined;
  /** When the object was added by an id that its client chose. Fails with a `ConstraintError` where that id was deleted before. */
  readonly chosenAtMs?: number | undefined;
}

/**
 * Columns that writers set for a logged object that is written again. `deleted` cannot be null, so that an id is not chosen again that was
 * deleted.
 */
export const LOG_AGAIN = `
  deleted = case when changes.deleted = 1 and excluded.chosen_at_ms is not null then null else 0 end,
  forget_after_ms = null,
  seen_by = case when changes.seen_by = excluded.seen_by then changes.seen_by end,
  chosen_at_ms = coalesce(changes.chosen_at_ms, excluded.chosen_at_ms)`;

/** An event that webhooks can tell of. */
export const WEBHOOK_EVENTS = ['scan.completed', 'scan.failed', 'diary.changed', 'food.changed'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Something that happened, for the webhooks of its tenant. */
export interface TellableEvent {
  readonly event: WebhookEvent;
  readonly tenant: string;
  /** The user whom it is about; empty where it is no user's. */
  readonly userId: string;
  /** Whether webhooks of single users hear of it, too, whichever user they name. */
  readonly isForAllUsers?: boolean;
  /** Kinds of changes and the user's things that they happened to, each once. */
  readonly subjects: readonly string[];
}

/** Returns the event of a write that webhooks tell of. Events of a user tell of the diary as a whole. */
export function toldBy({ change, tells }: Write): TellableEvent | undefined {
  if (change === undefined || change.ids.length === 0) return tells;
  const { tenant, userId, kind, ids } = change;
  return kind === 'food'
    ? { event: 'food.changed', tenant, userId, isForAllUsers: true, subjects: ids }
    : { event: 'diary.changed', tenant, userId, subjects: [''] };
}

/** Whose hint is raised when deliveries of webhooks were queued. No tenant has this name. */
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
  /** Whether deliveries of webhooks were queued. */
  readonly hasQueued?: boolean;
}

/** The one way to write rows. */
export interface Writer {
  /**
   * On disk when it settles, and seen by every read that begins afterwards. Throws a `ConstraintError` for a row that
   * contradicts others, an `OutageError` where the database or its disk is at fault, and a `BusyError` where too much waits or a
   * lock is held for too long; then nothing of it has happened, but for a lost connection, which may hide an answer.
   */
  write<Row>(write: Write): Promise<Written<Row>>;
}

/** A statement that is run once. */
export function toStatement(query: Sql): Statement {
  return toRuns([query]);
}

/** A statement that is run for the values of each of these, which have one text. */
export function toRuns(queries: readonly [Sql, ...Sql[]]): Statement {
  const [first, ...others] = queries;
  const { name, sql, values } = first.compile();
  const runs = [values, ...others.map((other) => other.compile().values)];
  return { ...(name !== undefined && { name }), sql, runs };
}

/** Carries out one statement. */
export function writeOne<Row>(writer: Writer, query: Sql<Row>, lock?: Lock): Promise<Written<Row>> {
  return writer.write({ statements: [toStatement(query)], lock });
}
