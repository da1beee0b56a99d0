import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { SIZES } from '../../support/chromium.ts';
import type { ServiceProcess } from '../../support/service-process.ts';

type Size = (typeof SIZES)[number][1];

const NAME = 'Ann';
const PASSWORD = 'eggs and toast';

/** The page in a browser profile of its own, as on one device. */
export class PageVisit {
  readonly context: BrowserContext;
  page: Page;
  /** Lines that a developer would see in red while the service could be reached. */
  readonly faults: string[] = [];
  readonly #url: string;
  #isOnline = true;

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.context = context;
    this.page = page;
    this.#url = url;
    this.#watch(page);
  }

  static async open(browser: Browser, { url }: ServiceProcess, viewport: Size): Promise<PageVisit> {
    const context = await browser.newContext({ viewport, locale: 'en-US' });
    return new PageVisit(context, await context.newPage(), url);
  }

  /** Makes the account of the owner by the link of the first start. */
  async createAccount({ dataDir }: ServiceProcess): Promise<void> {
    const link = readFileSync(join(dataDir, 'owner-link.txt'), 'utf8').trim().split('#')[1]!;
    await this.page.goto(`${this.#url}/welcome#${link}`);
    await this.#fill('Create account');
  }

  async signIn(): Promise<void> {
    await this.page.goto(this.#url);
    await this.#fill('Sign in');
  }

  /** Ends the page at once, as a system that needs memory does, and opens it again. */
  async killAndOpen(): Promise<void> {
    await this.page.close({ runBeforeUnload: false });
    this.page = await this.context.newPage();
    this.#watch(this.page);
    await this.page.goto(this.#url);
    await this.meal('Breakfast').waitFor();
  }

  async setOnline(isOnline: boolean): Promise<void> {
    if (!isOnline) this.#isOnline = false;
    await this.context.setOffline(!isOnline);
    this.#isOnline = isOnline;
  }

  /** Changes of this device that the service does not have. */
  countWaiting(personId: string): Promise<number> {
    return this.page.evaluate<number>(`new Promise((resolve, reject) => {
      const opening = indexedDB.open('larder-${personId}');
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const counting = opening.result.transaction('writes').objectStore('writes').count();
        counting.onsuccess = () => {
          opening.result.close();
          resolve(counting.result);
        };
      };
    })`);
  }

  meal(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true });
  }

  entries(meal: string): Locator {
    return this.meal(meal).getByRole('listitem');
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Writes a recent food again, by one tap. */
  async addRecent(meal: string, food: string): Promise<void> {
    await this.button(`Add to ${meal.toLowerCase()}`).click();
    const recent = this.page.getByRole('region', { name: 'Recent' });
    await recent.getByRole('button', { name: new RegExp(`^${food}`) }).click();
    await this.page.getByRole('dialog').waitFor({ state: 'hidden' });
  }

  async #fill(button: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Name' }).fill(NAME);
    await this.page.getByLabel('Password').fill(PASSWORD);
    await this.button(button).click();
    await this.meal('Breakfast').waitFor();
  }

  #watch(page: Page): void {
    const fault = (text: string) => this.#isOnline && this.faults.push(text);
    page.on('response', (response) => {
      // A second device is told of conflicts by this status.
      if (response.status() >= 400 && response.status() !== 412)
        fault(`${response.status()} ${response.url()}`);
    });
    page.on('pageerror', (error) => fault(String(error)));
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(this.#url).origin) fault(request.url());
    });
  }
}
