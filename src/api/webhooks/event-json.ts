import type { Shares } from '../../access/api-key.ts';
import type { ChangeLog } from '../../changes/change-log.ts';
import { toCursor } from '../../diary/feed/feed-position.ts';
import type { UserFeed } from '../../diary/feed/user-feed.ts';
import type { ScanStore } from '../../scan/jobs/scan-store.ts';
import type { ScanId, ScanJob } from '../../scan/scan-job.ts';
import type { EventData } from '../../webhooks/delivery-attempt.ts';
import type { WebhookTarget } from '../../webhooks/webhook.ts';
import { scanObject, toPublicUrl, withoutHabits } from '../scans/scan-json.ts';

export interface EventPorts {
  readonly scans: Pick<ScanStore, 'find'>;
  /** A signed URL of the full analysis; undefined if there is none. */
  readonly resultAddress: (job: ScanJob) => Promise<string | undefined>;
  readonly feed: Pick<UserFeed, 'end'>;
  readonly readEpoch: () => Promise<string>;
  readonly log: Pick<ChangeLog, 'find'>;
  /** `Caller.shares` of whoever made a webhook. */
  readonly sharesWith: (webhook: Pick<WebhookTarget, 'tenant' | 'createdBy'>) => Promise<Shares | undefined>;
}

/** Makes the `data` of deliveries from the state at the time of sending. */
export function eventDataOf({
  scans,
  resultAddress,
  feed,
  readEpoch,
  log,
  sharesWith,
}: EventPorts): EventData {
  /** The job as in polling; if that is too long, without its result, which the full analysis contains. */
  const scanData = async (tenant: string, id: string, baseUrl: string) => {
    const found = await scans.find({ tenant, id: id as ScanId });
    if (found === undefined) return undefined;
    // Webhooks need no right to read diaries.
    const job = withoutHabits(found);
    const address = await resultAddress(job);
    const { failure, result: _, ...rest } = job;
    const short = { ...rest, ...(failure && { failure: { ...failure, unknownProducts: [] } }) };
    return [job, short].map((form) => scanObject(form, address && toPublicUrl(address, baseUrl)));
  };
  return async ({ event, tenant, userId, subject }, target) => {
    const shares = await sharesWith(target);
    switch (event) {
      case 'scan.completed':
      case 'scan.failed':
        if (shares?.has(userId)) return undefined;
        return scanData(tenant, subject, target.baseUrl);
      case 'diary.changed': {
        const owner = { tenant, userId };
        if (shares?.get(userId) === 'none') return undefined;
        return [{ userId, cursor: toCursor(await feed.end(owner, true), owner, await readEpoch()) }];
      }
      case 'food.changed': {
        const change = await log.find({ tenant, userId: '' }, 'food', subject);
        // Foods of one user are private to that user.
        const hears = target.userId ?? change?.seenBy;
        if (change === undefined || (change.seenBy ?? hears) !== hears) return undefined;
        if (shares?.get(change.seenBy ?? '') === 'none') return undefined;
        return [{ id: subject, op: change.isDeleted ? 'delete' : 'upsert' }];
      }
      default:
        return [{}];
    }
  };
}
