import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './free-port.ts';

/** A TCP proxy to a local server that can be closed and opened, like a failing network. */
export interface TcpGate extends AsyncDisposable {
  readonly port: number;
  /** Closes every connection and accepts no more. */
  close(): Promise<void>;
  open(): Promise<void>;
}

export async function openTcpGate(targetPort: number): Promise<TcpGate> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(targetPort, '127.0.0.1');
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  // A port that no client gets while the gate is closed.
  const port = await freePort();
  await listen(port);
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { port, close, open: () => listen(port), [Symbol.asyncDispose]: close };
}
