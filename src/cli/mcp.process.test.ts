import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ean13Bars } from '../../test/support/barcode-bars.ts';
import { barcodePicture } from '../../test/support/barcode-picture.ts';
import { freePort } from '../../test/support/free-port.ts';
import { ERAS, newMcpClient, sessionOf } from '../../test/support/mcp-client.ts';
import { type ServiceProcess, startServiceProcess } from '../../test/support/service-process.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';

const SHIPPED_EAN = '0747599322198';
const PROGRAM = join(import.meta.dirname, '../../bin/larder.mjs');
const MEAL = {
  date: '2026-03-02',
  mealType: 'lunch',
  foods: [{ foodName: 'Soup', nutrients: { energy: 100 } }],
};

let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess({ LARDER_THREADS: '1' });
});
afterAll(() => service[Symbol.asyncDispose]());

/** The complete environment of the program. */
function environment(settings: Record<string, string>): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', ...settings };
}

/** The official client with `larder mcp`, which reads its standard output: anything else there is an error. */
async function open(era: (typeof ERAS)[number], words: readonly string[], settings: Record<string, string>) {
  const client = newMcpClient(era);
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', ...words],
    env: environment(settings),
    stderr: 'pipe',
  });
  await client.connect(transport);
  return { ...(await sessionOf(client)), errors };
}

describe.each(ERAS)('larder mcp in the revision %s', (era) => {
  it('has the tools of a service at an address', async () => {
    const user = `ann-${era}`;
    const words = ['--url', service.url, '--user', user, '--time-zone', 'Europe/Berlin'];
    const session = await open(era, words, { LARDER_KEY: service.key });
    const { tools } = await session.client.listTools();
    expect(tools).toHaveLength(25);
    expect(session.client.getInstructions()).toContain('energy in kcal');
    const logged = await session.result('log_meal', MEAL);
    expect(logged.totals[0]).toMatchObject({ nutrient: 'energy', amount: 100 });
    expect((await session.result('log_meal', MEAL)).repeated).toBeDefined();
    expect((await session.result('get_day')).day.understoodAs).toContain('today in Europe/Berlin');
    expect((await session.call('delete_entry', { entryId: 'none' })).text).toContain('diary_entry_not_found');
    await expect(session.call('no_tool')).rejects.toThrow(/There is no tool/);
    await session.client.close();
    expect(session.errors).toEqual([]);
  });

  it('scans a photo of this machine, and sends no other file', async () => {
    using folder = tempFolder();
    const [photo, text] = [join(folder.path, 'lunch.png'), join(folder.path, 'secret.txt')];
    const picture = await barcodePicture({ bars: ean13Bars(SHIPPED_EAN) });
    await writeFile(photo, await picture.png().toBuffer());
    await writeFile(text, 'secret');
    const session = await open(era, ['--url', service.url, '--user', 'ann'], { LARDER_KEY: service.key });
    const tool = (await session.client.listTools()).tools.find(({ name }) => name === 'scan_photo')!;
    expect(tool.inputSchema.properties).toHaveProperty('path');
    const scan = await session.scanned({ path: photo });
    expect(scan).toMatchObject({ status: 'completed', items: [{ origin: 'barcode' }] });
    expect((await session.call('scan_photo', { path: text })).text).toMatch(/code: unsupported_image/);
    expect((await session.call('scan_photo', { path: join(folder.path, 'none') })).text).toMatch(
      /code: file_unreadable/,
    );
    await session.client.close();
    expect(session.errors).toEqual([]);
  });
});

it('starts the service of a data folder, shares it, and starts it again after it has ended', async () => {
  using folder = tempFolder();
  const settings = {
    LARDER_DATA_DIR: folder.path,
    LARDER_PORT: String(await freePort()),
    LARDER_THREADS: '1',
  };
  const words = ['--user', 'ann'];
  const first = await open('2026-07-28', words, settings);
  await first.result('log_meal', MEAL);
  const second = await open('2025-11-25', words, settings);
  const day = { date: MEAL.date };
  expect((await second.result('get_day', day)).meals).toHaveLength(1);
  await first.client.close();
  expect((await second.result('get_day', day)).meals).toHaveLength(1);
  await second.client.close();
  expect([...first.errors, ...second.errors]).toEqual([]);
  const url = `http://127.0.0.1:${settings.LARDER_PORT}/healthz`;
  await expect(fetch(url)).rejects.toThrow();
});

async function run(words: readonly string[], settings: Record<string, string>, input = '') {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, 'mcp', ...words], {
    env: environment(settings),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin!.end(input);
  let [out, err] = ['', ''];
  child.stdout!.on('data', (piece) => (out += piece));
  child.stderr!.on('data', (piece) => (err += piece));
  const [code] = await once(child, 'close');
  return { code, out, err };
}

it('reports problems on standard error, and nothing on standard output', async () => {
  using folder = tempFolder();
  const dir = { LARDER_DATA_DIR: folder.path };
  const dead = `http://127.0.0.1:${await freePort()}`;
  expect(await run(['--url', dead, '--key', service.key], dir)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('does not answer'),
  });
  expect(await run(['--url', service.url], dir)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('--key'),
  });
  expect(await run(['--url', service.url, '--key', 'lrd_wrong'], dir)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/invalid_api_key/),
  });
  expect(await run(['--url', service.url, '--key', service.key, '--time-zone', 'Mars'], dir)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('IANA'),
  });
  // It ends when its input ends.
  const { code, out } = await run(['--url', service.url, '--key', service.key, '--user', 'ann'], dir);
  expect([code, out]).toEqual([0, '']);
});
