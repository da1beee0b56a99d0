import { z } from 'zod';
import { invalidQuery } from '../../base/list-request.ts';
import type { FeedPages } from '../../diary/feed/feed-pages.ts';
import { CURSOR_FORM } from '../../diary/feed/feed-position.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { ownerOf } from '../acting-user.ts';
import { DIARY_TAG, diaryRead, userParams } from '../diary/diary-docs.ts';
import { withLocalIngredients, withLocalNames } from '../diary/entry-json.ts';
import { langQuery } from '../foods/food-query.ts';
import { limitOf } from '../list-queries.ts';
import { operation } from '../operation.ts';
import { changeObject, EXAMPLE_CURSOR, EXAMPLE_PAGE, feedPageSchema, kindsQuery } from './feed-json.ts';

const FEED_LIMITS = { byDefault: 100, max: 500 };
const MAX_WAIT_SECONDS = 30;

const feedQuery = z.object({
  after: z
    .string()
    .regex(new RegExp(`^${CURSOR_FORM}$`))
    .optional()
    .describe('The `cursor` of the page before; without it the feed begins with everything that there is.')
    .meta({ example: EXAMPLE_CURSOR }),
  ...kindsQuery.shape,
  ...langQuery.shape,
  limit: limitOf(FEED_LIMITS),
  wait: z
    .preprocess((typed) => {
      const seconds = /^\d{1,3}$/.test(String(typed)) ? Number(typed) : Number.NaN;
      if (seconds <= MAX_WAIT_SECONDS) return seconds;
      throw invalidQuery('wait', `"wait" has to be a whole number from 0 to ${MAX_WAIT_SECONDS}.`);
    }, z.int().min(0).max(MAX_WAIT_SECONDS))
    .default(0)
    .describe('How many seconds to wait for a change if there is none yet.')
    .meta({ default: 0 }),
});

export const getChanges = operation({
  method: 'GET',
  path: '/v1/users/:userId/changes',
  id: 'getChanges',
  tag: DIARY_TAG,
  summary: 'Read changes of a user',
  description:
    'Entries, recipes, goals, measurements, notes on days, favourites, saved meals and settings of a user, and the custom foods that the user sees where the credential has `foods:read`: first everything that there is, then what was written since a cursor, in the order of writing. ' +
    'Each thing is told as it is now, however often it changed. Deletions are told for 90 days; whoever asks later gets 410 `cursor_expired` and begins again without `after`.',
  access: diaryRead,
  counts: 'diaryRead',
  params: userParams,
  query: feedQuery,
  answer: {
    description: 'A page of changes; one with long changes has fewer than `limit`.',
    schema: feedPageSchema,
    example: EXAMPLE_PAGE,
  },
  errors: ['cursor_expired'],
  handle: async (request, { feeds, foods }: { feeds: FeedPages; foods: FoodDirectory }) => {
    const owner = ownerOf(request);
    const { after, kinds, limit, wait, lang } = request.query;
    const namers = { entry: withLocalNames(foods, lang), recipe: withLocalIngredients(foods, lang) };
    const value = await feeds.page({
      owner,
      hasFoods: request.caller.scopes.includes('foods:read'),
      kinds,
      cursor: after,
      limit,
      waitMs: wait * 1000,
      signal: wait > 0 ? request.left() : NEVER,
      toObject: (change) => changeObject(change, owner, namers),
    });
    if (wait > 0) await request.recheck();
    return { value };
  },
});

const NEVER = new AbortController().signal;
