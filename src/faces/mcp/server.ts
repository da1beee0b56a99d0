import { AppError } from '@larder/core/errors.ts';
import {
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { requireScope, requireUser } from '../../api/acting-user.ts';
import type { CallerAccess, OperationRequest, Reply } from '../../api/operation.ts';
import { readBody } from '../../api/validation.ts';
import type { Scans } from '../../scan/jobs/scans.ts';
import { INSTRUCTIONS, SERVER_INFO } from './server-info.ts';
import type { ToolContext } from './tool.ts';
import { adviceFor } from './tool-errors.ts';
import { allTools, toolsFor } from './tools.ts';

/** Maximum length of the name of an unknown tool in the error. */
const MAX_NAME_SHOWN = 100;

/**
 * A server for one request. `userId` and `timeZone` of the connection apply to all its calls; an argument
 * overrides the zone. `onFault` gets internal errors, which callers must not see.
 */
function createToolServer(connection: ToolContext, onFault: (error: unknown) => void): Server {
  const isOfOneUser = connection.userId !== undefined;
  const server = new Server(SERVER_INFO, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler('tools/list', async () => ({
    tools: toolsFor(connection.caller, isOfOneUser).map(({ listed }) => ({ ...listed })),
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    try {
      return succeeded(await run(params.name, params.arguments ?? {}, connection));
    } catch (error) {
      if (error instanceof AppError) return failed(error);
      if (!(error instanceof ProtocolError)) onFault(error);
      throw error;
    }
  });
  return server;
}

async function run(name: string, given: object, connection: ToolContext): Promise<object> {
  const { caller } = connection;
  const tools = allTools(connection.userId !== undefined);
  const found = tools.find(({ tool }) => tool.name === name);
  if (found === undefined) {
    const names = tools.map(({ tool }) => tool.name).join(', ');
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no tool "${name.slice(0, MAX_NAME_SHOWN)}". The tools are ${names}.`,
    );
  }
  requireScope(caller, found.tool.scope);
  const { userId, ...input } = readBody(found.input, given, 'arguments do') as { userId?: string };
  requireUser(caller, userId, 'write');
  const { timeZone } = input as { timeZone?: string };
  const context = {
    ...connection,
    userId: connection.userId ?? userId,
    timeZone: timeZone ?? connection.timeZone,
  };
  return found.tool.run(input as never, context);
}

/** The text is the same JSON, for clients that do not read structured results. */
function succeeded(result: object): CallToolResult {
  const text = JSON.stringify(result);
  // Parsed again, so that undefined fields are absent, as in the text.
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
}

function failed(error: AppError): CallToolResult {
  const { code, message, details } = error;
  const advice = adviceFor(error);
  const content = [
    { type: 'text' as const, text: `${message}${advice === '' ? '' : ` ${advice}`} (code: ${code})` },
  ];
  if (Object.keys(details).length > 0)
    content.push({ type: 'text', text: JSON.stringify({ error: { code, details } }) });
  return { content, isError: true };
}

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
