import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../src/cli/program.ts';
import { readConfig } from '../../src/config/config.ts';
import { SERVICE, SETTINGS } from '../../src/config/settings.ts';

const ROOT = join(import.meta.dirname, '../..');
const CLUSTER = join(ROOT, 'deploy/cluster');

const compose = readCompose(join(CLUSTER, 'compose.yaml'));
const services = servicesOf(compose);
const ours = services.filter(([, { image }]) => image === 'larder');
const home = servicesOf(readCompose(join(ROOT, 'compose.yaml')));

// biome-ignore lint/suspicious/noExplicitAny: a file with a shape of Compose's own
function readCompose(file: string): any {
  return parse(readFileSync(file, 'utf8'), { merge: true });
}

// biome-ignore lint/suspicious/noExplicitAny: the same
function servicesOf(file: any): [string, any][] {
  return Object.entries(file.services);
}

/** Replaces variables as Compose does: `${NAME:-default}` and `${NAME:?why it is needed}`. */
function interpolate(value: string): string {
  return value.replace(
    /\$\{(\w+)(?::-([^}]*))?(?::\?[^}]*)?\}/g,
    (_, name, fallback) => fallback ?? `a-${name}`,
  );
}

test('two nodes and a worker get valid settings of one cluster', () => {
  expect(ours.map(([name]) => name)).toEqual(['api-1', 'api-2', 'worker']);
  for (const [, { environment }] of ours) {
    expect(SETTINGS.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(environment)));
    const filled = Object.entries<string>(environment).map(([name, value]) => [name, interpolate(value)]);
    expect(readConfig({ LARDER_DATA_DIR: '/data', ...Object.fromEntries(filled) }).mode).toBe('cluster');
  }
});

test('their commands exist', async () => {
  const terminal = { env: {}, out: new PassThrough(), err: new PassThrough() };
  const { commands } = await createProgram(terminal);
  for (const [, { command }] of ours) {
    const [name, ...options] = command;
    const found = commands.find((each) => each.name() === name);
    expect(found, name).toBeDefined();
    const long = options.filter((word: string) => word.startsWith('--'));
    expect(found!.options.map(({ long: known }) => known)).toEqual(expect.arrayContaining(long));
  }
});

test('they run without privileges and write only to their volume', () => {
  for (const [, service] of [...ours, ...home]) {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(service.volumes).toEqual([expect.stringMatching(/^[\w-]+:\/data$/)]);
  }
});

test('the Compose file for a household runs one service, reachable only from its machine by default', () => {
  expect(home.map(([name]) => name)).toEqual(['larder']);
  const [, { ports, build, environment, depends_on: needs }] = home[0]!;
  expect(ports.map(interpolate)).toEqual(['127.0.0.1:8080:8080']);
  expect({ build, environment, needs }).toEqual({ build: '.', environment: undefined, needs: undefined });
});

test('settings of Compose in .env do not stop the service, which reads the same file', () => {
  const file = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
  expect(home[0]![1].env_file).toEqual([{ path: '.env', required: false }]);
  const names = [...file.matchAll(/\$\{(\w+)/g)].map(([, name]) => [name!, 'x']);
  expect(names).not.toEqual([]);
  expect(() => readConfig(Object.fromEntries(names))).not.toThrow();
});

test('each image is built from the folder with the Dockerfile', () => {
  for (const [, { build }] of ours) expect(existsSync(join(CLUSTER, build, 'Dockerfile'))).toBe(true);
});

test('all referenced files exist', () => {
  for (const [name, { depends_on: needs = {}, volumes = [], configs = [], healthcheck }] of services) {
    for (const [needed, { condition }] of Object.entries<{ condition: string }>(needs)) {
      expect(compose.services, name).toHaveProperty(needed);
      if (condition === 'service_healthy') expect(compose.services[needed].healthcheck.test).toBeDefined();
    }
    for (const volume of volumes) {
      const [source] = volume.split(':');
      if (source.startsWith('./')) expect(existsSync(join(CLUSTER, source))).toBe(true);
      else expect(compose.volumes).toHaveProperty(source);
    }
    for (const { source } of configs) expect(compose.configs).toHaveProperty(source);
    if (name !== 'bucket' && name !== 'proxy') {
      expect(healthcheck?.test?.[0], name).toBe('CMD');
    }
  }
});

test('each health check uses the open port', () => {
  for (const [, { environment, healthcheck, command }] of [...ours, ...home]) {
    const port = command?.[0] === 'worker' ? environment.LARDER_WORKER_PORT : SERVICE.port.fallback;
    expect(healthcheck.test.at(-1)).toMatch(
      new RegExp(`http://127.0.0.1:${port}/readyz|host: '127.0.0.1', port: ${port}, path: '/readyz'`),
    );
  }
});

test('the proxy sends requests to every node', () => {
  const nginx = readFileSync(join(CLUSTER, 'nginx.conf'), 'utf8');
  const upstream = [...nginx.matchAll(/server ([\w-]+):8080;/g)].map(([, name]) => name);
  expect(upstream).toEqual(ours.map(([name]) => name).filter((name) => name!.startsWith('api')));
  expect(nginx.match(/\{/g)).toHaveLength(nginx.match(/\}/g)!.length);
});
