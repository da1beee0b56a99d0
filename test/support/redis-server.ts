import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The path of Redis or Valkey; undefined if neither is installed. */
export function findRedis(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => [join(folder, 'redis-server'), join(folder, 'valkey-server')])
    .find((file) => existsSync(file));
}

export const redisProgram = findRedis();
if (redisProgram === undefined) {
  process.stderr.write('Redis is not installed; its adapter is not tested here.\n');
}

/** A server without persistence on a port from `freePort`; ready when this resolves. */
export async function startRedis(port: number, extra: readonly string[] = []): Promise<ChildProcess> {
  const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn(findRedis()!, [...words, ...extra], {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.includes('Ready to accept connections')) {
      server.stdout.resume();
      return server;
    }
  }
  throw new Error(`Redis did not start: ${said}`);
}

export async function killRedis(server: ChildProcess): Promise<void> {
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
}
