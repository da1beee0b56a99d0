import { describe } from 'vitest';
import { SealedSecrets } from '../../src/db/sealed-secrets.ts';
import { openPostgresTwice, postgresPrograms } from '../support/postgres.ts';
import { toWebhookStores, webhookStoresContract } from './webhook-stores.ts';

const secrets = SealedSecrets.random();

describe.skipIf(postgresPrograms === undefined)('where PostgreSQL is installed', () => {
  webhookStoresContract('PostgreSQL', () => openPostgresTwice((sql) => toWebhookStores({ ...sql, secrets })));
});
