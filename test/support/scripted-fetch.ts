/** A request as `fetch` received it. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/** The result of a request: a response, or an error of the connection. */
export type Fate = Response | Error | ((request: SentRequest) => Response | Promise<Response>);

/** A `fetch` that simulates faults between client and service: each request gets the next result. */
export class ScriptedFetch {
  readonly sent: SentRequest[] = [];
  readonly #fates: Fate[];

  constructor(fates: readonly Fate[]) {
    this.#fates = [...fates];
  }

  readonly fetch: typeof fetch = async (input, init = {}) => {
    const request: SentRequest = {
      method: init.method ?? 'GET',
      url: String(input),
      headers: new Headers(init.headers),
      body: init.body,
      signal: init.signal!,
    };
    this.sent.push(request);
    const fate = this.#fates.shift();
    if (fate === undefined) throw new Error(`${request.method} ${request.url} is one request too many`);
    if (fate instanceof Error) throw fate;
    return typeof fate === 'function' ? fate(request) : fate;
  };
}

/** An error as `fetch` throws it for a broken connection. */
export function brokenConnection(reason = 'read ECONNRESET'): TypeError {
  return new TypeError('fetch failed', { cause: new Error(reason) });
}

/** A request that gets no response until it is aborted. */
export function silence({ signal }: SentRequest): Promise<Response> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

/** An error response in the service's form. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}): Response {
  const error = { code, message: 'It says why.', requestId: 'r1', details: {} };
  return Response.json({ error }, { status, headers });
}
