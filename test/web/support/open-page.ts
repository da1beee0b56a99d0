import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContextOptions, Locator, Page, Request, Response } from 'playwright-core';
import { startBrowser } from '../../support/chromium.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';

const PASSWORD = 'eggs and toast';

// A click of a label on its field is the second one of the same tap, and has no count.
const COUNT_TAPS = `addEventListener('click', ({ detail }) => {
  if (detail > 0) sessionStorage.setItem('taps', String(Number(sessionStorage.getItem('taps')) + 1));
}, true)`;
const TAKE_TAPS = `(() => {
  const taps = Number(sessionStorage.getItem('taps'));
  sessionStorage.removeItem('taps');
  return taps;
})()`;

export interface OpenPage extends AsyncDisposable {
  readonly service: ServiceProcess;
  readonly browser: Browser;
  readonly page: Page;
  /** What a developer would see as red lines, and addresses that are not the service's. */
  readonly faults: string[];
  readonly meal: (name: string) => Locator;
  readonly entries: (meal: string) => Locator;
  readonly button: (name: string | RegExp) => Locator;
  /** Taps on the page since the last call. */
  readonly taps: () => Promise<number>;
  readonly signIn: () => Promise<void>;
}

interface OpenPageOptions {
  readonly context: BrowserContextOptions;
  readonly args?: readonly string[];
  /** Further settings of the service. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A refusal of settings, which `isSentAgain` judges by its body. */
function isOldVersion(status: number, url: string): boolean {
  return status === 412 && url.endsWith('/settings');
}

/**
 * Whether settings were sent again after the page was left before their answer came: they are for the version before then, and are all
 * in the present one, by which the page finds that they are its own.
 */
async function isSentAgain(response: Response): Promise<boolean> {
  if (!isOldVersion(response.status(), response.url())) return false;
  const sent = Object.entries(response.request().postDataJSON() as object);
  const { error } = (await response.json()) as { error: { details: { current: Record<string, unknown> } } };
  return sent.every(([name, value]) => isDeepStrictEqual(error.details.current[name] ?? null, value));
}

/** A fresh service, and its page in Chromium with Ann signed in. */
export async function openPage({ context, args = [], settings }: OpenPageOptions): Promise<OpenPage> {
  const service = await startServiceProcess({
    ...{ LARDER_THREADS: '1', LARDER_PAGE: 'on' },
    // However busy the machine is, no test is asked for a proof that it does not expect.
    LARDER_REAUTH_SECONDS: '86400',
    ...settings,
  });
  const browser = await startBrowser(args);
  const page = await browser.newPage({ locale: 'en-US', ...context });
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  page.on('response', async (response) => {
    if (response.status() < 400) return;
    const isOwn = await isSentAgain(response).catch(() => false);
    if (!isOwn) faults.push(`${response.status()} ${response.url()}`);
  });
  page.on('console', (message) => {
    const isFault = message.type() === 'error' && !isOldVersion(412, message.location().url);
    if (isFault) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== service.url && protocol !== 'blob:' && protocol !== 'data:') faults.push(request.url());
  });
  await page.addInitScript({ content: COUNT_TAPS });
  const button = (name: string | RegExp) =>
    page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
  const meal = (name: string) => page.getByRole('region', { name, exact: true });
  const fillAccount = async (done: string) => {
    await page.getByRole('textbox', { name: 'Name' }).fill('Ann');
    await page.getByLabel('Password').fill(PASSWORD);
    await button(done).click();
  };
  const link = readFileSync(join(service.dataDir, 'owner-link.txt'), 'utf8').trim().split('#')[1]!;
  await page.goto(`${service.url}/welcome#${link}`);
  await fillAccount('Create account');
  await meal('Breakfast').waitFor();
  return {
    service,
    browser,
    page,
    faults,
    meal,
    entries: (name) => meal(name).getByRole('listitem'),
    button,
    taps: () => page.evaluate<number>(TAKE_TAPS),
    signIn: () => fillAccount('Sign in'),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** Ends the session just before the page sends its next request of this kind: no other request notices before. */
export async function endSessionAt(page: Page, isMeant: (request: Request) => boolean): Promise<void> {
  await page.route('**', async (route) => {
    if (!isMeant(route.request())) return route.fallback();
    await page.context().clearCookies();
    await route.fallback();
    await page.unroute('**');
  });
}

/** Asks the service as the page does, with its session. Returns the answer's JSON. */
export async function askAs(page: Page, method: string, path: string, body?: object): Promise<unknown> {
  return await page.evaluate(
    async ([method, path, body]) => {
      const response = await fetch(path!, {
        method: method!,
        headers: { 'content-type': 'application/json' },
        ...(body !== undefined && { body }),
      });
      return response.status === 204 ? undefined : response.json();
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  );
}
