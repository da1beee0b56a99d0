import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { Larder, LarderError } from '#larder-client';
import packageJson from '../../../package.json' with { type: 'json' };
import { pause } from '../../base/pause.ts';
import type { Config } from '../../config/config.ts';
import { type ServiceAccess, serviceAccess, unreachable } from '../terminal/service-access.ts';
import { type Terminal, tell } from '../terminal/terminal.ts';

const PROGRAM = join(import.meta.dirname, '../../../bin/larder.mjs');
const LOOK_EVERY_MS = 100;
const STDERR = 2;

export interface StartedService {
  stop(): Promise<void>;
}

/**
 * Starts `larder serve` on the data folder and waits until it answers. It writes to standard error only,
 * because standard output belongs to the protocol. Undefined if another process was first: then that one
 * answers. Throws an `OperatorError` if none answers.
 */
export async function startService(
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
export class Refusal extends Error {
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
export class ServiceLink implements AsyncDisposable {
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

export type Message = Readonly<Record<string, unknown>>;

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
