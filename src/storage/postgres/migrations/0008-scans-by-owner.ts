import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Tenant and user are part of a scan's key, so that engines can spread scans by either. A scan that is no user's has an
 * empty one; a trigger says so for nodes of the version before, which know the key by nothing but its parts' names.
 */
export const scansByOwner: Migration = {
  async up(db) {
    await sql`create function scan_of_nobody() returns trigger language plpgsql as $$
      begin
        new.user_id := coalesce(new.user_id, '');
        return new;
      end
    $$`.execute(db);
    // From here on nobody writes to the table until all of this is done.
    await sql`create trigger scan_of_nobody before insert or update of user_id on scans
      for each row execute function scan_of_nobody()`.execute(db);
    await sql`update scans set user_id = '' where user_id is null`.execute(db);
    await sql`alter table scans alter column user_id set not null`.execute(db);
    await sql`alter table scans drop constraint scans_pkey, add primary key (tenant_id, user_id, id)`.execute(
      db,
    );
    // The key begins with the same columns.
    await sql`drop index scans_by_user`.execute(db);
  },
};
