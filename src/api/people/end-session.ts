import { z } from 'zod';
import type { Sessions } from '../../people/sessions.ts';
import { operation } from '../operation.ts';
import { requireSession } from './person-json.ts';

export const endSession = operation({
  method: 'DELETE',
  path: '/v1/sessions/:sessionId',
  id: 'endSession',
  tag: 'People (v1)',
  summary: 'End a session of the person, such as that of a lost device',
  description: 'It is refused within a second.',
  access: { credential: 'bearer' },
  counts: 'other',
  params: z.object({ sessionId: z.string() }),
  answer: { status: 204, description: 'The session has ended.' },
  errors: ['session_not_found'],
  handle: async ({ caller, params }, { sessions }: { sessions: Sessions }) => {
    const { person } = await requireSession(caller, sessions);
    await sessions.endById(person, params.sessionId);
    return undefined;
  },
});
