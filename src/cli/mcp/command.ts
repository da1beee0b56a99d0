import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { OperatorError, UsageError } from '@larder/core/errors.ts';
import {
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { Command } from 'commander';
import { type Larder, LarderError } from '#larder-client';
import { todayIn } from '../../diary/records/day.ts';
import { INSTRUCTIONS, SERVER_INFO } from '../../faces/mcp/server-info.ts';
import { isRefusal } from '../../scan/images/image-facts.ts';
import { inspectImage } from '../../scan/images/inspect-image.ts';
import { readImageFile } from '../terminal/file-arguments.ts';
import { stopRequested } from '../terminal/stop-signals.ts';
import { type Terminal, tell, toUsageErrors } from '../terminal/terminal.ts';
import { Refusal, ServiceLink } from './service-link.ts';

const SCAN_TOOL = 'scan_photo';
const CLIENT_ID = 'larder mcp';

type Given = Readonly<Record<string, unknown>>;

export interface ListedTool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> };
}

/**
 * The tool that scans photos also accepts a file of this machine, because an assistant has a path and not the
 * bytes.
 */
function withLocalPhotos(tool: ListedTool): ListedTool {
  if (tool.name !== SCAN_TOOL) return tool;
  const path = {
    type: 'string',
    description: 'A photo on this computer, instead of imageBase64, up to 10 MiB. Each call scans it anew.',
  };
  const { inputSchema } = tool;
  return { ...tool, inputSchema: { ...inputSchema, properties: { ...inputSchema.properties, path } } };
}

/**
 * Replaces the file in a call by the scan of its photo. Rejects files that are not photos by their header, so
 * that no other file of this machine is sent. Throws a `Refusal`.
 */
async function sendLocalPhoto(name: string, given: Given, larder: Larder): Promise<Given> {
  const { path, ...others } = given;
  if (name !== SCAN_TOOL || typeof path !== 'string') return given;
  const photo = await readImageFile(path);
  if ('code' in photo) throw new Refusal(photo.code, photo.message);
  const facts = inspectImage(photo);
  if (isRefusal(facts)) throw new Refusal(facts.code, facts.message);
  try {
    const scan = await larder.scans.create(photo, {
      clientId: CLIENT_ID,
      contentType: facts.type,
    });
    return { ...others, scanJobId: scan.jobId };
  } catch (error) {
    if (!(error instanceof LarderError)) throw error;
    throw new Refusal(error.code, error.message);
  }
}

/**
 * Answers an assistant in either revision of the protocol until it closes the input; sends one request to the
 * service for each of its requests.
 */
async function serveTools(terminal: Terminal, link: ServiceLink, signal: AbortSignal): Promise<void> {
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

interface Options {
  readonly url?: string;
  readonly key?: string;
  readonly user?: string;
  readonly timeZone?: string;
}

/** `larder mcp`: gives the tools of a service to an assistant that starts programs. */
export function mcpCommand(terminal: Terminal): Command {
  return new Command('mcp')
    .description(
      'Give an assistant the tools of a service, by the Model Context Protocol on standard input and output. Without --url ' +
        'it uses the service of this data folder, and starts it if it does not run.',
    )
    .option('--url <address>', 'address of the service; default: from the settings here')
    .option(
      '--key <key>',
      'API key or access token; default: LARDER_KEY, or without --url the first key of the data folder',
    )
    .option('--user <id>', 'the user of all calls; without it, each call with a key has to name the user')
    .option(
      '--time-zone <zone>',
      'time zone of “today”, such as Europe/Berlin; default: that of this machine',
    )
    .addHelpText(
      'after',
      `
It ends when its standard input ends, and then stops the service that it started. Messages go to standard error.

Examples:
  larder mcp --user ann
  LARDER_KEY=... larder mcp --url https://food.example.org --user ann`,
    )
    .action((options: Options) => mcp(terminal, options));
}

async function mcp(terminal: Terminal, options: Options): Promise<void> {
  if (terminal.in === undefined) throw new UsageError('There is no standard input.');
  const { user, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone } = options;
  toUsageErrors(() => todayIn(timeZone, Date.now()));
  using stop = stopRequested();
  await using link = await ServiceLink.open(terminal, { ...options, timeZone }, stop.signal);
  const count = await countTools(link);
  if (count === 0) throw new OperatorError(`${link.keyName} has no scope that a tool needs.`);
  const whose = user === undefined ? '' : ` for ${user}`;
  tell(terminal, `larder: ${count} tools of ${link.url}${whose}; “today” is that of ${timeZone}.\n`);
  await serveTools(terminal, link, stop.signal);
}

/** The first request shows whether the credential is accepted. */
async function countTools(link: ServiceLink): Promise<number> {
  try {
    const { tools } = await link.send('tools/list');
    return (tools as readonly unknown[]).length;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new OperatorError(`${link.url} refuses ${link.keyName}: ${error.message} (${error.code})`);
  }
}
