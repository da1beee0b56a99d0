import { z } from 'zod';
import type { Sessions } from '../../people/sessions.ts';
import { isoTime } from '../fields.ts';
import { shortListQuery } from '../list-queries.ts';
import { rankedPageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { requireSession } from './person-json.ts';

const listedSession = z
  .object({
    id: z.string(),
    device: z.string().optional().describe('Browser and system, where they are known.'),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().describe('Exact to a day.'),
    current: z.boolean().describe('Whether this is the session of the request.'),
  })
  .meta({ id: 'ListedSession' });

export const listSessions = operation({
  method: 'GET',
  path: '/v1/sessions',
  id: 'listSessions',
  tag: 'People (v1)',
  summary: 'List the sessions of the person by device, those seen last first',
  access: { credential: 'bearer' },
  counts: 'other',
  query: shortListQuery,
  answer: {
    headers: ['Link'],
    description: 'All sessions that have not ended, at most 50.',
    schema: z.array(listedSession),
    example: [
      {
        id: '01KB0T2X5M0000Y3QH7D9WZ4RB',
        device: 'Firefox on Linux',
        createdAt: '2026-11-26T08:00:00.000Z',
        lastSeenAt: '2026-11-27T08:00:00.000Z',
        current: true,
      },
    ],
  },
  errors: ['session_not_found'],
  handle: async ({ caller, query }, { sessions }: { sessions: Sessions }) => {
    const own = await requireSession(caller, sessions);
    const found = await sessions.list(own, own.value);
    return rankedPageOf(query, found, ({ id, device, createdAtMs, seenAtMs, isCurrent }) => ({
      id,
      device,
      createdAt: isoTime(createdAtMs),
      lastSeenAt: isoTime(seenAtMs),
      current: isCurrent,
    }));
  },
});
