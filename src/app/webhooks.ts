import { randomBytes } from 'node:crypto';
import type { Log } from '../base/log.ts';
import { ChangeLog } from '../changes/change-log.ts';
import { readEpoch } from '../changes/epoch.ts';
import type { Config } from '../config/config.ts';
import { ChangeHints } from '../db/change-hints.ts';
import type { DeliveryMetrics } from '../http/service/delivery-metrics.ts';
import { OutgoingAddresses } from '../outgoing/outgoing-addresses.ts';
import { PeopleStore } from '../people/people-store.ts';
import type { EventData } from '../webhooks/delivery-attempt.ts';
import type { DeliveryObserver } from '../webhooks/delivery-observer.ts';
import { DeliveryStore } from '../webhooks/delivery-store.ts';
import { DeliverySweeper } from '../webhooks/delivery-sweeper.ts';
import { DeliveryWorker } from '../webhooks/delivery-worker.ts';
import { WebhookStore } from '../webhooks/webhook-store.ts';
import { Webhooks } from '../webhooks/webhooks.ts';
import type { Engine, ScanEngine } from './backend.ts';

/** Maximum delay of deliveries that another node queued and whose hint was lost. */
const POLL_MS = 1_000;
/** Maximum delay if one process writes nearly everything. */
const TOLD_POLL_MS = 5_000;

/** The webhooks of one API thread. */
export function createWebhooks({ sql, nowMs }: Pick<Engine, 'sql' | 'nowMs'>, config: Config): Webhooks {
  const { perTenant, networks } = config.webhooks;
  return new Webhooks({
    store: new WebhookStore(sql),
    deliveries: new DeliveryStore(sql),
    addresses: openAddresses(config),
    takesHttp: networks.length > 0,
    maxWebhooks: perTenant,
    nowMs,
    randomBytes,
  });
}

function openAddresses({ webhooks: { networks } }: Pick<Config, 'webhooks'>): OutgoingAddresses {
  return new OutgoingAddresses({ allowed: networks, setting: 'LARDER_WEBHOOK_NETWORKS' });
}

export interface DeliveryWorkOptions {
  readonly engine: Omit<ScanEngine, 'close'>;
  readonly config: Config;
  /** `SharedMemory.changeHints`. */
  readonly memory: SharedArrayBuffer;
  /** Whether all writes increment the hints in `memory`, as in an embedded service. */
  readonly isTold: boolean;
  readonly metrics?: DeliveryMetrics | undefined;
  readonly log: Log;
}

/** Sends deliveries until it is closed. */
export function startDeliveryWork({ engine, config, memory, isTold, metrics, log }: DeliveryWorkOptions) {
  const { sql, scans, objects, customFoods: foods, nowMs } = engine;
  const people = new PeopleStore(sql);
  const [webhooks, deliveries, changes] = [new WebhookStore(sql), new DeliveryStore(sql), new ChangeLog(sql)];
  const observer = observe(log, metrics);
  /** Loaded with the first delivery: most services have no webhooks, and the main thread makes no other responses. */
  let eventData: Promise<EventData> | undefined;
  const openEventData = () => {
    eventData ??= Promise.all([
      import('../api/webhooks/event-json.ts'),
      import('../diary/feed/user-feed.ts'),
      import('../diary/store/diary-store.ts'),
      import('../scan/jobs/scans.ts'),
    ]).then(([{ eventDataOf }, { UserFeed }, { DiaryStore }, { resultAddressOf }]) =>
      eventDataOf({
        scans,
        resultAddress: (job) => resultAddressOf(job, { objects, nowMs }),
        feed: new UserFeed({ log: changes, diaries: new DiaryStore(sql), foods }),
        readEpoch: () => readEpoch(sql),
        sharesWith: ({ tenant, createdBy }) => people.sharesWithMaker(tenant, createdBy),
        log: changes,
      }),
    );
    return eventData;
  };
  const worker = new DeliveryWorker({
    webhooks,
    deliveries,
    eventData: async (delivery, target) => (await openEventData())(delivery, target),
    addresses: openAddresses(config),
    observer,
    nowMs,
    hints: new ChangeHints({ memory }),
    pollMs: isTold ? TOLD_POLL_MS : POLL_MS,
  });
  const sweeper = new DeliverySweeper({ webhooks, deliveries, observer, nowMs });
  worker.start();
  sweeper.start();
  return {
    depth: () => deliveries.depth(),
    /** Returns unfinished deliveries to the queue. */
    async close() {
      await Promise.all([worker.stop(), sweeper.stop()]);
    },
  };
}

/** Neither addresses nor secrets are logged. */
function observe(log: Log, metrics: DeliveryMetrics | undefined): DeliveryObserver {
  return {
    attempted({ id, webhookId: webhook, event, attempts: attempt }, attempted) {
      metrics?.attempted(attempted);
      const { outcome, ms, status } = attempted;
      const level = outcome === 'succeeded' ? 'debug' : 'info';
      log[level]({ delivery: id, webhook, event, attempt, outcome, ms, status }, 'a webhook was called');
    },
    disabled: (webhook, reason) => log.warn({ webhook, reason }, 'a webhook is disabled'),
    broken: (doing, err, id) => log.error({ err, doing, delivery: id }, 'webhooks: an error'),
  };
}
