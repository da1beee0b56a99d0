import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The supported revisions of the protocol. */
export const ERAS = ['2026-07-28', '2025-11-25'] as const;
export type Era = (typeof ERAS)[number];

/** The official client, restricted to one revision. */
export function newMcpClient(era: Era): Client {
  const info = { name: 'test', version: '1' };
  return era === '2025-11-25'
    ? new Client(info)
    : new Client(info, { versionNegotiation: { mode: { pin: era } } });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into it.
type Json = any;

export interface ToolAnswer {
  readonly isError: boolean;
  /** Structured result; undefined for an error. */
  readonly result: Json;
  /** All texts. */
  readonly text: string;
}

export interface McpSession extends AsyncDisposable {
  readonly client: Client;
  /** The official client checks each result against the schema of the tool. */
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  /** Fails if the tool returns an error. */
  result(name: string, args?: Record<string, unknown>): Promise<Json>;
  /** The result of `scan_photo` after it is available, however slow the machine is. */
  scanned(args: Record<string, unknown>): Promise<Json>;
}

/** A session of the official client with the service at `url`. */
export async function openMcpSession(url: URL | string, credential: string, era: Era): Promise<McpSession> {
  const client = newMcpClient(era);
  const requestInit = { headers: { authorization: `Bearer ${credential}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return sessionOf(client);
}

export async function sessionOf(client: Client): Promise<McpSession> {
  // The client learns the schemas of results here.
  await client.listTools();
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> => {
    const answer = await client.callTool({ name, arguments: args });
    const text = (answer.content as { text: string }[]).map((block) => block.text).join('\n');
    return { isError: answer.isError === true, result: answer.structuredContent, text };
  };
  const result = async (name: string, args?: Record<string, unknown>) => {
    const { isError, result: value, text } = await call(name, args);
    if (isError) throw new Error(text);
    return value;
  };
  return {
    client,
    call,
    result,
    async scanned(args) {
      let scan = await result('scan_photo', args);
      while (scan.status === 'processing') scan = await result('scan_photo', { scanId: scan.scanId });
      return scan;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
