import { z } from 'zod';
import type { Sessions } from '../../people/sessions.ts';
import { listAnswer } from '../answers.ts';
import { isoTime } from '../fields.ts';
import { shortListQuery, shortPageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { ofOperator } from './operator-parts.ts';

const sessionSchema = z
  .object({
    id: z.string(),
    person: z.object({ id: z.string(), name: z.string() }).meta({ id: 'SessionPerson' }),
    device: z.string().optional().describe('Browser and system, where they are known.'),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().describe('Exact to a day.'),
    current: z.boolean().describe('Whether this is the session of the request.'),
  })
  .meta({ id: 'OperatorSession' });

export const listAllSessions = operation({
  ...ofOperator,
  method: 'GET',
  path: '/v1/operator/sessions',
  id: 'listAllSessions',
  summary: 'List the sessions of all people',
  query: shortListQuery,
  answer: listAnswer('All sessions that have not ended, by person, those seen last first.', sessionSchema, {
    id: '01KB0T2X5M0000Y3QH7D9WZ4RB',
    person: { id: '01KB0T2X5M0000Y3QH7D9WZ4RA', name: 'Ann' },
    device: 'Firefox on Linux',
    createdAt: '2026-11-26T08:00:00.000Z',
    lastSeenAt: '2026-11-27T08:00:00.000Z',
    current: true,
  }),
  handle: async ({ caller, query }, { sessions }: { sessions: Sessions }) =>
    shortPageOf(
      query,
      await sessions.listAll(caller.session),
      ({ id, person, device, createdAtMs, seenAtMs, isCurrent }) => ({
        id,
        person,
        device,
        createdAt: isoTime(createdAtMs),
        lastSeenAt: isoTime(seenAtMs),
        current: isCurrent,
      }),
    ),
});

export const endAnySession = operation({
  ...ofOperator,
  method: 'DELETE',
  path: '/v1/operator/sessions/:sessionId',
  id: 'endAnySession',
  summary: 'End a session of anybody; it is refused within a second',
  params: z.object({ sessionId: z.string().max(100) }),
  answer: { status: 204, description: 'The session has ended.' },
  errors: ['session_not_found'],
  handle: async ({ params }, { sessions }: { sessions: Sessions }) => {
    await sessions.endOfAnybody(params.sessionId);
  },
});
