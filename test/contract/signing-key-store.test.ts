import { SqliteSigningKeyStore } from '../../src/adapters/embedded/signing-key-store.ts';
import { openTwice } from '../support/sqlite.ts';
import { signingKeyStoreContract } from './signing-key-store.ts';

signingKeyStoreContract('SQLite', () => openTwice((db) => new SqliteSigningKeyStore({ db })));
