import { z } from 'zod';
import { credentialOf } from '../../access/live-credentials.ts';
import { invalidQuery } from '../../base/list-request.ts';
import type { FeedPages } from '../../diary/feed/feed-pages.ts';
import { CURSOR_FORM } from '../../diary/feed/feed-position.ts';
import type { FeedGrant, FeedTickets } from '../../diary/feed/feed-tickets.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { ownerOf } from '../acting-user.ts';
import { diaryReading, userParams, wholeDiaryRead } from '../diary/diary-docs.ts';
import { withLocalIngredients, withLocalNames } from '../diary/entry-json.ts';
import type { EventStreams } from '../event-streams.ts';
import { isoTime } from '../fields.ts';
import { filledPath } from '../filled-path.ts';
import { langQuery } from '../foods/food-query.ts';
import { limitOf } from '../lists.ts';
import { type OperationRequest, operation, type Reply } from '../operation.ts';
import {
  changeObject,
  EXAMPLE_CURSOR,
  EXAMPLE_PAGE,
  feedNewsSchema,
  feedPageSchema,
  kindsQuery,
} from './feed-json.ts';

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
  ...diaryReading,
  method: 'GET',
  path: '/v1/users/:userId/changes',
  id: 'getChanges',
  summary: 'Read changes of a user',
  description:
    'Entries, recipes, goals, measurements, notes on days, favourites, saved meals and settings of a user, and the custom foods that the user sees where the credential has `foods:read`: first everything that there is, then what was written since a cursor, in the order of writing. ' +
    'Each thing is told as it is now, however often it changed. Deletions are told for 90 days; whoever asks later gets 410 `cursor_expired` and begins again without `after`.',
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

const CURSOR = new RegExp(`^${CURSOR_FORM}$`);

const streamQuery = kindsQuery.extend({
  after: z
    .string()
    .regex(CURSOR)
    .optional()
    .describe('The `cursor` of the reader. Without it the first message comes at once.')
    .meta({ example: EXAMPLE_CURSOR }),
});

const streamHeaders = z.object({
  'Last-Event-ID': z
    .string()
    .optional()
    .describe('The `id` of the last message that was read, instead of `after`.'),
});

const streamAnswer = {
  description:
    'Server-Sent Events: `data:` lines with `{cursor}`, the current end of the feed. Read on from your own cursor; do not ' +
    'send this one as `after`, since that skips the changes before it.',
  contentType: 'text/event-stream',
  schema: feedNewsSchema,
  example: { cursor: EXAMPLE_CURSOR },
} as const;

interface Ports {
  readonly feeds: FeedPages;
  readonly streams: EventStreams;
}

export const streamChanges = operation({
  ...diaryReading,
  method: 'GET',
  path: '/v1/users/:userId/changes/stream',
  id: 'streamChanges',
  summary: 'Stream a message for each change of a user',
  description:
    'A message whenever there is something to read at `…/changes`, and one at the beginning, unless the reader has read it all. With ' +
    '`kinds` only where there is something of these kinds.',
  counts: 'stream',
  params: userParams,
  query: streamQuery,
  headers: streamHeaders,
  answer: streamAnswer,
  handle: async (request, ports: Ports) => {
    const hasFoods = request.caller.scopes.includes('foods:read');
    return newsReply(request, { ...ownerOf(request), hasFoods }, ports, () => request.recheck());
  },
});

const TICKET_PATH = '/v1/users/:userId/changes/stream/by-ticket';

export const createChangesTicket = operation({
  ...diaryReading,
  method: 'POST',
  path: '/v1/users/:userId/changes/ticket',
  id: 'createChangesTicket',
  summary: 'Get an address by which a browser follows changes',
  description:
    "For a browser's EventSource, which cannot send a credential. A stream can be opened for 15 minutes, and ends with the credential " +
    'that asked for the ticket. Only for the own diary, whatever others share.',
  access: wholeDiaryRead,
  readsOnly: true,
  params: userParams,
  answer: {
    description: 'The address of the stream.',
    schema: z
      .object({
        streamUrl: z.string().describe('Add `kinds`, if wanted, as to `…/changes/stream`.'),
        expiresAt: z.iso.datetime(),
      })
      .meta({ id: 'ChangesTicket' }),
    example: {
      streamUrl: 'https://larder.example.com/v1/users/user-1/changes/stream/by-ticket?ticket=…',
      expiresAt: '2026-01-31T12:45:00.000Z',
    },
  },
  handle: async (request, { feedTickets }: { feedTickets: FeedTickets }) => {
    const { caller, baseUrl } = request;
    const owner = ownerOf(request);
    const { ticket, expiresAtMs } = feedTickets.issue({
      ...owner,
      hasFoods: caller.scopes.includes('foods:read'),
      credential: credentialOf(caller),
    });
    const streamUrl = `${baseUrl}${filledPath(TICKET_PATH, { userId: owner.userId })}?ticket=${ticket}`;
    return { value: { streamUrl, expiresAt: isoTime(expiresAtMs) } };
  },
});

/** Serves the stream to readers that cannot send a credential. */
export const followChanges = operation({
  ...diaryReading,
  method: 'GET',
  path: TICKET_PATH,
  id: 'followChanges',
  summary: 'Follow changes by a streamUrl',
  description: 'Content of `streamUrl`: the same stream as `…/changes/stream`, for anyone with the ticket.',
  access: 'public',
  counts: 'stream',
  params: userParams,
  query: streamQuery.extend({
    // A missing ticket is rejected like a wrong one.
    ticket: z.preprocess(String, z.string()).describe('As it was given.'),
  }),
  headers: streamHeaders,
  answer: streamAnswer,
  errors: ['ticket_not_found'],
  handle: async (request, { feedTickets, ...ports }: Ports & { feedTickets: FeedTickets }) => {
    const grant = await feedTickets.open(request.query.ticket, request.params.userId);
    return newsReply(request, grant, ports, () => feedTickets.requireLive(grant));
  },
});

type StreamRequest = Pick<OperationRequest, 'requestId' | 'left'> & {
  readonly query: z.output<typeof streamQuery>;
  readonly headers: z.output<typeof streamHeaders>;
};

/** The stream for readers with the rights `grant`; it ends when `recheck` rejects. */
function newsReply(
  request: StreamRequest,
  { tenant, userId, hasFoods }: FeedGrant,
  { feeds, streams }: Ports,
  recheck: () => Promise<void>,
): Reply {
  const owner = { tenant, userId };
  const { after, kinds } = request.query;
  const cursor = request.headers['Last-Event-ID'] ?? after;
  feeds.takePlace(owner, request.left());
  return streams.reply({
    about: { requestId: request.requestId, stream: 'changes' },
    recheck,
    async *follow(signal) {
      for await (const news of feeds.news({ owner, hasFoods, kinds, cursor, signal })) {
        yield { id: news, data: JSON.stringify({ cursor: news }) };
      }
    },
  });
}
