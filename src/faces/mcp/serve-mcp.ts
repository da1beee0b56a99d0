import { z } from 'zod';
import { BODY_LIMITS } from '../../api/body-limits.ts';
import { operation } from '../../api/operation.ts';
import { userIdText } from '../../api/text-schemas.ts';
import type { McpPorts } from './server.ts';

const header = z.string().optional();

/**
 * The Model Context Protocol (https://modelcontextprotocol.io) over Streamable HTTP, in the revisions
 * 2026-07-28 and 2025-11-25. Requests are independent: there are no sessions, and no stream outlasts its
 * request. Batches, which newer revisions do not have, are rejected, so that one request is one call.
 */
export const serveMcp = operation({
  method: 'POST',
  path: '/mcp',
  id: 'serveMcp',
  summary: 'Tools for assistants',
  access: { credential: 'bearer' },
  counts: 'other',
  ownPagesOnly: 'named',
  query: z.object({
    userId: userIdText.optional().describe('The user of all calls, for a key.'),
    timeZone: z.string().optional().describe('The user’s time zone where a call states none.'),
  }),
  headers: z.object({
    Accept: header,
    'Content-Type': header,
    'MCP-Protocol-Version': header,
    'Mcp-Method': header,
    'Mcp-Name': header,
  }),
  body: {
    schema: z.looseObject({ jsonrpc: z.literal('2.0') }),
    example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    limit: BODY_LIMITS.batch,
  },
  answer: { description: 'A message of the protocol.' },
  // Loaded with the first request: most services have no assistants.
  handle: async (request, ports: McpPorts) => (await import('./server.ts')).answerMessage(request, ports),
});
