import { z } from 'zod';
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
      })
      .meta({ id: 'SignInMethods' }),
    example: { openid: { name: 'Authentik' } },
  },
  handle: async (_, { openId }: OpenIdPorts) => ({
    value: openId === undefined ? {} : { openid: { name: openId.name } },
  }),
});
