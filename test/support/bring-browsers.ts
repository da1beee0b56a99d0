import { bring } from './bring-servers.ts';
import { CHROMIUM } from './chromium.ts';
import { FIREFOX } from './firefox.ts';

/**
 * Runs once before tests of pages: installs missing browsers if allowed, otherwise prints what is not tested.
 * Debian's packages have the names of their programs.
 */
export function setup(): void {
  bring([
    { name: 'Chromium', programs: CHROMIUM, packages: CHROMIUM },
    { name: 'Firefox', programs: [FIREFOX], packages: [FIREFOX] },
  ]);
}
