import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BrowserContext } from 'playwright-core';
import { freePort } from '../../test/support/free-port.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/larder.mjs');
const PASSWORD = 'eggs and toast';

export interface PageService extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
  readonly dataDir: string;
  /** Sends a request as Ann, the owner. */
  ask<Answer>(method: string, path: string, body?: object): Promise<Answer>;
  /** Imports products in the form of Open Food Facts, and waits until they are served. */
  importProducts(products: readonly object[], facts?: 'all' | 'none'): Promise<void>;
  /** The id of Ann, and of her diary. */
  readonly ann: string;
  /** Signs Ann in to what a browser opens; or Ben, who joined and has entered nothing. */
  signIn(context: BrowserContext, who?: 'ann' | 'ben'): Promise<void>;
}

interface Account {
  readonly id: string;
  readonly cookie: { readonly name: string; readonly value: string };
}

/** Settings with a provider that nobody is sent to, for what views show of it. */
export async function openIdSettings(): Promise<Readonly<Record<string, string>>> {
  const port = String(await freePort());
  return {
    LARDER_PORT: port,
    LARDER_PUBLIC_URL: `http://127.0.0.1:${port}`,
    LARDER_OPENID_ISSUER: 'https://login.example.org',
    LARDER_OPENID_CLIENT_ID: 'larder',
    LARDER_OPENID_CLIENT_SECRET: 'a secret that nobody uses',
    LARDER_OPENID_NAME: 'Family login',
  };
}

/** A fresh service whose owner is Ann. */
export async function openPageService(settings: Readonly<Record<string, string>> = {}): Promise<PageService> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-page-'));
  const env = {
    PATH: process.env['PATH'],
    LARDER_PORT: '0',
    LARDER_THREADS: '1',
    // Each visit names an address of its own, since one address may open 60 pages a minute.
    LARDER_TRUSTED_PROXIES: '127.0.0.1',
    ...settings,
    LARDER_DATA_DIR: folder,
  };
  const child = spawn(process.execPath, [PROGRAM, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await addressOf(child);
  const enter = async (link: string, name: string): Promise<Account> => {
    const joined = await send(url, undefined, 'POST', '/v1/people', { link, name, password: PASSWORD });
    const [cookie, value] = joined.headers.getSetCookie()[0]!.split(';')[0]!.split('=') as [string, string];
    const { id } = (await joined.json()) as { id: string };
    return { id, cookie: { name: cookie, value } };
  };
  const ann = await enter(secretOf(readFileSync(join(folder, 'owner-link.txt'), 'utf8').trim()), 'Ann');
  const ask = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const response = await send(url, ann.cookie, method, path, body);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as Answer;
  };
  const invitation = await ask<{ url: string }>('POST', '/v1/invitations', { role: 'member' });
  const accounts = { ann, ben: await enter(secretOf(invitation.url), 'Ben') };
  return {
    url,
    dataDir: folder,
    child,
    ann: ann.id,
    ask,
    async importProducts(products, facts) {
      const file = products.map((product) => `${JSON.stringify(product)}\n`).join('');
      const { id } = await ask<{ id: string }>('POST', '/v1/operator/imports', {
        source: 'off',
        facts,
        file: { name: 'products.jsonl', bytes: Buffer.byteLength(file) },
      });
      const path = `/v1/operator/imports/${id}`;
      const sent = await send(url, ann.cookie, 'PUT', `${path}/file`, file);
      // It ends with the import.
      await (await send(url, ann.cookie, 'GET', `${path}/stream`)).text();
      const { status } = await ask<{ status: string }>('GET', path);
      if (!sent.ok || status !== 'completed') throw new Error(`The import of products is ${status}.`);
    },
    async signIn(context, who = 'ann') {
      await context.addCookies([{ ...accounts[who].cookie, url, httpOnly: true, sameSite: 'Lax' }]);
      // Without it the page does not ask who is signed in.
      await context.addInitScript("localStorage['larder-session'] ??= ''");
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'close');
      rmSync(folder, { recursive: true });
    },
  };
}

function secretOf(link: string): string {
  return link.split('#link=')[1]!;
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

function send(
  url: string,
  cookie: Account['cookie'] | undefined,
  method: string,
  path: string,
  body?: object | string,
) {
  return fetch(url + path, {
    method,
    headers: {
      origin: url,
      ...(cookie !== undefined && { cookie: `${cookie.name}=${cookie.value}` }),
      ...(body !== undefined && {
        'content-type': typeof body === 'string' ? 'application/octet-stream' : 'application/json',
      }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}
