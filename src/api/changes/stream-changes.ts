import { z } from 'zod';
import type { FeedPages } from '../../diary/feed/feed-pages.ts';
import { CURSOR_FORM } from '../../diary/feed/feed-position.ts';
import { ownerOf } from '../acting-user.ts';
import { DIARY_TAG, diaryRead, userParams } from '../diary/diary-docs.ts';
import type { EventStreams } from '../event-streams.ts';
import { operation } from '../operation.ts';
import { EXAMPLE_CURSOR, feedNewsSchema } from './feed-json.ts';

const CURSOR = new RegExp(`^${CURSOR_FORM}$`);

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
    'A message whenever there is something to read at `…/changes`, and one at the beginning, unless the reader has read it all.',
  access: diaryRead,
  counts: 'stream',
  params: userParams,
  query: z.object({
    after: z
      .string()
      .regex(CURSOR)
      .optional()
      .describe('The `cursor` of the reader. Without it the first message comes at once.')
      .meta({ example: EXAMPLE_CURSOR }),
  }),
  headers: z.object({
    'Last-Event-ID': z
      .string()
      .optional()
      .describe('The `id` of the last message that was read, instead of `after`.'),
  }),
  answer: {
    description:
      'Server-Sent Events: `data:` lines with `{cursor}`, the current end of the feed. Read on from your own cursor; do not ' +
      'send this one as `after`, since that skips the changes before it.',
    contentType: 'text/event-stream',
    schema: feedNewsSchema,
    example: { cursor: EXAMPLE_CURSOR },
  },
  handle: async (request, { feeds, streams }: Ports) => {
    const owner = ownerOf(request);
    const hasFoods = request.caller.scopes.includes('foods:read');
    const cursor = request.headers['Last-Event-ID'] ?? request.query.after;
    feeds.takePlace(owner, request.left());
    return streams.reply({
      about: { requestId: request.requestId, stream: 'changes' },
      recheck: () => request.recheck(),
      async *follow(signal) {
        for await (const news of feeds.news({ owner, hasFoods, cursor, signal })) {
          yield { id: news, data: JSON.stringify({ cursor: news }) };
        }
      },
    });
  },
});
