import { AppError } from '@larder/core/errors.ts';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { requireUser } from '../../api/acting-user.ts';
import type { CallerAccess, OperationRequest, Reply } from '../../api/operation.ts';
import type { Scans } from '../../scan/jobs/scans.ts';
import { createToolServer } from './server.ts';

export interface McpPorts {
  readonly scans: Scans;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/** Answers one message of the protocol. */
export async function answerMessage(
  request: OperationRequest<CallerAccess>,
  { scans, nowMs }: McpPorts,
): Promise<Reply> {
  const { caller, query, headers, body, baseUrl } = request;
  requireUser(caller, query.userId, 'write');
  const left = request.left();
  const faults: unknown[] = [];
  const connection = {
    caller,
    userId: caller.userId ?? query.userId,
    timeZone: query.timeZone,
    call: request.call.bind(request),
    left,
    scans,
    nowMs,
  };
  const handler = createMcpHandler(() => createToolServer(connection, (fault) => faults.push(fault)), {
    // The lists do not change while a client is connected.
    maxSubscriptions: 0,
  });
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const message = new Request(`${baseUrl}/mcp`, { method: 'POST', headers: given, signal: left });
  const response = await handler.fetch(message, { parsedBody: body }).catch((error) => {
    throw left.aborted ? new AppError({ code: 'unavailable', message: 'The client has left.' }) : error;
  });
  const text = await response.text();
  // Answered and logged like any internal error of the service.
  if (faults.length > 0) throw faults[0];
  const contentType = response.headers.get('content-type');
  return {
    status: response.status,
    ...(contentType !== null && { headers: { 'content-type': contentType } }),
    ...(text !== '' && { body: text }),
  };
}
