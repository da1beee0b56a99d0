import { type Queries, sql } from '../db/sql.ts';
import { TENANT_PATTERN } from './api-key.ts';

/** A tenant with the numbers of its keys and users. */
export interface Tenant {
  readonly name: string;
  /** Keys that are neither revoked nor expired. */
  readonly liveKeys: number;
  /** Users with data of the diary. */
  readonly users: number;
}

export interface TenantUser {
  readonly id: string;
}

interface Page {
  readonly after: string;
  readonly limit: number;
}

interface Counted {
  readonly name: string;
  readonly count: number;
}

/** Maximum tenants that are read at a time. */
const PAGE_SIZE = 1_000;

/**
 * Lists tenants and their users. No table has them: a tenant exists while it has keys or data, and a user while the log of changes
 * has one of the user, which every write to a diary adds to and erasing the user removes.
 */
export class TenantDirectory {
  readonly #db: Queries;

  constructor({ db }: { readonly db: Queries }) {
    this.#db = db;
  }

  /** The users of a tenant with an id greater than `after`, ordered by id. */
  async users(tenant: string, { after, limit }: Page): Promise<readonly TenantUser[]> {
    // The log of the tenant itself has an empty user id.
    const query = sql<TenantUser>`
      select user_id as id from change_heads
      where tenant_id = ${tenant} and user_id > ${after} order by user_id limit ${limit}`;
    return query.all(this.#db);
  }

  /** Whether the tenant has keys or data. */
  async exists(tenant: string): Promise<boolean> {
    const query = sql`
      select id from api_keys where tenant_id = ${tenant}
      union all select user_id from change_heads where tenant_id = ${tenant} and user_id >= '' limit 1`;
    return (await query.first(this.#db)) !== undefined;
  }

  /** All tenants with keys or users, ordered by name, page by page. */
  async *tenants(nowSeconds: number): AsyncGenerator<Tenant> {
    const keys = pages((after) =>
      sql<Counted>`
        select tenant_id as name,
          sum(case when coalesce(revoked_at, expires_at, 9007199254740991) > ${Math.floor(nowSeconds)} then 1 else 0 end) as count
        from api_keys where tenant_id > ${after} group by tenant_id order by tenant_id limit ${PAGE_SIZE}`.all(
        this.#db,
      ),
    );
    const users = new Map<string, number>();
    for await (const { name, count } of pages((after) =>
      sql<Counted>`
        select tenant_id as name, count(*) as count from change_heads
        where tenant_id > ${after} and user_id <> '' group by tenant_id order by tenant_id limit ${PAGE_SIZE}`.all(
        this.#db,
      ),
    ))
      if (TENANT_PATTERN.test(name)) users.set(name, Number(count));
    for await (const { name, count } of keys) {
      yield { name, liveKeys: Number(count), users: users.get(name) ?? 0 };
      users.delete(name);
    }
    // Tenants of an OpenID issuer need no key.
    for (const [name, count] of users) yield { name, liveKeys: 0, users: count };
  }
}

async function* pages(read: (after: string) => Promise<readonly Counted[]>): AsyncGenerator<Counted> {
  let after = '';
  for (;;) {
    const page = await read(after);
    yield* page;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)!.name;
  }
}
