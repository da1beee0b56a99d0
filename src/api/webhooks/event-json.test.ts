import { expect, test } from 'vitest';
import type { Shares } from '../../access/api-key.ts';
import type { LoggedChange } from '../../changes/change-log.ts';
import { parseCursor } from '../../diary/feed/feed-position.ts';
import type { ScanJob } from '../../scan/scan-job.ts';
import type { ClaimedDelivery, WebhookTarget } from '../../webhooks/webhook.ts';
import { EXAMPLE_SCAN } from '../scans/scan-json.ts';
import { eventDataOf } from './event-json.ts';

const END = { diary: { seq: 17 }, foods: { seq: 18 } };
const TARGET = { baseUrl: 'https://larder.test/api' } as WebhookTarget;

/** The data of one event, built from the data in the ports. */
function dataOf(
  delivery: Pick<ClaimedDelivery, 'event' | 'subject'>,
  {
    job,
    change,
    address,
    target = {},
    shares,
  }: {
    job?: ScanJob;
    change?: Pick<LoggedChange, 'isDeleted' | 'seenBy'>;
    address?: string;
    target?: Partial<WebhookTarget>;
    shares?: Shares;
  } = {},
) {
  const asked: unknown[] = [];
  const data = eventDataOf({
    scans: {
      find: async (ref) => {
        asked.push(ref);
        return job;
      },
    },
    resultAddress: async () => address,
    feed: { end: async () => END },
    readEpoch: async () => 'epoch',
    log: { find: async () => change as LoggedChange | undefined },
    sharesWith: async () => shares,
  });
  const claimed = { tenant: 'acme', userId: 'ann', ...delivery } as ClaimedDelivery;
  return data(claimed, { ...TARGET, ...target }).then((forms) => ({ forms, asked }));
}

test('a scan is sent as in polling, and shortened if that is too long', async () => {
  const completed = { event: 'scan.completed', subject: EXAMPLE_SCAN.id } as const;
  const { forms, asked } = await dataOf(completed, {
    job: EXAMPLE_SCAN,
    address: '/objects/analyses/x.json',
  });
  expect(asked).toEqual([{ tenant: 'acme', id: EXAMPLE_SCAN.id }]);
  const [whole, short] = forms as { result?: object; resultUrl?: string; jobId: string }[];
  expect(whole).toMatchObject({ jobId: EXAMPLE_SCAN.id, status: 'completed', result: { items: [{}] } });
  expect(short).not.toHaveProperty('result');
  expect(short!.jobId).toBe(EXAMPLE_SCAN.id);
  expect(whole!.resultUrl).toBe(short!.resultUrl);
  expect(whole!.resultUrl).toContain('https://larder.test/api');
});

test('the shorter form of a failed scan names no products', async () => {
  const { result: _, ...rest } = EXAMPLE_SCAN;
  const failure = {
    code: 'no_food_detected',
    message: 'There is no food.',
    retryable: false,
    unknownProducts: [{ barcode: '4006381333931' }],
  } as const;
  const job: ScanJob = { ...rest, status: 'failed', failure };
  const { forms } = await dataOf({ event: 'scan.failed', subject: job.id }, { job });
  expect(forms).toMatchObject([
    { status: 'failed', error: failure },
    { status: 'failed', error: { code: 'no_food_detected', unknownProducts: [] } },
  ]);
  expect(forms![0]).not.toHaveProperty('resultUrl');
});

test('a deleted scan is not sent', async () => {
  expect((await dataOf({ event: 'scan.completed', subject: EXAMPLE_SCAN.id })).forms).toBeUndefined();
});

test('a change of the diary contains user and cursor', async () => {
  const { forms } = await dataOf({ event: 'diary.changed', subject: '' });
  expect(forms).toEqual([{ userId: 'ann', cursor: expect.any(String) }]);
  const [{ cursor }] = forms as unknown as [{ cursor: string }];
  expect(parseCursor(cursor, { tenant: 'acme', userId: 'ann' }, 'epoch')).toEqual(END);
});

test.each([
  ['shared by all', { isDeleted: false, seenBy: null }, {}, 'upsert'],
  ['shared by all, deleted', { isDeleted: true, seenBy: null }, { userId: 'ben' }, 'delete'],
  ["of the webhook's user", { isDeleted: false, seenBy: 'ann' }, { userId: 'ann' }, 'upsert'],
  ['of a user, to a webhook of the tenant', { isDeleted: false, seenBy: 'ann' }, {}, 'upsert'],
])('a food %s is sent', async (_what, change, target, op) => {
  const { forms } = await dataOf({ event: 'food.changed', subject: 'manual:x' }, { change, target });
  expect(forms).toEqual([{ id: 'manual:x', op }]);
});

test.each([
  ['of another user', { isDeleted: false, seenBy: 'ann' }],
  ['that the log no longer has', undefined],
])('a food %s is not sent', async (_what, change) => {
  const { forms } = await dataOf(
    { event: 'food.changed', subject: 'manual:x' },
    { ...(change && { change }), target: { userId: 'ben' } },
  );
  expect(forms).toBeUndefined();
});

const FOOD_OF_ANN = { isDeleted: false, seenBy: 'ann' };
test.each([
  ['none', []],
  ['read', ['diary.changed', 'food.changed']],
  ['write', ['diary.changed', 'food.changed']],
] as const)(
  'a webhook that another person made, with whom is shared: %s, hears of %j',
  async (access, heard) => {
    const shares = new Map([['ann', access]]);
    const tells = async (event: 'diary.changed' | 'food.changed' | 'scan.completed') =>
      (await dataOf({ event, subject: 'manual:x' }, { shares, job: EXAMPLE_SCAN, change: FOOD_OF_ANN }))
        .forms !== undefined;
    const events = ['diary.changed', 'food.changed', 'scan.completed'] as const;
    const told = await Promise.all(events.map(tells));
    expect(events.filter((_, at) => told[at])).toEqual(heard);
  },
);
