import { z } from 'zod';
import type { Diary } from '../../diary/diary.ts';
import { ownerOf, sharersOf, viewerOf } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { DIARY_TAG, diaryWrite, EXAMPLE_ENTRY, userParams } from './diary-docs.ts';
import { scanEntriesSchema } from './entry-input.ts';
import { entriesOutcome, entrySchema } from './entry-json.ts';

export const createScanEntries = operation({
  method: 'POST',
  path: '/v1/users/:userId/diary/scan',
  id: 'createDiaryEntriesFromScan',
  tag: DIARY_TAG,
  summary: 'Add the items of a scan as diary entries',
  description:
    'An entry for each item, or for those in `items`, with their changes: all of them or none. A scan with `unsure` items needs ' +
    '`items` or `saveUnsure`.',
  access: diaryWrite,
  counts: 'diaryWrite',
  params: userParams,
  body: {
    schema: scanEntriesSchema,
    example: { date: '2026-01-31', mealType: 'lunch', scanJobId: '01kg9v3h00000xw5m8kq2nce7a' },
    limit: BODY_LIMITS.item,
  },
  answer: {
    status: 201,
    description: 'The entries.',
    schema: z.array(entrySchema),
    example: [EXAMPLE_ENTRY],
  },
  errors: ['scan_job_not_found', 'food_not_found', 'quota_exceeded'],
  handle: async (request, { diary }: { diary: Diary }) => {
    const { caller, body, ids } = request;
    const owner = ownerOf(request);
    const options = { ids, viewer: viewerOf(caller), sharers: sharersOf(caller) };
    return entriesOutcome(await diary.createFromScan(owner, body, options), owner);
  },
});
