import { z } from 'zod';
import { credentialOf } from '../../access/live-credentials.ts';
import type { FeedPages } from '../../diary/feed/feed-pages.ts';
import { CURSOR_FORM } from '../../diary/feed/feed-position.ts';
import type { FeedGrant, FeedTickets } from '../../diary/feed/feed-tickets.ts';
import { ownerOf } from '../acting-user.ts';
import { DIARY_TAG, diaryRead, userParams, wholeDiaryRead } from '../diary/diary-docs.ts';
import type { EventStreams } from '../event-streams.ts';
import { isoTime } from '../fields.ts';
import { filledPath } from '../filled-path.ts';
import { type OperationRequest, operation, type Reply } from '../operation.ts';
import { EXAMPLE_CURSOR, feedNewsSchema, kindsQuery } from './feed-json.ts';

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
  method: 'GET',
  path: '/v1/users/:userId/changes/stream',
  id: 'streamChanges',
  tag: DIARY_TAG,
  summary: 'Stream a message for each change of a user',
  description:
    'A message whenever there is something to read at `…/changes`, and one at the beginning, unless the reader has read it all. With ' +
    '`kinds` only where there is something of these kinds.',
  access: diaryRead,
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

const EVENTS_PATH = '/v1/users/:userId/changes/events';

export const createChangesTicket = operation({
  method: 'POST',
  path: '/v1/users/:userId/changes/ticket',
  id: 'createChangesTicket',
  tag: DIARY_TAG,
  summary: 'Get an address by which a browser follows changes',
  description:
    "For a browser's EventSource, which cannot send a credential. A stream can be opened for 15 minutes, and ends with the credential " +
    'that asked for the ticket. Only for the own diary, whatever others share.',
  access: wholeDiaryRead,
  counts: 'diaryRead',
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
      streamUrl: 'https://larder.example.com/v1/users/user-1/changes/events?ticket=…',
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
    const streamUrl = `${baseUrl}${filledPath(EVENTS_PATH, { userId: owner.userId })}?ticket=${ticket}`;
    return { value: { streamUrl, expiresAt: isoTime(expiresAtMs) } };
  },
});

/** Serves the stream to readers that cannot send a credential. */
export const followChanges = operation({
  method: 'GET',
  path: EVENTS_PATH,
  id: 'followChanges',
  tag: DIARY_TAG,
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

/** The stream of those who may read what `grant` says, as long as `recheck` does not reject. */
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
