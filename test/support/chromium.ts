import { findServer } from '../../support/bring-servers.ts';
import { installDebianPackages } from '../../support/debian-packages.ts';

/** Why the tests of the page skip; undefined where there is a browser. */
export const noBrowser =
  findServer('chromium') === undefined ? installDebianPackages(['chromium']) : undefined;
if (noBrowser !== undefined) process.stderr.write(`Chromium is missing: ${noBrowser}; its tests skip.\n`);

export const SIZES = [
  ['a phone', { width: 390, height: 844 }],
  ['a desktop', { width: 1280, height: 860 }],
] as const;
