import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { type EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems assign automatically. */
const FROM = 20_000;
const TO = 32_000;
const MAX_TRIES = 100;

/**
 * A free loopback port for a server that needs a given port and may restart on it. Other test processes do not get it
 * while this one runs: binding the UDP port of the same number reserves it.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const port = randomInt(FROM, TO);
    const claim = await claimed(port);
    if (claim === undefined) continue;
    if (await isFree(port)) return port;
    claim.close();
  }
  throw new Error(`none of ${MAX_TRIES} ports is free`);
}

async function claimed(port: number): Promise<Socket | undefined> {
  const socket = createSocket('udp4').unref();
  socket.bind({ address: '127.0.0.1', port, exclusive: true });
  if (await isListening(socket)) return socket;
  socket.close();
  return undefined;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  if (!(await isListening(server))) return false;
  await once(server.close(), 'close');
  return true;
}

function isListening(emitter: EventEmitter): Promise<boolean> {
  return once(emitter, 'listening').then(
    () => true,
    () => false,
  );
}
