import type { Config } from '../config/config.ts';
import type { SqlDatabase } from '../db/sql-database.ts';
import type { Limiter } from '../limits/request-limiter.ts';
import { keepOwnerLink, removeOwnerLink } from '../people/owner-link.ts';
import { Passwords } from '../people/passwords.ts';
import { People } from '../people/people.ts';
import { PeopleStore } from '../people/people-store.ts';
import { Sessions } from '../people/sessions.ts';
import type { Engine } from './backend.ts';
import { hasPage } from './installation/page-folder.ts';

/** Creates what one API thread needs for people. */
export function createPeople(
  { dataDir }: Config,
  engine: Engine,
  limiter: Limiter,
  nowMs: () => number = engine.nowMs,
) {
  const store = new PeopleStore(engine.sql);
  return {
    people: new People({
      store,
      passwords: new Passwords(),
      limiter,
      nowMs,
      onOwner: () => removeOwnerLink(dataDir),
    }),
    sessions: new Sessions({ store, nowMs }),
  };
}

/** Returns the link of the first owner of a service with a page, until there is one. */
export async function ensureOwnerLink(config: Config, database: SqlDatabase) {
  if (!hasPage(config)) return undefined;
  const { dataDir, publicUrl, host, port } = config;
  const here = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  const url = publicUrl?.replace(/\/$/, '') ?? `http://${here.includes(':') ? `[${here}]` : here}:${port}`;
  return keepOwnerLink(new PeopleStore(database), { dataDir, url });
}
