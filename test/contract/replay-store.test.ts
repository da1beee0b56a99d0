import { randomUUID } from 'node:crypto';
import { SqliteReplayStore } from '../../src/adapters/embedded/replay-store.ts';
import { openTwice } from '../support/sqlite.ts';
import { replayStoreContract } from './replay-store.ts';

replayStoreContract('SQLite', () =>
  openTwice((db) => new SqliteReplayStore({ db, createClaimId: randomUUID })),
);
