import { z } from 'zod';
import type { People } from '../../people/people.ts';
import type { Sessions } from '../../people/sessions.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { deviceCookie } from '../session-cookie.ts';
import { newPassword, password, requireSession } from './person-json.ts';

export const changePassword = operation({
  method: 'PUT',
  path: '/v1/people/me/password',
  id: 'changePassword',
  tag: 'People (v1)',
  summary: 'Change the own password, or set the first one; all other sessions end within a second',
  description:
    'Ten tries a minute. Whoever joined by OpenID has no password and sets the first one without `current`, with a recent proof.',
  access: { credential: 'bearer' },
  counts: 'other',
  body: {
    schema: z
      .strictObject({
        current: password.optional(),
        new: newPassword,
        endKeys: z
          .boolean()
          .default(false)
          .describe('True revokes the own keys, and keys and webhooks of tenants that the person made.'),
        unlink: z
          .boolean()
          .default(false)
          .describe('True ends the sign-in by accounts elsewhere, and the sessions that began with one.'),
        endPasskeys: z.boolean().default(false).describe('True removes passkeys and recovery codes.'),
      })
      .meta({ id: 'PasswordChange' }),
    example: { current: 'eggs and toast', new: 'porridge with plums' },
    limit: BODY_LIMITS.fields,
  },
  answer: { status: 204, description: 'The password is changed.', headers: ['Set-Cookie'] },
  errors: ['session_not_found', 'confirmation_required'],
  handle: async ({ caller, body, baseUrl }, { people, sessions }: { people: People; sessions: Sessions }) => {
    const changed = await people.changePassword(await requireSession(caller, sessions), body);
    return { headers: { 'set-cookie': deviceCookie(baseUrl, changed) } };
  },
});
