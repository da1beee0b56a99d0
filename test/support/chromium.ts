import { type Browser, chromium } from 'playwright-core';
import { findServer } from './bring-servers.ts';
import { installDebianPackages } from './debian-packages.ts';

/** Reason for which the tests of pages are skipped; undefined if there is a browser. */
export const noBrowser =
  findServer('chromium') === undefined ? installDebianPackages(['chromium']) : undefined;
if (noBrowser !== undefined) process.stderr.write(`Chromium is missing: ${noBrowser}; its tests skip.\n`);

export const SIZES = [
  ['a phone', { width: 390, height: 844 }],
  ['a desktop', { width: 1280, height: 860 }],
] as const;

/** Starts Chromium without its sandbox, which root cannot use; it only loads pages of tests. */
export function startBrowser(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: findServer('chromium')!, args: ['--no-sandbox', ...args] });
}
