import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Nodes that listen hear of each write when it is committed, with its revision. */
export const liveFoodChanges: Migration = {
  async up(db) {
    await sql`create function notify_live_food() returns trigger language plpgsql as $$
      begin
        perform pg_notify('larder_live_foods', new.revision::text);
        return null;
      end
    $$`.execute(db);
    await sql`create trigger live_food_changed after insert or update on live_foods
      for each row execute function notify_live_food()`.execute(db);
  },
};
