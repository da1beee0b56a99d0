import { z } from 'zod';
import { operation } from '../operation.ts';
import { signInHeaders } from '../people/person-json.ts';
import { readSessionCookie, sessionCookie } from '../session-cookie.ts';
import { type OpenIdPorts, readTicket, requireOpenId, ticketCookie } from './openid-json.ts';

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
