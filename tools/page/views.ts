import type { Page } from 'playwright-core';

export interface PageView {
  readonly name: string;
  readonly path: string;
  /** Button to press after it has opened. */
  readonly press?: string;
}

/** Every view of the page, as an owner opens it. */
export const VIEWS: readonly PageView[] = [
  { name: 'today', path: '/' },
  { name: 'add', path: '/', press: 'Add to dinner' },
  { name: 'trends', path: '/app/trends' },
  { name: 'recipes', path: '/app/recipes' },
  { name: 'foods', path: '/app/foods' },
  { name: 'settings', path: '/app/settings' },
  { name: 'console', path: '/console' },
  ...['foods', 'imports', 'scans', 'keys', 'webhooks', 'people', 'backup'].map((section) => ({
    name: `console-${section}`,
    path: `/console/${section}`,
  })),
];

export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 860 } } as const;
export const THEMES = ['light', 'dark'] as const;

/** Opens a view and waits for its content. */
export async function openView(page: Page, url: string, { path, press }: PageView): Promise<void> {
  await page.goto(url + path);
  await page.locator('main h1').first().waitFor();
  if (press !== undefined) await page.getByRole('button', { name: press, exact: true }).click();
  await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
}
