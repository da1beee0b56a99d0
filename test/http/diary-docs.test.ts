import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestService } from '../support/test-service.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'diary.md');
const BLOCK = /^```(sh|json)\n([\s\S]*?)^```$/gm;
/** Stands in the page for what is different each time. */
const ANYTHING = '…';

test.skipIf(spawnSync('curl', ['--version']).error !== undefined)(
  'the walk through the diary runs as it stands, and answers what the page says',
  async () => {
    const blocks = [...readFileSync(PAGE, 'utf8').matchAll(BLOCK)];
    const script = blocks.filter(([, kind]) => kind === 'sh').map(([, , text]) => text);
    const expected = blocks.filter(([, kind]) => kind === 'json').map(([, , text]) => JSON.parse(text!));

    await using service = await openTestService();
    const { stdout, stderr, status } = await runBash(script.join('\n'), {
      LARDER: service.url,
      KEY: service.key,
    });
    expect([status, stderr]).toEqual([0, '']);
    expect(toJsonTexts(stdout).map((text) => JSON.parse(text))).toEqual(expected.map(loosen));
  },
);

/** Not `spawnSync`: the service that it talks to lives in this process. */
async function runBash(script: string, env: Record<string, string>) {
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  return { stdout, stderr, status };
}

/** The answers follow each other with nothing in between. */
function toJsonTexts(output: string): string[] {
  const texts: string[] = [];
  for (let rest = output.trim(); rest !== ''; ) {
    const end = endOfFirst(rest);
    texts.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return texts;
}

/** Where the first number, object or array of the text ends. */
function endOfFirst(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]|[\d.]+/g)) {
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    if (depth === 0) return index + token.length;
  }
  throw new Error(`an answer is cut off: ${text}`);
}

function loosen(value: unknown): unknown {
  if (value === ANYTHING) return expect.any(String);
  if (Array.isArray(value)) return value.map(loosen);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, loosen(inner)]));
}
