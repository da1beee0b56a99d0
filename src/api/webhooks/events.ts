import { z } from 'zod';
import type { Scope } from '../../access/api-key.ts';
import { type DeliveredEvent, TEST_EVENT, type WebhookEvent } from '../../webhooks/webhook.ts';
import { cursorText, EXAMPLE_CURSOR } from '../changes/feed-json.ts';
import { EXAMPLE_SCAN, scanObject, scanSchema } from '../scans/scan-json.ts';
import { userIdText } from '../text-schemas.ts';

interface EventDeclaration {
  /** Name of the body in the document. */
  readonly id: string;
  readonly summary: string;
  readonly data: z.ZodType;
  readonly example: object;
}

const EXAMPLE_FAILED = scanObject(
  {
    ...EXAMPLE_SCAN,
    status: 'failed',
    result: undefined,
    failure: { code: 'no_food_detected', message: 'There is no food on the photo.', retryable: false },
  },
  undefined,
);

/** All events of webhooks, with the `data` of each and the scope that a key needs to receive it. */
export const EVENTS = {
  'scan.completed': {
    id: 'ScanCompletedEvent',
    summary: 'A scan is completed',
    scope: 'scan',
    data: scanSchema.describe(
      'The job as polling answers it. Without `result` if that is too long; `resultUrl` has it.',
    ),
    example: scanObject(EXAMPLE_SCAN, undefined),
  },
  'scan.failed': {
    id: 'ScanFailedEvent',
    summary: 'A scan failed',
    scope: 'scan',
    data: scanSchema.describe('The job as polling answers it, with its `error`.'),
    example: EXAMPLE_FAILED,
  },
  'diary.changed': {
    id: 'DiaryChangedEvent',
    summary: 'Something in the diary of a user changed',
    scope: 'diary:read',
    data: z
      .object({ userId: userIdText, cursor: cursorText.describe('How far the feed of the user goes.') })
      .meta({ id: 'DiaryChangedData' }),
    example: { userId: 'user-1', cursor: EXAMPLE_CURSOR },
  },
  'food.changed': {
    id: 'FoodChangedEvent',
    summary: 'A custom food was created, changed or deleted',
    scope: 'foods:read',
    data: z.object({ id: z.string(), op: z.enum(['upsert', 'delete']) }).meta({ id: 'FoodChangedData' }),
    example: { id: 'manual:01KG9V4N00000000000000FD01', op: 'upsert' },
  },
  [TEST_EVENT]: {
    id: 'WebhookTestEvent',
    summary: 'A test of a webhook',
    data: z.object({}).meta({ id: 'WebhookTestData' }),
    example: {},
  },
} as const satisfies Readonly<
  Record<WebhookEvent, EventDeclaration & { readonly scope: Scope }> &
    Record<typeof TEST_EVENT, EventDeclaration>
>;

/** The body of a delivery, as Standard Webhooks names its fields. */
export function eventBody(event: DeliveredEvent) {
  const { id, data, summary } = EVENTS[event];
  return z
    .object({ type: z.literal(event), timestamp: z.iso.datetime().describe('When it happened.'), data })
    .meta({ id, description: `${summary}.` });
}
