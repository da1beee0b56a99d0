import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import { isoTime } from '../fields.ts';
import { shortListQuery } from '../list-queries.ts';
import { rankedPageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { requireSession } from '../people/person-json.ts';
import { type OpenIdPorts, PEOPLE_TAG, requireOpenId } from './openid-json.ts';

const PATH = '/v1/people/me/identities';
const identitySchema = z
  .object({ id: z.string(), issuer: z.url(), createdAt: z.iso.datetime() })
  .meta({ id: 'Identity', description: 'An OpenID account by which a person signs in.' });

export const listIdentities = operation({
  method: 'GET',
  path: PATH,
  id: 'listIdentities',
  tag: PEOPLE_TAG,
  summary: 'OpenID accounts by which the person signs in',
  access: { credential: 'bearer' },
  counts: 'other',
  query: shortListQuery,
  answer: {
    headers: ['Link'],
    description: 'All of them, at most 10.',
    schema: z.array(identitySchema),
    example: [
      {
        id: '01KB0T2X5M0000Y3QH7D9WZ4RB',
        issuer: 'https://login.example.org',
        createdAt: '2026-11-26T08:00:00.000Z',
      },
    ],
  },
  errors: ['session_not_found', 'not_found'],
  handle: async ({ caller, query }, ports: OpenIdPorts) => {
    const { person } = await requireSession(caller, ports.sessions);
    const found = await requireOpenId(ports).identitiesOf(person);
    return rankedPageOf(query, found, ({ id, issuer, createdAtMs }) => ({
      id,
      issuer,
      createdAt: isoTime(createdAtMs),
    }));
  },
});

export const removeIdentity = operation({
  method: 'DELETE',
  path: `${PATH}/:identityId`,
  id: 'removeIdentity',
  tag: PEOPLE_TAG,
  summary: 'Sign in by an OpenID account no more',
  description:
    'Sessions that began with it end within a second, but for that of the request. The last way to sign in stays: somebody without a password keeps one account.',
  access: { credential: 'bearer' },
  counts: 'other',
  params: z.object({ identityId: z.string().max(64) }),
  answer: { status: 204, description: 'The account is no way to sign in.' },
  errors: ['session_not_found', 'identity_not_found', 'not_found', 'forbidden'],
  handle: async ({ caller, params }, ports: OpenIdPorts) => {
    const session = await requireSession(caller, ports.sessions);
    const { person } = session;
    const openId = requireOpenId(ports);
    if (await openId.unlink(session, params.identityId)) return undefined;
    if ((await openId.identitiesOf(person)).some(({ id }) => id === params.identityId))
      throw new AppError({
        code: 'forbidden',
        message: 'This is your only way to sign in. Choose a password first, or link another account.',
      });
    throw new AppError({ code: 'identity_not_found', message: 'You have no account with this id.' });
  },
});
