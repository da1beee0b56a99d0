import type { ChangeLog } from '../../changes/change-log.ts';
import { toCursor } from '../../diary/feed/feed-position.ts';
import type { UserFeed } from '../../diary/feed/user-feed.ts';
import type { ScanStore } from '../../scan/jobs/scan-store.ts';
import type { ScanId, ScanJob } from '../../scan/scan-job.ts';
import type { EventData } from '../../webhooks/delivery-attempt.ts';
import { scanObject } from '../scans/scan-json.ts';
import { toPublicUrl } from '../scans/scan-parts.ts';

export interface EventPorts {
  readonly scans: Pick<ScanStore, 'find'>;
  /** A signed URL of the full analysis; undefined if there is none. */
  readonly resultAddress: (job: ScanJob) => Promise<string | undefined>;
  readonly feed: Pick<UserFeed, 'end'>;
  readonly readEpoch: () => Promise<string>;
  readonly log: Pick<ChangeLog, 'find'>;
}

/** Makes the `data` of deliveries from the state at the time of sending. */
export function eventDataOf({ scans, resultAddress, feed, readEpoch, log }: EventPorts): EventData {
  /** The job as in polling; if that is too long, without its result, which the full analysis contains. */
  const scanData = async (tenant: string, id: string, baseUrl: string) => {
    const job = await scans.find({ tenant, id: id as ScanId });
    if (job === undefined) return undefined;
    const address = await resultAddress(job);
    const { failure, result: _, ...rest } = job;
    const short = { ...rest, ...(failure && { failure: { ...failure, unknownProducts: [] } }) };
    return [job, short].map((form) => scanObject(form, address && toPublicUrl(address, baseUrl)));
  };
  return async ({ event, tenant, userId, subject }, target) => {
    switch (event) {
      case 'scan.completed':
      case 'scan.failed':
        return scanData(tenant, subject, target.baseUrl);
      case 'diary.changed': {
        const owner = { tenant, userId };
        return [{ userId, cursor: toCursor(await feed.end(owner, true), owner, await readEpoch()) }];
      }
      case 'food.changed': {
        const change = await log.find({ tenant, userId: '' }, 'food', subject);
        // Foods of one user are private to that user.
        const hears = target.userId ?? change?.seenBy;
        if (change === undefined || (change.seenBy ?? hears) !== hears) return undefined;
        return [{ id: subject, op: change.isDeleted ? 'delete' : 'upsert' }];
      }
      default:
        return [{}];
    }
  };
}
