import { OperatorError } from '@larder/core/errors.ts';
import { KeyStore } from '../../access/key-store.ts';
import { TenantDirectory } from '../../access/tenant-directory.ts';
import { requireDataFolder } from '../../app/data-folder.ts';
import { openDatabase } from '../../app/open-backend.ts';
import type { Config } from '../../config/config.ts';
import { HouseholdStore } from '../../people/household-store.ts';
import { PeopleStore } from '../../people/people-store.ts';
import { nameKey } from '../../people/person.ts';
import { WebhookStore } from '../../webhooks/webhook-store.ts';
import { commandConfig } from '../terminal/command-config.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface UserSession {
  readonly config: Config;
  readonly people: PeopleStore;
  readonly household: HouseholdStore;
  readonly tenants: TenantDirectory;
  readonly keys: KeyStore;
  readonly webhooks: WebhookStore;
  readonly nowMs: () => number;
}

/** Opens the users of the configured data folder or cluster for one command; a service may be running on it. */
export async function withUsers(
  terminal: Terminal,
  use: (session: UserSession) => Promise<void>,
): Promise<void> {
  const { config } = commandConfig(terminal);
  // In a cluster, people are in PostgreSQL and need no data folder.
  if (config.mode === 'embedded') requireDataFolder(config);
  const database = await openDatabase(config);
  try {
    await use({
      config,
      people: new PeopleStore(database),
      household: new HouseholdStore(database),
      tenants: new TenantDirectory(database),
      keys: new KeyStore(database),
      webhooks: new WebhookStore(database),
      nowMs: database.nowMs,
    });
  } finally {
    await database.close();
  }
}

/** Finds a person by name or id. */
export async function findPerson(people: PeopleStore, words: string) {
  const found = (await people.findByName(nameKey(words))) ?? (await people.findPerson(words));
  if (found !== undefined) return found;
  throw new OperatorError(`There is nobody called ${JSON.stringify(words)}; "larder user list" shows all.`);
}
