import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
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
import { Larder, LarderError } from '#larder-client';
import packageJson from '../../package.json' with { type: 'json' };
import { pause } from '../base/pause.ts';
import type { Config } from '../config/config.ts';
import { todayIn } from '../diary/records/day.ts';
import { INSTRUCTIONS, SERVER_INFO } from '../faces/mcp/server-info.ts';
import { isRefusal } from '../scan/images/image-facts.ts';
import { inspectImage } from '../scan/images/inspect-image.ts';
import { readImageFile } from './terminal/file-arguments.ts';
import { type ServiceAccess, serviceAccess, unreachable } from './terminal/service-access.ts';
import { stopRequested } from './terminal/stop-signals.ts';
import { type Terminal, tell, toUsageErrors } from './terminal/terminal.ts';

const SCAN_TOOL = 'scan_photo';
const CLIENT_ID = 'larder mcp';

type Given = Readonly<Record<string, unknown>>;

interface ListedTool {
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

const PROGRAM = join(import.meta.dirname, '../../bin/larder.mjs');
const LOOK_EVERY_MS = 100;
const STDERR = 2;

interface StartedService {
  stop(): Promise<void>;
}

/**
 * Starts `larder serve` on the data folder and waits until it answers. It writes to standard error only,
 * because standard output belongs to the protocol. Undefined if another process was first: then that one
 * answers. Throws an `OperatorError` if none answers.
 */
async function startService(
  { dataDir }: Config,
  env: Terminal['env'],
  { isReachable, signal }: { readonly isReachable: () => Promise<boolean>; readonly signal: AbortSignal },
): Promise<StartedService | undefined> {
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: { ...env, LARDER_DATA_DIR: dataDir },
    stdio: ['ignore', STDERR, STDERR],
  });
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    if (isOver()) return;
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
  };
  try {
    while (!(await isReachable())) {
      if (isOver())
        throw new OperatorError(
          'The service could not be started; its messages above say why. Run `larder serve` to try it.',
        );
      await pause(LOOK_EVERY_MS, { signal });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return isOver() ? undefined : { stop };
}

const REVISION = '2026-07-28';
const REACH_MS = 5_000;
/** A tool waits at most half a minute. */
const ANSWER_MS = 60_000;

interface LinkOptions {
  readonly url?: string;
  readonly key?: string;
  readonly user?: string;
  readonly timeZone: string;
}

/**
 * An error of the service. Its code is a number of JSON-RPC if the protocol has the error, otherwise the code
 * of the API.
 */
class Refusal extends Error {
  readonly code: number | string;

  constructor(code: number | string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Sends messages of the protocol to the `/mcp` of a service. Starts the service of a data folder if it does
 * not run, and again if it has ended, for example with another assistant that had started it.
 */
class ServiceLink implements AsyncDisposable {
  readonly #terminal: Terminal;
  readonly #options: LinkOptions;
  readonly #signal: AbortSignal;
  #access: ServiceAccess;
  #started: StartedService | undefined;

  private constructor(terminal: Terminal, options: LinkOptions, access: ServiceAccess, signal: AbortSignal) {
    this.#terminal = terminal;
    this.#options = options;
    this.#access = access;
    this.#signal = signal;
  }

  /** Throws an `OperatorError` if there is no service or no key for it. */
  static async open(terminal: Terminal, options: LinkOptions, signal: AbortSignal): Promise<ServiceLink> {
    const access = await serviceAccess(terminal, options);
    const link = new ServiceLink(terminal, options, access, signal);
    await link.#reach();
    return link;
  }

  get url(): string {
    return this.#access.url;
  }

  get keyName(): string {
    return this.#access.keyName;
  }

  /** The result of a request of the protocol. Throws a `Refusal`, or an `OperatorError` if the service cannot be reached. */
  async send(method: string, params: Message = {}): Promise<Message> {
    try {
      return await this.#post(method, params);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      await this.#reach();
      // Requests can be repeated: writes of tools have idempotency keys, so that none is executed twice.
      return this.#post(method, params);
    }
  }

  /** The client of the API of the same service. */
  client(): Larder {
    const { url, key } = this.#access;
    return new Larder({ url, key: key! });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#started?.stop();
  }

  /** Checks that the service answers, and starts it if it is that of the data folder. */
  async #reach(): Promise<void> {
    const { url, isOwn, config } = this.#access;
    const failure = await whyNotReached(url);
    if (failure !== undefined && !isOwn) throw unreachable(url, this.#access.urlSource, failure);
    if (failure !== undefined) {
      tell(this.#terminal, `larder: starting the service of ${config.dataDir}\n`);
      this.#started = await startService(config, this.#terminal.env, {
        isReachable: async () => (await whyNotReached(url)) === undefined,
        signal: this.#signal,
      });
      // The first start creates the first key.
      this.#access = await serviceAccess(this.#terminal, this.#options);
    }
    if (this.#access.key === undefined)
      throw new OperatorError('Give an API key or access token, with --key or as LARDER_KEY.');
  }

  async #post(method: string, params: Message): Promise<Message> {
    const { url, key } = this.#access;
    const { user, timeZone } = this.#options;
    const query = new URLSearchParams({ ...(user !== undefined && { userId: user }), timeZone });
    const response = await fetch(`${url}/mcp?${query}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': REVISION,
        'mcp-method': method,
        ...(typeof params['name'] === 'string' && { 'mcp-name': params['name'] }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }),
      signal: AbortSignal.any([this.#signal, AbortSignal.timeout(ANSWER_MS)]),
    }).catch((error) => {
      throw unreachable(url, this.#access.urlSource, error);
    });
    const { result, error } = (await response.json().catch(() => NO_ANSWER)) as Answer;
    if (error !== undefined) throw new Refusal(error.code, error.message);
    return result!;
  }
}

type Message = Readonly<Record<string, unknown>>;

interface Answer {
  readonly result?: Message;
  readonly error?: { readonly code: number | string; readonly message: string };
}

/** Replaces a response of another program, such as a proxy. */
const NO_ANSWER: Answer = {
  error: {
    code: 'unexpected_response',
    message: 'What answers at the address is no Larder service with /mcp.',
  },
};

const PREFIX = 'io.modelcontextprotocol';
const META = {
  [`${PREFIX}/protocolVersion`]: REVISION,
  [`${PREFIX}/clientInfo`]: { name: 'larder mcp', version: packageJson.version },
  [`${PREFIX}/clientCapabilities`]: {},
};

/** The error of `fetch`; undefined if there is a response. */
async function whyNotReached(url: string): Promise<unknown> {
  try {
    await new Larder({ url, maxRetries: 0 }).service.health({ signal: AbortSignal.timeout(REACH_MS) });
    return undefined;
  } catch (error) {
    if (!(error instanceof LarderError)) return error;
    return error.status === undefined ? (error.cause ?? error) : undefined;
  }
}
