import { hash } from 'node:crypto';
import { type Queries, sql } from '../db/sql.ts';
import type { Caller } from './api-key.ts';

/**
 * Returns a text that names the credential of a caller in the database: that of a session, a key, or the key that a token was made from.
 * Undefined for tokens of other issuers, which nobody here can revoke.
 */
export function credentialOf({ session, key }: Pick<Caller, 'session' | 'key'>): string | undefined {
  if (session !== undefined) return `session:${hash('sha256', session, 'base64url')}`;
  return key.id.includes('@') ? undefined : `key:${key.id}`;
}

/** False for a credential that was revoked, has expired or ended. True for one that is unknown, of before credentials were kept. */
export async function isLiveCredential(
  db: Queries,
  credential: string | undefined,
  nowMs: number,
): Promise<boolean> {
  const [, kind, id] = /^(session|key):(.+)$/.exec(credential ?? '') ?? [];
  if (id === undefined) return true;
  const seconds = Math.floor(nowMs / 1000);
  const query =
    kind === 'key'
      ? sql`select id from api_keys where id = ${id}
          and coalesce(revoked_at, ${seconds + 1}) > ${seconds} and coalesce(expires_at, ${seconds + 1}) > ${seconds}`
      : sql`select id from sessions where hash = ${id} and expires_at_ms > ${nowMs}`;
  return (await query.first(db)) !== undefined;
}
