import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import {
  type OpenIdSignIns,
  type Purpose,
  SIGN_IN_MS,
  TICKET_FORM,
} from '../../people/openid/openid-sign-ins.ts';
import type { Passkeys } from '../../people/passkeys/passkeys.ts';
import type { Sessions } from '../../people/sessions.ts';
import { listAnswer } from '../answers.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { isoTime } from '../fields.ts';
import { shortListQuery, shortPageOf } from '../lists.ts';
import { operation, type Reply } from '../operation.ts';
import {
  ofConfirmedSession,
  ofSession,
  ofVisitor,
  requireSession,
  signInHeaders,
} from '../people/person-json.ts';
import { readSessionCookie, sessionCookie } from '../session-cookie.ts';

interface OpenIdPorts {
  /** Absent if sign-in by OpenID is not configured. */
  readonly openId: OpenIdSignIns | undefined;
  readonly sessions: Sessions;
}

const PEOPLE_TAG = 'People';

const openIdAddress = z
  .object({ url: z.url().describe('Where the page leads the person next, at the provider.') })
  .meta({ id: 'OpenIdAddress' });
const EXAMPLE_ADDRESS = { url: 'https://login.example.org/auth?client_id=larder&state=abc' };

function requireOpenId({ openId }: OpenIdPorts): OpenIdSignIns {
  if (openId !== undefined) return openId;
  throw new AppError({
    code: 'not_found',
    message: 'Sign-in by OpenID is not configured; the operator can set LARDER_OPENID_ISSUER.',
  });
}

/** Returns a redirect to the provider, with the ticket in a cookie. */
async function leadToProvider(ports: OpenIdPorts, purpose: Purpose, baseUrl: string): Promise<Reply> {
  const begun = await requireOpenId(ports).begin(purpose);
  if (begun === undefined)
    throw new AppError({
      code: 'unavailable',
      message: 'The OpenID provider does not answer; try again in a moment, or sign in with a password.',
    });
  return {
    headers: { 'set-cookie': ticketCookie(baseUrl, begun.ticket), 'cache-control': 'no-store' },
    body: JSON.stringify({ url: begun.url.href }),
  };
}

const PLAIN = new RegExp(`(?:^|; ?)larder-openid=(${TICKET_FORM})(?:;|$)`);
const SECURE = new RegExp(`(?:^|; ?)__Host-larder-openid=(${TICKET_FORM})(?:;|$)`);

/** Returns the ticket of the sign-in that this browser has begun. */
function readTicket(header: string | undefined, baseUrl: string): string | undefined {
  return header === undefined ? undefined : (isSecure(baseUrl) ? SECURE : PLAIN).exec(header)?.[1];
}

/** Returns the Set-Cookie header of a ticket; without a ticket, the header that removes it. */
function ticketCookie(baseUrl: string, ticket?: string): string {
  const maxAge = ticket === undefined ? 0 : SIGN_IN_MS / 1000;
  const [name, secure] = isSecure(baseUrl) ? ['__Host-larder-openid', '; Secure'] : ['larder-openid', ''];
  // The cookie is Lax, because the provider redirects people from another site.
  return `${name}=${ticket ?? ''}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}

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
  ...ofVisitor,
  method: 'POST',
  path: '/v1/session/openid',
  id: 'joinByOpenId',
  summary: 'Join the household by a link, with an OpenID account',
  description: 'The link is used up when the person comes back from the provider.',
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
  ...ofConfirmedSession,
  method: 'POST',
  path: '/v1/people/me/identities',
  id: 'linkOpenId',
  summary: 'Sign in by an OpenID account from now on, too',
  // It only leads to the provider, with a ticket of its own each time.
  readsOnly: true,
  answer,
  errors: ['session_not_found', 'not_found', 'confirmation_required'],
  handle: async ({ caller, baseUrl }, ports: OpenIdPorts) => {
    const { person, value: session } = await requireSession(caller, ports.sessions);
    return leadToProvider(ports, { kind: 'link', subject: person.id, session }, baseUrl);
  },
});

export const confirmByOpenId = operation({
  ...ofSession,
  method: 'POST',
  path: '/v1/session/confirm/openid',
  id: 'confirmByOpenId',
  summary: 'Prove again who one is, by an OpenID account of the person',
  description: 'The provider is asked to have the person sign in anew.',
  readsOnly: true,
  answer,
  errors: ['session_not_found', 'not_found'],
  handle: async ({ caller, baseUrl }, ports: OpenIdPorts) => {
    const { person, value: session } = await requireSession(caller, ports.sessions);
    return leadToProvider(ports, { kind: 'confirm', subject: person.id, session }, baseUrl);
  },
});

const EVENT_OF_OUTCOME = { 'sign-in': 'sign_in', link: 'account_linked', confirm: 'confirm' } as const;
/** Maximum length of a parameter from a provider. */
const MAX_LENGTH = 4_096;

/**
 * The provider redirects people to this operation. The address of the next page is built from the configured
 * address.
 */
export const finishOpenId = operation({
  method: 'GET',
  path: '/v1/session/openid/callback',
  id: 'finishOpenId',
  summary: 'Where the OpenID provider sends people back to',
  access: 'public',
  counts: 'other',
  query: z.object({}).catchall(z.string().max(MAX_LENGTH)),
  headers: signInHeaders,
  answer: { status: 204, description: 'Not answered.' },
  empty: { 302: 'The page, with the cookie of the session or the reason of a failure.' },
  handle: async (request, ports: OpenIdPorts) => {
    const { query, headers, cookies, baseUrl } = request;
    const openId = requireOpenId(ports);
    const { sessions } = ports;
    const value = readSessionCookie(cookies, baseUrl);
    const current = value === undefined ? undefined : await sessions.get(value);
    const ticket = readTicket(cookies, baseUrl);
    const outcome = await openId.finish(
      ticket,
      new URLSearchParams(query),
      current && { person: current.person, value: value! },
    );
    const leadTo = (path: string, ...signedIn: readonly string[]) => ({
      status: 302,
      headers: {
        location: baseUrl + path,
        'set-cookie': [ticketCookie(baseUrl), ...signedIn],
        'cache-control': 'no-store',
      },
    });
    if ('failure' in outcome)
      return leadTo(`${current === undefined ? '/' : '/app/settings'}#openid=${outcome.failure}`);
    request.identify(outcome.person.id, EVENT_OF_OUTCOME[outcome.done]);
    if (outcome.done === 'link') return leadTo('/app/settings#openid=linked');
    if (outcome.done === 'confirm') {
      await sessions.prove(value!);
      return leadTo('/app/settings#openid=confirmed');
    }
    const session = await sessions.open(outcome.person, {
      device: headers['User-Agent'],
      identityId: outcome.identityId,
      before: value,
    });
    return leadTo('/#openid=done', sessionCookie(baseUrl, session));
  },
});

const PATH = '/v1/people/me/identities';
const identitySchema = z
  .object({ id: z.string(), issuer: z.url(), createdAt: z.iso.datetime() })
  .meta({ id: 'Identity', description: 'An OpenID account by which a person signs in.' });

export const listIdentities = operation({
  ...ofSession,
  method: 'GET',
  path: PATH,
  id: 'listIdentities',
  summary: 'OpenID accounts by which the person signs in',
  query: shortListQuery,
  answer: listAnswer('All of them, at most 10.', identitySchema, {
    id: '01KB0T2X5M0000Y3QH7D9WZ4RB',
    issuer: 'https://login.example.org',
    createdAt: '2026-11-26T08:00:00.000Z',
  }),
  errors: ['session_not_found', 'not_found'],
  handle: async ({ caller, query }, ports: OpenIdPorts) => {
    const { person } = await requireSession(caller, ports.sessions);
    const found = await requireOpenId(ports).identitiesOf(person);
    return shortPageOf(query, found, ({ id, issuer, createdAtMs }) => ({
      id,
      issuer,
      createdAt: isoTime(createdAtMs),
    }));
  },
});

export const removeIdentity = operation({
  ...ofSession,
  method: 'DELETE',
  path: `${PATH}/:identityId`,
  id: 'removeIdentity',
  summary: 'Sign in by an OpenID account no more',
  description:
    'Sessions that began with it end within a second, but for that of the request. The last way to sign in stays: somebody without a password keeps one account.',
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
