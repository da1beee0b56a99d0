import { type Browser, chromium } from 'playwright-core';
import { findServer } from './bring-servers.ts';

/** Programs by preference. The shell opens a page in half the time, since it draws no windows. */
export const CHROMIUM = ['chromium-headless-shell', 'chromium'] as const;

const program = CHROMIUM.map(findServer).find((file) => file !== undefined);

/** Reason for which the tests of pages are skipped; undefined if there is a browser. */
export const noBrowser = program === undefined ? 'Chromium is not installed' : undefined;

export const SIZES = [
  ['a phone', { width: 390, height: 844 }],
  ['a desktop', { width: 1280, height: 860 }],
] as const;

/** Starts Chromium without its sandbox, which root cannot use; it only loads pages of tests. */
export function startBrowser(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: program!, args: ['--no-sandbox', ...args] });
}
