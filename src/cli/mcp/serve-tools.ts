import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import {
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { INSTRUCTIONS, SERVER_INFO } from '../../faces/mcp/server-info.ts';
import { type Terminal, tell } from '../terminal/terminal.ts';
import { type ListedTool, sendLocalPhoto, withLocalPhotos } from './local-photo.ts';
import { Refusal, type ServiceLink } from './service-link.ts';

/**
 * Answers an assistant in either revision of the protocol until it closes the input; sends one request to the
 * service for each of its requests.
 */
export async function serveTools(terminal: Terminal, link: ServiceLink, signal: AbortSignal): Promise<void> {
  const input = terminal.in as Readable;
  const transport = new StdioServerTransport(input, terminal.out as Writable);
  const server = serveStdio(() => forwarding(link), {
    transport,
    maxSubscriptions: 0,
    onerror: (error) => tell(terminal, `larder: ${error.message}\n`),
  });
  // The signal rejects both.
  await Promise.race([once(input, 'end', { signal }), once(input, 'close', { signal })]).catch(() => {});
  await server.close();
}

function forwarding(link: ServiceLink): Server {
  const server = new Server(SERVER_INFO, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler('tools/list', async () => {
    const { tools } = await link.send('tools/list').catch(toProtocolError);
    return { tools: (tools as ListedTool[]).map(withLocalPhotos) } as ListToolsResult;
  });
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given } }) => {
    try {
      const sent = await sendLocalPhoto(name, given ?? {}, link.client());
      const { content, structuredContent, isError } = await link.send('tools/call', {
        name,
        arguments: sent,
      });
      return { content, structuredContent, isError } as CallToolResult;
    } catch (error) {
      return failed(error);
    }
  });
  return server;
}

/** An error before a tool runs, such as for a revoked key, becomes an error of the tool. */
function failed(error: unknown): CallToolResult {
  if (error instanceof Refusal && typeof error.code === 'number') throw toProtocolError(error);
  const code = error instanceof Refusal ? error.code : 'unavailable';
  const text = `${(error as Error).message} (code: ${code})`;
  return { content: [{ type: 'text', text }], isError: true };
}

function toProtocolError(error: unknown): never {
  const code = error instanceof Refusal && typeof error.code === 'number' ? error.code : undefined;
  throw new ProtocolError(code ?? ProtocolErrorCode.InternalError, (error as Error).message);
}
