import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

const BLOCK = /^```(sh|json)\n([\s\S]*?)^```$/gm;
/** Placeholder in a page for values that vary, or as the name of a field for omitted fields. */
const ANYTHING = '…';

/**
 * Runs the `sh` blocks of a page as one script and expects the JSON of its `json` blocks, in order, as its output.
 */
export async function runPage(page: string, env: Record<string, string>, cwd?: string): Promise<void> {
  const blocks = [...readFileSync(page, 'utf8').matchAll(BLOCK)];
  const script = blocks.filter(([, kind]) => kind === 'sh').map(([, , text]) => text);
  const expected = blocks.filter(([, kind]) => kind === 'json').map(([, , text]) => JSON.parse(text!));
  const { stdout, stderr, status } = await runBash(script.join('\n'), env, cwd);
  expect([status, stderr]).toEqual([0, '']);
  expect(toJsonTexts(stdout).map((text) => JSON.parse(text))).toEqual(expected.map(loosen));
}

/** Not `spawnSync`, because the service may run in this process. */
async function runBash(script: string, env: Record<string, string>, cwd: string | undefined) {
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  return { stdout, stderr, status };
}

/** Splits consecutive JSON texts. */
function toJsonTexts(output: string): string[] {
  const texts: string[] = [];
  for (let rest = output.trim(); rest !== ''; ) {
    const end = endOfFirst(rest);
    texts.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return texts;
}

/** The end of the first number, object or array. */
function endOfFirst(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]|[\d.]+/g)) {
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    if (depth === 0) return index + token.length;
  }
  throw new Error(`an answer is cut off: ${text}`);
}

/** Compares with the output in a page: `…` matches any value, and as a name any further fields. */
export function loosen(value: unknown): unknown {
  if (value === ANYTHING) return expect.anything();
  if (Array.isArray(value)) return value.map(loosen);
  if (typeof value !== 'object' || value === null) return value;
  const { [ANYTHING]: others, ...fields } = value as Record<string, unknown>;
  const expected = Object.fromEntries(Object.entries(fields).map(([key, inner]) => [key, loosen(inner)]));
  return others === undefined ? expected : expect.objectContaining(expected);
}
