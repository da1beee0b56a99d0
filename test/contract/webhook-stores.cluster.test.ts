import { describe } from 'vitest';
import { SealedSecrets } from '../../src/db/sealed-secrets.ts';
import { hasPostgres, openPostgresTwice } from '../support/postgres.ts';
import { toWebhookStores, webhookStoresContract } from './webhook-stores.ts';

const secrets = SealedSecrets.random();

describe.skipIf(!hasPostgres)('where PostgreSQL is installed', () => {
  webhookStoresContract('PostgreSQL', () => openPostgresTwice((sql) => toWebhookStores({ ...sql, secrets })));
});
