import pg from 'pg';
import type { AuditRecord, ScanState } from '../history-record.ts';

/** Queries the database directly, independent of the tested code. */
export class Audit {
  readonly #url: string;

  constructor({ databaseUrl }: { readonly databaseUrl: string }) {
    this.#url = databaseUrl;
  }

  /** Records each settlement of a job from now on. */
  async begin(): Promise<void> {
    await this.#query(`
      create table settlements (id text not null);
      create function note_settlement() returns trigger language plpgsql as
        'begin insert into settlements values (new.id); return null; end';
      create trigger note_settlement after update of status on scans
        for each row when (new.status in ('completed', 'failed')) execute function note_settlement()`);
  }

  /** Jobs held by a worker. */
  async heldJobs(): Promise<string[]> {
    return (await this.#query('select id from scans where is_leased = 1 order by id')).map(({ id }) => id);
  }

  /** The number of times that a job changed its worker. */
  async takeovers(jobs: readonly string[]): Promise<number> {
    const list = jobs.map((job) => `'${job}'`).join();
    const rows = await this.#query(
      `select sum(fencing_token - 1)::int as count from scans where id in (${list})`,
    );
    return rows[0]!['count'];
  }

  async scans(): Promise<AuditRecord[]> {
    const rows = await this.#query(`
      select id, status, result, failure,
        (select count(*)::int from settlements where settlements.id = scans.id) as settlements
      from scans`);
    return rows.map(({ id, status, result, failure, settlements }) => ({
      kind: 'audit',
      job: id,
      state: toState(status, JSON.parse(result ?? 'null'), JSON.parse(failure ?? 'null')),
      settlements,
    }));
  }

  // biome-ignore lint/suspicious/noExplicitAny: rows are what was asked for
  async #query(text: string): Promise<Record<string, any>[]> {
    const client = new pg.Client(this.#url);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }
}

/** The result of a scan in one word: the food, or the reason of a failure. */
export function toState(
  status: ScanState['status'],
  result: { readonly items: readonly { readonly foodId?: string }[] } | null | undefined,
  failure: { readonly code: string } | null | undefined,
): ScanState {
  const outcome = failure?.code ?? result?.items.map(({ foodId }) => foodId).join();
  return { status, ...(outcome !== undefined && { outcome }) };
}
