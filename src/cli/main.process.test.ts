import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { runLarder } from '../../test/support/run-larder.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { createProgram, settleHelp } from './program.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/larder.mjs');

function larder(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return spawn(process.execPath, [PROGRAM, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

test('--version prints the version of the package', async () => {
  const child = larder(['--version']);
  expect(await textOf(child.stdout)).toBe(`${packageJson.version}\n`);
});

test('compiled JavaScript of a start is cached for the next one', async () => {
  using folder = tempFolder();
  const start = () => larder(['--version'], { CACHE_DIRECTORY: folder.path });
  await once(start(), 'close');
  const kept = join(folder.path, 'stripped');
  const files = readdirSync(kept);
  expect(files.length).toBeGreaterThan(100);
  // Only reading can fail.
  for (const file of files) writeFileSync(join(kept, file), 'throw new Error("read")');
  expect(await textOf(start().stderr)).toContain('Error: read');
});

test('the program starts without a writable cache', async () => {
  const child = larder(['--version'], { CACHE_DIRECTORY: '/dev/null/none' });
  const [out, err] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  expect({ out, err }).toEqual({ out: `${packageJson.version}\n`, err: '' });
});

test('a file that cannot be written is reported in one sentence', async () => {
  using folder = tempFolder();
  const file = join(folder.path, 'nowhere', 'openapi.json');
  const child = larder(['openapi', '--out', file]);
  const [err, end] = await Promise.all([textOf(child.stderr), once(child, 'close')]);
  expect(err).toBe(`larder: Cannot write ${file}: there is no such file or folder; check the path.\n`);
  expect(end).toEqual([1, null]);
});

test.each([
  ['catalogue list', 'catalogues', 'current'],
  ['serve', 'objects', '.incoming'],
])('%s ends with one sentence if a file of the data folder cannot be read', async (words, folder, name) => {
  using data = tempFolder();
  const path = join(data.path, folder, name);
  await runLarder({ LARDER_DATA_DIR: data.path }, 'import', 'starter');
  mkdirSync(join(data.path, folder), { recursive: true });
  rmSync(path, { force: true });
  symlinkSync(name, path);
  const child = larder(words.split(' '), { LARDER_DATA_DIR: data.path, LARDER_PORT: '0' });
  const [err, end] = await Promise.all([textOf(child.stderr), once(child, 'close')]);
  expect(err).toBe(`larder: Cannot use ${path}: its links lead in a circle.\n`);
  expect(end).toEqual([1, null]);
});

test('an option that is a setting is rejected, and the error says where settings belong', async () => {
  const child = larder(['serve', '--port', '9000']);
  const [err, end] = await Promise.all([textOf(child.stderr), once(child, 'close')]);
  expect(err).toMatch(
    /unknown option '--port'\n+\(settings are environment variables, such as LARDER_PORT=9000\)/,
  );
  expect(end).toEqual([2, null]);
});

test.skipIf(process.platform !== 'linux')('output to a full disk is reported in one sentence', async () => {
  using full = openFull();
  for (const words of ['openapi', '--version', 'help']) {
    const child = spawn(process.execPath, [PROGRAM, ...words.split(' ')], {
      env: {},
      stdio: ['ignore', full.fd, 'pipe'],
    });
    const [err, end] = await Promise.all([textOf(child.stderr!), once(child, 'close')]);
    expect(err).toBe('larder: Cannot write the output: the disk is full; free some space and try again.\n');
    expect(end).toEqual([1, null]);
  }
});

/** A device that accepts no bytes, like a full disk. */
function openFull(): Disposable & { readonly fd: number } {
  const fd = openSync('/dev/full', 'w');
  return { fd, [Symbol.dispose]: () => closeSync(fd) };
}

test.each([
  ['serch egg', /^error: unknown command 'serch'\n\(Did you mean search\?\)\n+\(add --help/],
  ['serch --help', /^error: unknown command 'serch'\n\(Did you mean search\?\)/],
  ['help serch', /^error: unknown command 'serch'\n\(Did you mean search\?\)/],
  ['key creat', /^error: unknown command 'creat'\n\(Did you mean create\?\)/],
  ['help key creat', /^error: unknown command 'creat'\n\(Did you mean create\?\)/],
  ['key help creat', /^error: unknown command 'creat'\n\(Did you mean create\?\)/],
  ['search --jsn egg', /^error: unknown option '--jsn'\n\(Did you mean --json\?\)\n+\(add --help/],
  ['key', /^Usage: larder key /],
  ['search', /^larder: Give either a search text or --batch FILE\.\n$/],
  ['search --limit 0 egg', /^larder: "limit" has to be a whole number from 1; /],
  [`search ${'x'.repeat(201)}`, /^larder: The search text q is longer than 200 characters\.\n$/],
  ['scan --timeout 0 x.jpg', /^larder: --timeout must be a whole number from 1 to 3600\.\n$/],
  ['key create --tenant a --scopes x', /^larder: "x" is not a scope; /],
])('larder %s: exit code 2 and an error message', async (words, message) => {
  const child = larder(words.split(' '));
  const [out, err, end] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close'),
  ]);
  expect({ out, err, end }).toEqual({ out: '', err: expect.stringMatching(message), end: [2, null] });
});

test.each([
  ['help', /^Usage: larder \[options\]/],
  ['--help', /^Usage: larder \[options\]/],
  ['help key create', /^Usage: larder key create /],
  ['key help create', /^Usage: larder key create /],
  ['key create --help', /^Usage: larder key create /],
  ['help search', /^Usage: larder search /],
  ['parse --help', /^Usage: larder parse /],
])('larder %s shows help, exit code 0', async (words, usage) => {
  const child = larder(words.split(' '));
  const [out, err, end] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close'),
  ]);
  expect({ out, err, end }).toEqual({ out: expect.stringMatching(usage), err: '', end: [0, null] });
});

test('--help within a search text shows no help', () => {
  const words = ['search', 'help', 'me'];
  return expect(
    createProgram({ env: {}, out: new PassThrough(), err: new PassThrough() }),
  ).resolves.toSatisfy((program: Command) => settleHelp(program, words) === words);
});

describe('a closed output', () => {
  test.each(['openapi', 'key list'])('ends larder %s without an error', async (command) => {
    using folder = tempFolder();
    const LARDER_DATA_DIR = folder.path;
    await runLarder({ LARDER_DATA_DIR }, 'import', 'starter');
    await runLarder({ LARDER_DATA_DIR }, 'key', 'create', '--tenant', 'default', '--scopes', 'foods:read');
    const child = larder(command.split(' '), { LARDER_DATA_DIR });
    child.stdout.destroy();
    const [err, end] = await Promise.all([textOf(child.stderr), once(child, 'close')]);
    expect(err).toBe('');
    expect(end).toEqual([0, null]);
  });
});

test('every command with output has --json, except those that print only JSON', async () => {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
  const without = leaves(await createProgram({ env: {}, out, err }))
    .filter(({ options }) => !options.some(({ long }) => long === '--json'))
    .map((command) => command.name());
  // Logs are JSON unless a terminal shows them, and so is the OpenAPI document.
  expect(without).toEqual(['mcp', 'openapi', 'serve', 'worker']);
});
