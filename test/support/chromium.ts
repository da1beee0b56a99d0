import { type Browser, chromium } from 'playwright-core';
import { findServer } from './bring-servers.ts';
import { installDebianPackages } from './debian-packages.ts';

/** Why the tests of pages skip; undefined where there is a browser. */
export const noBrowser =
  findServer('chromium') === undefined ? installDebianPackages(['chromium']) : undefined;
if (noBrowser !== undefined) process.stderr.write(`Chromium is missing: ${noBrowser}; its tests skip.\n`);

export const SIZES = [
  ['a phone', { width: 390, height: 844 }],
  ['a desktop', { width: 1280, height: 860 }],
] as const;

/** Starts Chromium without its sandbox, which root cannot have; it loads nothing but the pages of tests. */
export function startBrowser(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: findServer('chromium')!, args: ['--no-sandbox', ...args] });
}
