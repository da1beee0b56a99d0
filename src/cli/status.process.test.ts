import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { startLocalServer } from '../../test/support/local-server.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { openTestService } from '../../test/support/test-service.ts';
import { createProgram } from './program.ts';

test('status describes the service here, using the first key of the data folder', async () => {
  await using service = await openTestService();
  const { dataDir } = service.config;
  await writeFile(join(dataDir, 'first-key.txt'), `${service.key}\n`);
  const env = { LARDER_DATA_DIR: dataDir, LARDER_PORT: new URL(service.url).port };
  const { out, problem } = await status(env, '--json');
  const [name] = await service.catalogueStore.list();
  expect({ ...JSON.parse(out), problem }).toEqual({
    address: service.url,
    state: 'ready',
    version: packageJson.version,
    mode: 'embedded',
    dataDir,
    hasData: true,
    catalogue: { name: name!.name, foods: 2, createdAt: new Date(name!.info!.createdAt).toISOString() },
    database: 'reachable',
    disk: { freeBytes: expect.any(Number), reserveBytes: expect.any(Number) },
    scanQueue: { waiting: 0, running: 0 },
    refusals: [],
    refusedOrigins: 0,
    problems: [],
    problem: undefined,
  });
  const shown = await status(env);
  expect(shown.out).toMatch(/^address {4}http.*\nstate {6}ready\nversion {4}/);
  expect(shown.out).toMatch(/\ncatalogue {2}\S+, 2 foods, made 20.*Z\n/);
  expect(shown.out).toMatch(/\nscans {6}0 waiting, 0 running\n$/);
});

test('status lists the latest rejected requests, without text of clients', async () => {
  await using service = await openTestService();
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${service.key}`, ...headers } });
  await ask('/v1/foods/search?q=secret&colour=red');
  await ask('/v1/foods/search?q=secret&limit=x');
  await ask('/v1/foods/secret');
  await ask('/healthz', { origin: 'https://app.example' });
  await ask('/healthz', { origin: service.url });
  const { out } = await status({}, '--url', service.url, '--key', service.key);
  expect(out).toMatch(/\nrefused {4}20\S+Z GET \/v1\/foods\/:id: food_not_found, 1 time\n/);
  expect(out).toMatch(/\n {11}20\S+Z GET \/v1\/foods\/search: invalid_query, 2 times\n/);
  expect(out).toMatch(/\norigins {4}1 request of pages refused; the log names their origins, LARDER_CORS/);
  expect(out).not.toMatch(/secret|colour|red\b/);
});

test('a remote service is described by its own responses, and gets no key of this folder', async () => {
  await using service = await openTestService();
  using folder = tempFolder();
  await writeFile(join(folder.path, 'first-key.txt'), service.key);
  const env = { LARDER_DATA_DIR: folder.path };
  const { out } = await status(env, '--url', service.url, '--json');
  expect(JSON.parse(out)).toEqual({
    address: service.url,
    state: 'ready',
    version: packageJson.version,
    catalogue: { name: expect.any(String), foods: 2 },
    database: 'reachable',
    problems: [],
  });
});

test('a given key that the service rejects is a problem; the first key may be revoked', async () => {
  await using service = await openTestService();
  const { dataDir } = service.config;
  await writeFile(join(dataDir, 'first-key.txt'), 'revoked');
  const env = { LARDER_DATA_DIR: dataDir, LARDER_PORT: new URL(service.url).port };
  expect((await status(env, '--json')).problem).toBeUndefined();
  const { problem } = await status(env, '--json', '--key', 'other');
  expect(problem).toMatch(/^The service refuses the key of --key, which .*: The API key is not valid\.$/);
});

test('without a service status says what to do, fails, and describes the local data', async () => {
  using folder = tempFolder();
  const { out, problem } = await status({ LARDER_DATA_DIR: folder.path, LARDER_PORT: '1' }, '--json');
  const message = expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 does not answer \(.*larder serve.*address/);
  expect(problem).toEqual(message);
  expect(JSON.parse(out)).toMatchObject({
    state: 'unreachable',
    dataDir: folder.path,
    hasData: false,
    problems: [message],
  });
  const shown = await status({ LARDER_DATA_DIR: folder.path, LARDER_PORT: '1' });
  expect(shown.out).toContain(`${folder.path} (it has no data of Larder)\n`);
});

test('a service that is not ready, not healthy or not Larder is an error', async () => {
  const answers: Record<string, [number, object]> = {
    '/': [200, { name: 'larder', version: '9.9.9', description: '', links: {} }],
    '/readyz': [503, { error: { code: 'unavailable', message: 'The service is starting.' } }],
  };
  await using server = await startLocalServer((request, response) => {
    const [code, body] = answers[request.url!]!;
    response.writeHead(code).end(JSON.stringify(body));
  });
  const ask = () => status({}, '--url', server.base);
  const starting = await ask();
  expect(starting.out).toMatch(/\nstate {6}not ready\nversion {4}9\.9\.9; this program is /);
  expect(starting.problem).toBe('The service is starting.');
  answers['/readyz'] = [
    200,
    {
      status: 'ready',
      catalogue: { name: 'a', foods: 1, checksum: 'b' },
      database: 'unreachable',
      storage: 'full',
    },
  ];
  expect((await ask()).problem).toMatch(/^The database does not answer\. The disk is almost full/);
  answers['/'] = [404, {}];
  expect((await ask()).problem).toMatch(/is not a service of Larder \(status 404\)/);
});

async function status(env: Record<string, string>, ...words: string[]) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const program = await createProgram({ env, out, err });
  const problem = await program.parseAsync(['node', 'larder', 'status', ...words]).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { out: String(out.setEncoding('utf8').read()), problem };
}
