import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { installDebianPackages } from './debian-packages.ts';
import { freePort } from './free-port.ts';

/**
 * OpenStack Swift with its S3 interface, a store that checks every signature: one bucket on the loopback, with its data in
 * a temporary folder. From Debian's packages, which are installed on first use when running as root.
 */
const PACKAGES = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object'];
const START_TIMEOUT_MS = 150_000;
const RETRY_MS = 100;

/** On a busy machine its servers wait long for each other, and listings must not lag behind writes. */
const PATIENCE = `node_timeout = 120
conn_timeout = 60
container_update_timeout = 60
error_suppression_limit = 1000000
`;

const STORES = ['account', 'container', 'object'] as const;
export const SWIFT_ACCESS = { accessKeyId: 'larder:tester', secretAccessKey: 'tested', region: 'us-east-1' };
/** The part of the host after the bucket's name, if that is not in the path. */
export const SWIFT_DOMAIN = 'localhost';

export interface Swift {
  readonly endpoint: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Reason for which Swift is not available; undefined if it is. */
export function whyNoSwift(): string | undefined {
  if (isInstalled()) return undefined;
  const reason = installDebianPackages(PACKAGES);
  if (reason !== undefined) return reason;
  return isInstalled() ? undefined : 'its packages lack a program';
}

function isInstalled(): boolean {
  return (
    existsSync('/etc/swift/swift.conf') && ['proxy', ...STORES].every((name) => existsSync(programOf(name)))
  );
}

export async function startSwift(): Promise<Swift> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-swift-'));
  const [port, ...storePorts] = await Promise.all(['proxy', ...STORES].map(freePort));
  const user = process.getuid?.() === 0 ? 'swift' : userInfo().username;
  mkdirSync(join(folder, 'devices', 'disk'), { recursive: true });
  if (user === 'swift') handOver(folder);
  buildRings(folder, storePorts);
  const servers = [
    startServer(folder, 'proxy', proxyConfig(folder, user, port!)),
    ...STORES.map((store, at) =>
      startServer(folder, store, storeConfig(folder, user, store, storePorts[at]!)),
    ),
  ];
  const close = async () => {
    await Promise.all(servers.map(stop));
    rmSync(folder, { recursive: true });
  };
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await answersAt([port!, ...storePorts]);
  } catch (cause) {
    const logs = ['proxy', ...STORES]
      .map((name) => readFileSync(join(folder, `${name}.log`), 'utf8'))
      .join('');
    await close();
    throw new Error(`Swift did not start: ${logs}`, { cause });
  }
  return { endpoint, port: port!, close };
}

function startServer(folder: string, name: string, config: string): ChildProcess {
  const file = join(folder, `${name}.conf`);
  writeFileSync(file, config);
  const log = openSync(join(folder, `${name}.log`), 'w');
  const server = spawn(programOf(name), [file], { stdio: ['ignore', log, log], cwd: folder });
  closeSync(log);
  return server;
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGKILL');
  await once(server, 'exit');
}

function programOf(name: string): string {
  return `/usr/bin/swift-${name}-server`;
}

function handOver(folder: string): void {
  const [uid, gid] = ['-u', '-g'].map((which) => Number(execFileSync('id', [which, 'swift'])));
  for (const path of ['.', 'devices', 'devices/disk']) chownSync(join(folder, path), uid!, gid!);
}

/** Rings assign data to servers: here always to the only one. */
function buildRings(folder: string, ports: readonly number[]): void {
  const program = `
import sys
from swift.common.ring import RingBuilder
folder, *ports = sys.argv[1:]
for store, port in zip(${JSON.stringify(STORES)}, ports):
    builder = RingBuilder(4, 1, 1)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'disk', 'weight': 1})
    builder.rebalance()
    builder.get_ring().save(f'{folder}/{store}.ring.gz')
`;
  execFileSync('/usr/bin/python3', ['-c', program, folder, ...ports.map(String)]);
}

function serverConfig(folder: string, user: string, port: number): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${user}
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
`;
}

function storeConfig(folder: string, user: string, store: string, port: number): string {
  return `${serverConfig(folder, user, port)}
[pipeline:main]
pipeline = ${store}-server
[app:${store}-server]
use = egg:swift#${store}
${PATIENCE}`;
}

/** Nothing listens at the cache's address; Swift works without it. */
function proxyConfig(folder: string, user: string, port: number): string {
  const { accessKeyId, secretAccessKey, region } = SWIFT_ACCESS;
  return `${serverConfig(folder, user, port)}
[pipeline:main]
pipeline = catch_errors gatekeeper cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
${PATIENCE}[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
storage_domain = ${SWIFT_DOMAIN}
location = ${region}
[filter:tempauth]
use = egg:swift#tempauth
user_${accessKeyId.replace(':', '_')} = ${secretAccessKey} .admin
`;
}

async function answersAt(ports: readonly number[]): Promise<void> {
  const deadline = AbortSignal.timeout(START_TIMEOUT_MS);
  for (const port of ports) {
    // Any response will do.
    while (
      !(await fetch(`http://127.0.0.1:${port}/`, { signal: deadline }).then(
        () => true,
        () => false,
      ))
    ) {
      await setTimeout(RETRY_MS, undefined, { signal: deadline });
    }
  }
}
