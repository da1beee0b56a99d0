import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './free-port.ts';

/** A way to a server of this machine that can be closed and opened, as a network that fails. */
export interface TcpGate extends AsyncDisposable {
  readonly port: number;
  /** Cuts every connection, and takes no more. */
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
  // One that no client is given as its own while the gate is closed.
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
