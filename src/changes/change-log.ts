import { type Queries, sql } from '../db/sql.ts';
import type { ChangeKind, LogOwner } from '../db/writer.ts';

/** The latest write to one object. */
export interface LoggedChange {
  readonly kind: ChangeKind;
  readonly id: string;
  readonly seq: number;
  readonly isDeleted: boolean;
  /** The only user who has ever seen it; null if all users of the owner may have. */
  readonly seenBy: string | null;
}

export interface ChangesPage {
  /** Changes in the order in which they were committed. */
  readonly changes: readonly LoggedChange[];
  /** Position after which to continue. */
  readonly next: number;
}

interface HeadRow {
  readonly start: number;
  readonly seq: number;
}

interface ChangeRow {
  readonly kind: ChangeKind;
  readonly id: string;
  readonly seq: number;
  readonly deleted: number;
  readonly seen_by: string | null;
}

/**
 * Reads what writers log. An owner has one row for each object, with the number of its latest write. Numbers are in the order of
 * commits: after all changes up to one number were read, none with a smaller number appears. They never go back, even after the
 * owner was erased.
 */
export class ChangeLog {
  readonly #db: Queries;

  constructor({ db }: { readonly db: Queries }) {
    this.#db = db;
  }

  /** The number of the latest change; 0 before the first. */
  async head(owner: LogOwner): Promise<number> {
    return (await this.#head(owner)).seq;
  }

  /**
   * At most `limit` changes after number `seq`; 0 for a reader without any data of the owner. Undefined if
   * the log may lack deletions after it, was erased since, or has never reached it, as after a failover that
   * lost writes: get `head`, then read everything again.
   */
  async since({ tenant, userId }: LogOwner, seq: number, limit: number): Promise<ChangesPage | undefined> {
    const query = sql<ChangeRow>`
      select kind, id, seq, deleted, seen_by from changes
      where tenant_id = ${tenant} and user_id = ${userId} and seq > ${seq} order by seq limit ${limit}`;
    const rows = await query.prepared('changes-since').all(this.#db);
    // Read afterwards: a deletion that was forgotten before the head was read would otherwise be missing from
    // the page.
    const head = await this.#head({ tenant, userId });
    const next = rows.at(-1)?.seq ?? seq;
    const isForgotten = (known: number) => known > 0 && known < head.start;
    // A reader who began without a log has missed no deletion, but could not go on from `next`.
    if (seq > head.seq || isForgotten(seq) || isForgotten(next)) return undefined;
    return { changes: rows.map(toLogged), next };
  }

  /** The latest write to this object, unless it was forgotten. */
  async find({ tenant, userId }: LogOwner, kind: ChangeKind, id: string): Promise<LoggedChange | undefined> {
    const query = sql<ChangeRow>`
      select kind, id, seq, deleted, seen_by from changes
      where tenant_id = ${tenant} and user_id = ${userId} and kind = ${kind} and id = ${id}`;
    const row = await query.prepared('change-of').first(this.#db);
    return row && toLogged(row);
  }

  async #head({ tenant, userId }: LogOwner): Promise<HeadRow> {
    const query = sql<HeadRow>`
      select start, seq from change_heads where tenant_id = ${tenant} and user_id = ${userId}`;
    return (await query.prepared('change-head').first(this.#db)) ?? { start: 0, seq: 0 };
  }
}

function toLogged({ deleted, seen_by: seenBy, ...change }: ChangeRow): LoggedChange {
  return { ...change, isDeleted: deleted === 1, seenBy };
}
