import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import { isLiveCredential } from '../access/live-credentials.ts';
import { ChangeLog } from '../changes/change-log.ts';
import { ChangeWatch } from '../changes/change-watch.ts';
import { DeletionSweeper } from '../changes/deletion-sweeper.ts';
import { readEpoch } from '../changes/epoch.ts';
import { ChangeHints } from '../db/change-hints.ts';
import { FeedPages } from '../diary/feed/feed-pages.ts';
import { FeedTickets } from '../diary/feed/feed-tickets.ts';
import { UserFeed } from '../diary/feed/user-feed.ts';
import type { Engine } from './backend.ts';

/** Maximum delay of a change that another node wrote and whose hint was lost. */
const POLL_MS = 1_000;
/** Poll interval if one process writes everything, so that no hint is lost. */
const TOLD_POLL_MS = 10_000;

interface FeedsOptions {
  readonly engine: Engine;
  /** `SharedMemory.changeHints`. */
  readonly memory: SharedArrayBuffer;
  /** Whether all writes increment the hints in `memory`, as in an embedded service. */
  readonly isTold: boolean;
  readonly log: Pick<Logger, 'error'>;
}

/** The feeds of users on one API thread. */
export function createFeeds({ engine, memory, isTold, log }: FeedsOptions) {
  const { sql, diary: diaries, customFoods: foods } = engine;
  const watch = new ChangeWatch({
    db: sql.db,
    hints: new ChangeHints({ memory }),
    pollMs: isTold ? TOLD_POLL_MS : POLL_MS,
    onError: (err) => log.error({ err }, 'watched changes could not be read'),
  });
  const feed = new UserFeed({ log: new ChangeLog(sql), diaries, foods });
  const secret = createHmac('sha256', engine.ticketSecret).update('tickets of changes').digest();
  return {
    feedTickets: new FeedTickets({
      secret,
      isLive: (credential, nowMs) => isLiveCredential(sql.db, credential, nowMs),
      nowMs: engine.nowMs,
    }),
    feeds: new FeedPages({ feed, watch, readEpoch: () => readEpoch(sql) }),
    closeFeeds: () => watch.close(),
  };
}

export function startDeletionSweeper({ sql, nowMs }: Engine, log: Pick<Logger, 'warn'>): DeletionSweeper {
  const onError = (err: unknown) => log.warn({ err }, 'expired deletions could not be removed');
  const sweeper = new DeletionSweeper({ ...sql, nowMs, onError });
  sweeper.start();
  return sweeper;
}
