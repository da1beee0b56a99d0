import { describe } from 'vitest';
import { openPostgresTwice, postgresPrograms } from '../support/postgres.ts';
import { toWebhookStores, webhookStoresContract } from './webhook-stores.ts';

describe.skipIf(postgresPrograms === undefined)('where PostgreSQL is installed', () => {
  webhookStoresContract('PostgreSQL', () => openPostgresTwice(toWebhookStores));
});
