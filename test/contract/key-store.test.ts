import { SqliteKeyStore } from '../../src/adapters/embedded/key-store.ts';
import { openTwice } from '../support/sqlite.ts';
import { keyStoreContract } from './key-store.ts';

keyStoreContract('SQLite', () => openTwice((db) => new SqliteKeyStore({ db })));
