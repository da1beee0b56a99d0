import { z } from 'zod';
import type { KeptEvent, SecurityEventStore } from '../../access/security-event-store.ts';
import { SECURITY_EVENTS, SECURITY_RESULTS, type SecurityEvent } from '../../access/security-log.ts';
import { invalidQuery } from '../../base/list-request.ts';
import { ID_FORM } from '../../base/time-ordered-id.ts';
import { isoTime } from '../fields.ts';
import { pageQueryOf } from '../list-queries.ts';
import { pageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { OPERATOR_TAG, operatorAccess } from './operator-parts.ts';

const EVENTS = Object.keys(SECURITY_EVENTS) as SecurityEvent[];

/** Several names, separated by commas. */
function names<Name extends string>(parameter: string, all: readonly Name[]) {
  return z
    .preprocess((typed) => {
      const given = String(typed).split(',');
      if (given.every((name) => (all as readonly string[]).includes(name))) return typed;
      throw invalidQuery(
        parameter,
        `"${parameter}" is one or several of ${all.join(', ')}, separated by commas.`,
      );
    }, z.string())
    .optional()
    .describe(`Only these, separated by commas: ${all.map((name) => `\`${name}\``).join(', ')}.`);
}

const eventSchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    event: z.string().describe('What happened; docs/security.md lists the names.'),
    result: z.enum(SECURITY_RESULTS),
    address: z.string().describe('IP address of the client.'),
    who: z.string().optional().describe('`person:ID` or `key:ID`; absent where nobody was identified.'),
    code: z.string().optional().describe('Code of the error.'),
    requestId: z.string(),
  })
  .meta({ id: 'SecurityEvent' });

export function eventObject({ atMs, id, event, result, address, who, code, requestId }: KeptEvent) {
  return { id, at: isoTime(atMs), event, result, address, who, code, requestId };
}

export const listEvents = operation({
  method: 'GET',
  path: '/v1/operator/events',
  id: 'listEvents',
  tag: OPERATOR_TAG,
  summary: 'List what happened to credentials, and data that left or ended, the latest first',
  description:
    'The latest 5,000 that succeeded and 5,000 others; of those that were refused at most 60 a minute and thread are kept. The log has all.',
  access: operatorAccess,
  counts: 'other',
  query: pageQueryOf(ID_FORM).extend({
    event: names('event', EVENTS),
    result: names('result', SECURITY_RESULTS),
  }),
  answer: {
    description: 'The events, with the address of the next page in Link.',
    headers: ['Link'],
    schema: z.array(eventSchema),
    example: [
      {
        id: '01KB0T2X5M0000Y3QH7D9WZ4RB',
        at: '2026-11-26T08:00:00.000Z',
        event: 'sign_in',
        result: 'refused',
        address: '198.51.100.7',
        code: 'forbidden',
        requestId: 'MnT9h2pKQd6Zq0',
      },
    ],
  },
  handle: ({ query }, { securityEvents }: { securityEvents: SecurityEventStore }) => {
    const split = (text: string | undefined) => text?.split(',') as never[] | undefined;
    return pageOf(
      query,
      (page) => securityEvents.list({ ...page, events: split(query.event), results: split(query.result) }),
      eventObject,
    );
  },
});
