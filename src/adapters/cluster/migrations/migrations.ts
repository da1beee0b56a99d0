import type { Migration } from 'kysely/migration';
import { access } from './0001-access.ts';

/** All migrations in their order. Append only: what has run somewhere is never changed. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-access': access,
};
