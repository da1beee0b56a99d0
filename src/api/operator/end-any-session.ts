import { z } from 'zod';
import type { Sessions } from '../../people/sessions.ts';
import { operation } from '../operation.ts';
import { OPERATOR_TAG, operatorAccess } from './operator-parts.ts';

export const endAnySession = operation({
  method: 'DELETE',
  path: '/v1/operator/sessions/:sessionId',
  id: 'endAnySession',
  tag: OPERATOR_TAG,
  summary: 'End a session of anybody; it is refused within a second',
  access: operatorAccess,
  counts: 'other',
  params: z.object({ sessionId: z.string().max(100) }),
  answer: { status: 204, description: 'The session has ended.' },
  errors: ['session_not_found'],
  handle: async ({ params }, { sessions }: { sessions: Sessions }) => {
    await sessions.endOfAnybody(params.sessionId);
  },
});
