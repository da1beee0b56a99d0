import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BrowserContext } from 'playwright-core';

const PROGRAM = join(import.meta.dirname, '../../bin/larder.mjs');
const PASSWORD = 'eggs and toast';

export interface PageService extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
  /** Sends a request as Ann, the owner. */
  ask<Answer>(method: string, path: string, body?: object): Promise<Answer>;
  /** The id of Ann, and of her diary. */
  readonly ann: string;
  /** Signs Ann in to a browser. */
  signIn(context: BrowserContext): Promise<void>;
}

/** A fresh service whose owner is Ann. */
export async function openPageService(settings: Readonly<Record<string, string>> = {}): Promise<PageService> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-page-'));
  const env = {
    PATH: process.env['PATH'],
    LARDER_PORT: '0',
    LARDER_THREADS: '1',
    ...settings,
    LARDER_DATA_DIR: folder,
  };
  const child = spawn(process.execPath, [PROGRAM, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await addressOf(child);
  const link = readFileSync(join(folder, 'owner-link.txt'), 'utf8').trim().split('#link=')[1];
  const joined = await send(url, undefined, 'POST', '/v1/people', {
    link,
    name: 'Ann',
    password: PASSWORD,
  });
  const [name, value] = joined.headers.getSetCookie()[0]!.split(';')[0]!.split('=') as [string, string];
  const { person } = (await joined.json()) as { person: { id: string } };
  return {
    url,
    child,
    ann: person.id,
    async ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
      const response = await send(url, `${name}=${value}`, method, path, body);
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (response.status === 204 ? undefined : await response.json()) as Answer;
    },
    async signIn(context) {
      await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
      // Without it the page does not check who is signed in.
      await context.addInitScript("localStorage.setItem('larder-session', '')");
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'close');
      rmSync(folder, { recursive: true });
    },
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface(child.stdout!)) {
    const { msg, url } = JSON.parse(line) as { msg: string; url?: string };
    if (msg === 'listening') {
      child.stdout!.resume();
      return url!;
    }
  }
  throw new Error('The service ended before it listened.');
}

function send(url: string, cookie: string | undefined, method: string, path: string, body?: object) {
  return fetch(url + path, {
    method,
    headers: {
      origin: url,
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
