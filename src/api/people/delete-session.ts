import { AppError } from '@larder/core/errors.ts';
import type { Sessions } from '../../people/sessions.ts';
import { operation } from '../operation.ts';
import { sessionCookie } from '../session-cookie.ts';

export const deleteSession = operation({
  method: 'DELETE',
  path: '/v1/session',
  id: 'deleteSession',
  tag: 'People (v1)',
  summary: 'Sign out; the session is refused within a second',
  access: { credential: 'bearer' },
  counts: 'other',
  answer: { status: 204, description: 'The session has ended.', headers: ['Set-Cookie', 'Clear-Site-Data'] },
  errors: ['session_not_found'],
  handle: async ({ caller, baseUrl }, { sessions }: { sessions: Sessions }) => {
    if (caller.session === undefined)
      throw new AppError({ code: 'session_not_found', message: 'This credential is not a session.' });
    await sessions.end(caller.session);
    return {
      headers: {
        'set-cookie': sessionCookie(baseUrl),
        // Not "storage": the page deletes what it keeps, but for writes that were never sent.
        'clear-site-data': '"cache"',
      },
    };
  },
});
