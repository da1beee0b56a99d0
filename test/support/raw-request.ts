import { connect } from 'node:net';

/** What came back over a connection on which exactly these bytes were sent. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends bytes as they are, which no HTTP client would, and reads until the server closes. */
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
    // A server that has answered and closes does not read what else was sent, and the system tells us so.
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
