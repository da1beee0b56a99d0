import { randomBytes } from 'node:crypto';
import { createIds } from '../base/time-ordered-id.ts';
import { list, type Queries, sql } from '../db/sql.ts';
import type { SqlDatabase } from '../db/sql-database.ts';
import { type Statement, toStatement, type Writer } from '../db/writer.ts';
import type { SecurityEvent, SecurityResult } from './security-log.ts';

/** Maximum kept events that succeeded, and as many others, so that floods of failures push out no success. */
export const MAX_EVENTS = 5_000;
/** Maximum events of a thread that wait to be stored; the log has all. */
const MAX_WAITING = 500;
/** Maximum events a minute and thread that are stored although they were refused. */
const MAX_REFUSED = 60;
const MINUTE_MS = 60_000;
/** Events of one write. */
export const STORED_AT_ONCE = 100;

/** A security event, with the fields of the log. */
export interface LoggedEvent {
  readonly event: SecurityEvent;
  readonly result: SecurityResult;
  readonly address: string;
  /** `person:ID` or `key:ID`. */
  readonly who?: string | undefined;
  /** Code of the error. */
  readonly code?: string | undefined;
  readonly requestId: string;
}

export interface KeptEvent extends LoggedEvent {
  readonly id: string;
  readonly atMs: number;
}

export interface EventQuery {
  /** Selects events before this one; '' for the newest. */
  readonly after: string;
  readonly limit: number;
  readonly events?: readonly SecurityEvent[] | undefined;
  readonly results?: readonly SecurityResult[] | undefined;
}

interface EventRow {
  readonly id: string;
  readonly event: SecurityEvent;
  readonly result: SecurityResult;
  readonly address: string;
  readonly who: string | null;
  readonly code: string | null;
  readonly request_id: string;
  readonly at_ms: number;
}

/** Keeps the latest security events for operators. The log has all of them, and is not waited for. */
export class SecurityEventStore {
  readonly #db: Queries;
  readonly #writer: Writer;
  readonly #nowMs: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #waiting: KeptEvent[] = [];
  #storing: Promise<void> | undefined;
  #minute = 0;
  #refused = 0;

  constructor({
    db,
    writer,
    nowMs,
    onError,
  }: SqlDatabase & { readonly nowMs: () => number; readonly onError: (error: unknown) => void }) {
    this.#db = db;
    this.#writer = writer;
    this.#nowMs = nowMs;
    this.#onError = onError;
  }

  /** Stores the event soon. */
  keep(event: LoggedEvent): void {
    const atMs = this.#nowMs();
    if (this.#waiting.length >= MAX_WAITING || !this.#hasRoom(event, atMs)) return;
    const [id] = createIds(1, atMs, randomBytes);
    this.#waiting.push({ ...event, id: id!, atMs });
    this.#storing ??= this.#store().finally(() => {
      this.#storing = undefined;
    });
  }

  /** Newest first. */
  async list({ after, limit, events, results }: EventQuery): Promise<readonly KeptEvent[]> {
    const rows = await sql<EventRow>`
      select * from security_events where id < ${after === '' ? LAST_ID : after}
        ${events === undefined ? sql`` : sql`and event in (${list(events)})`}
        ${results === undefined ? sql`` : sql`and result in (${list(results)})`}
      order by id desc limit ${limit}`.all(this.#db);
    return rows.map(({ request_id: requestId, at_ms: atMs, who, code, ...row }) => ({
      ...row,
      atMs: Number(atMs),
      requestId,
      ...(who !== null && { who }),
      ...(code !== null && { code }),
    }));
  }

  /** Resolves when all events are stored. */
  async settled(): Promise<void> {
    await this.#storing;
  }

  #hasRoom({ result }: LoggedEvent, atMs: number): boolean {
    if (result === 'ok') return true;
    const minute = Math.floor(atMs / MINUTE_MS);
    if (minute !== this.#minute) [this.#minute, this.#refused] = [minute, 0];
    return ++this.#refused <= MAX_REFUSED;
  }

  async #store(): Promise<void> {
    while (this.#waiting.length > 0) {
      const [first, ...others] = this.#waiting.splice(0, STORED_AT_ONCE).map(insertion);
      const statements: [Statement, ...Statement[]] = [first!, ...others, ...REMOVALS];
      // Events of a time without a database are in the log alone.
      await this.#writer.write({ statements }).catch(this.#onError);
    }
  }
}

/** After all ids. */
const LAST_ID = 'Z'.repeat(26);

function insertion({ id, atMs, event, result, address, who, code, requestId }: KeptEvent): Statement {
  return toStatement(sql`
    insert into security_events (id, at_ms, event, result, address, who, code, request_id, is_ok)
    values (${id}, ${atMs}, ${event}, ${result}, ${address}, ${who ?? null}, ${code ?? null}, ${requestId}, ${result === 'ok' ? 1 : 0})`);
}

const REMOVALS = [0, 1].map((isOk) =>
  toStatement(sql`
    delete from security_events where is_ok = ${isOk} and id <= (
      select id from security_events where is_ok = ${isOk} order by id desc limit 1 offset ${MAX_EVENTS})`),
);
