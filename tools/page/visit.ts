import type { Browser, Page } from 'playwright-core';
import type { Language } from '../../web/src/texts/languages.ts';
import type { PageService } from './page-service.ts';

let visits = 0;

/** Headers of a visit, with an address of its own: one address may open 60 pages a minute. */
export function visitHeaders(): Record<string, string> {
  return { 'x-forwarded-for': `192.0.2.${++visits % 256}` };
}

/** A language and region of a browser whose language the page has. */
export type Locale = `${Language}-${string}`;

/** Texts of the page and the console: scripts press what people see. Only Vite loads them; benches do without. */
async function textsIn(locale: Locale) {
  const language = locale.slice(0, 2) as Language;
  const { ALL_TEXTS } = await import('../../web/src/texts/all-texts.ts');
  const console: typeof import('../../web/src/console/texts/en.ts') = await import(
    `../../web/src/console/texts/${language}.ts`
  );
  return { ...ALL_TEXTS[language], inConsole: console.texts };
}

/** A page at one view, with what its script needs. */
export interface Visit {
  readonly page: Page;
  readonly texts: Awaited<ReturnType<typeof textsIn>>;
  readonly service: PageService;
  /** Presses the first button that is called so. */
  readonly press: (name: string) => Promise<void>;
}

export interface PageView {
  readonly name: string;
  readonly path: string;
  /** Who is signed in: Ann by default, Ben has an empty diary. */
  readonly who?: 'ben' | 'nobody';
  /** What is done after it has opened. */
  readonly act?: (visit: Visit) => Promise<unknown>;
  /** Whether it waits for ever, as the view of a photo that is being read. */
  readonly isBusy?: boolean;
}

export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const;
/** A small phone, a large screen, and a laptop at 200 %. */
export const MORE_SIZES = {
  small: { width: 320, height: 640 },
  wide: { width: 2560, height: 1440 },
  zoomed: { width: 640, height: 400 },
} as const;
export const THEMES = ['light', 'dark'] as const;

export interface Look {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly theme: (typeof THEMES)[number];
  readonly locale?: Locale;
  readonly isRightToLeft?: boolean;
}

/** The page sets the direction of its language with each group of texts that it loads. */
const STAY_RIGHT_TO_LEFT = `{
  const turn = () => document.dir === 'rtl' || (document.dir = 'rtl');
  new MutationObserver(turn).observe(document.documentElement, { attributeFilter: ['dir'] });
  turn();
}`;

/** Opens a view in a browser profile of its own, and waits until it has what it shows. `watch` sees the page before it opens. */
export async function openView(
  browser: Browser,
  service: PageService,
  { name, path, who, act, isBusy = false }: PageView,
  { viewport, theme, locale = 'en-US', isRightToLeft = false }: Look,
  watch?: (page: Page) => void,
): Promise<Page> {
  const context = await browser.newContext({
    viewport,
    colorScheme: theme,
    locale,
    reducedMotion: 'reduce',
    extraHTTPHeaders: visitHeaders(),
  });
  if (who !== 'nobody') await service.signIn(context, who);
  const page = await context.newPage();
  watch?.(page);
  try {
    await openPath(page, service.url, path);
    if (isRightToLeft) await page.evaluate(STAY_RIGHT_TO_LEFT);
    const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
    await act?.({ page, texts: await textsIn(locale), service, press });
    if (!isBusy) await waitUntilRead(page);
  } catch (error) {
    throw new Error(`The view ${name} does not open.`, { cause: error });
  }
  return page;
}

/** Opens a path and waits until it has what it shows. */
export async function openPath(page: Page, url: string, path: string): Promise<void> {
  await page.goto(url + path);
  await page.locator('main h1').first().waitFor();
  await waitUntilRead(page);
}

function waitUntilRead(page: Page): Promise<void> {
  return page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
}
