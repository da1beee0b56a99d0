import { connect } from 'node:net';

/** Requests sent before their responses are read. */
const PIPELINE_DEPTH = 256;
const HEAD_END = '\r\n\r\n';

export interface PipelinedAnswer {
  readonly status: number;
  readonly body: string;
}

/** Sends many GETs over one connection, pipelined (RFC 9112, 9.3.2); responses are in the order of the paths. */
export async function pipelinedGets(
  url: string,
  paths: readonly string[],
  headers: Readonly<Record<string, string>>,
): Promise<PipelinedAnswer[]> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const lines = Object.entries({ host: hostname, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const answers: PipelinedAnswer[] = [];
  let sent = 0;
  const sendMore = () => {
    const batch = paths.slice(sent, answers.length + PIPELINE_DEPTH);
    sent += batch.length;
    socket.write(batch.map((path) => `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`).join(''));
  };
  sendMore();
  let pending = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    const { rest, read } = takeAnswers(pending + chunk);
    pending = rest;
    answers.push(...read);
    if (answers.length === paths.length) break;
    if (answers.length === sent) sendMore();
  }
  return answers;
}

/** The complete responses at the beginning of the received bytes, and the rest. Characters stand for bytes. */
function takeAnswers(received: string): { rest: string; read: PipelinedAnswer[] } {
  const read: PipelinedAnswer[] = [];
  for (let start = 0; ; ) {
    const headEnd = received.indexOf(HEAD_END, start);
    if (headEnd === -1) return { rest: received.slice(start), read };
    const head = received.slice(start, headEnd);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
    const bodyStart = headEnd + HEAD_END.length;
    if (received.length < bodyStart + length) return { rest: received.slice(start), read };
    const body = Buffer.from(received.slice(bodyStart, bodyStart + length), 'latin1').toString();
    read.push({ status: Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)), body });
    start = bodyStart + length;
  }
}
