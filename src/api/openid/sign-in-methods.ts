import { z } from 'zod';
import type { Passkeys } from '../../people/passkeys/passkeys.ts';
import { operation } from '../operation.ts';
import { type OpenIdPorts, PEOPLE_TAG } from './openid-json.ts';

export const getSignInMethods = operation({
  method: 'GET',
  path: '/v1/session/methods',
  id: 'getSignInMethods',
  tag: PEOPLE_TAG,
  summary: 'How people sign in here',
  access: 'public',
  counts: 'other',
  answer: {
    description: 'Ways to sign in besides name and password.',
    schema: z
      .object({
        openid: z
          .object({ name: z.string().describe('Name of the provider, for the button.') })
          .meta({ id: 'SignInProvider' })
          .optional()
          .describe('Absent where it is not set up.'),
        passkeys: z.boolean().optional().describe('True where somebody has one; absent otherwise.'),
      })
      .meta({ id: 'SignInMethods' }),
    example: { openid: { name: 'Authentik' } },
  },
  handle: async (_, { openId, passkeys }: OpenIdPorts & { readonly passkeys: Passkeys }) => ({
    value: {
      ...(openId !== undefined && { openid: { name: openId.name } }),
      ...((await passkeys.areUsed()) && { passkeys: true }),
    },
  }),
});
