import { z } from 'zod';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation, type Reply } from '../operation.ts';
import { requireSession } from '../people/person-json.ts';
import {
  EXAMPLE_ADDRESS,
  leadToProvider,
  type OpenIdPorts,
  openIdAddress,
  PEOPLE_TAG,
  requireOpenId,
  ticketCookie,
} from './openid-json.ts';

const LINK = /^[A-Za-z0-9_-]{1,64}$/;
const answer = {
  description: 'The address of the provider; the cookie belongs to it.',
  headers: ['Set-Cookie'],
  schema: openIdAddress,
  example: EXAMPLE_ADDRESS,
  holdsSecret: true,
} as const;

/** The address is for a link or a button of the page. */
export const startOpenId = operation({
  method: 'GET',
  path: '/v1/session/openid',
  id: 'startOpenId',
  summary: 'Sign in by OpenID: leads to the provider',
  access: 'public',
  counts: 'other',
  answer: { status: 204, description: 'Not answered.' },
  empty: { 302: 'The address of the provider, or the page with the reason of a failure.' },
  handle: async ({ baseUrl }, ports: OpenIdPorts): Promise<Reply> => {
    const begun = await requireOpenId(ports).begin({ kind: 'sign-in' });
    if (begun === undefined) return { status: 302, headers: { location: `${baseUrl}/#openid=unavailable` } };
    return {
      status: 302,
      headers: {
        location: begun.url.href,
        'set-cookie': ticketCookie(baseUrl, begun.ticket),
        'cache-control': 'no-store',
      },
    };
  },
});

export const joinByOpenId = operation({
  method: 'POST',
  path: '/v1/session/openid',
  id: 'joinByOpenId',
  tag: PEOPLE_TAG,
  summary: 'Join the household by a link, with an OpenID account',
  description: 'The link is used up when the person comes back from the provider.',
  access: 'public',
  counts: 'other',
  ownPagesOnly: true,
  body: {
    schema: z
      .strictObject({ link: z.string().regex(LINK).describe('The text after `#link=` in the link.') })
      .meta({ id: 'OpenIdJoinInput' }),
    example: { link: 'Qm9uIGFwcGV0aXQsIGV2ZXJ5Ym9keSE' },
    limit: BODY_LIMITS.fields,
  },
  answer,
  errors: ['forbidden', 'link_not_found', 'not_found'],
  handle: ({ body, baseUrl }, ports: OpenIdPorts) =>
    leadToProvider(ports, { kind: 'join', subject: body.link }, baseUrl),
});

export const linkOpenId = operation({
  method: 'POST',
  path: '/v1/people/me/identities',
  id: 'linkOpenId',
  tag: PEOPLE_TAG,
  summary: 'Sign in by an OpenID account from now on, too',
  // It only leads to the provider, with a ticket of its own each time.
  readsOnly: true,
  access: { credential: 'bearer', confirmed: true },
  counts: 'other',
  answer,
  errors: ['session_not_found', 'not_found', 'confirmation_required'],
  handle: async ({ caller, baseUrl }, ports: OpenIdPorts) => {
    const { person, value: session } = await requireSession(caller, ports.sessions);
    return leadToProvider(ports, { kind: 'link', subject: person.id, session }, baseUrl);
  },
});

export const confirmByOpenId = operation({
  method: 'POST',
  path: '/v1/session/confirm/openid',
  id: 'confirmByOpenId',
  tag: PEOPLE_TAG,
  summary: 'Prove again who one is, by an OpenID account of the person',
  description: 'The provider is asked to have the person sign in anew.',
  readsOnly: true,
  access: { credential: 'bearer' },
  counts: 'other',
  answer,
  errors: ['session_not_found', 'not_found'],
  handle: async ({ caller, baseUrl }, ports: OpenIdPorts) => {
    const { person, value: session } = await requireSession(caller, ports.sessions);
    return leadToProvider(ports, { kind: 'confirm', subject: person.id, session }, baseUrl);
  },
});
