import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processFigures } from '../../test/support/process-figures.ts';
import { startServiceProcess } from '../../test/support/service-process.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';

it('the first start adds foods and a key, and every start names the key file', async () => {
  await using service = await startServiceProcess({ LARDER_THREADS: '1' });
  expect(statSync(join(service.dataDir, 'first-key.txt')).mode & 0o777).toBe(0o600);
  const answer = await fetch(`${service.url}/v1/foods/search?q=banana`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  expect(await answer.json()).not.toEqual([]);

  service.child.kill('SIGTERM');
  await once(service.child, 'close');
  expect(service.err.join('\n')).toContain(join(service.dataDir, 'first-key.txt'));
  await using again = await startServiceProcess({ LARDER_THREADS: '1', LARDER_DATA_DIR: service.dataDir });
  again.child.kill('SIGTERM');
  await once(again.child, 'close');
  expect(again.err.join('\n')).toContain('listens on');
  expect(again.err.join('\n')).toContain(join(service.dataDir, 'first-key.txt'));
  expect(again.err.join('\n')).not.toContain(service.key);
});

it.skipIf(process.platform !== 'linux')(
  'a start loads no library of recognizers before the first scan',
  async () => {
    await using service = await startServiceProcess({ LARDER_THREADS: '1' });
    const maps = readFileSync(`/proc/${service.child.pid}/maps`, 'utf8');
    expect(maps).toContain('better-sqlite3');
    expect(maps).not.toMatch(/onnxruntime|libvips|sharp/);
  },
);

it('a start loads code for external services and compiling only if it needs them', async () => {
  const tellLoads = `import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });`;
  await using first = await startServiceProcess({ LARDER_THREADS: '1' });
  const { dataDir } = first;
  first.child.kill('SIGTERM');
  await once(first.child, 'close');
  await using service = await startServiceProcess({
    LARDER_THREADS: '1',
    LARDER_DATA_DIR: dataDir,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tellLoads)}`,
  });
  service.child.kill('SIGTERM');
  await once(service.child, 'close');
  const loaded = service.err.join('\n');
  expect(loaded).toContain('src/app/processes/api-thread.ts');
  expect(loaded).toContain('src/foods/visible-foods.ts');
  expect(loaded).not.toMatch(
    /off-product-api|fdc-food-search|external-lookup|compile\/compile|recognizers\/remote/,
  );
});

it.skipIf(process.platform !== 'linux')(
  'an idle service with two threads takes less than 220 MB',
  async () => {
    // The systemd unit and the image start it this way. The first start is excluded, because it migrates and compiles.
    const settings = { LARDER_THREADS: '2', MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };
    await using first = await startServiceProcess(settings);
    const { dataDir } = first;
    first.child.kill('SIGTERM');
    await once(first.child, 'close');
    await using service = await startServiceProcess({ ...settings, LARDER_DATA_DIR: dataDir });
    // About 212 MB are usual, of which 27 are the shipped foods with their names in 24 languages, and 300 if garbage stays or all
    // libraries are loaded.
    await expect.poll(() => processFigures(service.child.pid!).rssBytes).toBeLessThan(220e6);
  },
);

it('after an upgrade of the catalogue format, the service starts with the same foods', async () => {
  await using service = await startServiceProcess({ LARDER_THREADS: '1' });
  const { dataDir } = service;
  service.child.kill('SIGTERM');
  await once(service.child, 'close');
  const [file] = readdirSync(join(dataDir, 'catalogues')).filter((name) => name.endsWith('.catalogue'));
  const bytes = readFileSync(join(dataDir, 'catalogues', file!));
  bytes.writeUInt32LE(1, 8);
  writeFileSync(join(dataDir, 'catalogues', file!), bytes);

  await using again = await startServiceProcess({ LARDER_THREADS: '1', LARDER_DATA_DIR: dataDir });
  const answer = await fetch(`${again.url}/foods/search?q=banana`, { headers: { 'x-api-key': again.key } });
  expect(await answer.json()).not.toEqual([]);
  expect(again.out.join('\n')).toContain('its imports are compiled again');
});

it.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends it with exit code 0, and no log line contains the key',
  async (signal) => {
    await using service = await startServiceProcess({ LARDER_THREADS: '2', LARDER_LOG_LEVEL: 'debug' });
    await fetch(`${service.url}/foods/search?q=banana`, { headers: { 'x-api-key': service.key } });
    service.child.kill(signal);
    expect(await once(service.child, 'close')).toEqual([0, null]);
    expect(service.out.join('\n')).toContain('/foods/search');
    expect(service.out.concat(service.err).join('\n')).not.toContain(service.key);
  },
);

it('a second service on the same port names the setting to change, and creates no key', async () => {
  await using service = await startServiceProcess({ LARDER_THREADS: '1' });
  const { port } = new URL(service.url);
  using folder = tempFolder();
  const LARDER_DATA_DIR = folder.path;
  await expect(startServiceProcess({ LARDER_PORT: port, LARDER_DATA_DIR })).rejects.toThrow(
    /ended with 1.*in use.*LARDER_PORT/s,
  );
  expect(existsSync(join(LARDER_DATA_DIR, 'first-key.txt'))).toBe(false);
});

describe('a second service on the same data folder', () => {
  it('waits for the first one to end, then names its process and says what to do', async () => {
    await using first = await startServiceProcess({ LARDER_THREADS: '1' });
    const { dataDir, child, url, key } = first;
    const second = startServiceProcess({ LARDER_DATA_DIR: dataDir, LARDER_SHUTDOWN_TIMEOUT_MS: '0' });
    const refusal = new RegExp(
      `ended with 1: larder: Another Larder \\(pid ${child.pid}\\) serves the data folder ${dataDir}\\. Stop that one, or .*LARDER_DATA_DIR`,
    );
    await expect(second).rejects.toThrow(refusal);
    const answer = await fetch(`${url}/v1/foods/search?q=banana`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(200);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('%s ends its wait with exit code 0', async (signal) => {
    await using first = await startServiceProcess({ LARDER_THREADS: '1' });
    // The time-out exceeds this test, so that the wait does not end by itself.
    const settings = { LARDER_DATA_DIR: first.dataDir, LARDER_SHUTDOWN_TIMEOUT_MS: '600000' };
    const second = startServiceProcess(settings, undefined, true, (message, child) => {
      if (message.startsWith('another process serves this data folder')) child.kill(signal);
    });
    await expect(second).rejects.toThrow(/ended with 0: $/);
  });

  it('starts when the first one ends, and logs that it waits', async () => {
    await using first = await startServiceProcess({ LARDER_THREADS: '1' });
    const settings = {
      LARDER_THREADS: '1',
      LARDER_DATA_DIR: first.dataDir,
      LARDER_SHUTDOWN_TIMEOUT_MS: '120000',
    };
    await using second = await startServiceProcess(settings, undefined, true, (message) => {
      if (message.startsWith('another process serves this data folder')) first.child.kill('SIGTERM');
    });
    const waiting = second.out.find((line) => line.includes('another process serves this data folder'));
    expect(JSON.parse(waiting!)).toMatchObject({ level: 'warn', holderPid: first.child.pid });
    expect((await fetch(`${second.url}/healthz`)).status).toBe(200);
  });
});

it.skipIf(process.platform === 'win32')(
  'a service started by npm stops when its shell ends, and frees the port',
  async () => {
    const settings = { LARDER_THREADS: '1', npm_lifecycle_event: 'start' };
    await using service = await startServiceProcess(settings, (program) => [
      'sh',
      ['-c', `"${process.execPath}" "${program}" serve; true`],
    ]);
    service.child.kill('SIGKILL');
    await once(service.child, 'close');
    expect(service.out.join('\n')).toContain('"msg":"stopped"');
  },
);
