import { connect } from 'node:net';

/** The response on a connection to which exactly these bytes were sent. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends bytes that no HTTP client would send, and reads until the server closes. */
export async function rawRequest(
  port: number,
  bytes: string,
  { halfClose = false }: { halfClose?: boolean } = {},
): Promise<RawAnswer> {
  const socket = connect({ host: '127.0.0.1', port });
  if (halfClose) socket.end(bytes, 'latin1');
  else socket.write(bytes, 'latin1');
  let text = '';
  try {
    for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  } catch (error) {
    // A server that answers and closes without reading the rest causes a reset.
    if (text === '') throw error;
  }
  const [head = '', body = ''] = text.split(/\r\n\r\n([\s\S]*)/, 2);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(statusLine.split(' ')[1]), headers: Object.fromEntries(headers), body };
}
