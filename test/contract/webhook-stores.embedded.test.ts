import { openTwice } from '../support/sqlite.ts';
import { toWebhookStores, webhookStoresContract } from './webhook-stores.ts';

webhookStoresContract('SQLite', () => openTwice(toWebhookStores));
